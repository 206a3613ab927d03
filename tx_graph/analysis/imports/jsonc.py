"""JSON with comments and trailing commas, as tsconfig files are written."""

from __future__ import annotations

import json
import re

_STRING = r'"(?:\\.|[^"\\])*"'
_COMMENT = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?\*/", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)


def parse(text: str) -> object:
    """Return the value that the text holds.

    Raises:
        ValueError: The text is no JSON, even with comments and trailing commas allowed.
    """
    try:
        return _loads(text.removeprefix("\ufeff"))
    except ValueError:
        return _loads(_plain(text.removeprefix("\ufeff")))


def _plain(text: str) -> str:
    uncommented = _COMMENT.sub(_keep_string, text)
    return _TRAILING_COMMA.sub(_keep_string, uncommented)


def _keep_string(match: re.Match[str]) -> str:
    return match[1] or " "


def _loads(text: str) -> object:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
