"""Cuts files into pieces that can be found by their words, and keeps these equal to the working tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tx_graph.code.chunk_store import CodeChunkStore, Cut, UnreadFile
from tx_graph.code.languages import language_of
from tx_graph.code.parallel import readers_version
from tx_graph.code.sorts import FileSort, is_marked_generated, sort_of
from tx_graph.core.identifiers import expanded
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress

_VERSION = 1  # of the rules below: files that were cut by others are cut again
_CHARACTERS, _LINES = 1_200, 45
"""What a piece has at most, about as much as a screen shows, unless one long line or declaration has more."""
_OVER = 1.5  # of that a single declaration may have and still stay whole
_HEAD, _HEAD_OF_OTHERS = 400_000, 50_000
"""Bytes that are read of a source, and of anything else: what goes on longer is data."""
_COMMENT = ("#", "//", "/*", "*", "--", "@", '"""', "'''", ";;", "%", "{-", "[")
"""How a line begins that belongs to the declaration below it."""
_PARENTS = 3  # directories above a file whose names are words of its pieces
_NAMELESS = frozenset(["__init__", "index", "lib", "main", "mod", "init", "package"])
"""Names of files that say nothing: such a file is called like its directory."""
_REPORT_EVERY = 200
_AT_ONCE = 1_000  # files that are written together


class Declared(NamedTuple):
    """A declaration as its file is cut by it: its last name, and where it stands."""

    name: str
    line_start: int
    line_end: int


def cut(lines: Sequence[str], starts: Sequence[int]) -> list[tuple[int, int]]:
    """Return the pieces of a text as (first, last) line, counted from 1; together they are the whole text.

    A piece begins where a declaration does, at one of `starts`, with the comments above it. Short ones are packed
    together, a long one is cut. Without declarations only sizes count.
    """
    bounds = {1}
    for start in starts:
        bound = min(start, len(lines))
        while bound > 1 and (above := lines[bound - 2].strip()) and above.startswith(_COMMENT):
            bound -= 1
        bounds.add(bound)
    ends = [0]  # characters up to and including each line
    for line in lines:
        ends.append(ends[-1] + len(line) + 1)
    first_lines = sorted(bounds)
    most_lines = _LINES * 2 if starts else _LINES
    pieces: list[tuple[int, int]] = []
    begun = 0  # where the piece begins to which short declarations are added; 0 where there is none
    for begin, last in zip(first_lines, [*(line - 1 for line in first_lines[1:]), len(lines)], strict=True):
        if begun and ends[last] - ends[begun - 1] <= _CHARACTERS:
            pieces[-1] = begun, last
            continue
        first = begin
        while first <= last and (ends[last] - ends[first - 1] > _CHARACTERS * _OVER or last - first >= most_lines):
            end = first
            while end < last and ends[end + 1] - ends[first - 1] <= _CHARACTERS and end + 1 - first < _LINES:
                end += 1
            pieces.append((first, end))
            first = end + 1
        begun = first if first <= last else 0
        if begun:
            pieces.append((begun, last))
    return pieces


def called(path: str) -> tuple[str, str]:
    """Return what a file is called, without its ending, and its directory; `pkg/mod.rs` is called like `pkg`."""
    *parents, name = path.split("/")
    stem = name.partition(".")[0] or name
    if stem in _NAMELESS and parents:
        stem = parents.pop()
    return stem, parents[-1] if parents else ""


def _read(path: str, content: bytes, declared: Sequence[Declared], splits: dict[str, str]) -> Cut:
    """Return the pieces of a file with their words; none of what is binary, or was written by a program."""
    text = "" if b"\0" in content else content.decode("utf-8", "replace")
    *parents, _ = path.split("/")
    stem, _ = called(path)
    card = ""
    if sort_of(path) is FileSort.GENERATED or is_marked_generated(text):
        text = ""
    if text and language_of(path):
        names = dict.fromkeys(expanded(one.name.partition("#")[0], splits) for one in declared)
        card = f"{expanded(' '.join([*parents[-_PARENTS:], stem]), splits)}: {', '.join(names)}"
    lines = text.removesuffix("\n").split("\n")  # what ends the last line begins none
    places = cut(lines, [one.line_start for one in declared]) if text else []
    beside = expanded(" ".join([stem, stem, *parents[-_PARENTS:]]), splits)
    words = [f"{expanded(chr(10).join(lines[first - 1 : last]), splits)} {beside}" for first, last in places]
    return Cut(places=places, words=words, card=card)


def unread_files(kernel: Kernel) -> list[UnreadFile]:
    """Return the indexed files that changed since they were cut, or were cut by other rules."""
    return CodeChunkStore(kernel.database).unread(f"{_VERSION}:{readers_version()}")


def refresh_chunks(kernel: Kernel, *, progress: Progress = no_progress) -> int:
    """Cut the indexed files that changed since the last time into pieces; return how many files were read.

    An interrupted run keeps what it has done, but for the last few hundred files.
    """
    store, version = CodeChunkStore(kernel.database), f"{_VERSION}:{readers_version()}"
    unread = unread_files(kernel)
    splits: dict[str, str] = {}

    def read(start: int) -> Iterator[tuple[UnreadFile, Cut]]:
        for done, file in enumerate(unread[start : start + _AT_ONCE], start=start + 1):
            is_source = language_of(file.path) is not None
            content = kernel.checkout.tree.read_listed(file.path, most=_HEAD if is_source else _HEAD_OF_OTHERS)
            declared = [Declared(*row) for row in store.declared(file.node)] if is_source else []
            yield file, _read(file.path, content or b"", declared, splits)
            if done % _REPORT_EVERY == 0 or done == len(unread):
                progress(done, len(unread))

    with kernel.database.transaction():
        store.forget_gone()
    for start in range(0, len(unread), _AT_ONCE):
        with kernel.database.transaction():
            store.replace(read(start), version=version)
    return len(unread)
