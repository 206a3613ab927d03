"""Typed lines: those that say how what they stand in relates to something else, `Supersedes: [ADR 3](003.md)`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from tx_graph.analysis.relations.predicates import PREDICATES, predicate_of
from tx_graph.codebase.documents.names import code_target, is_path
from tx_graph.domain.document import LinkKind

_MARKS = r"(?:\*\*|__|\*|_)?"
_START = rf"[ \t>]*(?:(?:[-*+•]|\d{{1,9}}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?[(\[:]?{_MARKS}"
_WORDS = r"[^\W\d_][\w-]*(?:[ \t][\w-]+){0,2}"
_KEYED = re.compile(rf"{_START}(?P<key>{_WORDS})[ \t]?{_MARKS}(?P<colons>::?){_MARKS}[ \t]+(?P<value>\S)")
_UNKEYED = re.compile(
    rf"{_START}(?:[\w ]{{1,40}}[,;–—-][ \t]+)?(?P<key>{_WORDS})[ \t]?{_MARKS}:?[ \t]+(?P<value>[\[`<])"
)
"""As records of decisions write it: `Accepted, superseded by [ADR 7](007.md)`."""
_ONE = re.compile(
    r"""
    (?P<linked> !?\[\[[^\[\]\n]+\]\]
      | !?\[ (?:[^\[\]\n]|\[[^\[\]\n]*\])* \] (?:\((?:[^()\n]|\([^()\n]*\))*\)|\[[^\[\]\n]*\])?
      | <a\b[^<>]*>[^<>]*</a> | <[^<>\s]+>
      | :[\w:+.-]+:`[^`\n]+` | `[^`\n]+`_ )
    | (?P<ticks>``?) (?P<code>[^`\n]+) (?P=ticks)
    | (?P<bare> [^\s,;`\[\]()<>]+ )
    """,
    re.VERBOSE,
)
_NEXT = re.compile(r"[ \t]*(?:,|;|&|\+|\band\b|\bor\b)[ \t]*(?:and\b[ \t]*)?")
_STATUS = "status"
_COLON = re.compile(r":(?::|(?:[^\n]{0,80}[ \t]|[*_]{0,2})$|[*_ \t]{1,4}(?:[`:\[<]|[^\s:]{0,80}[./]\w))", re.MULTILINE)
"""What stands before a link, which may be the next text, or before a path."""
_LAST_WORDS = frozenset({_STATUS}.union(predicate.rpartition("_")[2] for predicate in PREDICATES))
_LONGEST_WORD = 40


class TypedLine(NamedTuple):
    """What a line says: a predicate, and where its targets are, from `start` up to, but not including, `end`.

    `names` are the targets that are no links, as (kind, target, place): bare paths and inline code.
    """

    predicate: str
    start: int
    end: int
    names: tuple[tuple[LinkKind, str, int], ...] = ()


def texts_with_keys(texts: str) -> Iterator[int]:
    """Yield which of some texts, one a line, may hold the key of a typed line; the value may be in the next one.

    This is quick and says yes too often: whether the line is one, `typed_line` tells.
    """
    number = at = 0
    for colon in _COLON.finditer(texts):
        place = colon.start()
        before = texts[max(place - _LONGEST_WORD, 0) : place].split()
        if colon[0] == "::" or (before and before[-1].strip("*_").lower() in _LAST_WORDS):
            number += texts.count("\n", at, place)
            at = place
            yield number


def typed_line(line: str, *, under_status: bool = False) -> TypedLine | None:
    """Return what a line says of relations, None for any other line.

    `key:: target` may have any key of up to three words, `Key: target` only a known predicate. The value has to begin
    with a link or a path; more of them may follow, parted by commas. Under a heading `Status` no colon is needed.
    """
    keyed = _KEYED.match(line)
    if keyed:
        key = predicate_of(keyed["key"])
        if keyed["colons"] == "::" or key in PREDICATES:
            return _with_targets(key, line, keyed.start("value"))
        if key != _STATUS:
            return None
        return _status(line, keyed.start("value"))
    return _status(line, 0) if under_status else None


def _status(line: str, start: int) -> TypedLine | None:
    found = _UNKEYED.match(line, start)
    key = predicate_of(found["key"]) if found else ""
    return _with_targets(key, line, found.start("value")) if found and key in PREDICATES else None


def _with_targets(predicate: str, line: str, start: int) -> TypedLine | None:
    targets = list(_targets(line, start))
    if not targets:
        return None
    return TypedLine(predicate, start, targets[-1].end(), tuple(_names(targets)))


def _names(targets: Iterable[re.Match[str]]) -> Iterator[tuple[LinkKind, str, int]]:
    for one in targets:
        if one["bare"]:
            yield LinkKind.WIKI, one["bare"].rstrip("."), one.start()
        elif one["code"] and (target := code_target(one["code"])):
            yield LinkKind.CODE, target, one.start()


def _targets(line: str, start: int) -> Iterator[re.Match[str]]:
    """Yield the links and paths that a value begins with, parted by commas."""
    while found := _ONE.match(line, start):
        if found["bare"] and not is_path(found["bare"].rstrip(".")):
            return
        yield found
        after = _NEXT.match(line, found.end())
        if not after:
            return
        start = after.end()
