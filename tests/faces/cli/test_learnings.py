"""Learnings as people and programs meet them: adding, showing, searching, merging, and carrying them elsewhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.terminal import Checkout, CommandLine

SAME = "Always validate token expiry"
LEARNING = {
    "id", "uid", "content", "category", "keywords", "status", "confidence", "source_type", "source_ref", "anchors",
    "links", "superseded_by", "created_at", "updated_at", "removed_at", "usage_count", "last_used_at",
    "feedback_score", "record",
}  # fmt: skip
RESULT = LEARNING | {
    "relevance_score", "bm25_score", "vector_score", "recency_score", "rrf_score", "expansion_hops",
    "expansion_path", "source_edge", "verdict", "stale",
}  # fmt: skip


def ids(learnings: list[dict[str, Any]]) -> list[int]:
    return [one["id"] for one in learnings]


# --- what there is --------------------------------------------------------------------------------


def test_adding_gives_the_learning(tx: CommandLine) -> None:
    shape = tx.json("learning:add One --keyword a,b --anchor src/auth.py:L1-L2 --confidence 0.5")
    assert shape.keys() >= LEARNING
    assert (shape["id"], shape["content"], shape["keywords"], shape["confidence"]) == (1, "One", ["a", "b"], 0.5)
    assert shape["existed"] is False
    [anchor] = shape["anchors"]
    assert anchor | {"anchor": "src/auth.py:L1-L2", "path": "src/auth.py", "type": "lines", "lines": "1-2"} == anchor
    assert tx.json("learning:add One")["existed"] is True


def test_learnings_are_listed_newest_or_last_used_first_and_what_helped_is_counted(tx: CommandLine) -> None:
    tx.add("One")
    tx.add("Two")
    assert tx.json("learning:helpful 1")["usage_count"] == 1
    shape = tx.json("learning:helpful 1 --score 0")
    assert (shape["usage_count"], shape["feedback_score"]) == (2, pytest.approx(0.5))
    assert "used        2 times" in tx.ok("learning:show 1").out
    for command, expected in (("learning:list", [2, 1]), ("learning:recent", [1])):
        shape = tx.json(command)
        assert (shape.keys(), ids(shape["learnings"])) == ({"learnings"}, expected)
        assert all(one.keys() >= LEARNING for one in shape["learnings"])


def test_searching_gives_query_results_and_stats(tx: CommandLine) -> None:
    tx.add("Tokens are compared in constant time", "--anchor", "src/auth.py::login")
    tx.add("Sessions end after an hour", "--link", "1:elaborates")
    shape = tx.json("learning:search 'constant time' --expand")
    assert shape.keys() >= {"query", "results", "stats", "freshness"}
    assert shape["query"] == "constant time"
    direct, linked = shape["results"]
    assert direct.keys() >= RESULT
    assert (direct["id"], direct["expansion_hops"], direct["source_edge"], direct["verdict"]) == (1, 0, None, "fresh")
    assert (linked["id"], linked["expansion_hops"], linked["source_edge"]) == (2, 1, "LINKS_TO")
    assert linked["expansion_path"] == ["learning:1", "learning:2"]
    assert all(0 <= value <= 1 for one in shape["results"] for key, value in one.items() if key.endswith("_score"))


def test_open_files_answer_without_a_question(tx: CommandLine) -> None:
    tx.add("Logins are slow", "--anchor", "src/auth.py")
    tx.add("Elsewhere")
    document = tx.json("learning:search --files src/*.py,README.md")
    [result] = document["results"]
    assert (result["id"], result["relevance_score"], result["position"]) == (1, 1.0, 1)
    assert (result["expansion_path"], result["seed_reason"]) == (["src/auth.py", "learning:1"], "an open file")
    stats = document["stats"]
    assert (document["query"], stats["open_files"], stats["near"]) == ("", ["README.md", "src/auth.py"], 1)
    told = tx.ok("learning:search --files README.md --files src/auth.py::login --verbose").out
    assert "src/auth.py: an open file" in told


def test_results_say_why_they_are_not_where_relevance_puts_them(tx: CommandLine) -> None:
    for ending in ("", " today", " please"):
        tx.add(f"{SAME} before anything else{ending}")
    tx.add("Token expiry is an hour")
    out = tx.ok(f"learning:search '{SAME}' --verbose --diversity 0.5").out
    assert "by relevance alone, and unlike what ranks above it" in out
    assert "by relevance alone, and much like learning:" in out
    assert "by relevance alone" not in tx.ok(f"learning:search '{SAME}' --verbose --no-diversify").out
    document = tx.json(f"learning:search '{SAME}' --no-diversify")
    assert [one["relevance_position"] for one in document["results"]] == [1, 2, 3, 4]
    assert {one["similar_to"] for one in document["results"]} == {None}
    assert document["stats"]["diversity"] == 0


def test_a_walk_has_profiles_and_types_of_its_own_at_each_hop(tx: CommandLine) -> None:
    tx.add("xerus", "--anchor", "src/auth.py")
    tx.add("yak", "--anchor", "src/auth.py")
    for profile in ("decay", "hops", "spread"):
        document = tx.json(f"learning:search xerus --expand --profile {profile}")
        assert (ids(document["results"]), document["stats"]["profile"]) == ([1, 2], profile)
    narrowed = tx.json("learning:search xerus --expand --types-at 1=LINKS_TO --types-at 2=LINKS_TO")
    assert ids(narrowed["results"]) == [1]


def test_a_retriever_is_named_by_option_or_setting(tx: CommandLine) -> None:
    tx.add("xerus")
    assert tx.json("learning:search xerus --retriever bm25")["stats"]["retriever"] == "bm25"
    tx.ok("config set search.retriever bm25")
    assert tx.json("learning:search xerus")["stats"]["retriever"] == "bm25"


def test_a_retriever_of_the_settings_that_is_not_installed_is_done_without(tx: CommandLine) -> None:
    tx.add("xerus")
    tx.ok("config set search.retriever lost")
    document = tx.json("learning:search xerus")
    assert (ids(document["results"]), document["stats"]["retriever"]) == ([1], "hybrid")
    assert "The retriever 'lost' of the settings is not installed here" in document["notices"][0]
    assert "'lost'" in tx.ok("learning:search xerus").err
    assert "'lost'" in tx("context xerus --json").document["notices"][0]
    assert tx("learning:search xerus --retriever lost").status == 3


# --- what may be wrong by now ---------------------------------------------------------------------


@pytest.fixture
def memory(tx: CommandLine, checkout: Checkout) -> CommandLine:
    """Three learnings: one whose code has another signature by now, one that holds, one that was superseded."""
    tx.add("tokens drifted", "--anchor", "src/auth.py::login")
    tx.add("tokens hold", "--anchor", "README.md", "--link", "1")
    tx.add("tokens of old", "--status", "superseded")
    checkout.edit("login()", "login(user)")
    return tx


def test_search_labels_what_is_stale_and_ranks_it_lower(memory: CommandLine) -> None:
    shape = memory.json("learning:search tokens")
    assert [(one["id"], one["verdict"], one["stale"]) for one in shape["results"]] == [
        (2, "fresh", False),
        (1, "drifted", True),
    ]
    assert shape["stats"]["stale_left_out"] == 0
    [anchor] = shape["results"][1]["anchors"]
    told = (anchor["anchor"], anchor["verdict"], anchor["drift"])
    assert told == ("src/auth.py::login", "drifted", "signature")
    lines = [line.strip() for line in memory.ok("learning:search tokens --verbose").out.splitlines()]
    assert "its code is not as it was: src/auth.py::login, the signature changed" in lines


def test_fresh_only_leaves_out_and_says_how_many(memory: CommandLine) -> None:
    outcome = memory.ok("learning:search tokens --fresh-only")
    assert "drifted" not in outcome.out
    assert "1 result left out that may be wrong by now." in outcome.err
    shape = memory.json("learning:search tokens --fresh-only")
    stats = shape["stats"]
    assert (ids(shape["results"]), stats["matched"], stats["stale_left_out"]) == ([2], 1, 1)


def test_include_stale_labels_what_was_superseded(memory: CommandLine) -> None:
    shape = memory.json("learning:search tokens --include-stale")
    assert {(one["id"], one["status"]) for one in shape["results"]} == {(1, "active"), (2, "active"), (3, "superseded")}
    lines = memory.ok("learning:search old --include-stale").out.splitlines()
    assert [line for line in lines if ":3" in line and "superseded" in line]


def test_showing_says_which_anchor_broke(memory: CommandLine) -> None:
    shape = memory.json("learning:show 1")
    assert (shape["verdict"], shape["stale"]) == ("drifted", True)
    assert [anchor["detail"] for anchor in shape["anchors"]] == ["the signature changed"]
    assert "src/auth.py::login  drifted:signature  the signature changed" in memory.ok("learning:show 1").out


def test_the_graph_tells_of_learnings_and_of_nothing_else(memory: CommandLine) -> None:
    memory.ok("index")
    told = {one["ref"]: one.get("verdict") for one in memory.json("graph:neighbors 2")["neighbors"]}
    assert {ref: verdict for ref, verdict in told.items() if verdict} == {"learning:1": "drifted"}
    assert {"README.md", "src/auth.py"} <= told.keys()
    assert "(learning:1)  drifted:signature  " in memory.ok("graph:neighbors 2").out
    [edge] = memory.json("graph:show src/auth.py::login")["edges"]
    assert (edge["target"], edge["verdict"], edge["stale"]) == ("learning:1", "drifted", True)
    assert "(learning:1)  symbol  drifted:signature" in memory.ok("graph:show src/auth.py::login").out
    on_it = memory.json("graph:path 2 src/auth.py")["learnings"]
    assert {one["ref"]: one["verdict"] for one in on_it} == {"learning:1": "drifted", "learning:2": "fresh"}


@pytest.mark.parametrize("command", ["learning:list", "learning:recent"])
def test_a_list_tells_only_when_asked(memory: CommandLine, command: str) -> None:
    assert "verdict" not in memory.ok(command).out
    assert all("verdict" not in one for one in memory.json(command)["learnings"])
    heading, *rows = memory.ok(f"{command} --verify").out.splitlines()
    assert "verdict" in heading
    assert any("drifted:signature" in row for row in rows)
    told = {one["id"]: (one["verdict"], one["stale"]) for one in memory.json(f"{command} --verify")["learnings"]}
    assert (told[1], told[2]) == (("drifted", True), ("fresh", False))


# --- what becomes of them -------------------------------------------------------------------------


def test_duplicates_are_listed_with_what_to_do(tx: CommandLine) -> None:
    tx.add(SAME)
    tx.add(f"{SAME} \x1b[31mred")
    outcome = tx.ok("graph:analyze-similar")
    assert "tx learning:merge 1 2" in outcome.out
    assert "1 pair much alike; learnings compared: 2 by words (overlap at least 0.6)." in outcome.out
    assert "\x1b" not in outcome.out
    document = tx.json("graph:analyze-similar --threshold 0.5")
    assert (document["edges"], document["compared"]) == (1, {"by_vectors": 0, "by_words": 2})
    assert document["threshold"] == {"cosine": 0.5, "words": 0.5}
    [pair] = document["pairs"]
    assert (pair["basis"], ids(pair["learnings"])) == ("words", [1, 2])


def test_a_merge_says_what_was_gained_and_how_to_undo_it(tx: CommandLine) -> None:
    tx.add("keep")
    tx.add("other", "--anchor", "src/auth.py")
    outcome = tx.ok("learning:merge 1 2")
    assert outcome.out == f"{tx.name(1)} stays and gained 1 anchor; {tx.name(2)} is superseded by it.\n"
    assert "tx learning:edit 2 --status active" in outcome.err
    tx.ok("learning:edit 2 --status active")
    document = tx.json("learning:merge 1 2")
    assert (document["kept"]["id"], document["superseded"]["status"]) == (1, "superseded")
    assert document["gained"] == {"anchors": 0, "keywords": 0, "links": 0, "derived_from": 0}


def test_supersession_is_told_and_has_no_cycles(tx: CommandLine) -> None:
    tx.add("old")
    tx.add("new")
    assert tx.ok("learning:supersede 1 2").out == f"{tx.name(1)} is superseded by {tx.name(2)}.\n"
    assert tx.ok("learning:supersede 1 2").out == f"{tx.name(1)} is already superseded by {tx.name(2)}.\n"
    document = tx.json("learning:supersede 1 2")
    assert (document["old"]["superseded_by"], document["existed"]) == (document["new"]["uid"], True)
    outcome = tx("learning:supersede 2 1")
    assert (outcome.status, "learning:1 is itself superseded by learning:2" in outcome.err) == (2, True)


def test_a_removed_learning_comes_back(tx: CommandLine) -> None:
    tx.add("One")
    tx.ok("learning:remove 1")
    assert tx.json("learning:list")["learnings"] == tx.json("learning:search one")["results"] == []
    [removed] = tx.json("learning:list --removed")["learnings"]
    assert removed["removed_at"]
    assert "removed" in tx.ok("learning:show 1").out
    tx.ok("learning:remove 1 --restore")
    assert tx.json("learning:list")["learnings"][0]["removed_at"] is None


# --- from one repository to another ---------------------------------------------------------------

LOCAL = {"id", "updated_at", "usage_count", "last_used_at", "feedback_score", "record", "existed", "revived"}
COUNTS = {"added": 0, "updated": 0, "revived": 0, "duplicates": 0, "lines": 0}


def test_an_export_can_be_imported_elsewhere(tx: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tx.add("First\n\nwith ünïcode \u2028 and a line separator", "--category", "a", "--keyword", "x,y")
    tx.add("Second", "--anchor", "src/auth.py::login", "--link", "1:elaborates", "--confidence", "0.5")
    tx.ok("learning:remove", tx.add("Removed"))
    exported = tx.ok("learning:export").out
    before = tx.json("learning:list")["learnings"]
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.chdir(there)
    tx.ok("init")
    assert tx.ok("learning:import -", stdin=exported.encode()).out == "Added 2 learnings; 0 known already.\n"
    after = tx.json("learning:list")["learnings"]
    curated = [{key: value for key, value in one.items() if key not in LOCAL} for one in [*before, *after]]
    assert sorted(curated[:2], key=lambda one: one["uid"]) == sorted(curated[2:], key=lambda one: one["uid"])
    assert tx.json("learning:import -", stdin=exported.encode()) == COUNTS | {"duplicates": 2, "lines": 2}


BAD_LINES = [
    "{broken", '{"content": ""}', "[]", '{"content": "x", "colour": "red"}',
    *(f'{{"content": "x", "confidence": {bad}}}' for bad in ("NaN", "1.1", '"high"', "true", "Infinity", "1e999")),
]  # fmt: skip


def test_one_bad_line_imports_nothing_and_each_is_named(tx: CommandLine, checkout: Checkout) -> None:
    checkout.write("lines.jsonl", "\n".join(['{"content": "Good"}', "", *BAD_LINES]))
    outcome = tx("learning:import lines.jsonl")
    assert outcome.status == 2
    for number in range(3, 3 + len(BAD_LINES)):
        assert f"line {number}: " in outcome.err
    assert tx.json("learning:list")["learnings"] == []
    flood = tx("learning:import -", stdin=b"nonsense\n" * 1_000)
    assert (flood.status, len(flood.err.splitlines()) < 25) == (2, True)


def test_nothing_imports_nothing_and_progress_is_silent_in_a_pipe(tx: CommandLine) -> None:
    assert tx.json("learning:import -", stdin=b"\n\n") == COUNTS
    lines = "\n".join(json.dumps({"content": f"Number {number}"}) for number in range(50))
    outcome = tx.ok("learning:import -", stdin=lines.encode())
    assert (outcome.out, outcome.err) == ("Added 50 learnings; 0 known already.\n", "")
    for command in ("index --force", "graph:analyze-cochanges"):
        assert tx.ok(command).err == ""
