"""From what the walk gathered in bytes of the source to sections with characters of their own texts, and with lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator

from tx_graph.codebase.documents.draft import Found, links_of, parents, with_predicates
from tx_graph.codebase.documents.markdown.walk import MarkdownDraft, Span, Walk
from tx_graph.codebase.documents.names import names_in
from tx_graph.codebase.documents.typed_lines import TypedLine, texts_with_keys, typed_line
from tx_graph.domain.document import Block, Link, LinkKind, ReadSection

_BLANK_LINES = re.compile(rb"(?:[ \t]*\n)*")
_LONGEST_KEY = 200
"""Bytes before which the colon of a typed line has to come."""


def sections_of(walk: Walk, *, first_line: int) -> Iterator[ReadSection]:
    """Yield the sections of a document; `first_line` is the line of the file that the source begins with."""
    drafts, data = walk.drafts, walk.data
    drafts[0].start = _BLANK_LINES.match(data).end()  # type: ignore[union-attr]  # it may match nothing
    line = first_line + data.count(b"\n", 0, drafts[0].start)
    ends = [draft.start for draft in drafts[1:]] + [len(data)]
    found = _found(walk)
    position = 0
    for draft, parent, end in zip(drafts, parents(draft.level for draft in drafts), ends, strict=True):
        behind = bisect_left(found, (end,), position)
        links = links_of(found[position:behind], data, start=draft.start, line=line)
        yield _section(draft, data[draft.start : end].rstrip(), parent=parent, line=line, links=tuple(links))
        line += data.count(b"\n", draft.start, end)
        position = behind


def _section(
    draft: MarkdownDraft, raw: bytes, *, parent: int | None, line: int, links: tuple[Link, ...]
) -> ReadSection:
    text = raw.decode()
    line = line if text else 1  # only the document itself may have none
    origin = draft.start
    blocks = draft.blocks if len(raw) == len(text) else _in_characters(draft.blocks, raw, origin)
    return ReadSection(
        level=draft.level,
        title=draft.title,
        slug=draft.slug,
        parent=parent,
        text=text,
        line_start=line,
        line_end=line + raw.count(b"\n"),
        labels=tuple(dict.fromkeys(draft.labels)),
        blocks=tuple([Block(kind, start - origin, end - origin) for kind, start, end in blocks]),
        links=links,
    )


def _in_characters(blocks: Iterable[Span], raw: bytes, origin: int) -> Iterator[Span]:
    """Yield blocks, given in bytes of the source, with their places in characters, counted from the same origin."""
    place = characters = origin
    for kind, start, end in blocks:
        first = characters + len(raw[place - origin : start - origin].decode())
        characters = first + len(raw[start - origin : end - origin].decode())
        place = end
        yield kind, first, characters


def _found(walk: Walk) -> list[Found]:
    """Return everything that the document points at, in the order of the source."""
    words = "\n".join(walk.texts)
    if words.count("\n") >= len(walk.texts):  # some are written as `&#10;`
        words = "\n".join(text.replace("\n", " ") for text in walk.texts)
    names = ((walk.places[number], LinkKind.NAME, name, "", "") for number, name in names_in(words))
    return sorted(with_predicates([*walk.found, *names], list(_typed_lines(walk, words))))


def _typed_lines(walk: Walk, words: str) -> Iterator[tuple[int, TypedLine]]:
    """Yield typed lines with the places where they begin; they say in bytes where their targets are."""
    data = walk.data
    statuses = _under_status(walk)
    last = -1
    for place in sorted(statuses.union(walk.places[number] for number in texts_with_keys(words))):
        start = data.rfind(b"\n", max(0, place - _LONGEST_KEY), place) + 1
        if start == last or (start == 0 and place > _LONGEST_KEY):
            continue
        last = start
        stop = data.find(b"\n", place)
        line = data[start : stop if stop >= 0 else len(data)].decode()
        if found := typed_line(line, under_status=place in statuses):
            yield start, found if line.isascii() else _in_bytes(found, line)


def _under_status(walk: Walk) -> set[int]:
    """Return the places of texts in sections that say what became of a decision."""
    found: set[int] = set()
    for draft, end in zip(walk.drafts, [*(draft.start for draft in walk.drafts[1:]), len(walk.data)], strict=True):
        if draft.title.lower() == "status":
            found.update(walk.places[bisect_left(walk.places, draft.start) : bisect_left(walk.places, end)])
    return found


def _in_bytes(found: TypedLine, line: str) -> TypedLine:
    def place(characters: int) -> int:
        return len(line[:characters].encode())

    names = tuple((kind, target, place(at)) for kind, target, at in found.names)
    return TypedLine(found.predicate, place(found.start), place(found.end), names)
