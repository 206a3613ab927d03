"""What verifying anchors costs: where nothing changed, where files were touched, and where they were edited."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from scripts.benchmarks import anchored_tree
from scripts.benchmarks.report import Quantity, Row, at_least, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import BARE, BARE_NAME, medians, timed, tx
from scripts.opened import open_workspace
from tx_graph.anchors.verify import verify

_FILES_BUDGET = at_least(1000, "files/s")
_ANCHORS_BUDGET = at_least(20_000, "anchors/s")
_GIT_BUDGET = at_most(10, "processes")

_FILES_GONE = (1, 100)
"""Files that are deleted to see how often git is asked about the anchors in them."""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield how fast all anchors of a workspace are verified, in a copy of it."""
    made = settings.workdir.made("anchors", anchored_tree.make)
    with settings.workdir.temporary() as directory:
        root = directory / "workspace"
        shutil.copytree(made, root)
        anchors, rounds = anchored_tree.settle(root), settings.heavy_rounds
        note = f"{anchors:,} anchors in {anchored_tree.FILES:,} files"
        yield _unchanged(root, anchors, note, rounds)
        yield _cold(root, note, rounds)
        yield _after(_touch, root, "anchor verification, all files touched and hashed again", note, rounds)
        yield _after(_edit, root, "anchor verification, all files edited and parsed again", note, rounds)
        yield from (_git_processes(root, gone) for gone in _FILES_GONE)


def _unchanged(root: Path, anchors: int, note: str, rounds: int) -> Row:
    wall = median(_verified(root) for _ in range(rounds))
    return Row(
        what="anchor verification, nothing changed",
        measured=Quantity(value=anchors / wall * 1000, unit="anchors/s"),
        budget=_ANCHORS_BUDGET,
        note=note,
    )


def _cold(root: Path, note: str, rounds: int) -> Row:
    wall, bare = medians([tx("graph:verify", directory=root).run, BARE.run], rounds=rounds)
    return Row(
        what="graph:verify, nothing changed",
        measured=ms(wall),
        baseline=BARE_NAME,
        against=ms(bare),
        note=note,
    )


def _after(change: Callable[[Path, int], None], root: Path, what: str, note: str, rounds: int) -> Row:
    """Return how many files a second are verified after each was changed."""
    walls = []
    for number in range(rounds):
        for path in anchored_tree.source_files(root):
            change(path, number)
        walls.append(_verified(root))
    rate = Quantity(value=anchored_tree.FILES / median(walls) * 1000, unit="files/s")
    return Row(what=what, measured=rate, budget=_FILES_BUDGET if change is _touch else None, note=note)


def _git_processes(root: Path, gone: int) -> Row:
    """Return how many processes of git a verification starts once so many more files are deleted."""
    for path in anchored_tree.source_files(root)[:gone]:
        path.unlink()
    with TemporaryDirectory() as traces:
        verify = tx("graph:verify", directory=root, variables={"GIT_TRACE2_EVENT": traces})
        subprocess.run(
            verify.arguments, cwd=root, env=os.environ | verify.variables, stdout=subprocess.DEVNULL, check=False
        )
        count = sum(1 for _ in Path(traces).iterdir())
    measured = Quantity(value=count, unit="processes", decimals=0)
    return Row(what=f"graph:verify, git processes, files gone: {gone}", measured=measured, budget=_GIT_BUDGET)


def _verified(root: Path) -> float:
    """Return the time that verifying all takes once the workspace is open, in ms."""
    with open_workspace(root) as workspace:
        return timed(verify, workspace.kernel)


def _touch(path: Path, _number: int) -> None:
    os.utime(path)


def _edit(path: Path, number: int) -> None:
    mark = "#" if path.suffix == ".py" else "//"
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{mark} edited {number}\n")
