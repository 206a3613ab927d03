"""Each tool does what the command of its name does, and answers in text and as a structure."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest

from scripts.opened import open_workspace
from tests.faces.mcp.conftest import Ask
from tx_graph.documents.ingesting import Ingesting
from tx_graph.faces.mcp.replies import Reply
from tx_graph.knowledge.facts import Facts

LEARNING = {"ref": "learning:1", "kind": "learning", "status": "active"}
FILE = {"ref": "src/auth.py", "kind": "file"}


def code_of(reply: Reply) -> str:
    assert reply.is_error
    return str(reply.structure["error"]["code"])


def test_context_is_the_page_as_text_and_as_a_structure(ask: Ask) -> None:
    reply = ask("tx_context", text="how are tokens compared", files=["src/auth.py"])
    assert "> Compare tokens in constant time" in reply.text
    assert "fresh" in reply.text
    (first, *_) = reply.structure["learnings"]
    assert (first["content"], first["verdict"]) == ("Compare tokens in constant time", "fresh")
    assert reply.structure["sections"][0]["verdict"] == "fresh"


def test_context_records_in_a_run_what_it_showed(ask: Ask, root: Path) -> None:
    ask("tx_context", text="tokens", run=1)
    with open_workspace(root) as workspace:
        used = [one.stored.id for one in workspace.runs.show("1").used]
    assert 1 in used


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [
        ("tx_learning_search", {}, "usage"),
        ("tx_learning_add", {"content": "Both", "task": 1, "run": 1}, "usage"),
        ("tx_graph_neighbors", {"id": "1", "type": "file"}, "not_found"),
        ("tx_graph_analyze_imports", {"path": "nowhere/"}, "not_found"),
        ("tx_graph_verify", {"since": "no-such-revision"}, "not_found"),
        ("tx_fact_add", {"subject": "A", "predicate": "b"}, "usage"),
        ("tx_run_feedback", {"run": 1}, "usage"),
        ("tx_run_feedback", {"run": 1, "helpful": ["99"]}, "not_found"),
    ],
)
def test_what_cannot_be_asked_is_an_error_of_its_kind(
    ask: Ask, tool: str, arguments: dict[str, Any], code: str
) -> None:
    assert code_of(ask(tool, **arguments)) == code


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("tx_learning_add", {"content": "the staging password is Tr0ub4dor-77"}),
        ("tx_fact_add", {"subject": "Staging", "predicate": "password", "value": "Tr0ub4dor-77"}),
    ],
)
def test_an_agent_is_refused_what_may_hold_a_secret_and_cannot_force_it(
    ask: Ask, tool: str, arguments: dict[str, Any]
) -> None:
    refused = ask(tool, **arguments)
    assert code_of(refused) == "usage"
    assert "Say where it is kept" in refused.text
    assert "--force" not in refused.text
    assert "Tr0ub4dor" not in f"{refused.text}{refused.structure}"
    assert code_of(ask(tool, **arguments, force=True)) == "usage"


def test_search_finds_and_judges(ask: Ask, root: Path) -> None:
    (root / "src" / "auth.py").write_text("def verify():\n    return secret == token\n", encoding="utf-8")
    reply = ask("tx_learning_search", query="constant time")
    (first, *_) = reply.structure["results"]
    assert (first["id"], first["verdict"], first["drift"], first["stale"]) == (1, "drifted", "body", True)
    assert "drifted:body (code changed since, check before relying on it)" in reply.text
    assert "`src/auth.py::verify`" in reply.text


def test_search_follows_the_graph_where_it_is_to(ask: Ask) -> None:
    found = ask("tx_learning_search", query="login", expand=True, files="src/app.py").structure["results"]
    assert 1 in [one["id"] for one in found]


def test_search_for_the_unknown_finds_nothing(ask: Ask) -> None:
    reply = ask("tx_learning_search", query="xylophone")
    assert (reply.structure["results"], reply.structure["omitted"]) == ([], 0)
    assert "Nothing found" in reply.text


def test_a_learning_is_added_once_and_says_who_said_it_where(ask: Ask) -> None:
    first = ask("tx_learning_add", content="Retries double", anchors=["src/auth.py::login"], links=["1:elaborates"])
    again = ask("tx_learning_add", content="Retries double", category="http")
    assert (first.structure["existed"], again.structure["existed"]) == (False, True)
    assert first.structure["id"] == again.structure["id"]
    assert first.structure["status"] == "active"
    assert first.structure["anchors"] == [{"anchor": "src/auth.py::login"}]
    of_task = ask("tx_learning_add", content="Learned in a task", task="1").structure
    of_run = ask("tx_learning_add", content="Learned in a run", run=1).structure
    told = [(one["source_type"], one.get("source_ref")) for one in (first.structure, of_task, of_run)]
    assert told == [("agent", None), ("task", "task:1"), ("run", "run:1")]


def test_an_anchor_that_leads_nowhere_adds_nothing(ask: Ask) -> None:
    reply = ask("tx_learning_add", content="Nowhere", anchors=["src/auht.py"])
    assert code_of(reply) == "not_found"
    assert "src/auth.py" in reply.structure["error"]["candidates"]
    assert ask("tx_learning_search", query="Nowhere").structure["results"] == []


@pytest.mark.parametrize(
    ("arguments", "anchor", "kind"),
    [
        ({"learningId": 2, "filePath": "src/app.py", "anchorType": "hash"}, "src/app.py", "hash"),
        ({"learningId": 2.0, "filePath": "src/app.py"}, "src/app.py", "hash"),
        ({"learningId": "2", "filePath": "src/auth.py::login"}, "src/auth.py::login", "symbol"),
        ({"ref": "learning:2", "path": "src/auth.py:L1-L2", "anchorType": "lines"}, "src/auth.py:L1-L2", "lines"),
        ({"learning": 2, "anchor": "src/app.py", "anchor_type": "hash"}, "src/app.py", "hash"),
    ],
)
def test_a_link_is_understood_in_both_spellings(ask: Ask, arguments: dict[str, Any], anchor: str, kind: str) -> None:
    reply = ask("tx_graph_link", **arguments)
    assert reply.structure == {"learning": 2, "anchor": {"anchor": anchor, "type": kind}, "existed": False}
    assert ask("tx_graph_link", **arguments).structure["existed"] is True


@pytest.mark.parametrize(
    ("arguments", "node", "near"),
    [
        ({"id": "src/auth.py", "type": "file"}, FILE, {"src/app.py", "learning:1"}),
        ({"id": "file:src/auth.py", "type": "file"}, FILE, {"src/app.py"}),
        ({"ref": "src/auth.py", "depth": 1.0}, FILE, {"src/app.py"}),
        (
            {"id": "1", "type": "learning"},
            {"ref": "learning:1", "kind": "learning", "status": "active"},
            {"src/auth.py"},
        ),
        ({"id": 1}, {"ref": "learning:1", "kind": "learning", "status": "active"}, {"src/auth.py"}),
    ],
)
def test_neighbors_are_asked_for_in_both_spellings(
    ask: Ask, arguments: dict[str, Any], node: dict[str, str], near: set[str]
) -> None:
    reply = ask("tx_graph_neighbors", **arguments)
    assert reply.structure["node"] == node
    assert near <= {one["ref"] for one in reply.structure["neighbors"]}


def test_neighbors_name_the_way_and_the_verdict(ask: Ask) -> None:
    reply = ask("tx_graph_neighbors", id="src/app.py", edge_types=["IMPORTS", "ANCHORED_TO"])
    found = {one["ref"]: one for one in reply.structure["neighbors"]}
    assert found["learning:1"]["types"] == ["IMPORTS", "ANCHORED_TO"]
    assert found["learning:1"]["verdict"] == "fresh"
    assert "by `IMPORTS src/auth.py ANCHORED_TO`" in reply.text


def test_analyze_imports_reads_what_changed(ask: Ask, root: Path) -> None:
    (root / "src" / "new.py").write_text("import src.app\n", encoding="utf-8")
    assert ask("tx_graph_analyze_imports", path="src/").structure["read"] == 1
    reply = ask("tx_graph_analyze_imports")
    assert (reply.structure["read"], reply.structure["imports"]) == (0, 2)


def test_verify_tells_findings_and_mends_nothing(ask: Ask, root: Path) -> None:
    (record,) = [one for one in (root / ".tx" / "learnings").iterdir() if "Compare" in one.read_text(encoding="utf-8")]
    before = record.read_bytes()
    (root / "src" / "auth.py").write_text("def verify():\n    return secret == token\n", encoding="utf-8")
    reply = ask("tx_graph_verify", places=["src/auth.py"])
    assert reply.structure["summary"] == {"drifted": 1}
    (found,) = reply.structure["anchors"]
    assert (found["learning"], found["verdict"], found["drift"]) == (1, "drifted", "body")
    assert "> Compare tokens in constant time" in reply.text
    assert record.read_bytes() == before


def test_a_learning_is_tied_to_a_section_and_verified(ask: Ask, root: Path) -> None:
    guide = root / "docs" / "guide.md"
    place = "docs/guide.md#tokens"
    reply = ask("tx_learning_add", content="Tokens are short", anchors=[place])
    assert reply.structure["anchors"] == [{"anchor": place}]
    assert ask("tx_graph_verify", places=[place]).structure["summary"] == {"valid": 1}
    assert place in ask("tx_graph_link", learning=1, path="docs/guide.md#tokns").text
    guide.write_text(guide.read_text(encoding="utf-8").replace("an hour", "a day"), encoding="utf-8")
    (found,) = ask("tx_graph_verify", places=[place]).structure["anchors"]
    assert (found["verdict"], found["drift"]) == ("drifted", "body")


def test_verify_since_a_revision_looks_at_what_changed(ask: Ask) -> None:
    assert ask("tx_graph_verify", since="HEAD").text.endswith("No anchors to verify.")


CHANGED = "def login():\n    return verify()\n\n\ndef verify():\n    return secret == token\n"


@pytest.mark.parametrize(
    ("arguments", "content", "verdict"),
    [
        ({"content": "Compare digests"}, "Compare digests", "drifted"),
        ({"confirm": True}, "Compare tokens in constant time", "fresh"),
        ({"text": "Compare digests", "confirm": True, "category": "http"}, "Compare digests", "fresh"),
    ],
)
def test_a_learning_is_corrected_confirmed_or_both(
    ask: Ask, root: Path, arguments: dict[str, Any], content: str, verdict: str
) -> None:
    (root / "src" / "auth.py").write_text(CHANGED, encoding="utf-8")
    reply = ask("tx_learning_edit", learning=1, **arguments)
    assert not reply.is_error, reply.text
    assert ("confirmed: `src/auth.py::verify`" in reply.text) is ("confirm" in arguments)
    (found,) = [one for one in ask("tx_learning_search", query="compare").structure["results"] if one["id"] == 1]
    assert (found["content"], found["verdict"]) == (content, verdict)


def test_a_learning_whose_code_is_gone_is_neither_confirmed_nor_changed(ask: Ask, root: Path) -> None:
    (root / "src" / "auth.py").write_text("", encoding="utf-8")
    assert code_of(ask("tx_learning_edit", learning=1, content="Nowhere", confirm=True)) == "not_found"
    assert "constant time" in ask("tx_focus", ref=1).text


def test_a_learning_is_superseded_by_another_one(ask: Ask) -> None:
    reply = ask("tx_learning_edit", learning=2, superseded_by=1)
    assert reply.structure["status"] == "superseded"
    assert "superseded by learning:1" in reply.text
    assert [one["id"] for one in ask("tx_learning_search", query="one hour").structure["results"]] == []


def test_votes_count_without_a_run_too(ask: Ask, root: Path) -> None:
    reply = ask("tx_run_feedback", helpful=[1], unhelpful=["2"])
    assert [(one["id"], one["helpful"]) for one in reply.structure["learnings"]] == [(1, True), (2, False)]
    with open_workspace(root) as workspace:
        one, two = (workspace.learnings.get(number).learning.uid for number in (1, 2))
        assert reply.text == f"Noted:\n\n{one} (learning:1) helped\n{two} (learning:2) did not help"
        assert [workspace.learnings.get(one).usage.helpful for one in (1, 2)] == [1.0, 0.0]
    assert code_of(ask("tx_run_feedback", helpful=[1], unhelpful=[1])) == "usage"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"name": "verify"}, ["src/auth.py::verify"]),
        ({"path": "src/auth.py"}, ["src/auth.py::login", "src/auth.py::verify"]),
        ({"name": "Verify", "path": "src"}, ["src/auth.py::verify"]),
        ({"name": "veri", "kind": "function"}, ["src/auth.py::verify"]),
        ({"name": "verfy"}, []),
        ({"path": "docs"}, []),
    ],
)
def test_a_symbol_is_found_by_its_name_or_its_place(ask: Ask, arguments: dict[str, Any], told: list[str]) -> None:
    reply = ask("tx_graph_symbols", **arguments)
    assert [one["ref"] for one in reply.structure["symbols"]] == told
    assert ("Did you mean `verify`?" in reply.text) is (arguments.get("name") == "verfy")
    assert ("Nothing has exactly this name;" in reply.text) is (arguments.get("name") in ("Verify", "veri"))


def test_a_review_tells_what_a_change_made_wrong_and_what_it_lacks(ask: Ask, root: Path) -> None:
    sandbox = {
        "src/auth.py": "def login():\n    return {}\n\n\ndef verify():\n    return True\n",
        "src/app.py": "n = {}\n",
    }
    for number in range(4):
        for path, text in sandbox.items():
            (root / path).write_text(text.format(number), encoding="utf-8")
        subprocess.run(["git", "commit", "-qam", f"Change {number}"], cwd=root, check=True)
    assert ask("tx_review").text.splitlines()[2].startswith("Nothing has changed.")
    (root / "src" / "auth.py").write_text(CHANGED, encoding="utf-8")
    reply = ask("tx_review")
    assert "1 file changed (the working tree): 1 made doubtful" in reply.text
    drifted, missing = reply.structure["findings"]
    assert (drifted["ref"], drifted["verdict"], missing["path"]) == ("learning:1", "drifted", "src/app.py")
    assert ask("tx_review", since="HEAD~2").structure["changed"] == 2


def test_neighbors_that_say_something_come_before_nearer_ones_that_do_not(ask: Ask) -> None:
    kinds = [one["kind"] for one in ask("tx_graph_neighbors", id="src/app.py").structure["neighbors"]]
    assert "learning" in kinds[: kinds.index("file")]
    limited = ask("tx_graph_neighbors", id="src/app.py", limit=2).structure["neighbors"]
    assert [one["kind"] for one in limited] == ["learning", "file"]


def test_focus_shows_one_thing_and_what_is_around_it(ask: Ask) -> None:
    reply = ask("tx_focus", ref="docs/guide.md#tokens")
    assert "> Tokens expire after an hour, see `src/auth.py`." in reply.text
    assert "docs/guide.md" in [one["ref"] for one in reply.structure["related"]]
    assert ask("tx_focus", ref=1).structure["focus"]["verdict"] == "fresh"


def test_recall_tells_facts_with_their_marks(ask: Ask) -> None:
    reply = ask("tx_recall", query="what does the billing service use?")
    assert "(staged)" in reply.text
    assert [(one["predicate"], one["status"]) for one in reply.structure["facts"]] == [
        ("uses", "staged"),
        ("version", "staged"),
    ]
    assert ask("tx_recall", query="xylophone").structure["facts"] == []


def test_a_fact_is_staged_as_heard_in_conversation(ask: Ask, root: Path) -> None:
    reply = ask("tx_fact_add", subject="Billing service", predicate="Owner", value="Ada", confidence=0.8)
    assert (reply.structure["status"], reply.structure["existed"]) == ("staged", False)
    with open_workspace(root) as workspace:
        assert workspace.kernel.one(Facts).get(str(reply.structure["id"])).fact.source.value == "conversation"
    other = ask("tx_fact_add", subject="Billing service", predicate="owner", value="Bob", confidence=0.5)
    assert [one["value"] for one in other.structure["others"]] == ["Ada"]


def test_documents_are_found_by_section(ask: Ask) -> None:
    reply = ask("tx_doc_search", query="how long do tokens live", source=["docs/**"])
    assert "docs/guide.md#tokens" in [one["ref"] for one in reply.structure["results"]]
    assert {one["state"] for one in reply.structure["results"]} == {"fresh"}


@pytest.mark.parametrize(
    "arguments",
    [{"where": ["status=accepted"]}, {"where": "status=accepted"}, {"tag": ["security"]}, {"tag": "security"}],
)
def test_documents_are_narrowed_by_what_they_say_of_themselves(ask: Ask, root: Path, arguments: dict[str, Any]) -> None:
    decision = root / "docs" / "adr" / "001.md"
    decision.write_text(decision.read_text(encoding="utf-8").replace("---\n#", "tags: [security, tokens]\n---\n#"))
    with open_workspace(root) as workspace:
        workspace.kernel.one(Ingesting).run()
    every, narrowed = (ask("tx_doc_search", query="tokens expire", hops=0, **more) for more in ({}, arguments))
    found = [[one["ref"].partition("#")[0] for one in reply.structure["results"]] for reply in (every, narrowed)]
    assert set(found[0]) == {"docs/guide.md", "docs/adr/001.md"}
    assert set(found[1]) == {"docs/adr/001.md"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({"where": ["status=rejected"]}, "accepted"),
        ({"where": ["nothing=at all"]}, "nothing"),
        ({"where": ["status"]}, "status"),
        ({"tag": ["no-such"]}, "no-such"),
    ],
)
def test_what_no_document_says_of_itself_is_an_error_that_names_what_there_is(
    ask: Ask, arguments: dict[str, Any], told: str
) -> None:
    reply = ask("tx_doc_search", query="tokens", **arguments)
    assert reply.is_error
    assert told in reply.text


def test_feedback_counts_votes(ask: Ask) -> None:
    reply = ask("tx_run_feedback", run="run:1", helpful=[1], unhelpful="2")
    assert [(one["id"], one["helpful"]) for one in reply.structure["learnings"]] == [(1, True), (2, False)]
    assert ask("tx_run_feedback", run=1, helpful=["1"]).structure["learnings"][0]["previous"] is True


STAGED_ASKED = [
    ("tx_context", {"text": "zebrafish tokens"}),
    ("tx_context", {"text": "zebrafish tokens", "include_staged": True}),
    ("tx_learning_search", {"query": "zebrafish tokens"}),
    ("tx_learning_search", {"query": "zebrafish tokens", "status": "staged"}),
    ("tx_learning_search", {"query": "zebrafish", "include_stale": True, "expand": True}),
    ("tx_graph_neighbors", {"id": 3}),
    ("tx_graph_neighbors", {"id": "src/auth.py"}),
    ("tx_graph_verify", {}),
    ("tx_graph_verify", {"places": ["3"]}),
    ("tx_focus", {"ref": 3}),
    ("tx_focus", {"ref": "src/auth.py"}),
    ("tx_graph_neighbors", {"id": 99}),
    ("tx_run_feedback", {"run": 1, "helpful": [3]}),
]


@pytest.mark.parametrize(("tool", "arguments"), STAGED_ASKED)
def test_nothing_staged_goes_unmarked(ask: Ask, tool: str, arguments: dict[str, Any]) -> None:
    ask("tx_graph_link", learningId=3, filePath="src/auth.py::login")
    reply = ask(tool, **arguments)
    for told in (reply.text, str(reply.structure)):
        if "zebrafish" in told or "learning:3" in told:
            assert "staged" in told


def test_on_a_small_page_learnings_come_before_what_is_less_useful(ask: Ask) -> None:
    shown = ask("tx_context", text="tokens", budget=330).structure
    assert shown["learnings"]
    assert "runs" not in shown


def test_headings_are_a_list_as_on_the_command_line(ask: Ask) -> None:
    (first, *_) = ask("tx_doc_search", query="how long do tokens live", source=["docs/guide.md"]).structure["results"]
    assert first["headings"] == ["Guide", "Tokens"]


def test_where_there_is_no_room_for_a_learning_its_beginning_is_told(ask: Ask) -> None:
    ask("tx_learning_add", content=f"Peacocks come first {'and many words follow ' * 20}")
    (found,) = ask("tx_learning_search", query="peacocks", budget=200).structure["results"]
    assert found["content"].startswith("Peacocks come first")
    assert found["content_truncated"] is True
