"""Repositories to measure on: clones, so that the originals stay as they are."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.benchmarks.settings import Settings
from tx_graph.workspace import prepare


@contextmanager
def cloned(repository: Path, settings: Settings) -> Iterator[Path]:
    """Return, for the block, a clone of a repository that is a workspace without a database."""
    with settings.workdir.temporary() as directory:
        clone = directory / repository.name
        subprocess.run(["git", "clone", "--quiet", "--local", str(repository), str(clone)], check=True)
        prepare(clone)
        yield clone
