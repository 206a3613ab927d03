"""What ast-grep alone needs to parse files: in this process, or in several that are started for it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ast_grep_py import SgRoot

from tx_graph.code.languages import LANGUAGES, language_of
from tx_graph.code.parsing import why_skipped
from tx_graph.code.tree import decoded

_MAX_FILE_SIZE = 1_000_000
_CHOSEN = {"c": "c"}
"""Grammars of languages whose reader chooses one by the text."""
_WORKER = """
import json, sys
from ast_grep_py import SgRoot
for path, grammar in json.load(sys.stdin):
    with open(path, "rb") as file:
        SgRoot(file.read().decode("utf-8", "replace"), grammar)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsable:
    """A source file that tx parses, and the grammar that it is written in."""

    path: Path
    grammar: str
    size: int


def parsable(root: Path, paths: Iterable[str]) -> Iterator[Parsable]:
    """Yield those of the files that tx parses; of Vue files, which no grammar reads, none."""
    for path in paths:
        language = language_of(path)
        if language is None:
            continue
        content = (root / path).read_bytes()
        grammar = LANGUAGES[language].grammar or _CHOSEN.get(language)
        if grammar and len(content) <= _MAX_FILE_SIZE and not why_skipped(path, language, content):
            yield Parsable(path=root / path, grammar=grammar, size=len(content))


def texts_of(files: Iterable[Parsable]) -> list[tuple[str, str]]:
    """Return the text and the grammar of each file."""
    return [(decoded(file.path.read_bytes()), file.grammar) for file in files]


def parse(texts: Iterable[tuple[str, str]]) -> None:
    """Parse texts in this process."""
    for text, grammar in texts:
        SgRoot(text, grammar)


def parse_in_processes(files: Iterable[Parsable], *, processes: int) -> None:
    """Start so many processes, each of which reads and parses its share, and wait for them.

    Raises:
        RuntimeError: One fails.
    """
    command = [sys.executable, "-I", "-c", _WORKER]
    shares = _shares(files, processes)
    running = [subprocess.Popen(command, stdin=subprocess.PIPE, text=True) for _ in shares]
    for worker, share in zip(running, shares, strict=True):
        if worker.stdin:
            json.dump([(str(file.path), file.grammar) for file in share], worker.stdin)
            worker.stdin.close()
    statuses = [worker.wait() for worker in running]
    if any(statuses):
        raise RuntimeError("ast-grep cannot parse what tx parses")


def _shares(files: Iterable[Parsable], count: int) -> Sequence[Sequence[Parsable]]:
    """Return the files in parts of much the same size, as the largest go first to whoever has least."""
    shares: list[list[Parsable]] = [[] for _ in range(count)]
    sizes = [0] * count
    for file in sorted(files, key=lambda one: -one.size):
        least = sizes.index(min(sizes))
        shares[least].append(file)
        sizes[least] += file.size
    return shares
