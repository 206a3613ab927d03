from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine, Program
from tests.git_sandbox import SETTINGS, GitSandbox
from tx_graph.workspace import open_workspace, prepare


@pytest.fixture(autouse=True)
def _no_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No model, no editor, no colours and no width from outside."""
    monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path / "no-model"))
    for name in ("TX_DB", "VISUAL", "EDITOR", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING", "PYTHONUTF8"):
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


@pytest.fixture
def home(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The root of a workspace (`src/auth.py`, `README.md`), committed; also the working directory."""
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)
    root = tmp_path / "project"
    shutil.copytree(template, root)
    monkeypatch.chdir(root)
    return root


@pytest.fixture
def tx(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line in this process, at the root of a workspace."""
    return CommandLine(capsys, monkeypatch)


@pytest.fixture
def elsewhere(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """The command line in this process, in a directory that is neither a workspace nor in git."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    return CommandLine(capsys, monkeypatch)


@pytest.fixture
def program(home: Path) -> Program:
    """The command line as a program of its own, at the root of a workspace."""
    return Program(home)
