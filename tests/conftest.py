"""Real repositories and workspaces in temporary directories, deaf to the machine's own configuration."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
from collections.abc import Generator, Iterator, Mapping
from pathlib import Path
from types import FrameType
from typing import Any, Protocol

import hypothesis
import pytest

from scripts.opened import Workspace, open_workspace
from tests.fakes import FixedClock
from tests.git_sandbox import GitSandbox
from tests.templates import write_database, write_workspace
from tx_graph.core.database import Database
from tx_graph.core.place import CONFIG, DATABASE_VARIABLE, DIRECTORY

# How long an example takes depends on what else the machine does: benchmarks measure time, tests do not. Examples are
# the same in every run: what fails is what was changed.
hypothesis.settings.register_profile(
    "all",
    hypothesis.settings(),
    deadline=None,
    derandomize=True,
    max_examples=60,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("all")
hypothesis.settings.register_profile("fast", hypothesis.settings(), max_examples=25)

_workers: list[subprocess.Popen[bytes]] = []
"""The processes that pytest-xdist shares the tests out to; empty in those processes themselves."""


def pytest_configure() -> None:
    """Let SIGTERM stop the suite as Ctrl-C does: fixtures end what they started, in every worker."""
    own = os.getpid()

    def end(number: int, _frame: FrameType | None) -> None:
        if os.getpid() != own:  # a test's fork
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        for worker in _workers:
            worker.terminate()
        pytest.exit("terminated", returncode=128 + number)

    signal.signal(signal.SIGTERM, end)
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell lets its background jobs, and all below, ignore it
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected, nor later among them: a third of the time would go into that."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodeready(node: Any) -> None:  # noqa: ANN401 - xdist's class is not there without xdist
    """Remember a worker that started."""
    _workers.append(node.gateway._io.popen)


class MakeRepository(Protocol):
    """Makes a git repository below the test's directory, the files given committed."""

    def __call__(self, name: str = "project", files: Mapping[str, str] | None = None) -> GitSandbox: ...


class OpenWorkspace(Protocol):
    """Opens the workspace of a repository, by default that of `project`; the caller closes it."""

    def __call__(self, root: Path | None = None) -> Workspace: ...


@pytest.fixture(scope="session", autouse=True)
def _state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the user of this machine allowed is left alone."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        monkeypatch.setenv("TX_VECTOR_CACHE", str(tmp_path_factory.mktemp("vectors") / "vectors.db"))
        monkeypatch.delenv("TX_ALLOW", raising=False)
        yield


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> MakeRepository:
    """A factory of real git repositories."""
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)

    def make(name: str = "project", files: Mapping[str, str] | None = None) -> GitSandbox:
        sandbox = GitSandbox(tmp_path / name, monkeypatch)
        for path, text in (files or {}).items():
            sandbox.write(path, text=text)
        if files:
            sandbox.commit()
        return sandbox

    return make


@pytest.fixture(scope="session")
def first_project(tmp_path_factory: pytest.TempPathFactory) -> GitSandbox:
    with pytest.MonkeyPatch.context() as monkeypatch:
        sandbox = GitSandbox(tmp_path_factory.mktemp("first") / "project", monkeypatch)
        sandbox.write("src/auth.py", text="def login():\n    return True\n")
        write_workspace(sandbox.root)
        (sandbox.root / DIRECTORY / CONFIG).write_text('embedder = "none"\n', encoding="utf-8")
        sandbox.commit()
    return sandbox


@pytest.fixture
def project(first_project: GitSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    """A git repository with a workspace, all of it committed; embedding is turned off."""
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)
    return first_project.copied(tmp_path / "project", monkeypatch)


@pytest.fixture
def clock() -> FixedClock:
    """A clock that stands still."""
    return FixedClock()


@pytest.fixture
def open_project(project: GitSandbox, clock: FixedClock) -> OpenWorkspace:
    """Opens workspaces with the test's clock."""
    return lambda root=None: open_workspace(root or project.root, clock=clock)


@pytest.fixture
def workspace(open_project: OpenWorkspace) -> Iterator[Workspace]:
    """The workspace of `project`, open."""
    with open_project() as opened:
        yield opened


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    """A new, empty database in a file."""
    write_database(tmp_path / "graph.db")
    with Database.open(tmp_path / "graph.db") as opened:
        yield opened
