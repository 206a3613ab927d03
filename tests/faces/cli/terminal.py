"""The command line as tests use it: in this process where speed matters, as a program where processes do."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import pytest

from tx_graph.faces.cli.main import run

PROGRAM = (sys.executable, "-m", "tx_graph")


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a command left behind."""

    status: int
    out: str
    err: str

    @property
    def document(self) -> Any:  # noqa: ANN401 - whatever JSON can hold
        """The one JSON document on stdout."""
        return json.loads(self.out)

    @property
    def error(self) -> Any:  # noqa: ANN401 - whatever JSON can hold
        """The error in the one JSON document on stderr."""
        return json.loads(self.err)["error"]


class CommandLine:
    """Runs commands in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self._capsys = capsys
        self._monkeypatch = monkeypatch

    def __call__(self, *arguments: str, stdin: bytes = b"") -> Outcome:
        self._monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        self._capsys.readouterr()
        status = run(arguments)
        printed = self._capsys.readouterr()
        return Outcome(status=status, out=printed.out, err=printed.err)

    def ok(self, *arguments: str, stdin: bytes = b"") -> Outcome:
        """Run a command that must end well."""
        outcome = self(*arguments, stdin=stdin)
        assert outcome.status == 0, outcome.err
        return outcome

    def json(self, *arguments: str, stdin: bytes = b"") -> Any:  # noqa: ANN401 - whatever JSON can hold
        """Return the document that a command prints."""
        return self.ok(*arguments, "--json", stdin=stdin).document

    def add(self, content: str, *options: str) -> str:
        """Add a learning and return its reference."""
        return f"learning:{self.json('learning:add', content, *options)['id']}"


class Program:
    """Runs `tx` as a program of its own."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    def __call__(
        self,
        *arguments: str | bytes,
        stdin: bytes = b"",
        environment: Mapping[str, str | None] | None = None,
        stdout: int | IO[bytes] = subprocess.PIPE,
    ) -> Outcome:
        done = subprocess.run(
            [*PROGRAM, *arguments],
            cwd=self.directory,
            env=self.environment(environment),
            input=stdin,
            stdout=stdout,
            stderr=subprocess.PIPE,
            timeout=60,
            check=False,
        )
        out = (done.stdout or b"").decode(errors="replace")
        return Outcome(status=done.returncode, out=out, err=done.stderr.decode(errors="replace"))

    def shell(self, script: str) -> Outcome:
        """Run a bash script that calls `tx`."""
        function = f'tx() {{ "{PROGRAM[0]}" -m tx_graph "$@"; }}\n'
        done = subprocess.run(
            ["bash", "-c", function + script],
            cwd=self.directory,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=60,
            check=False,
        )
        return Outcome(status=done.returncode, out=done.stdout.decode(), err=done.stderr.decode())

    def environment(self, changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
        """Return this process's environment with some variables set, or with None removed."""
        merged = {**os.environ, **(changes or {})}
        return {name: value for name, value in merged.items() if value is not None}
