"""What search and its relatives say: open files, diversity, retrievers, duplicates."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

SAME = "Always validate token expiry before anything else"


def test_open_files_answer_without_a_question(tx: CommandLine, home: Path) -> None:
    tx.add("Logins are slow", "--anchor", "src/auth.py")
    tx.add("Elsewhere")
    document = tx.json("learning:search", "--files", "src/*.py,README.md")
    [result] = document["results"]
    assert (result["id"], result["relevance_score"], result["position"]) == (1, 1.0, 1)
    assert (result["expansion_path"], result["seed_reason"]) == (["src/auth.py", "learning:1"], "an open file")
    assert document["query"] == ""
    assert document["stats"]["open_files"] == ["README.md", "src/auth.py"]
    assert document["stats"]["near"] == 1
    assert "freshness" in document


def test_files_may_be_named_by_repeating_the_option(tx: CommandLine, home: Path) -> None:
    tx.add("Logins are slow", "--anchor", "src/auth.py")
    outcome = tx.ok("learning:search", "--files", "README.md", "--files", "src/auth.py::login", "--verbose")
    assert "src/auth.py: an open file" in outcome.out


@pytest.mark.parametrize(
    ("files", "status", "said"),
    [
        ("src/nothing.py", 3, "There is no file 'src/nothing.py'"),
        ("nothing/**", 3, "The glob 'nothing/**' matches no file"),
        ("../*.py", 2, "outside|leads out"),
        ("../../outside.py", 2, "is outside the repository"),
        (",", 2, "No file is named"),
    ],
)
def test_files_that_are_none_are_told(tx: CommandLine, files: str, status: int, said: str) -> None:
    outcome = tx("learning:search", "x", "--files", files)
    assert outcome.status == status
    assert any(one in outcome.err for one in said.split("|"))
    assert "Traceback" not in outcome.err


def test_neither_a_question_nor_a_file_is_a_usage_error(tx: CommandLine) -> None:
    assert tx("learning:search").status == 2


def test_results_say_why_they_are_not_where_relevance_puts_them(tx: CommandLine) -> None:
    for ending in ("", " today", " please"):
        tx.add(SAME + ending)
    tx.add("Token expiry is an hour")
    outcome = tx.ok("learning:search", "always validate token expiry", "--verbose", "--diversity", "0.5")
    assert "by relevance alone, and unlike what ranks above it" in outcome.out
    assert "by relevance alone, and much like learning:" in outcome.out
    plain = tx.ok("learning:search", "always validate token expiry", "--verbose", "--no-diversify")
    assert "by relevance alone" not in plain.out
    document = tx.json("learning:search", "always validate token expiry", "--no-diversify")
    assert [one["relevance_position"] for one in document["results"]] == [1, 2, 3, 4]
    assert {one["similar_to"] for one in document["results"]} == {None}
    assert document["stats"]["diversity"] == 0


def test_diversity_out_of_range_or_contradicted_is_a_usage_error(tx: CommandLine) -> None:
    assert tx("learning:search", "x", "--diversity", "1.5").status == 2
    assert tx("learning:search", "x", "--diversity", "0.5", "--no-diversify").status == 2


def test_a_profile_needs_an_expansion(tx: CommandLine) -> None:
    tx.add("xerus", "--anchor", "src/auth.py")
    tx.add("yak", "--anchor", "src/auth.py")
    assert tx("learning:search", "xerus", "--profile", "spread").status == 2
    assert tx("learning:search", "xerus", "--expand", "--profile", "nonsense").status == 2
    for profile in ("decay", "hops", "spread"):
        document = tx.json("learning:search", "xerus", "--expand", "--profile", profile)
        assert [one["id"] for one in document["results"]] == [1, 2]
        assert document["stats"]["profile"] == profile
        assert document["stats"]["nodes_visited"] >= 2
    narrowed = tx.json("learning:search", "xerus", "--expand", "--types-at", "1=LINKS_TO", "--types-at", "2=LINKS_TO")
    assert [one["id"] for one in narrowed["results"]] == [1]


def test_a_retriever_is_named_by_option_or_setting(tx: CommandLine) -> None:
    tx.add("xerus")
    assert tx.json("learning:search", "xerus", "--retriever", "bm25")["stats"]["retriever"] == "bm25"
    tx.ok("config", "set", "search.retriever", "bm25")
    assert tx.json("learning:search", "xerus")["stats"]["retriever"] == "bm25"
    outcome = tx("learning:search", "xerus", "--retriever", "nonsense", "--json")
    assert (outcome.status, outcome.error["code"]) == (3, "not_found")
    assert "hybrid" in outcome.err


def test_duplicates_are_listed_with_what_to_do(tx: CommandLine) -> None:
    tx.add(SAME)
    tx.add(f"{SAME} \x1b[31mred")
    outcome = tx.ok("graph:analyze-similar")
    assert "tx learning:merge 1 2" in outcome.out
    assert "1 pair much alike; learnings compared: 2 by words (overlap at least 0.6)." in outcome.out
    assert "\x1b" not in outcome.out
    document = tx.json("graph:analyze-similar", "--threshold", "0.5")
    assert (document["edges"], document["compared"]) == (1, {"by_vectors": 0, "by_words": 2})
    assert document["threshold"] == {"cosine": 0.5, "words": 0.5}
    [pair] = document["pairs"]
    assert pair["basis"] == "words"
    assert [one["id"] for one in pair["learnings"]] == [1, 2]
    assert tx("graph:analyze-similar", "--threshold", "7").status == 2


def test_a_merge_says_what_was_gained_and_how_to_undo_it(tx: CommandLine) -> None:
    tx.add("keep")
    tx.add("other", "--anchor", "src/auth.py")
    outcome = tx.ok("learning:merge", "1", "2")
    assert outcome.out == "learning:1 stays and gained 1 anchor; learning:2 is superseded by it.\n"
    assert "tx learning:edit 2 --status active" in outcome.err
    tx.ok("learning:edit", "2", "--status", "active")
    document = tx.json("learning:merge", "1", "2")
    assert (document["kept"]["id"], document["superseded"]["status"]) == (1, "superseded")
    assert document["gained"] == {"anchors": 0, "keywords": 0, "links": 0, "derived_from": 0}
    assert tx("learning:merge", "1", "1").status == 2
    assert tx("learning:merge", "1", "9").status == 3


def test_supersession_is_told_and_has_no_cycles(tx: CommandLine) -> None:
    tx.add("old")
    tx.add("new")
    assert tx.ok("learning:supersede", "1", "2").out == "learning:1 is superseded by learning:2.\n"
    assert tx.ok("learning:supersede", "1", "2").out == "learning:1 is already superseded by learning:2.\n"
    document = tx.json("learning:supersede", "1", "2")
    assert (document["old"]["superseded_by"], document["existed"]) == (document["new"]["uid"], True)
    outcome = tx("learning:supersede", "2", "1")
    assert outcome.status == 2
    assert "learning:1 is itself superseded by learning:2" in outcome.err
