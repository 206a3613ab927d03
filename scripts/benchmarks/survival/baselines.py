"""Simple ways to keep an anchor, to see what the verifier's are worth beside them."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from scripts.benchmarks.survival.answers import Answer, Grade, Verdict
from scripts.benchmarks.survival.git import git_output
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import read_symbols
from tx_graph.code.symbols import Symbol


class ByName:
    """An anchor is a name: it holds where the file declares it, and follows it where one other file does."""

    def __init__(self) -> None:
        self._anchored: Sequence[str] = ()

    def anchor(self, _root: Path, symbols: Sequence[str]) -> None:
        """Remember the names."""
        self._anchored = symbols

    def verify(self, root: Path) -> Mapping[str, Answer]:
        """Return valid, relocated or invalid for each, never drift: a name says nothing about the code."""
        places: dict[str, set[str]] = defaultdict(set)
        for symbol in _symbols(root):
            places[symbol.name].add(symbol.fqname)
        return {fqname: _by_name(fqname, places[fqname.partition("::")[2]]) for fqname in self._anchored}


class ByLines:
    """An anchor is a range of lines and the hash of what they said."""

    def __init__(self) -> None:
        self._anchored: Mapping[str, tuple[int, int, str]] = {}

    def anchor(self, root: Path, symbols: Sequence[str]) -> None:
        """Remember the lines of each symbol, and their hash."""
        lines = {symbol.fqname: (symbol.line_start, symbol.line_end) for symbol in _symbols(root)}
        self._anchored = {name: (*lines[name], _hash(root, name, *lines[name])) for name in symbols if name in lines}

    def verify(self, root: Path) -> Mapping[str, Answer]:
        """Return valid where the lines say the same, else that their content drifted or that their file is gone."""
        return {
            name: _by_hash(_hash(root, name, first, last), taken)
            for name, (first, last, taken) in self._anchored.items()
        }


def _by_name(fqname: str, places: set[str]) -> Answer:
    if fqname in places:
        return Answer(verdict=Verdict.VALID)
    if len(places) == 1:
        return Answer(verdict=Verdict.RELOCATED, relocated_to=next(iter(places)))
    return Answer(verdict=Verdict.INVALID, candidates=tuple(sorted(places)))


def _by_hash(now: str, taken: str) -> Answer:
    if not now:
        return Answer(verdict=Verdict.INVALID)
    return Answer(verdict=Verdict.VALID) if now == taken else Answer(verdict=Verdict.DRIFTED, drift=Grade.BODY)


def _symbols(root: Path) -> Iterator[Symbol]:
    for path in filter(None, git_output(root, "ls-files", "-z").decode("utf-8", "surrogateescape").split("\0")):
        if language_of(path) and (root / path).is_file():
            yield from read_symbols(path, (root / path).read_bytes())


def _hash(root: Path, fqname: str, first: int, last: int) -> str:
    """Return the hash of lines of a symbol's file, empty if that is gone."""
    file = root / fqname.partition("::")[0]
    if not file.is_file():
        return ""
    return hashlib.sha256(b"\n".join(file.read_bytes().splitlines()[first - 1 : last])).hexdigest()
