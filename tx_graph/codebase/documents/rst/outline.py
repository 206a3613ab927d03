"""The outline of reStructuredText: which lines are titles, and what blocks there are between them.

Only what begins at the left margin is looked at: titles stand nowhere else. The rules are those of docutils; tests
compare the two. Two differences are meant: a title whose level was skipped is an error there, and here one level deeper
than the title before, since readers see a title; and nothing is included or executed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tx_graph.codebase.documents.rst.directives import CODE, TABLES, directive_of
from tx_graph.domain.document import BlockKind

_SHORT = 4
"""Characters from which on a line of punctuation is meant to be a title's, however long the title is."""
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*\Z")
_BULLET = re.compile(r"[-+*\u2022\u2023\u2043](?: |$)")
_ENUMERATOR = re.compile(
    r"(?P<open>\()?(?P<number>\d{1,9}|[a-zA-Z]|[ivxlcdm]+|[IVXLCDM]+|#)(?P<close>(?(open)\)|[.)]))(?: |$)"
)
_ROMAN = re.compile(r"[ivxlcdm]+|[IVXLCDM]+")
_FIELD = re.compile(r":(?![: ])(?:[^:\\]|\\.|:(?!(?:[ `]|$)))*(?<! ):(?: |$)")
_OPTION_NAME = r"(?:[-+][a-zA-Z0-9](?: ?{0})?|(?:--|/)[a-zA-Z0-9][a-zA-Z0-9_-]*(?:[ =]{0})?)".format(
    "(?:[a-zA-Z][a-zA-Z0-9_-]*|<[^<>]+>)"
)
_OPTION_ALONE = re.compile(rf"{_OPTION_NAME}(?:, {_OPTION_NAME})*")
_OPTION = re.compile(rf"{_OPTION_ALONE.pattern}(?:  | ?$)")
_GRID = re.compile(r"\+-[-+]+-\+\Z")
_SIMPLE_TABLE = re.compile(r"=+(?: +=+)+\Z")
_BORDER = re.compile(r"=+(?: +=+)*\Z")
_BORDERS = 2
"""That of a simple table's head, and that at its end."""
_BLANKS = " \t"


class Title(NamedTuple):
    """A title: the lines it takes, counted from 0 and with its adornment, its text and its style."""

    first: int
    end: int
    text: str
    style: str


class Piece(NamedTuple):
    """A block by its lines, from `first` up to, but not including, `end`.

    `announces` says of a paragraph that a literal block follows: it ends with two colons.
    """

    first: int
    end: int
    kind: BlockKind
    announces: bool = False


class Levels:
    """The levels of the titles of one document: each style stands for one, in the order of their appearance."""

    def __init__(self) -> None:
        self._styles: list[str] = []
        self._current = 0
        self.skipped: list[int] = []
        """Lines, from 0, of titles whose level was skipped; docutils leaves them out."""

    def of(self, title: Title) -> int:
        """Return the level of the next title, from 1; it is at most one deeper than that of the title before."""
        is_known = title.style in self._styles
        level = self._styles.index(title.style) + 1 if is_known else len(self._styles) + 1
        if level > self._current + 1:
            self.skipped.append(title.first)
        elif not is_known:
            self._styles.append(title.style)
        self._current = min(level, self._current + 1)
        return self._current


def outlined(lines: Sequence[str]) -> Iterator[Title | Piece]:
    """Yield the titles and blocks of a text, given without white space at the ends of its lines, in their order."""
    line = 0
    announced = False
    while line < len(lines):
        if not lines[line]:
            line += 1
            continue
        found = (_literal(lines, line) if announced else None) or _piece(lines, line)
        line = found.end
        announced = isinstance(found, Piece) and found.announces
        yield found


def _literal(lines: Sequence[str], line: int) -> Piece | None:
    """Return a literal block: one that is indented, or whose lines all begin with the same sign."""
    first = lines[line][0]
    if first in _BLANKS:
        return Piece(line, _after_indented(lines, line), BlockKind.CODE)
    return Piece(line, _after(lines, line, first), BlockKind.CODE) if _ADORNMENT.match(first) else None


def _piece(lines: Sequence[str], line: int) -> Title | Piece:
    text = lines[line]
    first = text[0]
    if first in _BLANKS:
        return Piece(line, _after_indented(lines, line), BlockKind.PARAGRAPH)
    if first.isalnum():
        return (_enumerated(lines, line) if _ENUMERATOR.match(text) else None) or _text(lines, line)
    for pattern, read in _BY_SIGN.get(first, _OTHER_SIGNS):
        if pattern.match(text) and (found := read(lines, line)):
            return found
    return _text(lines, line)


def _text(lines: Sequence[str], line: int) -> Title | Piece:
    """Return a title with its underline, a definition, or a paragraph."""
    below = _line(lines, line + 1)
    if below[:1] in _BLANKS and below:
        return Piece(line, _after_indented(lines, line + 1), BlockKind.PARAGRAPH)
    if _ADORNMENT.match(below) and len(below) >= min(_SHORT, _width(lines[line])):
        return Title(line, line + 2, lines[line], below[0])
    end = line + 1
    while end < len(lines) and lines[end] and lines[end][0] not in _BLANKS:
        end += 1
    return Piece(line, end, BlockKind.PARAGRAPH, lines[end - 1].endswith("::"))


def _adorned(lines: Sequence[str], line: int) -> Title | Piece | None:
    """Return what begins with a line of punctuation: a title, or what is taken for a transition."""
    over, title, under = lines[line], _line(lines, line + 1), _line(lines, line + 2)
    is_title = title and not _ADORNMENT.match(title) and over == under
    if is_title and (len(over) >= _SHORT or _width(title) <= len(over)):
        return Title(line, line + 3, title.lstrip(), over[0] * 2)
    if len(over) < _SHORT:
        return None
    size = 1 if not title else 3 if under and not _ADORNMENT.match(title) else 2
    return Piece(line, line + size, BlockKind.PARAGRAPH)


def _item(lines: Sequence[str], line: int) -> Piece:
    return Piece(line, _after_indented(lines, line + 1), BlockKind.ITEM)


def _enumerated(lines: Sequence[str], line: int) -> Piece | None:
    """Return an enumerated item: the line below is blank, indented, or the next item."""
    below = _line(lines, line + 1)
    is_item = below[:1] in _BLANKS or _follows(lines[line], below)
    return _item(lines, line) if is_item else None


def _follows(line: str, below: str) -> bool:
    first, second = _ENUMERATOR.match(line), _ENUMERATOR.match(below)
    if not first or not second or (first["open"], first["close"]) != (second["open"], second["close"]):
        return False
    number, following = first["number"], second["number"]
    if following == "#" or not number.isalnum():
        return following == "#"
    if number.isdigit():
        return following == str(int(number) + 1)
    is_roman = number != following and _ROMAN.fullmatch(number) and _ROMAN.fullmatch(following)
    return bool(is_roman) or (len(number) == 1 and following == chr(ord(number) + 1))


def _option(lines: Sequence[str], line: int) -> Piece | None:
    """Return an option with its description; without one it is text."""
    end = _after_indented(lines, line + 1)
    has_words = end > line + 1 or not _OPTION_ALONE.fullmatch(lines[line])
    return Piece(line, end, BlockKind.ITEM) if has_words else None


def _field(lines: Sequence[str], line: int) -> Piece:
    return Piece(line, _after_indented(lines, line + 1), BlockKind.PARAGRAPH)


def _doctest(lines: Sequence[str], line: int) -> Piece:
    end = line + 1
    while end < len(lines) and lines[end]:
        end += 1
    return Piece(line, end, BlockKind.CODE)


def _line_block(lines: Sequence[str], line: int) -> Piece:
    return Piece(line, _after(lines, line, "| "), BlockKind.PARAGRAPH)


def _grid_table(lines: Sequence[str], line: int) -> Piece:
    return Piece(line, _after(lines, line, "+|"), BlockKind.TABLE)


def _simple_table(lines: Sequence[str], line: int) -> Piece:
    """Return a table up to its second border below the top, or to one that a blank line follows."""
    borders = last = 0
    for place in range(line + 1, len(lines)):
        if lines[place]:
            last = place if not borders else last
        if lines[place][:1] == "=" and _BORDER.match(lines[place]):
            borders, last = borders + 1, place
            is_wrong = len(lines[place]) != len(lines[line])
            if is_wrong or borders == _BORDERS or not _line(lines, place + 1):
                break
    return Piece(line, max(last, line) + 1, BlockKind.TABLE)


def _explicit(lines: Sequence[str], line: int) -> Piece:
    if lines[line] == ".." and not _line(lines, line + 1):
        return Piece(line, line + 1, BlockKind.PARAGRAPH)
    name = directive_of(lines[line])
    kind = BlockKind.CODE if name in CODE else BlockKind.TABLE if name in TABLES else BlockKind.PARAGRAPH
    return Piece(line, _after_indented(lines, line + 1), kind)


def _anonymous(lines: Sequence[str], line: int) -> Piece:
    del lines
    return Piece(line, line + 1, BlockKind.PARAGRAPH)


def _line(lines: Sequence[str], line: int) -> str:
    return lines[line] if line < len(lines) else ""


def _after(lines: Sequence[str], line: int, signs: str) -> int:
    """Return where the lines end that begin with one of some signs."""
    end = line + 1
    while end < len(lines) and lines[end] and lines[end][0] in signs:
        end += 1
    return end


def _after_indented(lines: Sequence[str], line: int) -> int:
    """Return where the indented lines end that begin at a line; blank ones among them belong to them."""
    end = line
    for place in range(line, len(lines)):
        if lines[place]:
            if lines[place][0] not in _BLANKS:
                break
            end = place + 1
    return end


def _width(text: str) -> int:
    """Return how many columns a text takes."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in {"W", "F"} for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) != 0 for char in text)


_Reading = tuple[re.Pattern[str], Callable[[Sequence[str], int], Title | Piece | None]]
_OTHER_SIGNS: Sequence[_Reading] = ((_ADORNMENT, _adorned),)
_BULLETS: Sequence[_Reading] = ((_BULLET, _item), *_OTHER_SIGNS)
_BY_SIGN: Mapping[str, Sequence[_Reading]] = {
    **dict.fromkeys("*\u2022\u2023\u2043", _BULLETS),
    "-": ((_BULLET, _item), (_OPTION, _option), *_OTHER_SIGNS),
    "+": ((_BULLET, _item), (_OPTION, _option), (_GRID, _grid_table), *_OTHER_SIGNS),
    "/": ((_OPTION, _option), *_OTHER_SIGNS),
    "(": ((_ENUMERATOR, _enumerated), *_OTHER_SIGNS),
    "#": ((_ENUMERATOR, _enumerated), *_OTHER_SIGNS),
    ":": ((_FIELD, _field), *_OTHER_SIGNS),
    ">": ((re.compile(r">>>(?: |$)"), _doctest), *_OTHER_SIGNS),
    "|": ((re.compile(r"\|(?: |$)"), _line_block), *_OTHER_SIGNS),
    "=": ((_SIMPLE_TABLE, _simple_table), *_OTHER_SIGNS),
    ".": ((re.compile(r"\.\.(?: |$)"), _explicit), *_OTHER_SIGNS),
    "_": ((re.compile(r"__(?: |$)"), _anonymous), *_OTHER_SIGNS),
}
"""What a block may be by the sign that it begins with, in the order in which docutils asks."""
