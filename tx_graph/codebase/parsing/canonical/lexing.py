"""Lexing: source as words and signs, by what comments and strings look like in its family of languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tx_graph.codebase.parsing.canonical.parts import MARK, Between, Part, Source

_QUOTED = r'"(?:[^"\\\n]|\\.)*"|' + r"'(?:[^'\\\n]|\\.)*'"
_TRIPLE = r'"{3}(?:[^\\]|\\.)*?"{3}|' + r"'{3}(?:[^\\]|\\.)*?'{3}"
_SLASHES = r"//[^\n]*|/\*.*?\*/"
_DIRECTIVE = r"(?<![^\n])[ \t]*\#(?:/\*.*?\*/|[^\n\\]|\\.)*"
_NONE = r"(?!)"
_TAB = 8
"""Columns, as everything that reads indentation counts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """Languages that look alike. In `lined` ones, line breaks and indentation count.

    `spaced` are the signs that a blank before them gives another meaning, as in `a .b` of style sheets.
    """

    lexeme: re.Pattern[str]
    lined: bool = False
    spaced: str = ""


def family(comments: str, strings: str, *, lined: bool = False, spaced: str = "", directives: str = _NONE) -> Family:
    """Return the family whose comments, strings and lines for a preprocessor these patterns match."""
    comment = comments or _NONE
    lexeme = re.compile(
        rf"(?P<comment>{comment})|(?P<string>{strings})|(?P<directive>{directives})"
        rf"|[@$]*\d[\w.]*|[@$]*\w+|[()\[\]{{}},;]|(?:(?!{comment})[^\w\s()\[\]{{}},;\"'`])+|[^\w\s]",
        re.DOTALL,
    )
    return Family(lexeme=lexeme, lined=lined, spaced=spaced)


BRACED = family(_SLASHES, rf"{_TRIPLE}|{_QUOTED}|`(?:[^`\\]|\\.)*`", directives=_DIRECTIVE)
STYLES = family(r"(?<!\S)//[^\n]*|/\*.*?\*/", rf"{_QUOTED}|url\([^\n)]*\)", spaced=".#[:*&(+-@%")
QUERIES = family(r"--[^\n]*|/\*.*?\*/", r"'(?:[^']|'')*'|\"[^\"]*\"|`[^`]*`|\$(\w*)\$.*?\$\1\$")
DASHED = family(r"--\[\[.*?\]\]|--[^\n]*|\{-.*?-\}", _QUOTED, lined=True)
SCHEMAS = family(r"#[^\n]*", rf"{_TRIPLE}|{_QUOTED}")
PARENTHESISED = family(r";[^\n]*", r'"(?:[^"\\]|\\.)*"')
HASHED = family(r"(?<![^\s])#[^\n]*", rf"{_TRIPLE}|{_QUOTED}", lined=True)
SEMICOLONS = family(r"(?<![^\s])[;#][^\n]*", _QUOTED, lined=True)
PLAIN = family("", r"(?!)", lined=True)


def lexed(source: Source, start: int, end: int, family: Family) -> list[Part]:
    """Return the words and signs of a stretch of text; its comments become remarks."""
    parts: list[Part] = []
    position = start
    for match in family.lexeme.finditer(source.text, start, end):
        first, last = match.span()
        if match["comment"]:
            source.remark(first, last)
            continue
        if match["directive"]:
            parts += _directive(source, first, last, family)
            continue
        if match[0][0] in family.spaced and first > position and parts and _joins(parts[-1].text[-1]):
            parts.append(Part("", first, first + 1, f"{MARK}space"))
        position = last
        parts.append(Part("", first, last, match[0]))
    return [*stepped(parts, source.text)] if family.lined else parts


def _joins(character: str) -> bool:
    """Tell whether a blank after a character can separate: `a .b` from `a.b`."""
    return character.isalnum() or character in "_)]*&%-\"'"


def between(family: Family) -> Between:
    """Return what takes apart a family's source where its grammar has passed over some."""
    return lambda source, start, end: lexed(source, start, end, family)


def _directive(source: Source, start: int, end: int, family: Family) -> Iterator[Part]:
    """Yield a line for a preprocessor as one leaf, in which any white space is one blank."""
    written, position = "", start
    for match in family.lexeme.finditer(source.text, source.text.index("#", start) + 1, end):
        if match["comment"]:
            source.remark(*match.span())
            continue
        if match[0] == "\\":
            continue
        blank = " " if match.start() > position and written else ""
        written, position = f"{written}{blank}{match[0]}", match.end()
    yield Part("", start, end, f"#{written}")


def stepped(parts: Iterable[Part], text: str) -> Iterator[Part]:
    """Yield leaves with marks between lines that say how many levels the next one is further in or out.

    A mark reaches from one line into the next, so that it belongs to passages that have both.
    """
    levels = [0]
    before = -1
    for part in parts:
        line = text.rfind("\n", 0, part.start) + 1
        if line > before:
            mark = _step(levels, _indentation(text[line : part.start]))
            if before >= 0:
                yield Part("", before, part.start + 1, f"{MARK}line{mark}")
            before = line
        yield part


def _indentation(text: str) -> int:
    blanks = text[: len(text) - len(text.lstrip())] if text.strip() else text
    return len(blanks.expandtabs(_TAB))


def _step(levels: list[int], width: int) -> str:
    """Return how a line steps in or out, and keep the levels that are open after it."""
    closed = 0
    while levels and levels[-1] > width:
        levels.pop()
        closed += 1
    opened = not levels or levels[-1] < width
    if opened:
        levels.append(width)
    return "-" * closed + "+" * opened
