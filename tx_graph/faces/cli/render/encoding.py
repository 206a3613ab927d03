"""Text for a stream that does not know all characters: look-alikes for our own signs, escapes for the rest."""

from __future__ import annotations

import codecs
import sys

ERRORS = "tx-readable"
"""Name of the error handler that `register` makes known."""
_LOOK_ALIKES = {"─": "-", "→": ">", "←": "<", "…": "...", "·": "|", "×": "x", "–": "-", "’": "'"}


def register() -> None:
    """Make the error handler known to all streams."""
    codecs.register_error(ERRORS, _replaced)


def _replaced(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    character = error.object[error.start]
    escaped = character.encode("ascii", "backslashreplace").decode("ascii")
    return _LOOK_ALIKES.get(character, escaped), error.start + 1


def as_printed(text: str) -> str:
    """Return `text` as stdout will have it: with what stands in for the characters that it does not know."""
    name = getattr(sys.stdout, "encoding", None) or "utf-8"
    errors = getattr(sys.stdout, "errors", None) or "strict"
    return text.encode(name, errors).decode(name, "surrogateescape")
