"""What a section of reStructuredText points at: by markup, by name, and by typed lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tx_graph.analysis.relations.predicates import PREDICATES, predicate_of
from tx_graph.codebase.documents.draft import Found, line_starts, with_predicates
from tx_graph.codebase.documents.names import names_in
from tx_graph.codebase.documents.rst.inline import INLINE, TargetOf, mentions_in
from tx_graph.codebase.documents.rst.prose import Prose
from tx_graph.codebase.documents.targets import may_be_here
from tx_graph.codebase.documents.typed_lines import TypedLine, texts_with_keys, typed_line
from tx_graph.domain.document import LinkKind

_FIELD = re.compile(r":([\w -]{1,40}):[ \t]+(\S.*)")
_PART = re.compile(r"[^,;`]+")


def found_in(prose: Prose, target_of: TargetOf, *, fields: int, is_status: bool) -> list[Found]:
    """Return what prose points at; the first `fields` of its lines are those of the document's fields."""
    words = "\n".join(prose.lines)
    starts = line_starts(prose.lines)
    found = [*mentions_in(words, target_of)]
    found += [(starts[number], kind, target, "", "") for number, kind, target in prose.links]
    plain = INLINE.sub(_blank, words) if "`" in words else words
    found += [(starts[number], LinkKind.NAME, name, "", "") for number, name in names_in(plain)]
    typed = _typed_lines(prose, words, fields=fields, is_status=is_status)
    return sorted(with_predicates(found, [(starts[number], line) for number, line in typed]))


def _blank(markup: re.Match[str]) -> str:
    return "\n" * markup[0].count("\n") or " "


def field_of(line: str) -> tuple[str, str] | None:
    """Return the name, in snake_case, and the value of a field, None for any other line."""
    found = _FIELD.match(line)
    return (predicate_of(found[1]), found[2]) if found else None


def _typed_lines(prose: Prose, words: str, *, fields: int, is_status: bool) -> Iterator[tuple[int, TypedLine]]:
    """Yield typed lines by their numbers."""
    every = range(len(prose.lines))
    for number in every if is_status else sorted({*every[: max(fields, 0)], *texts_with_keys(words)}):
        line = prose.lines[number]
        if found := typed_line(line, under_status=is_status) or (_field(line) if number < fields else None):
            yield number, found


def _field(line: str) -> TypedLine | None:
    """Return what a field says that names its targets without linking to them: `:supersedes: adr-3, adr-4`."""
    key, value = field_of(line) or ("", "")
    if key not in PREDICATES or not may_be_here(value):
        return None
    begin = len(line) - len(value)
    parts = (part for part in _PART.finditer(line, begin) if part[0].strip())
    return TypedLine(key, begin, len(line), tuple((LinkKind.WIKI, part[0].strip(), part.start()) for part in parts))
