"""Lines that say something in so many words: `Status: Accepted`, `- **Deciders:** Ada, Ben`, `team:: Payments`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from tx_graph.analysis.statements.keys import is_aside, is_list, predicate_of, tells_of_document
from tx_graph.domain.document import BlockKind, ReadSection

_MARK = r"(?:\*{1,3}|_{1,2})?"
_ITEM = r"(?:[-*+•]|\d{1,9}[.)])[ \t]+"
_LINE = re.compile(
    rf"""
    (?P<indent>[ \t>]*) (?P<item>{_ITEM})? (?:\[[ xX]\][ \t]+)? (?P<bracket>[(\[])? {_MARK}
    (?P<key>[^\W\d_][\w/-]*(?:[ \t][\w/-]+){{0,3}}) [ \t]?{_MARK}[ \t]? (?P<colons>::?) {_MARK}
    (?:[ \t]+(?P<value>\S.*))? [ \t]*
    """,
    re.VERBOSE,
)
_NESTED = re.compile(rf"[ \t>]*{_ITEM}(\S.*)")
_FENCE = re.compile(r"[ \t>]*(?:[-*+][ \t]+)?(?:```|~~~)")
_CLOSING = {"(": ")", "[": "]"}
_LONGEST_LINE = 1_000
_MOST_LINES = 60
"""Of a block: what is longer lists something else."""


class KeyedLine(NamedTuple):
    """A line with a key in snake_case, and the texts that stand behind it: one, or the items below."""

    predicate: str
    is_marked: bool
    values: tuple[str, ...]


def marked_lines(section: ReadSection) -> Iterator[KeyedLine]:
    """Yield the lines `key:: value` of a section, wherever they stand in running text."""
    if "::" not in section.text:
        return
    for block in section.blocks:
        if block.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM):
            text = section.text[block.start : block.end]
            for line in _unfenced(text) if "::" in text else ():
                keyed = _keyed(line)
                if keyed and keyed.is_marked and not is_aside(keyed.predicate):
                    yield keyed


def head_lines(section: ReadSection) -> Iterator[KeyedLine]:
    """Yield the lines `Key: value` of a section that stand together with one that speaks of the document.

    Such a key, as `Status` or `Author`, is known; beside it any other counts too.
    """
    run: list[KeyedLine] = []
    for block in section.blocks:
        if block.kind is BlockKind.HTML:
            continue
        lines = _of_block(block.kind, section.text[block.start : block.end])
        if not lines:
            yield from _telling(run)
            run = []
        run += lines
    yield from _telling(run)


def _telling(run: Sequence[KeyedLine]) -> Iterator[KeyedLine]:
    if any(tells_of_document(line.predicate) for line in run):
        yield from (line for line in run if not is_aside(line.predicate) and not line.is_marked)


def _of_block(kind: BlockKind, text: str) -> list[KeyedLine]:
    """Return the keyed lines of a block in which every line is one, or goes on with the one before."""
    lines = text.split("\n")
    if kind not in (BlockKind.PARAGRAPH, BlockKind.ITEM) or len(lines) > _MOST_LINES:
        return []
    found: list[KeyedLine] = []
    for line in lines:
        keyed = _keyed(line)
        if keyed:
            found.append(keyed)
        elif line.strip(" \t>"):
            if not found or not (more := _continued(found[-1], line)):
                return []
            found[-1] = more
    return [line for line in found if line.values]


def _continued(before: KeyedLine, line: str) -> KeyedLine | None:
    """Return a line with what the next one adds: an item of the list that it begins, or more behind a comma."""
    nested = _NESTED.match(line)
    if nested and is_list(before.predicate):
        return before._replace(values=(*before.values, nested[1]))
    if before.values and before.values[-1].rstrip().endswith(",") and not nested:
        return before._replace(values=(*before.values[:-1], f"{before.values[-1].rstrip()} {line.strip()}"))
    return None


def _keyed(line: str) -> KeyedLine | None:
    found = _LINE.fullmatch(line) if ":" in line and len(line) <= _LONGEST_LINE else None
    if not found:
        return None
    value = (found["value"] or "").rstrip()
    if found["bracket"]:
        closing = _CLOSING[found["bracket"]]
        if not value.endswith(closing) or closing in value[:-1]:
            return None  # the beginning of a link or a remark
        value = value[:-1]
    return KeyedLine(predicate_of(found["key"]), found["colons"] == "::", (value,) if value else ())


def _unfenced(text: str) -> Iterator[str]:
    """Yield the lines of a block but those in fences of code."""
    is_code = False
    for line in text.split("\n"):
        if _FENCE.match(line):
            is_code = not is_code
        elif not is_code:
            yield line
