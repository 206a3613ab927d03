"""`tx init` and `tx index` also give vectors to learnings that came without one, as from a clone."""

from __future__ import annotations

from functools import partial

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.fakes import WordEmbedder
from tx_graph.faces.cli import command as made
from tx_graph.workspace import open_kernel


@pytest.fixture
def with_model(tx: CommandLine, monkeypatch: pytest.MonkeyPatch) -> CommandLine:
    """Two learnings that were added before there was a model."""
    tx.add("First")
    tx.add("Second")
    monkeypatch.setattr(made, "open_kernel", partial(open_kernel, embedder=WordEmbedder()))
    return tx


@pytest.mark.parametrize("command", ["init", "index"])
def test_what_lacks_a_vector_gets_one(with_model: CommandLine, command: str) -> None:
    assert "2 learnings embedded." in with_model.ok(command).out.splitlines()
    assert "embedded" not in with_model.ok(command).out
    assert with_model.json("status")["embedding"]["lacking"] == 0


@pytest.mark.parametrize("command", ["init", "index"])
def test_json_says_how_many(with_model: CommandLine, command: str) -> None:
    assert [with_model.json(command)["embedded"] for _ in range(2)] == [2, 0]


def test_without_a_model_nothing_is_said(tx: CommandLine) -> None:
    tx.add("First")
    assert tx.json("index")["embedded"] == 0
    assert tx.ok("index").err == ""


@pytest.mark.parametrize("command", ["init", "index"])
def test_a_model_that_fails_is_a_warning(tx: CommandLine, command: str) -> None:
    tx.add("First")
    tx.ok("config", "set", "embedder", "fastembed:nope/none")
    assert "tx: warning: Not all learnings have a vector: " in tx.ok(command).err
    shape = tx.json(command)
    assert shape["embedded"] == 0
    assert shape["embedding_problem"].startswith("Not all learnings")
