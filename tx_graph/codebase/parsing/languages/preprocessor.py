"""Conditional compilation: source text as one reading of it, so that braces pair up and a grammar can follow.

`#if` may stand in the middle of a declaration, and its branches may each open the brace that only one line closes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from tx_graph.codebase.parsing.masking import blanked

_DIRECTIVE = re.compile(
    r"^[ \t]*#[ \t]*(?P<word>if|el|endif|)(?P<rest>(?:\\\r?\n|/\*(?:[^*]|\*(?!/)){0,2000}+\*/|[^\n])*)", re.MULTILINE
)
NEVER = re.compile(r"[ \t]+(?:0|false)\b")
"""What follows `#if` where nobody wants the code, other than conditions that some compiler may fulfil."""
NEVER_IN_C = re.compile(rf"{NEVER.pattern}|def[ \t]+__cplusplus|[ \t]+defined[ \t(]+__cplusplus")
_STATEMENT_ENDS = frozenset(";{}")
_WINDOW = 256
"""Characters that are looked at in one go; blanked code is long."""


@dataclass(slots=True)
class _Branch:
    """The text between two directives of one conditional; `depth` is how many more braces it opens than closes."""

    start: int
    end: int = 0
    depth: int = 0


@dataclass(slots=True)
class _Conditional:
    """An `#if` up to its `#endif`; `opened` is where it begins and `is_dead` whether its first branch is left out."""

    opened: int
    is_dead: bool
    branches: list[_Branch] = field(default_factory=list)


def one_reading(text: str, never: re.Pattern[str] = NEVER) -> str:
    """Return a text without directives, every character in its place.

    All branches stay where each is whole by itself; otherwise the first one does. The first is no code where `never`
    matches its condition, as that of `#if 0`.
    """
    spans: list[tuple[int, int]] = []
    around: list[_Conditional] = []
    position = 0
    for match in _DIRECTIVE.finditer(text):
        spans.append(match.span())
        if around:
            around[-1].branches[-1].depth += _depth(text, position, match.start())
        position = match.end()
        word = match["word"]
        if word == "if":
            is_dead = bool(never.match(match["rest"]))
            around.append(_Conditional(match.start(), is_dead, [_Branch(match.end())]))
        elif word and around:
            around[-1].branches[-1].end = match.start()
            if word == "el":
                around[-1].branches.append(_Branch(match.end()))
            else:
                spans += _left_out(text, around)
    return _blank(text, spans) if spans else text


def _left_out(text: str, around: list[_Conditional]) -> list[tuple[int, int]]:
    """Close the innermost conditional and return the branches that go."""
    closed = around.pop()
    branches = closed.branches[1:] if closed.is_dead else closed.branches
    if around and branches:
        around[-1].branches[-1].depth += branches[0].depth
    kept = len(branches) if _whole(text, closed.opened, branches) else 1
    dropped = branches[kept:] + (closed.branches[:1] if closed.is_dead else [])
    return [(branch.start, branch.end) for branch in dropped]


def _whole(text: str, opened: int, branches: list[_Branch]) -> bool:
    """Whether branches can follow each other: each begins and ends between declarations and closes what it opens."""
    if len(branches) < 2:  # noqa: PLR2004
        return True
    ends = (opened, *(branch.end for branch in branches))
    return not any(branch.depth for branch in branches) and all(between(text, end) for end in ends)


def between(text: str, position: int, floor: int = 0) -> bool:
    """Return whether a position is between two declarations; nothing but blanks and comments after `floor` is, too."""
    end = _trimmed(text, floor, position)
    while (comment := _comment(text, floor, end)) >= floor:
        end = _trimmed(text, floor, comment)
    if end == floor or text[end - 1] in _STATEMENT_ENDS:
        return True
    return text[text.rfind("\n", floor, end) + 1 : end].lstrip().startswith("#")


def _trimmed(text: str, floor: int, end: int) -> int:
    """Return where the blanks before `end` begin."""
    while end > floor:
        start = max(end - _WINDOW, floor)
        if visible := text[start:end].rstrip():
            return start + len(visible)
        end = start
    return floor


def _comment(text: str, floor: int, end: int) -> int:
    """Return where the comment begins that ends at `end`, -1 if none does."""
    if text.endswith("*/", floor, end):
        return text.rfind("/*", floor, end)
    return text.find("//", max(text.rfind("\n", floor, end) + 1, floor), end)


def _depth(text: str, start: int, end: int) -> int:
    return text.count("{", start, end) - text.count("}", start, end)


def _blank(text: str, spans: list[tuple[int, int]]) -> str:
    """Return a text with spans blanked, which may lie in each other."""
    pieces, position = [], 0
    for start, end in sorted(spans):
        if end > position:
            pieces += [text[position : max(start, position)], blanked(text[max(start, position) : end])]
            position = end
    return "".join([*pieces, text[position:]])
