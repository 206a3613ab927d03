"""Plain text: a document of one section, whose paragraphs are its blocks."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tx_graph.documents.document import Block, BlockKind, Format, LinkKind, ReadDocument, ReadSection
from tx_graph.documents.reading import (
    Found,
    line_starts,
    links_of,
    names_in,
    texts_with_keys,
    typed_line,
    with_predicates,
)

_BLANK_LINES = re.compile(r"(?:[ \t]*\n)*")
_PARAGRAPH_ENDS = re.compile(r"\n(?:[ \t]*\n)+")


def read_plain(text: str) -> ReadDocument:
    """Return what a text with Unix line ends says."""
    start = _BLANK_LINES.match(text).end()  # type: ignore[union-attr]  # it may match nothing
    own = text[start:].rstrip()
    line = 1 + text.count("\n", 0, start) if own else 1
    section = ReadSection(
        level=0,
        title="",
        slug="",
        parent=None,
        text=own,
        line_start=line,
        line_end=line + own.count("\n"),
        blocks=tuple(_paragraphs(own)),
        links=tuple(links_of(_found(own), own, start=0, line=line)),
    )
    return ReadDocument(format=Format.TEXT, title="", sections=(section,))


def _paragraphs(text: str) -> Iterator[Block]:
    start = 0
    for end in _PARAGRAPH_ENDS.finditer(text):
        yield Block(BlockKind.PARAGRAPH, start, end.start())
        start = end.end()
    if text:
        yield Block(BlockKind.PARAGRAPH, start, len(text))


def _found(text: str) -> list[Found]:
    lines = text.split("\n")
    starts = line_starts(lines)
    names = [(starts[number], LinkKind.NAME, name, "", "") for number, name in names_in(text)]
    candidates = ((number, typed_line(lines[number])) for number in dict.fromkeys(texts_with_keys(text)))
    return sorted(with_predicates(names, [(starts[number], line) for number, line in candidates if line]))
