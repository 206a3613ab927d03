"""A tree of a thousand documents, made of real ones: several copies, each in a directory of its own."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from pathlib import Path

from tx_graph.workspace import prepare

COUNT = 1_000
_ENDINGS = (".md", ".rst")


def make(root: Path, sources: Sequence[Path], *, count: int = COUNT) -> int:
    """Make a git repository of `count` documents at `root`, as a workspace; return their size in bytes.

    Documents keep their places relative to each other, so that links lead where they led.
    """
    files = list(islice(_copies(sources), count))
    for target, source in files:
        (root / target).parent.mkdir(parents=True, exist_ok=True)
        (root / target).write_bytes(source.read_bytes())
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run(["git", "add", "--all"], cwd=root, check=True)
    prepare(root)
    return sum((root / target).stat().st_size for target, _ in files)


def documents(root: Path) -> list[Path]:
    """Return the tracked documents of a repository, in order."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, check=True, capture_output=True).stdout.decode()
    paths = (root / name for name in listed.split("\0") if name.endswith(_ENDINGS))
    return sorted(path for path in paths if path.is_file() and not path.is_symlink())


def _copies(sources: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield where a copy of each document is to be, and the document, over and over again."""
    found = [(source.name, source, file) for source in sources for file in documents(source)]
    for number, (name, source, file) in enumerate(cycle(found)):
        yield Path(f"{name}-{number // len(found)}") / file.relative_to(source), file
