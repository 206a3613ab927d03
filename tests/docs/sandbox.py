"""Where the blocks of a page are run: a home of its own, a shell in it, and nothing of this machine's."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from tests.docs.blocks import ROOT
from tests.docs.console import script_steps
from tests.docs.expectation import Names
from tests.docs.session import CommandFailed, Result, Session
from tests.docs.stand_ins import MODEL, STAND_INS
from tests.git_sandbox import SETTINGS

__all__ = ["CommandFailed", "Sandbox", "surroundings"]

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
        before, directory = dict(os.environ), Path.cwd()
        _become(self.environment, self.directory)
        try:
            yield
        finally:
            _become(before, directory)


def _become(environment: Mapping[str, str], directory: Path) -> None:
    os.environ.clear()
    os.environ.update(environment)
    os.chdir(directory)


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
