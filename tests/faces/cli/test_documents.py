"""doc:ingest, doc:list, doc:show, doc:prune and doc:search as people and programs see them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import Checkout, CommandLine, bare
from tests.shelf import Shelf
from tx_graph.core.database import Database
from tx_graph.graph.edges import Relation

GUIDE = "# Guide\n\nSee [gone](gone.md).\n\n## Use\n\nCall `login()`.\n\n- depends_on:: [[README]]\n"
TEXT = "Sessions live in Redis.\nThey end after a day."


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    """A tracked guide beside the README."""
    return prepared(files={"docs/guide.md": GUIDE})


def test_ingest_says_what_it_read_what_is_gone_and_which_links_lead_nowhere(tx: CommandLine, home: Path) -> None:
    outcome = tx.ok("doc:ingest")
    assert outcome.out == "2 documents, 2 read; 3 sections, 2 chunks.\n"
    assert "docs/guide.md:3: there is no gone.md." in outcome.err
    document = tx.json("doc:ingest")
    link = {"path": "docs/guide.md", "line": 3, "target": "gone.md", "problem": "there is no gone.md"}
    assert document["broken_links"] == [link]
    assert (document["documents"], document["read"], document["embedded"]) == (2, 0, 0)
    (home / "docs" / "guide.md").unlink()
    assert tx.ok("doc:ingest").out == "1 document, 0 read, 1 gone; 1 section, 0 chunks.\n"


def test_a_document_asked_for_by_name_that_is_refused_is_a_finding(tx: CommandLine, home: Path) -> None:
    (home / "docs" / "guide.md").write_bytes(b"\xff\xfe\x00")
    outcome = tx("doc:ingest docs/guide.md")
    assert (outcome.status, "'docs/guide.md' is binary." in outcome.err) == (1, True)
    assert tx("doc:ingest").status == 0


def test_init_and_index_read_documents_too_and_they_are_listed_as_a_table_as_lines_and_as_json(tx: CommandLine) -> None:
    assert "No document was read yet" in tx.ok("doc:list").err
    assert "2 documents, 2 read; 3 sections.\n" in tx.ok("init").out
    assert "2 documents, 0 read; 3 sections.\n" in tx.ok("index").out
    assert tx.json("index")["documents"]["broken_links"] == 1
    assert "docs/guide.md" in tx.ok("doc:list").out
    lines = tx.ok("doc:list docs/** --tsv").out.splitlines()
    assert lines == ["path\tformat\ttitle\tsections\tbroken_links", "docs/guide.md\tmarkdown\tGuide\t2\t1"]
    assert [one["ref"] for one in tx.json("doc:list")["documents"]] == ["README.md", "docs/guide.md"]
    assert tx.ok("doc:prune").out == "Removed 0 documents, 0 edges, 0 nodes and 0 vectors.\n"
    assert tx.json("doc:prune") == {"documents": 0, "edges": 0, "nodes": 0, "vectors": 0}


def test_a_document_is_shown_as_its_outline_and_a_section_with_its_text(tx: CommandLine) -> None:
    tx.ok("index")
    assert tx.ok("doc:show docs/guide.md").out.splitlines()[-1] == "5-9    Use  #use"
    section = tx.ok("doc:show docs/guide.md#use").out
    for part in ("Call `login()`.", "→ depends on README.md", "→ references src/auth.py::login"):
        assert part in section


# --- doc:search -----------------------------------------------------------------------------------


@pytest.fixture
def shelf(checkout: Checkout) -> Shelf:
    """A guide to sessions, which requires another section that words do not find."""
    checkout.write("docs/a.md")
    with Database.open(checkout.root / ".tx" / "graph.db") as database:
        made = Shelf(database)
        nodes = made.document("docs/a.md", {"sessions": TEXT, "setup": "# setup\n\nInstall a server."}, title="Guide")
        made.tie((nodes["sessions"], nodes["setup"], Relation.DEPENDS_ON, 0.8, "requires auth configuration"))
    return made


@pytest.mark.usefixtures("shelf")
def test_a_result_says_where_it_stands_and_one_of_the_graph_why_it_is_there(tx: CommandLine) -> None:
    outcome = tx.ok("doc:search 'redis sessions' --seeds 1")
    assert outcome.out.splitlines() == [
        "1.00  docs/a.md#sessions  fresh",
        "      line 11, Guide › sessions",
        "      Sessions live in Redis.",
        "      They end after a day.",
        "0.17  docs/a.md#setup  fresh  +1 hop",
        "      line 23, Guide › setup",
        "      Install a server.",
        '   ↳ Related: "requires auth configuration" (depends_on)',
    ]
    assert outcome.err.count("By words alone") == 1
    assert "   ↳ Beside: docs/a.md#sessions" in tx.ok("doc:search 'redis sessions'").out.splitlines()
    assert "line 21," in tx.ok("doc:search server --full").out, "the line is that of the first one shown"


def test_a_relation_without_words_names_its_other_end(tx: CommandLine, shelf: Shelf, checkout: Checkout) -> None:
    checkout.write("docs/b.md")
    with Database.open(shelf.database.path) as database:
        nodes = dict(database.rows("SELECT title, node_id FROM sections"))
        more = Shelf(database).document("docs/b.md", {"limits": "Nothing else."})
        Shelf(database).tie((more["limits"], nodes["sessions"], Relation.REFERENCES, 1.0))
    assert "   ↳ Related: to docs/a.md#sessions (references)" in tx.ok("doc:search redis").out.splitlines()


@pytest.mark.usefixtures("shelf")
def test_json_has_every_key_of_a_result(tx: CommandLine) -> None:
    document = tx.json("doc:search 'redis sessions' --seeds 1")
    seed, found = bare(document["results"])
    assert seed == {
        "ref": "docs/a.md#sessions", "document": "docs/a.md", "title": "sessions", "headings": ["Guide", "sessions"],
        "line_start": 11, "line_end": 12, "score": 1.0, "hops": 0, "similarity": None, "keyword_score": 1.0,
        "text": TEXT, "is_whole": True, "context": [], "verdict": "fresh", "state": "fresh", "superseded_by": None,
        "beside": None,
    }  # fmt: skip
    way = {"from": "docs/a.md#sessions", "relation": "depends_on", "description": "requires auth configuration"}
    assert found["context"] == [way | {"weight": 0.8, "forward": True, "hops": 1, "origin": "structure"}]
    assert document["stats"] == {
        "documents": 1, "searched": None, "seeds": 1, "found": 1, "matched": 2, "nodes_visited": 2, "model": None,
        "lacking_vectors": 2, "hops": 2, "keyword_weight": 0.35, "graph_slots": 0,
    }  # fmt: skip
    assert len(document["notices"]) == 1


@pytest.mark.usefixtures("shelf")
def test_relations_are_named_in_any_spelling_and_by_commas(tx: CommandLine) -> None:
    found = tx.json("doc:search redis --seeds 1 --relations Depends-On,sequence")["results"]
    assert [one["ref"] for one in found] == ["docs/a.md#sessions", "docs/a.md#setup"]
    assert len(tx.json("doc:search redis --seeds 1 --relations sequence")["results"]) == 1


def test_long_sections_are_shown_in_part_unless_in_full(tx: CommandLine, home: Path) -> None:
    text = "\n".join(f"line {number} of many" for number in range(1, 200))
    with Database.open(home / ".tx" / "graph.db") as database:
        Shelf(database).document("docs/a.md", {"long": text})
    out = tx.ok("doc:search 'many lines'").out
    assert out.count("\n") < 12
    assert out.rstrip().endswith("…")
    (result,) = tx.json("doc:search 'many lines'")["results"]
    assert (len(result["text"]) <= 600, result["is_whole"]) == (True, False)
    assert "line 199 of many" in tx.ok("doc:search 'many lines' --full").out
    assert tx.json("doc:search 'many lines' --full")["results"][0]["text"] == text


def test_without_documents_the_way_to_some_is_said(tx: CommandLine) -> None:
    outcome = tx.ok("doc:search redis")
    assert (outcome.out, "tx sync" in outcome.err) == ("", True)


def test_a_relation_is_stated_and_taken_back(tx: CommandLine, checkout: Checkout) -> None:
    checkout.write("docs/one.md", "# One\n\nText.\n")
    checkout.write("docs/two.md", "# Two\n\nMore.\n")
    tx.ok("doc:ingest docs/one.md docs/two.md")
    words = "docs/one.md#one docs/two.md#two --relation depends_on"
    tx.ok(f"doc:relate {words} --description 'needs it'")
    assert "needs it" in tx.ok("doc:show docs/one.md#one").out
    assert tx("doc:relate docs/one.md#one docs/none.md").status == 3
    tx.ok(f"doc:unrelate {words}")
    shown = tx.ok("doc:show docs/one.md#one")
    assert "needs it" not in shown.out
    [way_back] = re.findall(r"Taken back: .*; 'tx (.*)' brings it back", shown.err)
    [taken] = json.loads(tx.ok("doc:show docs/two.md --json").out)["taken_back"]
    assert (taken["other"], taken["relation"], taken["forward"]) == ("docs/one.md#one", "depends_on", False)
    tx.ok(way_back)
    shown = tx.ok("doc:show docs/one.md#one")
    assert "needs it" in shown.out
    assert "Taken back" not in shown.err
