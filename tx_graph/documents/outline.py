"""Sections of documents as what anchors tie to, beside the symbols of code."""

from __future__ import annotations

from tx_graph.code.symbols import SECTION, Extent, Symbol
from tx_graph.documents.document import BlockKind
from tx_graph.documents.reading import line_starts, read_document


def sections_in(path: str, text: str) -> tuple[Symbol, ...]:
    """Return the sections of a document, each with those below it, by their slugs (`#setup`); lines end as on Unix.

    The extent is that of the text: a heading is the name of what it stands above, as a slug is.
    """
    sections = read_document(path, text).sections
    starts = line_starts(text.split("\n"))
    ends = [section.line_end for section in sections]
    for place in range(len(sections) - 1, 0, -1):  # a section ends where the last one below it does
        if parent := sections[place].parent:
            ends[parent] = max(ends[parent], ends[place])
    found = []
    for section, end in zip(sections[1:], ends[1:], strict=True):
        heading = next((block.end for block in section.blocks if block.kind is BlockKind.HEADING), 0)
        body = starts[min(section.line_start + section.text.count("\n", 0, heading), len(starts) - 1)]
        found.append(
            Symbol(
                path=path,
                name=f"{SECTION}{section.slug}",
                kind="section",
                line_start=section.line_start,
                line_end=end,
                signature=section.title,
                extent=Extent(body, body, starts[min(end, len(starts) - 1)]),
            )
        )
    return tuple(found)
