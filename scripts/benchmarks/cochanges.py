"""What reading co-changes costs, beside git's own listing of the same history; and what is kept of it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from scripts.benchmarks.clones import cloned
from scripts.benchmarks.report import TIMES, Quantity, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import Command, medians, timed
from scripts.opened import open_workspace
from tx_graph.core.database import Database
from tx_graph.core.place import DATABASE, DIRECTORY
from tx_graph.history.cochanges import CoChangeRequest

_LOG = ("git", "log", "--no-merges", "--no-renames", "--name-only", "-z")
_BASELINE = "git log --name-only"
_BUDGET = at_most(2, TIMES)
_MEMORY_BUDGET = at_most(300, "MB")
_KEPT_BUDGET = at_most(120, "bytes per commit")  # 3 MB for 25,000 commits
_MEGABYTE = 1_000_000
_KEPT = ("history", "history_paths", "history_commits")


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the analysis of each repository's history."""
    for repository in settings.repositories:
        with cloned(repository, settings) as clone:
            yield from _measured(clone, f"analyze-cochanges: {repository.name}", settings)
    if not settings.repositories:
        yield Row(what="analyze-cochanges", budget=_BUDGET, note="no history to read: give a repository with --repo")


def _measured(root: Path, what: str, settings: Settings) -> Iterator[Row]:
    log = Command(arguments=_LOG, directory=root)
    with open_workspace(root) as workspace:
        run, usual = workspace.cochanges.run, workspace.config.texts("cochanges.exclude")
        full, other = CoChangeRequest(exclude=usual, full=True), CoChangeRequest()
        report = run(full)
        analysed, recounted, repeated, listed = medians(
            [
                lambda: timed(lambda: run(full)),
                lambda: timed(lambda: run(other)),  # other files than just before, so all is counted again
                lambda: timed(lambda: run(other)),
                log.run,
            ],
            rounds=settings.heavy_rounds,
        )
    history = f"{report.commits:,} commits, {report.pairs:,} pairs"
    ways = ((", full", analysed, _BUDGET), (", other options", recounted, None), (", nothing new", repeated, None))
    for way, wall, budget in ways:
        yield Row(
            what=what + way, measured=ms(wall), baseline=_BASELINE, against=ms(listed), budget=budget, note=history
        )
    yield Row(what=f"{what}, memory", measured=_memory(root), budget=_MEMORY_BUDGET, note="peak, without git's own")
    yield _kept(root, f"{what}, kept of history", report.commits)


def _memory(root: Path) -> Quantity:
    probe = [sys.executable, "-m", "scripts.benchmarks.cochange_memory", str(root)]
    done = subprocess.run(probe, check=True, capture_output=True, text=True)
    return Quantity(value=int(done.stdout) / _MEGABYTE, unit="MB")


def _kept(root: Path, what: str, commits: int) -> Row:
    """Copy what is kept into a database that holds nothing else, whose pages can be counted."""
    with Database.open(root / DIRECTORY / DATABASE) as database:
        database.connection.execute("ATTACH ':memory:' AS kept")
        for table in _KEPT:
            database.connection.execute(f"CREATE TABLE kept.{table} AS SELECT * FROM main.{table}")  # noqa: S608
        size = database.value("PRAGMA kept.page_count") * database.value("PRAGMA kept.page_size")
    measured = Quantity(value=size / max(1, commits), unit="bytes per commit")
    return Row(what=what, measured=measured, budget=_KEPT_BUDGET, note=f"{size / _MEGABYTE:.1f} MB")
