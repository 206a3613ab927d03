"""What the prose of reStructuredText points at: by roles, references and literals, by name, and by typed lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from tx_graph.analysis.relations.predicates import PREDICATES, predicate_of
from tx_graph.codebase.documents.draft import Found, line_starts, with_predicates
from tx_graph.codebase.documents.names import code_target, names_in
from tx_graph.codebase.documents.roles import TITLED, by_role
from tx_graph.codebase.documents.targets import may_be_here
from tx_graph.codebase.documents.typed_lines import TypedLine, texts_with_keys, typed_line
from tx_graph.domain.document import LinkKind

_INLINE = re.compile(r"``(?P<literal>[^`]+(?:`[^`]+)*?)``|`(?P<body>[^`]{1,1000})`(?P<reference>__?(?!\w))?")
_SIMPLE = re.compile(r"_(?![\w`])")
_WORD_BEFORE = re.compile(r"(?<![\w`:/.@])[^\W_](?:[\w+.-]*[^\W_])?\Z")
_LONGEST_NAME = 80
_ROLE = re.compile(r":[\w:+.-]+:(?=`)")
_EMPHASIS = re.compile(r"(\*\*?)(?=\S)([^*]+)\1")
_ESCAPED = re.compile(r"\\(.)")
_FIELD = re.compile(r":([\w -]{1,40}):[ \t]+(\S.*)")
_PART = re.compile(r"[^,;`]+")

TargetOf = Callable[[str], tuple[LinkKind, str] | None]
"""Tells what a name within the document stands for."""


def found_in(
    lines: Sequence[str],
    marked: Sequence[tuple[int, LinkKind, str]],
    target_of: TargetOf,
    *,
    fields: int,
    is_status: bool,
) -> list[Found]:
    """Return what lines of prose point at; `marked` is what directives on them do.

    The first `fields` lines are those of the document's fields.
    """
    words, starts = "\n".join(lines), line_starts(lines)
    found = [*_mentions(words, target_of)]
    found += [(starts[number], kind, target, "", "") for number, kind, target in marked]
    plain = _INLINE.sub(lambda markup: "\n" * markup[0].count("\n") or " ", words) if "`" in words else words
    found += [(starts[number], LinkKind.NAME, name, "", "") for number, name in names_in(plain)]
    every = range(len(lines))
    candidates = every if is_status else sorted({*every[: max(fields, 0)], *texts_with_keys(words)})
    typed = [
        (starts[number], line)
        for number in candidates
        if (
            line := typed_line(lines[number], under_status=is_status)
            or (_field(lines[number]) if number < fields else None)
        )
    ]
    return sorted(with_predicates(found, typed))


def field_of(line: str) -> tuple[str, str] | None:
    """Return the name, in snake_case, and the value of a field, None for any other line."""
    found = _FIELD.match(line)
    return (predicate_of(found[1]), found[2]) if found else None


def plain_text(markup: str) -> str:
    """Return a line of inline markup as its readers see it."""
    if "`" in markup:
        markup = _INLINE.sub(_shown, _ROLE.sub("", markup))
    if "*" in markup or "\\" in markup:
        markup = _ESCAPED.sub(r"\1", _EMPHASIS.sub(r"\2", markup))
    return " ".join(markup.split())


def _shown(found: re.Match[str]) -> str:
    body = found["literal"] or found["body"]
    if found["literal"]:
        return body
    titled = TITLED.match(body)
    if titled:
        return titled["text"]
    return body.rpartition(".")[2] if body.startswith("~") else body.lstrip("!.")


def _mentions(text: str, target_of: TargetOf) -> Iterator[Found]:
    """Yield what a text points at by its inline markup."""
    for found in _INLINE.finditer(text):
        if one := _mention(text, found, target_of):
            yield one
    for found in _SIMPLE.finditer(text):
        start = max(found.start() - _LONGEST_NAME, 0)
        if (word := _WORD_BEFORE.search(text[start : found.start()])) and (target := target_of(word[0])):
            yield (start + word.start(), *target, word[0], "")


def _mention(text: str, found: re.Match[str], target_of: TargetOf) -> Found | None:
    place = found.start()
    body = " ".join((found["literal"] or found["body"]).split())
    if found["reference"]:
        titled = TITLED.match(body)
        title, target = (titled["text"], titled["target"]) if titled else (body, "")
        if not target or target.endswith("_"):
            known = target_of(target.rstrip("_") or title)
            return (place, *known, title, "") if known else None
        return (place, LinkKind.LINK, target, title, "") if may_be_here(target) else None
    if not found["literal"] and text[place - 1 : place] == ":" and (role := _role_before(text, place)):
        return by_role(place, role, body)
    target = code_target(found["literal"].strip() if found["literal"] else body)
    return (place, LinkKind.CODE, target, "", "") if target else None


def _role_before(text: str, place: int) -> str:
    """Return the role that ends before a backtick, without its domain."""
    start = text.rfind(":", max(place - _LONGEST_NAME, 0), place - 1)
    role = text[start + 1 : place - 1]
    return role if start >= 0 and role.replace("-", "").replace("+", "").isalnum() else ""


def _field(line: str) -> TypedLine | None:
    """Return what a field says that names its targets without linking to them: `:supersedes: adr-3, adr-4`."""
    key, value = field_of(line) or ("", "")
    if key not in PREDICATES or not may_be_here(value):
        return None
    begin = len(line) - len(value)
    parts = (part for part in _PART.finditer(line, begin) if part[0].strip())
    return TypedLine(key, begin, len(line), tuple((LinkKind.WIKI, part[0].strip(), part.start()) for part in parts))
