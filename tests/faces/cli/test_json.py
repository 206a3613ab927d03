"""What programs read: one document on stdout, stable keys, UTC times; errors as one document on stderr."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.faces.cli.terminal import CommandLine, Program
from tx_graph.graph.edges import EdgeType

LEARNING = {
    "id", "uid", "content", "category", "keywords", "status", "confidence", "source_type", "source_ref", "anchors",
    "links", "superseded_by", "created_at", "updated_at", "removed_at", "usage_count", "last_used_at",
    "feedback_score", "record",
}  # fmt: skip
RESULT = LEARNING | {
    "relevance_score", "bm25_score", "vector_score", "recency_score", "rrf_score", "expansion_hops",
    "expansion_path", "source_edge", "verdict", "stale",
}  # fmt: skip
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


@pytest.fixture
def memory(tx: CommandLine) -> CommandLine:
    """Two linked learnings, one anchored to a symbol."""
    tx.ok("index")
    tx.add("Tokens are compared in constant time", "--category", "security", "--anchor", "src/auth.py::login")
    tx.add("Sessions end after an hour", "--link", "1:elaborates", "--keyword", "session")
    tx.ok("learning:helpful", "1", "--score", "0.5")
    return tx


def assert_learning(shape: dict[str, Any], *, keys: set[str] = LEARNING) -> None:
    assert keys <= shape.keys()
    assert UTC.fullmatch(shape["created_at"])
    assert UTC.fullmatch(shape["updated_at"])


def test_adding_gives_the_learning(tx: CommandLine) -> None:
    shape = tx.json("learning:add", "One", "--keyword", "a,b", "--anchor", "src/auth.py:L1-L2", "--confidence", "0.5")
    assert_learning(shape)
    assert (shape["id"], shape["content"], shape["keywords"], shape["confidence"]) == (1, "One", ["a", "b"], 0.5)
    assert shape["existed"] is False
    [anchor] = shape["anchors"]
    assert anchor | {"anchor": "src/auth.py:L1-L2", "path": "src/auth.py", "type": "lines", "lines": "1-2"} == anchor
    assert tx.json("learning:add", "One")["existed"] is True


def test_a_list_lies_under_its_plural(memory: CommandLine) -> None:
    for command in ("learning:list", "learning:recent"):
        shape = memory.json(command)
        assert shape.keys() == {"learnings"}
        for learning in shape["learnings"]:
            assert_learning(learning)
    assert [one["id"] for one in memory.json("learning:list")["learnings"]] == [2, 1]
    assert [one["id"] for one in memory.json("learning:recent")["learnings"]] == [1]


def test_showing_adds_verdicts(memory: CommandLine) -> None:
    shape = memory.json("learning:show", "1")
    assert_learning(shape, keys=LEARNING | {"verdict", "stale"})
    assert UTC.fullmatch(shape["last_used_at"])
    [anchor] = shape["anchors"]
    assert (anchor["verdict"], anchor["line_start"], anchor["line_end"]) == ("fresh", 1, 2)


def test_searching_gives_query_results_and_stats(memory: CommandLine) -> None:
    shape = memory.json("learning:search", "constant time", "--expand")
    assert shape.keys() >= {"query", "results", "stats"}
    assert shape["query"] == "constant time"
    direct, linked = shape["results"]
    assert_learning(direct, keys=RESULT)
    assert (direct["id"], direct["expansion_hops"], direct["source_edge"], direct["verdict"]) == (1, 0, None, "fresh")
    assert (linked["id"], linked["expansion_hops"], linked["source_edge"]) == (2, 1, "LINKS_TO")
    assert linked["expansion_path"] == ["learning:1", "learning:2"]
    scores = [value for one in shape["results"] for key, value in one.items() if key.endswith("_score")]
    assert all(0 <= score <= 1 for score in scores)


def test_neighbors_tell_their_path(memory: CommandLine) -> None:
    shape = memory.json("graph:neighbors", "learning:2")
    assert shape.keys() >= {"node", "neighbors", "stats"}
    assert shape["node"]["ref"] == "learning:2"
    for neighbor in shape["neighbors"]:
        assert neighbor.keys() >= {"ref", "kind", "score", "hops", "path", "edges"}
        assert neighbor["hops"] == len(neighbor["edges"]) == len(neighbor["path"]) - 1
        assert neighbor["path"][0] == "learning:2"
        assert neighbor["path"][-1] == neighbor["ref"]
    by_ref = {one["ref"]: one for one in shape["neighbors"]}
    assert by_ref["learning:1"]["score"] == pytest.approx(0.7)
    assert by_ref["src/auth.py"]["path"] == ["learning:2", "learning:1", "src/auth.py"]


def test_a_node_is_shown_with_its_edges(memory: CommandLine) -> None:
    shape = memory.json("graph:show", "src/auth.py::login")
    assert shape["node"] == {"ref": "src/auth.py::login", "kind": "symbol", "key": "src/auth.py::login"}
    assert [edge["target"] for edge in shape["edges"]] == ["learning:1"]
    assert memory.json("graph:show", "1")["learning"]["content"].startswith("Tokens")


def test_counts_name_their_analyses(memory: CommandLine) -> None:
    shape = memory.json("graph:stats")
    assert shape["learnings"] == {"active": 2}
    assert shape["edges"]["LINKS_TO"] >= 1
    assert {"documents", "sections", "chunks"} <= shape.keys()
    assert UTC.fullmatch(shape["analyses"]["index"]["finished_at"])
    assert shape["analyses"]["cochanges"] is None


def keys_of(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from keys_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of(inner)


@pytest.mark.parametrize(
    "command",
    [
        ["init"], ["index"], ["status"], ["doctor"], ["config"], ["config", "get", "embedder"], ["learning:list"],
        ["learning:recent"], ["learning:show", "1"], ["learning:search", "tokens"], ["learning:search", "zzz"],
        ["learning:export"], ["learning:embed", "--status"], ["learning:edit", "1", "--category", "x"],
        ["learning:remove", "2"], ["learning:helpful", "1"], ["graph:link", "1", "README.md"],
        ["graph:relate", "1", "2"], ["graph:unrelate", "2", "1"], ["graph:unlink", "1", "src/auth.py"],
        ["graph:show", "README.md"], ["graph:neighbors", "1"], ["graph:stats"], ["graph:analyze-imports"],
        ["graph:analyze-cochanges"], ["graph:cochanges", "README.md"], ["graph:cochanges", "--all"],
        ["graph:check-changes"], ["graph:check-changes", "--staged"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_stdout_holds_one_document_and_nothing_else(memory: CommandLine, command: list[str]) -> None:
    outcome = memory(*command, "--json")
    assert outcome.status in (0, 1)
    assert isinstance(json.loads(outcome.out), dict)
    assert all(key == key.lower() or key in set(EdgeType) for key in keys_of(json.loads(outcome.out)))


@pytest.mark.parametrize(
    ("command", "status", "code"),
    [
        (["learning:show", "9999999"], 3, "not_found"),
        (["learning:add", " "], 2, "usage"),
        (["learning:list", "-n", "three"], 2, "usage"),
        (["learning:embed"], 7, "model"),
        (["config", "get", "colour"], 3, "not_found"),
    ],
)
def test_an_error_is_one_document_on_stderr(memory: CommandLine, command: list[str], status: int, code: str) -> None:
    outcome = memory(*command, "--json")
    assert (outcome.status, outcome.out) == (status, "")
    assert outcome.error.keys() >= {"code", "message", "hint"}
    assert outcome.error["code"] == code
    assert outcome.err.count("\n") == 1


def test_an_error_before_init_is_a_document_too(elsewhere: CommandLine) -> None:
    assert elsewhere("status", "--json").error["code"] == "not_initialised"


def test_json_after_a_double_dash_is_a_word(tx: CommandLine) -> None:
    assert tx("learning:show", "--", "--json").err.startswith("tx: ")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_json_is_valid_in_every_encoding(program: Program, encoding: str) -> None:
    text = "naïve 🦄 中文 \x9f"
    outcome = program("learning:add", text, "--json", environment={"PYTHONIOENCODING": f"{encoding}"})
    assert outcome.status == 0
    assert outcome.document["content"] == text
