from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from scripts.opened import open_workspace
from tests.faces.mcp.peer import Peer
from tests.git_sandbox import SETTINGS, GitSandbox
from tx_graph.core.ports import no_progress
from tx_graph.documents.ingesting import Ingesting
from tx_graph.faces.mcp.replies import Reply
from tx_graph.faces.mcp.server import Answering
from tx_graph.knowledge.facts import Facts
from tx_graph.learnings.learnings import Draft
from tx_graph.records.anchor import parse_anchor
from tx_graph.records.learning import Status
from tx_graph.workspace import prepare

GUIDE = """# Guide

## Tokens

Tokens expire after an hour, see `src/auth.py`. Depends on: [ADR 1](adr/001.md)
"""
DECISION = """---
status: accepted
---
# ADR 1: Tokens are short-lived

## Decision

We let tokens expire after an hour.
"""


Ask = Callable[..., Reply]
"""Calls a tool, by its name, in this process."""
StartServer = Callable[..., Peer]
"""Starts a server in a directory, by default that of the repository, and says hello to it; as `Peer` is made."""


@pytest.fixture(autouse=True)
def _no_surroundings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path / "no-model"))
    for name in ("TX_DB", "CLAUDE_PROJECT_DIR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)


@pytest.fixture(scope="session")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with something of everything, made once: code, documents, learnings, facts, a task and a run."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.delenv("TX_DB", raising=False)
        monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path_factory.mktemp("no-model")))
        sandbox = GitSandbox(tmp_path_factory.mktemp("filled") / "project", monkeypatch)
        sandbox.write("src/auth.py", text="def login():\n    return verify()\n\n\ndef verify():\n    return True\n")
        sandbox.write("src/app.py", text="from src.auth import login\n\nlogin()\n")
        sandbox.write("docs/guide.md", text=GUIDE)
        sandbox.write("docs/adr/001.md", text=DECISION)
        prepare(sandbox.root)
        (sandbox.root / ".tx" / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
        sandbox.commit(message="Let tokens expire")
        _fill(sandbox.root)
        sandbox.commit(message="What was learned")
    return sandbox.root


def _fill(root: Path) -> None:
    with open_workspace(root) as workspace:
        workspace.indexing.run()
        workspace.kernel.one(Ingesting).run(())
        task = workspace.tasks.add(title="Mend the tokens")
        run = workspace.runs.start(task=task.ref)
        workspace.learnings.add_draft(
            Draft(
                content="Compare tokens in constant time",
                category="security",
                anchors=[parse_anchor("src/auth.py::verify")],
            )
        )
        workspace.learnings.add_draft(Draft(content="Tokens live for one hour", derived_from=run.node))
        workspace.learnings.add_draft(Draft(content="The zebrafish tokens never expire", status=Status.STAGED))
        workspace.kernel.one(Facts).add(subject="Billing service", predicate="uses", object="DuckDB")
        workspace.kernel.one(Facts).add(subject="DuckDB", predicate="version", value="1.2")


@pytest.fixture
def root(filled: Path, tmp_path: Path) -> Path:
    """The root of a copy of that repository."""
    return Path(shutil.copytree(filled, tmp_path / "project"))


@pytest.fixture
def ask(root: Path) -> Iterator[Ask]:
    """Calls tools in this process, in the copy."""
    yield from _asking(root, is_read_only=False)


@pytest.fixture
def ask_reader(root: Path) -> Iterator[Ask]:
    """The same, where nothing may be changed."""
    yield from _asking(root, is_read_only=True)


def _asking(root: Path, *, is_read_only: bool) -> Iterator[Ask]:
    answering = Answering(root, {}, is_read_only=is_read_only, is_structured=True)

    def ask(tool: str, /, **arguments: object) -> Reply:
        return answering.call(answering.tools[tool], arguments, progress=no_progress)

    yield ask
    answering.close()


@pytest.fixture
def start(root: Path) -> Iterator[StartServer]:
    """Starts servers; they end with the test."""
    peers: list[Peer] = []

    def begin(*options: str, directory: Path | None = None, **more: Any) -> Peer:  # noqa: ANN401
        peers.append(Peer(directory or root, *options, **more))
        return peers[-1]

    yield begin
    for peer in peers:
        with peer:
            pass
