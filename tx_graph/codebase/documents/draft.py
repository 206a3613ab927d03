"""Drafts: sections as the readers of Markdown and reStructuredText gather them, and the document that they make."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from tx_graph.codebase.documents.typed_lines import TypedLine
from tx_graph.domain.document import Link, LinkKind

Found = tuple[int, LinkKind, str, str, str]
"""A link where it was found: an offset in the source, and kind, target, text and predicate. Bare tuples, since there
are ten thousand of them in a megabyte."""


@dataclass(slots=True)
class Draft:
    """A section in the making. It begins at `start` and goes on to where the next one does; level 0 is the document."""

    level: int
    start: int
    title: str = ""
    slug: str = ""
    labels: list[str] = field(default_factory=list)


def line_starts(lines: Iterable[str]) -> list[int]:
    """Return where each line begins in the text that they make, and where one more would."""
    return [0, *accumulate(len(line) + 1 for line in lines)]


def parents(levels: Iterable[int]) -> list[int | None]:
    """Return for each section the place of the one it belongs to: the nearest before it of a lesser level."""
    found: list[int | None] = []
    open_sections: list[tuple[int, int]] = []
    for place, level in enumerate(levels):
        while open_sections and open_sections[-1][0] >= level:
            open_sections.pop()
        found.append(open_sections[-1][1] if open_sections else None)
        open_sections.append((level, place))
    return found


def title_of(headings: Iterable[tuple[int, str]]) -> str:
    """Return the first of the headings, given as level and text, that has the highest level; empty without any."""
    telling = [(level, text) for level, text in headings if text]
    return min(telling, key=lambda one: one[0])[1] if telling else ""


def with_predicates(found: Iterable[Found], lines: Sequence[tuple[int, TypedLine]]) -> list[Found]:
    """Return links with the predicates of the typed lines that they stand in, and what else these lines name.

    The lines come in order, each with the place where it begins.
    """
    if not lines:
        return list(found)
    starts = [place for place, _ in lines]
    result = [(place + at, kind, name, "", line.predicate) for place, line in lines for kind, name, at in line.names]
    for link in found:
        place, kind, target, text, _ = link
        begin, line = lines[max(bisect_right(starts, place) - 1, 0)]
        if not begin <= place < begin + line.end:
            result.append(link)
        elif kind is not LinkKind.NAME:  # its names were found above, and its key is none
            result.append((place, kind, target, text, line.predicate if place >= begin + line.start else ""))
    return result


def links_of(found: Sequence[Found], source: str | bytes, *, start: int, line: int) -> Iterator[Link]:
    """Yield the links of a section that begins at `start` in `line`, found in this order, each once.

    What is typed is not repeated as a plain link.
    """
    seen = {(kind, target, "") for _, kind, target, _, predicate in found if predicate}
    line_end: Any = "\n" if isinstance(source, str) else b"\n"
    for place, kind, target, text, predicate in found:
        key = (kind, target, predicate)
        if key not in seen:
            seen.add(key)
            line += source.count(line_end, start, place)
            start = place
            yield Link(kind, target, line, text, predicate)
