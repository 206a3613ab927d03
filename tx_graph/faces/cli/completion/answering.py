"""The hidden entry `tx --complete SHELL LINE [WORD]` that the scripts call; it never fails and never complains."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from tx_graph.faces.cli.completion.candidates import Answer, Candidate, complete
from tx_graph.faces.cli.completion.line import split, unquoted

_BASH = "bash"


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
    shell, line, *rest = arguments
    _, *words = split(line)
    answer = complete(words or [""], cwd=cwd)
    if shell == _BASH:
        kept = _kept(words[-1], unquoted(rest[0])) if words and rest else 0
        rows = [os.fsencode(one.value[kept:]) for one in answer.candidates]
    else:
        rows = [_row(one) for one in answer.candidates]
    return b"\n".join([_hints(answer), *rows, b""])


def _kept(word: str, replaced: str) -> int:
    """Return how many characters of `word` bash leaves standing."""
    return len(word) - len(replaced) if word.endswith(replaced) else 0


def _hints(answer: Answer) -> bytes:
    return " ".join(answer.hints).encode()


def _row(one: Candidate) -> bytes:
    value = os.fsencode(one.value)
    return value + b"\t" + one.description.encode(sys.getfilesystemencoding(), "replace") if one.description else value
