"""A command line as it stands while it is being typed: quotes may be open, the last word may be unfinished."""

from __future__ import annotations

import re
from collections.abc import Sequence

_WORD = re.compile(r"""(?: [^\s\\'"] | \\.? | '[^']*'? | "(?:\\.|[^"\\])*"? )+""", re.VERBOSE | re.DOTALL)
_PIECE = re.compile(r"""\\(.?) | '([^']*)'? | "((?:\\.|[^"\\])*)"?""", re.VERBOSE | re.DOTALL)
_ESCAPED = re.compile(r"""\\(["\\$`])""")
_REDIRECTION = re.compile(r"(?:\d*|&)[<>][<>&|]*")
"""An operator such as `>`, `2>>` or `<`, or the beginning of a word that has its file attached."""


def split(line: str) -> list[str]:
    """Return the words of `line` without their quotes; the last is the one at its end, empty after a space."""
    found = list(_WORD.finditer(line))
    words = [unquoted(match[0]) for match in found]
    finished = not found or found[-1].end() < len(line)
    return [*words, ""] if finished else words


def unquoted(text: str) -> str:
    """Return one word without its quotes and backslashes."""
    return _PIECE.sub(_inside, text)


def _inside(piece: re.Match[str]) -> str:
    bare, single, double = piece.groups()
    return _ESCAPED.sub(r"\1", double) if double is not None else single if single is not None else bare


def without_redirections(words: Sequence[str]) -> list[str]:
    """Return the words that the program gets."""
    kept: list[str] = []
    names_file = False
    for word in words:
        operator = _REDIRECTION.match(word)
        if not operator and not names_file:
            kept.append(word)
        names_file = operator is not None and operator[0] == word
    return kept


def is_redirected_file(before: Sequence[str], word: str) -> bool:
    """Whether `word` is the file of a redirection, not an argument."""
    return bool(_REDIRECTION.match(word) or (before and _REDIRECTION.fullmatch(before[-1])))
