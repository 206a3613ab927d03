"""What reading co-changes costs, beside git's own listing of the same history."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from scripts.benchmarks.clones import cloned
from scripts.benchmarks.report import TIMES, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import Command, medians, timed
from tx_graph.analysis.cochange import CoChangeOptions
from tx_graph.workspace import open_workspace

_LOG = ("git", "log", "--no-merges", "--no-renames", "--name-only", "-z")
_BUDGET = at_most(2, TIMES)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the analysis of each repository's history."""
    for repository in settings.repositories:
        with cloned(repository, settings) as clone:
            yield _measured(clone, repository.name, settings)
    if not settings.repositories:
        yield Row(what="analyze-cochanges", budget=_BUDGET, note="no history to read: give a repository with --repo")


def _measured(root: Path, name: str, settings: Settings) -> Row:
    log = Command(arguments=_LOG, directory=root)
    with open_workspace(root) as workspace:
        report = workspace.cochanges.run(CoChangeOptions())
        analysed, listed = medians(
            [lambda: timed(lambda: workspace.cochanges.run(CoChangeOptions())), log.run], rounds=settings.heavy_rounds
        )
    return Row(
        what=f"analyze-cochanges: {name}",
        measured=ms(analysed),
        baseline="git log --name-only",
        against=ms(listed),
        budget=_BUDGET,
        note=f"{report.commits:,} commits, {report.pairs:,} pairs",
    )
