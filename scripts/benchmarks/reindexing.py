"""What it costs to index again: on another branch, for nothing, and after a change; and how much memory it takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from scripts.benchmarks.cold import forget, index_cold
from scripts.benchmarks.report import Quantity, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import medians, timed, tx
from scripts.opened import open_workspace
from tx_graph.code.languages import language_of
from tx_graph.core.repository import GitRepository

_COLD = "tx index, cold"
_MEMORY = at_most(300, "MB")
_MEGABYTE = 1_000_000
_COMMENTS = {"python": "#"}
"""How a comment starts in languages where it does not with two slashes."""


def rows(root: Path, name: str, settings: Settings) -> Iterator[Row]:
    """Yield a new worktree whose files were read on another branch, an unchanged one, and the memory of a cold one."""
    cold, warm = medians(
        [lambda: index_cold(root), lambda: index_cold(root, readings=False)], rounds=settings.heavy_rounds
    )
    yield Row(
        what=f"index of a new worktree, files read before: {name}",
        measured=ms(warm),
        baseline=f"{_COLD}, without starting tx",
        against=ms(cold),
    )
    (unchanged,) = medians([tx("index", directory=root).run], rounds=settings.rounds)
    yield Row(what=f"tx index, nothing changed: {name}", measured=ms(unchanged))
    yield _memory(root, name)


def changed(root: Path, name: str, settings: Settings) -> Iterator[Row]:
    """Yield what one file costs that only looks changed, and one that is; leave the tree as it was."""
    files = GitRepository(root).list_files()
    path = root / next(file.path for file in files if language_of(file.path))
    original = path.read_bytes()
    try:
        with open_workspace(root) as workspace:
            index = workspace.indexing.run
            touched, edited = medians(
                [lambda: _after(lambda: _touch(path), index), lambda: _after(lambda: _edit(path, original), index)],
                rounds=settings.rounds,
            )
    finally:
        path.write_bytes(original)
    for how, wall in (("touched", touched), ("edited", edited)):
        yield Row(what=f"index after one file was {how}: {name}", measured=ms(wall), note=f"{len(files):,} files")


def _after(change: Callable[[], object], index: Callable[[], object]) -> float:
    change()
    return timed(index)


def _touch(path: Path) -> None:
    os.utime(path)


def _edit(path: Path, original: bytes) -> None:
    """Give a file a content that it never had."""
    comment = _COMMENTS.get(language_of(path.name) or "", "//")
    path.write_bytes(original + f"\n{comment} {time.time_ns()}\n".encode())


def _memory(root: Path, name: str) -> Row:
    forget(root)
    probe = [sys.executable, "-m", "scripts.benchmarks.index_memory", str(root)]
    own, *others = json.loads(subprocess.run(probe, check=True, capture_output=True, text=True).stdout)
    return Row(
        what=f"index, cold, peak memory: {name}",
        measured=Quantity(value=(own + sum(others)) / _MEGABYTE, unit="MB"),
        budget=_MEMORY,
        note=f"all processes together; {own / _MEGABYTE:.0f} MB without those that parse",
    )
