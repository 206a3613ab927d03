"""GitHub's workflow commands, read as its runner reads them."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import unquote

_COMMAND = re.compile(r"::(?P<level>error|warning|notice) (?P<properties>[^:]*)::(?P<message>.*)")


class Annotation(NamedTuple):
    """A workflow command as the runner reads it."""

    level: str
    file: str
    lines: tuple[int, int]
    title: str
    message: str


def annotated(out: str) -> list[Annotation]:
    """Return the commands among the lines of a log."""
    return [_annotation(match) for line in out.splitlines() if (match := _COMMAND.fullmatch(line))]


def _annotation(match: re.Match[str]) -> Annotation:
    pairs = (pair.partition("=") for pair in match["properties"].split(","))
    found = {name: unquote(value) for name, _, value in pairs}
    lines = (int(found["line"]), int(found["endLine"]))
    return Annotation(match["level"], found["file"], lines, found["title"], unquote(match["message"]))
