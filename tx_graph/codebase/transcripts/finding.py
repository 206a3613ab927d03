"""Which files are transcripts, among those that somebody names."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from tx_graph.errors import NotFound

SUFFIX = ".jsonl"
_PACKED = (".jsonl.gz", ".jsonl.zst", ".jsonl.xz", ".jsonl.bz2")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A file that may be a transcript; it was `named` itself or found in a directory.

    `problem` says, as a sentence's end, why it is not read.
    """

    path: Path
    named: bool = False
    problem: str = ""


def candidates(typed: Iterable[str], *, cwd: Path) -> list[Candidate]:
    """Return the files that are named, and those below the directories that are, each once and in order.

    Links to files are followed, those to directories only where they are named.

    Raises:
        NotFound: There is nothing of a name.
    """
    found: dict[Path, Candidate] = {}
    for name in typed:
        path = cwd / Path(name).expanduser()
        if not name or not path.exists():
            raise NotFound(f"There is no file or directory '{name}'.")
        for one in _below(path) if path.is_dir() else [_candidate(path, named=True)]:
            found.setdefault(one.path, one)
    return list(found.values())


def _below(directory: Path) -> Iterator[Candidate]:
    unread: list[str] = []
    for place, directories, names in os.walk(directory, onerror=lambda error: unread.append(str(error.filename))):
        directories.sort()
        for name in sorted(names):
            if name.endswith((SUFFIX, *_PACKED)):
                yield _candidate(Path(place, name))
    for name in unread:
        yield Candidate(path=Path(name), problem="cannot be listed")


def _candidate(path: Path, *, named: bool = False) -> Candidate:
    problem = "is compressed: unpack it first" if path.name.endswith(_PACKED) else ""
    if not problem and not path.is_file():
        problem = "is no file" if path.exists() else "leads nowhere"
    return Candidate(path=path if problem else path.resolve(), named=named, problem=problem)
