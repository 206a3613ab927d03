"""What programs get of an answer is what the command line prints."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import CommandLine
from tx_graph import Workspace, open_workspace

ASKED: list[tuple[str, Callable[[Workspace], Any]]] = [
    ("learning:show 1", lambda tx: tx.learnings.show("1")),
    ("graph:verify", lambda tx: tx.anchors.verify()),
    ("graph:path 1 src/auth.py", lambda tx: tx.graph.path("1", "src/auth.py")),
    ("doc:search tokens", lambda tx: tx.documents.search("tokens")),
]


@pytest.fixture
def root(prepared: Prepared) -> Path:
    return prepared(["learning:add", "Tokens expire", "--anchor", "src/auth.py::login"], "index")


@pytest.mark.parametrize(("command", "ask"), ASKED)
def test_an_answer_is_the_document_of_its_command(root: Path, command: str, ask: Callable[[Workspace], Any]) -> None:
    with open_workspace(root) as workspace:
        told = ask(workspace).to_dict()
    printed = CommandLine(root).json(command)
    assert told.pop("schema") == 2
    assert {key: told[key] for key in told if key != "notices"} == {
        key: one for key, one in printed.items() if key in told and key != "notices"
    }


def test_answers_iterate_and_a_limit_needs_no_query(root: Path) -> None:
    with open_workspace(root) as workspace:
        assert [one.stored.id for one in workspace.search("tokens", limit=1)] == [1]
        assert [one.judgement.anchor.spec for one in workspace.anchors.verify()] == ["src/auth.py::login"]
