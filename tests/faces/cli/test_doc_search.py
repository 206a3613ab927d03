"""doc:search prints what was found, why, and what could not be done."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.shelf import Shelf
from tx_graph.core.database import Database
from tx_graph.graph.edges import Relation

TEXT = "Sessions live in Redis.\nThey end after a day."


@pytest.fixture
def docs(home: Path) -> Shelf:
    """A guide to sessions, which requires another section that words do not find."""
    with Database.open(home / ".tx" / "graph.db") as database:
        shelf = Shelf(database)
        nodes = shelf.document("docs/a.md", {"sessions": TEXT, "setup": "Install a server."}, title="Guide")
        shelf.tie((nodes["sessions"], nodes["setup"], Relation.DEPENDS_ON, 0.8, "requires auth configuration"))
    (home / "docs").mkdir()
    (home / "docs" / "a.md").write_text("")
    return shelf


@pytest.mark.usefixtures("docs")
def test_a_result_says_where_it_stands_and_one_of_the_graph_why_it_is_there(tx: CommandLine) -> None:
    outcome = tx.ok("doc:search", "redis sessions")
    assert outcome.out.splitlines() == [
        "1.00  docs/a.md#sessions  fresh",
        "      line 11, Guide › sessions",
        "      Sessions live in Redis.",
        "      They end after a day.",
        "0.17  docs/a.md#setup  fresh  +1 hop",
        "      line 21, Guide › setup",
        "      Install a server.",
        '   ↳ Related: "requires auth configuration" (depends_on)',
    ]
    assert outcome.err.count("By words alone") == 1


def test_a_relation_without_words_names_its_other_end(tx: CommandLine, docs: Shelf, home: Path) -> None:
    with Database.open(home / ".tx" / "graph.db") as database:
        nodes = dict(database.rows("SELECT title, node_id FROM sections"))
        shelf = Shelf(database)
        more = shelf.document("docs/b.md", {"limits": "Nothing else."})
        shelf.tie((more["limits"], nodes["sessions"], Relation.REFERENCES, 1.0))
    (home / "docs" / "b.md").write_text("")
    assert docs.database.path == home / ".tx" / "graph.db"
    assert "   ↳ Related: to docs/a.md#sessions (references)" in tx.ok("doc:search", "redis").out.splitlines()


@pytest.mark.usefixtures("docs")
def test_json_has_every_key_of_a_result(tx: CommandLine) -> None:
    document = tx.json("doc:search", "redis sessions")
    seed, found = document["results"]
    assert seed == {
        "ref": "docs/a.md#sessions",
        "document": "docs/a.md",
        "title": "sessions",
        "headings": ["Guide", "sessions"],
        "line_start": 11,
        "line_end": 12,
        "score": 1.0,
        "hops": 0,
        "similarity": None,
        "keyword_score": 1.0,
        "text": TEXT,
        "is_whole": True,
        "context": [],
        "state": "fresh",
        "superseded_by": None,
    }
    assert found["context"] == [
        {
            "from": "docs/a.md#sessions",
            "relation": "depends_on",
            "description": "requires auth configuration",
            "weight": 0.8,
            "forward": True,
            "hops": 1,
        }
    ]
    assert document["stats"] == {
        "documents": 1,
        "searched": None,
        "seeds": 1,
        "found": 1,
        "matched": 2,
        "nodes_visited": 2,
        "model": None,
        "lacking_vectors": 2,
        "hops": 2,
        "keyword_weight": 0.0,
        "graph_slots": None,
    }
    assert len(document["notices"]) == 1


def test_long_sections_are_shown_in_part_unless_in_full(tx: CommandLine, home: Path) -> None:
    text = "\n".join(f"line {number} of many" for number in range(1, 200))
    with Database.open(home / ".tx" / "graph.db") as database:
        Shelf(database).document("docs/a.md", {"long": text})
    out = tx.ok("doc:search", "many lines").out
    assert out.count("\n") < 12
    assert out.rstrip().endswith("…")
    (result,) = tx.json("doc:search", "many lines")["results"]
    assert len(result["text"]) <= 600
    assert not result["is_whole"]
    assert "line 199 of many" in tx.ok("doc:search", "many lines", "--full").out
    assert tx.json("doc:search", "many lines", "--full")["results"][0]["text"] == text


def test_the_line_is_that_of_the_first_one_shown(tx: CommandLine, home: Path) -> None:
    with Database.open(home / ".tx" / "graph.db") as database:
        Shelf(database).document("docs/a.md", {"setup": "# setup\n\nInstall a server."})
    assert "line 13," in tx.ok("doc:search", "server").out
    assert "line 11," in tx.ok("doc:search", "server", "--full").out


def test_what_stands_in_a_document_does_not_steer_the_terminal(tx: CommandLine, home: Path) -> None:
    with Database.open(home / ".tx" / "graph.db") as database:
        shelf = Shelf(database)
        nodes = shelf.document("docs/a\x1b[31m.md", {"evil": "redis \x1b]0;owned\x07\u202e", "next\x1b": "more"})
        shelf.tie((nodes["evil"], nodes["next\x1b"], Relation.SEQUENCE, 1.0, "why\x1b[2J"))
    outcome = tx.ok("doc:search", "redis")
    assert "\x1b" not in outcome.out + outcome.err
    assert "\u202e" not in outcome.out
    assert "\\x1b" in outcome.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--hop-decay", "1,fast"], "no list of factors"),
        (["--hop-decay", "1,2"], "each from 0 to 1"),
        (["--relations", "likes"], "'likes' is no relation"),
        (["--vector-weight", "0.9"], "at most 1 together"),
        (["--hops", "11"], "from 0 to 10"),
        (["--keyword-weight", "2"], "weight of words"),
        (["-n", "0"], "from 1 to 10,000"),
        (["--graph-slots", "9"], "from 0 to the limit"),
        (["--since", "soonish"], "as a date"),
    ],
    ids=str,
)
@pytest.mark.usefixtures("docs")
def test_what_cannot_be_asked_is_a_usage_error(tx: CommandLine, options: list[str], message: str) -> None:
    outcome = tx("doc:search", "redis", *options)
    assert (outcome.status, outcome.out) == (2, "")
    assert message in outcome.err


@pytest.mark.usefixtures("docs")
def test_relations_are_named_in_any_spelling_and_by_commas(tx: CommandLine) -> None:
    found = tx.json("doc:search", "redis", "--relations", "Depends-On,sequence")["results"]
    assert [one["ref"] for one in found] == ["docs/a.md#sessions", "docs/a.md#setup"]
    assert len(tx.json("doc:search", "redis", "--relations", "sequence")["results"]) == 1


def test_without_documents_the_way_to_some_is_said(tx: CommandLine) -> None:
    outcome = tx.ok("doc:search", "redis")
    assert outcome.out == ""
    assert "tx doc:ingest" in outcome.err
