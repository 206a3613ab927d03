"""Pure rules about what documents state of themselves: front matter, keyed lines and the status of decisions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from tx_graph.analysis.relations.predicates import predicate_of
from tx_graph.analysis.statements.decisions import decisions_within, is_decision, is_template
from tx_graph.analysis.statements.keys import HEADINGS, STATUS, STATUS_HEADINGS, is_layout, is_setting
from tx_graph.analysis.statements.lines import KeyedLine, head_lines, marked_lines
from tx_graph.analysis.statements.status import status_below, status_said
from tx_graph.analysis.statements.values import LONGEST, values_of
from tx_graph.domain.document import BlockKind, Field, Format, ReadDocument, ReadSection
from tx_graph.domain.statement import Statement

__all__ = ["decisions_within", "statements_of"]

MOST = 200
"""Statements of one document: more is data, not what a document says of itself."""
_MOST_WORDS = 4
"""Of a status in what is no record: more are prose, as that of a parameter `status`."""
_CERTAIN, _LIKELY = 1.0, 0.9
"""Confidence: in front matter and in the status of a decision; in any other line."""
_KEY = re.compile(r"[^\W\d_][\w .-]*")
"""What is none, as `@scope/package`, is data."""
_Said = tuple[int, str, str, float]


def statements_of(path: str, document: ReadDocument) -> tuple[Statement, ...]:
    """Return what a document states with literal values, each once, in the order of the source.

    What it says by links is left to these, and what stands in a template holds of nothing.
    """
    if is_template(path):
        return ()
    statements = (Statement(*one) for one in _said(path, document) if not _is_linked(one, document.sections))
    return tuple(islice({one[:3]: one for one in statements}.values(), MOST))


def _said(path: str, document: ReadDocument) -> Iterator[_Said]:
    yield from _in_fields(document.fields)
    headings = [(section.title, section.parent) for section in document.sections]
    within = decisions_within(document.title, headings)
    is_record = is_decision(path, document.title)
    title = _title_place(document.sections)
    for place, section in enumerate(document.sections):
        if place in (0, title, within[place]):
            yield from _in_lines(place, head_lines(section))
        if document.format is not Format.RST:  # two colons begin a literal block there
            yield from _in_lines(place, marked_lines(section))
        yield from _under_heading(place, section, is_record=is_record or within[place] is not None)


def _in_fields(fields: Sequence[Field]) -> Iterator[_Said]:
    for key, values in fields:
        predicate = predicate_of(key) if _KEY.fullmatch(key) else ""
        if predicate == STATUS:
            yield from ((0, *said, _CERTAIN) for value in values for said in status_said(value))
        elif not is_layout(predicate):
            for value in (one for written in values for one in values_of(predicate, written, longest=LONGEST)):
                if not is_setting(predicate, value):
                    yield 0, predicate, value, _CERTAIN


def _in_lines(place: int, lines: Iterator[KeyedLine]) -> Iterator[_Said]:
    for predicate, _, values in lines:
        for written in values:
            if predicate == STATUS:
                yield from ((place, *said, _CERTAIN) for said in status_said(written))
            elif predicate != "title":
                yield from ((place, predicate, value, _LIKELY) for value in values_of(predicate, written))


def _under_heading(place: int, section: ReadSection, *, is_record: bool) -> Iterator[_Said]:
    """Yield what a heading such as `Status`, `Status: accepted` or `Deciders` says with the little that is below it."""
    key, _, rest = section.title.partition(":")
    predicate = predicate_of(key)
    if place and predicate in STATUS_HEADINGS:
        said = status_said(rest) if rest.strip() else status_below(section)
        yield from ((place, *one, _CERTAIN) for one in said if is_record or one[1].count(" ") < _MOST_WORDS)
    elif place and is_record and predicate in HEADINGS:
        for block in section.blocks:
            if block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
                written = section.text[block.start : block.end].lstrip(" \t-*+•>")
                yield from ((place, predicate, value, _LIKELY) for value in values_of(predicate, written))


def _title_place(sections: Sequence[ReadSection]) -> int:
    """Return the place of the section whose heading is the title: the first one of the highest level."""
    levels = [section.level for section in sections[1:] if section.title]
    return next((place for place, one in enumerate(sections) if place and one.level == min(levels, default=0)), 0)


def _is_linked(said: _Said, sections: Sequence[ReadSection]) -> bool:
    """Whether links of the same section say it already."""
    place, predicate, *_ = said
    return any(link.predicate == predicate for link in sections[place].links)
