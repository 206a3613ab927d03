"""Starting over: what an index has to forget to be made anew, and how many processes may make it."""

from __future__ import annotations

import shutil
from pathlib import Path

from scripts.benchmarks.timing import timed
from scripts.opened import open_workspace
from tx_graph.code.chunks import refresh_chunks
from tx_graph.core.place import CONFIG, DATABASE, DIRECTORY, READINGS
from tx_graph.core.repository import GitRepository
from tx_graph.core.settings import Config


def forget(root: Path, *, readings: bool = True) -> None:
    """Remove the index and, with `readings`, what is kept of parsed files for other branches."""
    for file in (root / DIRECTORY).glob(f"{DATABASE}*"):
        file.unlink()
    if readings:
        shutil.rmtree((GitRepository(root).common_directory() / READINGS).parent, ignore_errors=True)


def index_cold(root: Path, *, processes: int = 0, readings: bool = True, with_pieces: bool = False) -> float:
    """Index a workspace that has forgotten; return how long that took within this process, in ms.

    0 processes are as many as a user gets without asking. `with_pieces` files are cut into pieces, too.
    """
    forget(root, readings=readings)
    Config(root / DIRECTORY / CONFIG).set("index.processes", str(processes))
    with open_workspace(root) as workspace:
        read = timed(workspace.indexing.run)
        return read + (timed(refresh_chunks, workspace.kernel) if with_pieces else 0)
