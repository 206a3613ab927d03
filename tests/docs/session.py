"""A shell that stays open, as a reader's terminal does while working through a page."""

from __future__ import annotations

import os
import select
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

_ENOUGH = 30
_PATIENCE = 600.0
"""Seconds that a command may take."""


class CommandFailed(Exception):
    """A command did not come to an end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a command left behind."""

    printed: str
    """Standard output and standard error, as they came."""
    status: int
    directory: Path
    """Where the shell is now."""

    @property
    def end(self) -> str:
        """The last of what was printed: enough to see what went wrong."""
        return "\n".join(self.printed.splitlines()[-_ENOUGH:])


class Session:
    """A bash in which directory and variables stay from one command to the next."""

    def __init__(self, directory: Path, environment: Mapping[str, str], *, scratch: Path) -> None:
        self._command, self._output = scratch / "command", scratch / "output"
        self._answers, answering = os.pipe()
        self._bash = subprocess.Popen(
            ["bash", "--noprofile", "--norc"],
            cwd=directory,
            env=dict(environment),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[answering],
            text=True,
        )
        os.close(answering)
        self._tell(f"answering={answering}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._bash.kill()
        self._bash.communicate()
        os.close(self._answers)

    def run(self, command: str) -> Result:
        """Run a command and return what came of it."""
        self._command.write_text(command, encoding="utf-8")
        self._tell(
            f". {shlex.quote(str(self._command))} </dev/null >{shlex.quote(str(self._output))} 2>&1; "
            r"""printf '%s\t%s\0' "$?" "$PWD" >&$answering"""
        )
        status, directory = self._answer(command).split("\t")
        return Result(
            printed=self._output.read_text(encoding="utf-8", errors="replace"),
            status=int(status),
            directory=Path(directory),
        )

    def _tell(self, line: str) -> None:
        assert self._bash.stdin is not None
        self._bash.stdin.write(line + "\n")
        self._bash.stdin.flush()

    def _answer(self, command: str) -> str:
        received = b""
        while not received.endswith(b"\0"):
            if not select.select([self._answers], [], [], _PATIENCE)[0]:
                raise CommandFailed(f"It is not done after {_PATIENCE:.0f} seconds: {command}")
            part = os.read(self._answers, 4096)
            if not part:
                raise CommandFailed(f"It ends the shell: {command}")
            received += part
        return received[:-1].decode()
