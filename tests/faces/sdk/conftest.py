"""A repository with code, writing and history, and its workspace as a program has it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes import FixedClock
from tests.git_sandbox import GitSandbox
from tests.templates import write_workspace
from tx_graph import StoredLearning, Workspace, init_workspace
from tx_graph.core.place import CONFIG, DIRECTORY

AUTH = """\
from src.tokens import verify


def login(token):
    return verify(token)
"""
TOKENS = """\
def verify(token):
    return token == "secret"
"""
GUIDE = """\
# Guide

## Signing in

Tokens are verified by `src/tokens.py`.

## Signing out

See [signing in](#signing-in).
"""


@pytest.fixture(scope="session")
def first_signing_in(tmp_path_factory: pytest.TempPathFactory) -> GitSandbox:
    with pytest.MonkeyPatch.context() as monkeypatch:
        return _made(GitSandbox(tmp_path_factory.mktemp("signing-in") / "project", monkeypatch))


@pytest.fixture
def signing_in(first_signing_in: GitSandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    """A repository whose two files change together; embedding is turned off."""
    monkeypatch.delenv("TX_DB", raising=False)
    return first_signing_in.copied(tmp_path / "project", monkeypatch)


def _made(sandbox: GitSandbox) -> GitSandbox:
    sandbox.write("src/auth.py", text=AUTH)
    sandbox.write("src/tokens.py", text=TOKENS)
    sandbox.write("docs/guide.md", text=GUIDE)
    write_workspace(sandbox.root)
    (sandbox.root / DIRECTORY / CONFIG).write_text('embedder = "none"\n', encoding="utf-8")
    sandbox.commit(message="Let people sign in")
    for number in range(4):
        sandbox.write("src/auth.py", "src/tokens.py", text=f"# {number}\n")
        sandbox.commit(message=f"Sign in faster, step {number}")
    return sandbox


@pytest.fixture
def memory(signing_in: GitSandbox, clock: FixedClock) -> Iterator[Workspace]:
    """The workspace of that repository, made and indexed."""
    with init_workspace(signing_in.root, clock=clock) as workspace:
        yield workspace


@pytest.fixture
def stored(memory: Workspace) -> StoredLearning:
    """A learning about `verify`."""
    return memory.learnings.add("Tokens are compared", anchors=["src/tokens.py::verify"]).stored


@pytest.fixture
def other(memory: Workspace) -> StoredLearning:
    """A learning about nothing in particular."""
    return memory.learnings.add("Tokens end").stored
