"""Text from elsewhere made inert: what could steer a terminal, hide, or break a line is shown by its number."""

from __future__ import annotations

import json
import re

_ASCII_CONTROL = tuple(code for code in (*range(0x20), 0x7F) if code not in b"\t\n")
_LATE_CONTROL = range(0x80, 0xA0)
"""Control characters that some terminals obey like those of ASCII."""
_DIRECTION_MARKS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
"""Characters that show a text in another order than it has."""
_LINE_BREAKS = (0x2028, 0x2029)
"""Many programs begin a new line here, which the text's author may have meant to be taken for somebody else's."""
_INVISIBLE = (0x200B, 0x2060, *range(0x2061, 0x2065), 0xFEFF, *range(0xE0000, 0xE0080))
"""Characters that nobody sees and a language model reads; those that join emoji or letters are not among them."""
_SHOWN = {code: f"\\x{code:02x}" for code in (*_ASCII_CONTROL, *_LATE_CONTROL)}
_SHOWN |= {code: f"\\u{code:04x}" for code in (*_DIRECTION_MARKS, *_LINE_BREAKS)}
_SHOWN |= {code: f"\\U{code:08x}" if code > 0xFFFF else f"\\u{code:04x}" for code in _INVISIBLE}  # noqa: PLR2004
_ESCAPED = {
    code: json.dumps(chr(code))[1:-1] for code in (*_LATE_CONTROL, *_DIRECTION_MARKS, *_LINE_BREAKS, *_INVISIBLE)
} | {0x7F: "\\u007f"}
"""What JSON lets stand as it is, and a terminal had better not see; JSON itself escapes the rest."""

_ONE_WORD = re.compile(r"[\w.:/#@+-]{1,300}")


def inert(text: str) -> str:
    """Return `text` with control and hidden characters made visible; line ends and tabs stay."""
    return text if text.isprintable() else text.translate(_SHOWN)


def inert_json(document: str) -> str:
    """Return a JSON document that says the same, with control and hidden characters escaped."""
    return document if document.isascii() and "\x7f" not in document else document.translate(_ESCAPED)


def inert_line(text: str) -> str:
    """Return `text` as one line: line ends, tabs and runs of blanks become one blank each."""
    return " ".join(inert(text).split())


def quoted(text: str, *, mark: str = "> ") -> str:
    """Return `text` inert, with every line behind a mark. A fence that is open at its end ends with it."""
    return "\n".join(f"{mark}{line}".rstrip() for line in inert(text).split("\n"))


def quoted_line(text: str) -> str:
    """Return `text` as one line in quotes, which nothing in it can end."""
    line = inert_line(text).replace('"', "'")
    return f'"{line}"'


def label(text: str) -> str:
    """Return a name of one word as it is, and any other in quotes: several words may be a sentence that orders."""
    return text if _ONE_WORD.fullmatch(text) else quoted_line(text)
