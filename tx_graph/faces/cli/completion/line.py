"""The hidden entry `tx --complete SHELL LINE [WORD]` that the scripts call, and the line as it stands so far.

It never fails and never complains: quotes may be open, the last word may be unfinished.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

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


def respond(arguments: Sequence[str]) -> int:
    """Write the answer for a shell to stdout; return status 0, whatever happens."""
    with suppress(BaseException):  # a prompt is no place for an error, and native code may panic
        sys.stdout.buffer.write(answered(arguments, cwd=Path.cwd()))
    return 0


def answered(arguments: Sequence[str], *, cwd: Path) -> bytes:
    """Return the answer as its shell reads it: a line of hints, then one candidate a line.

    bash gets the part of each candidate that replaces WORD, which is what it takes for the word at the
    cursor: it breaks words at every character of COMP_WORDBREAKS, and a command's colon is one of them.
    zsh and fish get the whole word, a tab, and its description.
    """
    from tx_graph.faces.cli.completion.candidates import complete

    shell, line, *rest = arguments
    _, *words = split(line)
    answer = complete(words or [""], cwd=cwd)
    kept = 0
    if shell == "bash" and words and rest and words[-1].endswith(replaced := unquoted(rest[0])):
        kept = len(words[-1]) - len(replaced)  # what bash leaves standing
    rows = [os.fsencode(one.value[kept:]) for one in answer.candidates]
    if shell != "bash":
        told = [one.description.encode(sys.getfilesystemencoding(), "replace") for one in answer.candidates]
        rows = [row + b"\t" + text if text else row for row, text in zip(rows, told, strict=True)]
    return b"\n".join([" ".join(answer.hints).encode(), *rows, b""])
