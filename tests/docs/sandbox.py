"""Where the blocks of a page are run: a home of its own, a shell in it that stays open, nothing of this machine."""

from __future__ import annotations

import os
import re
import select
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import pytest

from tests.docs.blocks import ROOT
from tests.docs.expectation import Names
from tests.git_sandbox import SETTINGS

# --- programs that a test must not have run as they are, each with the reason -----------------------

STAND_INS: Mapping[str, str] = {
    "pip": "needs the package registry; the stand-in checks the requirement, and installs directories for real",
    "npm": "needs the registry; the stand-in checks that what is to be installed is named",
    "python": "benchmarks take hours, tests and site are tested elsewhere, `build` needs the registry; all else is run",
    "uv": "locks what the package registry has; the stand-in does nothing",
    "ruff": "the gate runs it on the same files; the stand-in does nothing",
    "mypy": "the same",
    "lint-imports": "the same",
    "cog": "is a program beside the interpreter of the tests; it is run",
}

ACTIONS: Mapping[str, str] = {
    "actions/checkout": "runs in GitHub's machines; the stand-in clones as deep as `fetch-depth` says",
    "actions/setup-python": "the same; the stand-in checks that tx supports the version",
    "actions/cache": "the same; each job starts without a cache",
    "OWNER/REPOSITORY": "this repository as an action; its steps are run by tests/packaging/test_action.py",
    "github/codeql-action/upload-sarif": "the same; the stand-in checks that the file is SARIF",
}

MODEL = """\
if ! [ -e "$TX_MODEL_DIR" ]; then
    case "$1 $2" in
        "model install"*) touch "$TX_MODEL_DIR.asked-for"; exit ;;
        "model status"* | "learning:embed"*) if [ -e "$TX_MODEL_DIR.asked-for" ]; then exit; fi ;;
    esac
fi"""
"""91 MB from the network: where there is no model, `tx` says it installed it, and what needs it does nothing."""


# --- commands: those behind `$ ` in a terminal, with what they print, and the lines of scripts ------

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
    for end in range(1, len(lines)):
        command = "\n".join(lines[:end])
        # Whether bash waits for nothing more: an end of line, of quotes, of a loop, of a here-document.
        if not command.endswith("\\"):
            asked = ["bash", "-n", "-c", command]
            read = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, check=False)
            if read.returncode == 0 and not read.stderr:
                return lines[:end]
    return lines


# --- a shell that stays open, as a reader's terminal does while working through a page --------------

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


# --- a reader's machine ------------------------------------------------------------------------------

_PROGRAMS = Path(__file__).parent / "programs"

_NOWHERE = "http://127.0.0.1:9"
"""A proxy at which nobody answers: no block reaches the network."""

_GIT = """\
[user]
    name = Ada
    email = ada@example.org
[init]
    defaultBranch = main
[protocol "file"]
    allow = always
[uploadpack]
    allowFilter = true
[url "{remotes}/"]
    insteadOf = https://github.com/
"""
"""Clones from GitHub come from a directory of the sandbox."""


@dataclass(slots=True, kw_only=True)
class Sandbox:
    """A reader's machine, from the first block of a page to the last."""

    home: Path
    directory: Path
    """Where the reader is now."""
    environment: dict[str, str]
    names: Names = field(default_factory=Names)
    variables: dict[str, Any] = field(default_factory=lambda: {"__name__": "__main__"})
    """What blocks of Python have defined so far."""
    untold: tuple[str, ...] = ()
    """Beginnings of commands that tell of history which this checkout lacks: whatever they print is well."""
    _session: Session | None = None

    def __enter__(self) -> Self:
        scratch = self.home.parent / "session"
        scratch.mkdir()
        self._session = Session(self.directory, self.environment, scratch=scratch).__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        assert self._session is not None
        self._session.__exit__(kind, error, at)

    def run(self, command: str) -> Result:
        """Run a command in the page's shell; the uids in it stand for those of this run."""
        assert self._session is not None
        result = self._session.run(self.names.translate(command))
        self.directory = result.directory
        return result

    def aside(
        self, script: str, *, directory: Path | None = None, variables: Mapping[str, str] | None = None
    ) -> Result:
        """Run a script up to its first failure in a shell of its own, as a service or a timer would."""
        scratch = Path(self.home.parent / "aside")
        scratch.mkdir(exist_ok=True)
        with Session(directory or self.directory, self.environment | dict(variables or {}), scratch=scratch) as session:
            for step in script_steps(self.names.translate(script)):
                result = session.run(step.command)
                if result.status:
                    break
        return result

    def shown(self, printed: str) -> str:
        """Return what was printed as a page shows it: the home is `~`."""
        return printed.replace(str(self.home), "~")

    @contextmanager
    def inhabited(self) -> Iterator[None]:
        """Make this process a process of the sandbox."""
        with pytest.MonkeyPatch.context() as patch:
            for name in [*os.environ]:
                patch.delenv(name)
            for name, value in self.environment.items():
                patch.setenv(name, value)
            patch.chdir(self.directory)
            yield


def surroundings(home: Path) -> dict[str, str]:
    """Return the environment of a machine that has `tx`, git and little else; what it needs is made beside the home."""
    beside = home.parent
    home.mkdir(parents=True, exist_ok=True)
    (beside / "gitconfig").write_text(_GIT.format(remotes=beside / "remotes"), encoding="utf-8")
    programs = beside / "bin"
    _install(programs, site=beside / "site")
    return {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "TX_MODEL_DIR": str(beside / "no-model"),
        "HTTPS_PROXY": _NOWHERE,
        "HTTP_PROXY": _NOWHERE,
        "PIP_NO_INDEX": "1",
        "PYTHONUNBUFFERED": "1",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "TERM": "dumb",
        "COLUMNS": "100",
        **SETTINGS,
        "GIT_CONFIG_GLOBAL": str(beside / "gitconfig"),
    }


def _install(programs: Path, *, site: Path) -> None:
    """Put `tx`, `python` and the stand-ins where the shell finds them first."""
    programs.mkdir()
    interpreter, path = shlex.quote(sys.executable), shlex.quote(os.pathsep.join([str(site), str(ROOT)]))
    _executable(programs / "tx", f'{MODEL}\nPYTHONPATH={path} exec {interpreter} -P -m tx_graph "$@"')
    for name in STAND_INS:
        program = shlex.quote(str(_PROGRAMS / f"{name}.py"))
        _executable(
            programs / name, f'PYTHONPATH={path} SITE={shlex.quote(str(site))} exec {interpreter} -P {program} "$@"'
        )


def _executable(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    path.chmod(0o755)
