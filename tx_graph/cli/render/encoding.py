"""Text for a stream that does not know all characters: look-alikes for our own signs, escapes for the rest."""

from __future__ import annotations

import codecs

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
