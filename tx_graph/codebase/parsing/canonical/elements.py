"""Elements in JavaScript: their text as words, and the white space that counts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tx_graph.codebase.parsing.canonical import literals
from tx_graph.codebase.parsing.canonical.parts import MARK, Part, Source, bare

SPACE = f"{MARK}space"
JOINT = f"{MARK}joint"
"""Where two words would touch if a comment were not between them."""
_TEXTS = frozenset({"", "jsx_text", "html_character_reference"})
_BLANK = re.compile(r"[ \t\r\n]+")
_PIECE = re.compile(r"[ \t\r\n]+|[^ \t\r\n]+")
_UNSAFE_IN_ATTRIBUTE = frozenset("\"'\\&\n{}<>")


def _children(part: Part, source: Source) -> None:
    """Put words and the spaces that show in place of an element's text.

    White space with a line break in it shows only between words; at the edge of a text it is layout.
    """
    parts = part.parts or []
    if not parts:
        return
    pieces = [parts[0], *_pieces(parts[1:-1], source), parts[-1]]
    part.parts = [one for index, one in enumerate(pieces) if one.text != SPACE or not _between_words(pieces, index)]


def _pieces(parts: list[Part], source: Source) -> Iterator[Part]:
    index = 0
    while index < len(parts):
        one = parts[index]
        if _is_space(one):
            yield Part("", one.start, one.end, SPACE)
        elif _is_empty(one):
            if _touches(source, one):
                yield Part("", one.start, one.end, JOINT)
        elif one.parts is None and one.kind in _TEXTS:
            start = one.start
            while index + 1 < len(parts) and parts[index + 1].parts is None and parts[index + 1].kind in _TEXTS:
                index += 1
            yield from _words(source.text[start : parts[index].end], start)
        else:
            yield one
        index += 1


def _words(text: str, start: int) -> Iterator[Part]:
    for match in _PIECE.finditer(text):
        piece, at = match[0], start + match.start()
        at_edge = match.start() == 0 or match.end() == len(text)
        if not _BLANK.fullmatch(piece):
            yield Part("jsx_text", at, at + len(piece), piece)
        elif at_edge and "\n" not in piece:
            yield Part("", at, at + len(piece), SPACE)


def _between_words(pieces: list[Part], index: int) -> bool:
    """Tell whether a space is between two words, where it goes without saying."""
    return pieces[index - 1].kind == "jsx_text" == pieces[index + 1].kind


def _is_space(part: Part) -> bool:
    """Tell whether a part is `{" "}`."""
    parts = part.parts or []
    return part.kind == "jsx_expression" and len(parts) == 3 and bare(parts[1]).text == '" "'  # noqa: PLR2004


def _is_empty(part: Part) -> bool:
    return part.kind == "jsx_expression" and [one.text for one in part.parts or ()] == ["{", "}"]


def _touches(source: Source, part: Part) -> bool:
    around = source.text[max(part.start - 1, 0) : part.start] + source.text[part.end : part.end + 1]
    return not any(one.isspace() or one in "<>{}" for one in around)


def _attribute(part: Part, source: Source) -> None:
    """Spell a plain string the same with and without braces around it."""
    parts = part.parts or []
    if len(parts) < 3:  # noqa: PLR2004 - a name, `=` and a value
        return
    value = parts[-1]
    if value.kind == "string" and value.parts is None:
        value.text = literals.element_string(source.text[value.start : value.end])
    elif value.kind == "jsx_expression" and value.parts and len(value.parts) == 3:  # noqa: PLR2004 - and its braces
        inner = bare(value.parts[1])
        if inner.kind == "string" and inner.parts is None and not _UNSAFE_IN_ATTRIBUTE & set(inner.text[1:-1]):
            value.parts = [inner]


ELEMENT_SHAPES = {"jsx_element": _children, "jsx_fragment": _children, "jsx_attribute": _attribute}
