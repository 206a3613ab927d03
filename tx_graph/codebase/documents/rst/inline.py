"""Inline markup of reStructuredText: roles, references and literals, as links."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tx_graph.codebase.documents.draft import Found
from tx_graph.codebase.documents.names import code_target
from tx_graph.codebase.documents.roles import TITLED, by_role
from tx_graph.codebase.documents.targets import may_be_here
from tx_graph.domain.document import LinkKind

INLINE = re.compile(r"``(?P<literal>[^`]+(?:`[^`]+)*?)``|`(?P<body>[^`]{1,1000})`(?P<reference>__?(?!\w))?")
_SIMPLE = re.compile(r"_(?![\w`])")
_WORD_BEFORE = re.compile(r"(?<![\w`:/.@])[^\W_](?:[\w+.-]*[^\W_])?\Z")
_LONGEST_NAME = 80

_ROLE = re.compile(r":[\w:+.-]+:(?=`)")
_EMPHASIS = re.compile(r"(\*\*?)(?=\S)([^*]+)\1")
_ESCAPED = re.compile(r"\\(.)")

TargetOf = Callable[[str], tuple[LinkKind, str] | None]
"""Tells what a name within the document stands for."""


def mentions_in(text: str, target_of: TargetOf) -> Iterator[Found]:
    """Yield what a text points at by its inline markup."""
    for found in INLINE.finditer(text):
        if one := _mention(text, found, target_of):
            yield one
    for found in _SIMPLE.finditer(text):
        start = max(found.start() - _LONGEST_NAME, 0)
        if (word := _WORD_BEFORE.search(text[start : found.start()])) and (target := target_of(word[0])):
            yield (start + word.start(), *target, word[0], "")


def _mention(text: str, found: re.Match[str], target_of: TargetOf) -> Found | None:
    place = found.start()
    if found["literal"]:
        target = code_target(found["literal"].strip())
        return (place, LinkKind.CODE, target, "", "") if target else None
    body = " ".join(found["body"].split())
    if found["reference"]:
        return _reference(place, body, target_of)
    if text[place - 1 : place] == ":" and (role := _role_before(text, place)):
        return by_role(place, role, body)
    target = code_target(body)
    return (place, LinkKind.CODE, target, "", "") if target else None


def _role_before(text: str, place: int) -> str:
    """Return the role that ends before a backtick, without its domain."""
    start = text.rfind(":", max(place - _LONGEST_NAME, 0), place - 1)
    role = text[start + 1 : place - 1]
    return role if start >= 0 and role.replace("-", "").replace("+", "").isalnum() else ""


def _reference(place: int, body: str, target_of: TargetOf) -> Found | None:
    titled = TITLED.match(body)
    text, target = (titled["text"], titled["target"]) if titled else (body, "")
    if not target or target.endswith("_"):
        known = target_of(target.rstrip("_") or text)
        return (place, *known, text, "") if known else None
    return (place, LinkKind.LINK, target, text, "") if may_be_here(target) else None


def plain_text(markup: str) -> str:
    """Return a line of inline markup as its readers see it."""
    if "`" in markup:
        markup = INLINE.sub(_shown, _ROLE.sub("", markup))
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
