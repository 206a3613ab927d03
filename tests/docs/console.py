"""Commands, one after the other: those behind `$ ` in a terminal, with what they print, and the lines of scripts."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

PROMPT = "$ "
_SILENT = re.compile(r"\s*(?:#.*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command, and what the page says it prints."""

    line: int
    """Where in the block, from 0."""
    command: str
    expected: str = ""


def console_steps(text: str) -> Iterator[Step]:
    """Yield the commands of a terminal in their order; ValueError where it does not begin with one."""
    lines = text.splitlines()
    if not lines or not lines[0].startswith(PROMPT):
        raise ValueError("A console begins with a command, behind '$ '.")
    at = 0
    while at < len(lines):
        start = at
        command = _command([lines[at].removeprefix(PROMPT), *lines[at + 1 :]])
        printed = at = start + len(command)
        while at < len(lines) and not lines[at].startswith(PROMPT):
            at += 1
        yield Step(line=start, command="\n".join(command), expected="\n".join(lines[printed:at]))


def script_steps(text: str) -> Iterator[Step]:
    """Yield the commands of a script: a shell notes no failure before `&&`, so each is run by itself."""
    lines = text.splitlines()
    at = 0
    while at < len(lines):
        command = _command(lines[at:])
        if not all(_SILENT.fullmatch(line) for line in command):
            yield Step(line=at, command="\n".join(command))
        at += len(command)


def _command(lines: Sequence[str]) -> Sequence[str]:
    """Return the first lines that are a whole command; all of them where none are."""
    ends = (end for end in range(1, len(lines)) if _is_whole("\n".join(lines[:end])))
    return lines[: next(ends, len(lines))]


def _is_whole(command: str) -> bool:
    """Tell whether bash waits for nothing more: an end of line, of quotes, of a loop, of a here-document."""
    if command.endswith("\\"):
        return False
    read = subprocess.run(["bash", "-n", "-c", command], stdin=subprocess.DEVNULL, capture_output=True, check=False)
    return read.returncode == 0 and not read.stderr
