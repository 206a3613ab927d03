"""The command line as tests use it: in this process where speed matters, as a program where processes do."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from tests.faces.cli.documents import validate
from tx_graph.core.shape import SCHEMA
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
        """The one JSON document on stdout, without the version of its schema."""
        found = json.loads(self.out)
        found.pop("schema", None)  # SARIF and the answers of hooks have forms of their own
        return found

    @property
    def error(self) -> Any:  # noqa: ANN401 - whatever JSON can hold
        """The error in the one JSON document on stderr."""
        found = json.loads(self.err)
        assert found["schema"] == SCHEMA
        return found["error"]


def bare(value: Any) -> Any:  # noqa: ANN401 - JSON
    """Return JSON without the references to nodes."""
    if isinstance(value, dict):
        return {key: bare(one) for key, one in value.items() if not f"_{key}".endswith("_node")}
    return [bare(one) for one in value] if isinstance(value, list) else value


class CommandLine:
    """Runs commands in this process, in a directory or else where the test stands.

    A command is one line as it is typed, or its words.
    """

    def __init__(self, directory: Path | None = None) -> None:
        self.directory = directory

    def __call__(self, *words: str, stdin: bytes = b"") -> Outcome:
        out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True) for _ in range(2))
        before, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(stdin))
        try:
            with chdir(self.directory) if self.directory else nullcontext(), redirect_stdout(out), redirect_stderr(err):
                status = run(_words(words))
        finally:
            sys.stdin = before
        texts = [stream.buffer.getvalue().decode() for stream in (out, err)]
        validate(_words(words), status, *texts)
        return Outcome(status=status, out=texts[0], err=texts[1])

    def ok(self, *words: str, stdin: bytes = b"") -> Outcome:
        """Run a command that must end well."""
        outcome = self(*words, stdin=stdin)
        assert outcome.status == 0, outcome.err
        return outcome

    def json(self, *words: str, stdin: bytes = b"") -> Any:  # noqa: ANN401 - whatever JSON can hold
        """Return the document that a command prints."""
        return self.ok(*_words(words), "--json", stdin=stdin).document

    def name(self, number: int) -> str:
        """Return what a learning is called."""
        return f"{self.json(f'learning:show {number}')['uid']} (learning:{number})"

    def add(self, content: str, *options: str) -> str:
        """Add a learning and return its reference."""
        return f"learning:{self.json('learning:add', content, *options)['id']}"


class Program:
    """Runs `tx` as a program of its own, which has `patience` seconds to end."""

    def __init__(self, directory: Path, *, patience: float = 60) -> None:
        self.directory = directory
        self.patience = patience

    def __call__(
        self,
        *words: str | bytes,
        stdin: bytes = b"",
        environment: Mapping[str, str | None] | None = None,
        stdout: int | IO[bytes] = subprocess.PIPE,
    ) -> Outcome:
        return self._run([*PROGRAM, *_words(words)], input=stdin, env=self.environment(environment), stdout=stdout)

    def shell(self, script: str) -> Outcome:
        """Run a bash script that calls `tx`."""
        function = f'tx() {{ "{PROGRAM[0]}" -m tx_graph "$@"; }}\n'
        pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
        return self._run(["bash", "-c", function + script], stdin=nothing, env=self.environment(), stdout=pipe)

    def start(self, *words: str, stderr: int = subprocess.PIPE) -> subprocess.Popen[bytes]:
        """Start the program and let it run; its streams are pipes."""
        command, pipe = [*PROGRAM, *_words(words)], subprocess.PIPE
        environment = self.environment()
        return subprocess.Popen(command, cwd=self.directory, env=environment, stdin=pipe, stdout=pipe, stderr=stderr)

    def environment(self, changes: Mapping[str, str | None] | None = None) -> dict[str, str]:
        """Return this process's environment with some variables set, or with None removed."""
        merged = {**os.environ, **(changes or {})}
        return {name: value for name, value in merged.items() if value is not None}

    def _run(self, command: Sequence[str | bytes], **options: Any) -> Outcome:  # noqa: ANN401 - those of run
        pipe, patience = subprocess.PIPE, self.patience
        done = subprocess.run(command, cwd=self.directory, stderr=pipe, timeout=patience, check=False, **options)
        out, err = ((stream or b"").decode(errors="replace") for stream in (done.stdout, done.stderr))
        return Outcome(status=done.returncode, out=out, err=err)


class Checkout:
    """A git working tree whose files change."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, text: str = "") -> Path:
        """Write a file, making its directories."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
        return file

    def edit(self, old: str, new: str, *, path: str = "src/auth.py") -> None:
        """Replace a piece of a file that occurs in it."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new))

    def change(self, *paths: str) -> None:
        """Add a line to files."""
        for path in paths:
            file = self.root / path
            self.write(path, (file.read_text(encoding="utf-8") if file.exists() else "") + "# more\n")

    def commit(self, message: str = "change", *paths: str) -> str:
        """Change these files and commit everything; return the commit's name."""
        self.change(*paths)
        self.git("add", "--all")
        self.git("commit", "--quiet", f"--message={message}")
        return self.git("rev-parse", "HEAD")

    def git(self, *arguments: str) -> str:
        """Run git and return what it prints."""
        command = ["git", "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def clone(self, name: str, *options: str) -> Checkout:
        """Clone what is committed, beside this one."""
        self.git("clone", "--quiet", *options, self.root.as_uri(), str(self.root.parent / name))
        return Checkout(self.root.parent / name)

    @property
    def record(self) -> Path:
        """The one record of a learning."""
        (record,) = (self.root / ".tx" / "learnings").glob("*.md")
        return record


def _words(words: Sequence[Any]) -> Sequence[Any]:
    return shlex.split(words[0]) if len(words) == 1 and isinstance(words[0], str) else words
