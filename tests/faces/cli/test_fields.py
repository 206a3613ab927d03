"""`--fields` keeps what it names of a document, and refuses what no document of that command has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import CommandLine


@pytest.fixture
def root(prepared: Prepared) -> Path:
    return prepared(["learning:add", "Tokens expire", "--anchor", "src/auth.py::login"], "index")


@pytest.mark.parametrize(
    ("command", "fields", "kept"),
    [
        ("learning:search tokens", "results.node.kind", {"results": [{"node": {"kind": "learning"}}]}),
        (
            "learning:search tokens",
            "results.drift,stats.matched",
            {"results": [{"drift": None}], "stats": {"matched": 1}},
        ),
        ("learning:search tokens", "results.node.kind, results.node", None),
        ("learning:show 1", "anchors.node.line.x", "anchors.node.line"),
        ("learning:show 1", "anchors.spec.x.y", "anchors.spec"),
        ("learning:search nothing", "results.nod.ref", "results.node"),
        ("context tokens", "learnings.content", {"learnings": [{"content": "Tokens expire"}]}),
        ("context tokens", "learning.content", "learnings"),
        ("focus src/auth.py", "focus.no", "focus has"),
        ("status", " , ", "There are root, database"),
    ],
)
def test_a_document_has_what_was_asked_for(
    root: Path, command: str, fields: str, kept: dict[str, object] | str | None
) -> None:
    run = CommandLine(root)
    words = [*command.split(), "--fields", fields]
    if isinstance(kept, str):
        refused = run(*words)
        assert (refused.status, refused.out) == (2, "")
        assert kept in refused.err
        return
    printed = json.loads(run.ok(*words).out)
    whole = run.json(command)
    assert printed.pop("schema") == 2
    assert printed == (kept or {"results": [{"node": one["node"]} for one in whole["results"]]})


def test_a_mistaken_key_is_refused_before_anything_is_written(root: Path) -> None:
    run = CommandLine(root)
    assert run("learning:add", "Tokens are secret", "--fields", "uuid").status == 2
    assert len(run.json("learning:list")["learnings"]) == 1
    assert run("learning:add", "Tokens are secret", "--fields", "uuid").error["code"] == "usage"
