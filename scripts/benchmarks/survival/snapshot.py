"""A repository at one revision: its source files and the symbols they declare."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from scripts.benchmarks.survival.code import Code
from scripts.benchmarks.survival.git import git_output
from scripts.benchmarks.survival.lexed_code import lexed_code
from scripts.benchmarks.survival.likeness import Features, features_of
from scripts.benchmarks.survival.python_code import PythonFile
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import read_source, read_symbols, why_skipped
from tx_graph.code.symbols import Symbol

_REGULAR = (b"100644", b"100755")
_NUMBER = re.compile(r"#\d+$")
_OF_OTHERS = frozenset({"node_modules", "vendor", "third_party"})
"""Directories of code that is replaced as a whole: whoever writes down what they learned writes it about their own."""
_DECLARING = "class const def enum fn func function interface let static struct trait type var"


class SourceFile:
    """One file's text, its lines and the symbols it declares."""

    def __init__(self, path: str, source: bytes, *, has_details: bool = False) -> None:
        self.path = path
        self.text = source.decode("utf-8-sig", errors="replace").replace("\r\n", "\n")
        self.lines = self.text.split("\n")
        self._symbols = read_source(path, source).symbols if has_details else read_symbols(path, source)

    @property
    def declared(self) -> Iterator[Declared]:
        """Its symbols in source order."""
        return (Declared(symbol, self) for symbol in self._symbols)

    @cached_property
    def python(self) -> PythonFile | None:
        """Its syntax tree, if it is Python of a version that we can parse."""
        try:
            return PythonFile(self.text) if language_of(self.path) == "python" else None
        except (SyntaxError, ValueError, RecursionError):
            return None

    def shares_a_line(self, symbol: Symbol) -> bool:
        """Whether another symbol begins on this one's first line, or ends there, or begins on its last."""
        others = [other for other in self._symbols if other.name != symbol.name]
        return any(_meet(symbol, other) for other in others)


class Declared:
    """A symbol at one revision."""

    def __init__(self, symbol: Symbol, file: SourceFile) -> None:
        self._file = file
        self._symbol = symbol
        self.path = symbol.path
        self.is_detail = symbol.is_detail
        self.fqname = symbol.fqname
        self.name = _NUMBER.sub("", symbol.name)
        self.simple = self.name.rsplit("::", 1)[-1]
        self.lines = file.lines[symbol.line_start - 1 : symbol.line_end]

    @property
    def shares_a_line(self) -> bool:
        """Whether some of its lines hold another symbol too, which is not within it."""
        return self._file.shares_a_line(self._symbol)

    @cached_property
    def code(self) -> Code:
        """Its program."""
        python = self._file.python
        found = python and python.code(self._symbol.line_start, self._symbol.line_end)
        if found:
            return found
        lexed = lexed_code(self.path, "\n".join(self.lines))
        return replace(lexed, sure=lexed.sure and language_of(self.path) != "python")

    @cached_property
    def features(self) -> Features:
        """What it is compared by where it equals nothing."""
        return features_of(self.simple, self.lines)

    @cached_property
    def unnamed(self) -> int:
        """What is equal for symbols whose code is equal but for their own names."""
        return hash(self.code.but_for(self.simple))

    @cached_property
    def named(self) -> tuple[str, int]:
        """What is equal for symbols of one simple name and equal code."""
        return self.simple, hash(self.code.tokens)


class Snapshot:
    """All symbols at one revision."""

    def __init__(self, files: Iterable[SourceFile]) -> None:
        self._files = {file.path: file for file in files}
        self.symbols = [symbol for file in self._files.values() for symbol in file.declared]
        self._groups: dict[tuple[str, str], list[Declared]] = defaultdict(list)
        for symbol in self.symbols:
            self._groups[symbol.path, symbol.name].append(symbol)

    def group(self, path: str, name: str) -> Sequence[Declared]:
        """Return the symbols of this qualified name in a file: several where it is overloaded."""
        return self._groups.get((path, name), ())

    def mentions(self, path: str, name: str) -> bool:
        """Whether a file seems to declare a name all the same, as something that is no symbol to us."""
        file = self._files.get(path)
        declaring = rf"(?:\b(?:{_DECLARING.replace(' ', '|')})\s+|^\s*){re.escape(name)}(?!\w)"
        return file is not None and re.search(declaring, file.text, re.MULTILINE) is not None


def snapshot(repository: Path, revision: str, *, has_details: bool = False) -> Snapshot:
    """Return what is declared in the regular source files that git tracks at a revision."""
    blobs = _tracked(repository, revision)
    return Snapshot(
        SourceFile(path, source, has_details=has_details)
        for path, source in zip(blobs, _contents(repository, blobs.values()), strict=True)
        if not why_skipped(path, language_of(path) or "", source)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename:
    """Where a file went, and how much of it stayed the same, in percent."""

    path: str
    likeness: int


def renames(repository: Path, before: str, after: str) -> Mapping[str, Rename]:
    """Return where files went, as git sees it from one revision to the other: at least half of each is the same."""
    parts = git_output(repository, "diff", "-M50%", "-l0", "--raw", "-z", "--no-ext-diff", before, after).split(b"\0")
    pieces, moved = iter(filter(None, parts)), {}
    for about in pieces:
        status, path = about.rpartition(b" ")[2], _text(next(pieces))
        if status.startswith(b"R"):
            moved[path] = Rename(path=_text(next(pieces)), likeness=int(status[1:]))
    return moved


def _tracked(repository: Path, revision: str) -> dict[str, bytes]:
    """Return the blobs of source files by path."""
    entries = git_output(repository, "ls-tree", "-r", "-z", "--full-tree", revision).split(b"\0")
    found = {}
    for entry in filter(None, entries):
        about, _, path = entry.partition(b"\t")
        mode, _, blob = about.split()
        if mode in _REGULAR and language_of(_text(path)) and not _OF_OTHERS & set(_text(path).split("/")):
            found[_text(path)] = blob
    return found


def _contents(repository: Path, blobs: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the contents of blobs in their order."""
    answer = git_output(repository, "cat-file", "--batch", question=b"".join(b"%b\n" % blob for blob in blobs))
    place = 0
    while place < len(answer):
        line_end = answer.index(b"\n", place)
        size = int(answer[place:line_end].rsplit(b" ", 1)[1])
        yield answer[line_end + 1 : line_end + 1 + size]
        place = line_end + size + 2


def _meet(one: Symbol, other: Symbol) -> bool:
    """Whether two symbols share a line without one being the other's inner part."""
    return one.line_start in (other.line_start, other.line_end) or one.line_end == other.line_start


def _text(path: bytes) -> str:
    return path.decode("utf-8", "surrogateescape")
