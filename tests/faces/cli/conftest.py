from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

import pytest

from scripts.opened import open_workspace
from tests.faces.cli.terminal import Checkout, CommandLine, Program
from tests.git_sandbox import GitSandbox, use_settings
from tx_graph.workspace import prepare

OUTSIDE = (
    "TX_DB",
    "VISUAL",
    "EDITOR",
    "NO_COLOR",
    "FORCE_COLOR",
    "COLUMNS",
    "LESS",
    "PAGER",
    "TX_PAGER",
    "PYTHONIOENCODING",
    "PYTHONUTF8",
)


class Prepared(Protocol):
    """Makes a workspace of the template's: files are written and added to git or committed, then commands are run."""

    def __call__(
        self, *commands: str | Sequence[str], files: Mapping[str, str] | None = None, message: str = ""
    ) -> Path: ...


@pytest.fixture(autouse=True)
def _no_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No model, no editor, no colours and no width from outside."""
    monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path / "no-model"))
    for name in OUTSIDE:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with a workspace, made once: copying it is several times faster than making it."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.delenv("TX_DB", raising=False)
        sandbox = GitSandbox(tmp_path_factory.mktemp("template") / "project", monkeypatch)
        sandbox.write("src/auth.py", text="def login():\n    return True\n")
        sandbox.write("README.md", text="# Project\n")
        prepare(sandbox.root)
        sandbox.commit()
        open_workspace(sandbox.root).close()
    return sandbox.root


@pytest.fixture(scope="session")
def prepared(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    def make(*commands: str | Sequence[str], files: Mapping[str, str] | None = None, message: str = "") -> Path:
        checkout = Checkout(tmp_path_factory.mktemp("prepared") / "project")
        shutil.copytree(template, checkout.root)
        for path, text in (files or {}).items():
            checkout.write(path, text)
        with pytest.MonkeyPatch.context() as monkeypatch:
            use_settings(monkeypatch)
            monkeypatch.setenv("TX_MODEL_DIR", str(checkout.root.parent / "no-model"))
            for name in OUTSIDE:
                monkeypatch.delenv(name, raising=False)
            checkout.git("add", "--all")
            if message:
                checkout.commit(message)
            for command in commands:
                CommandLine(checkout.root).ok(*([command] if isinstance(command, str) else command))
        return checkout.root

    return make


@pytest.fixture(scope="session")
def origin(template: Path) -> Path:
    """What `home` begins as; a module of tests that needs more has an `origin` of its own."""
    return template


@pytest.fixture
def shared(origin: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line in `origin` itself, for commands that change nothing."""
    use_settings(monkeypatch)
    return CommandLine(origin)


@pytest.fixture
def home(origin: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a workspace (`src/auth.py`, `README.md`), committed; also the working directory."""
    use_settings(monkeypatch)
    root = tmp_path / "project"
    shutil.copytree(origin, root)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def checkout(home: Path) -> Checkout:
    """The files of `home`, to be changed."""
    return Checkout(home)


@pytest.fixture
def tx(home: Path) -> CommandLine:
    """The command line in this process, at the root of a workspace."""
    return CommandLine()


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line in this process, in a directory that is neither a workspace nor in git."""
    monkeypatch.chdir(tmp_path)
    use_settings(monkeypatch)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return CommandLine()


@pytest.fixture
def program(home: Path) -> Program:
    """The command line as a program of its own, at the root of a workspace."""
    return Program(home)
