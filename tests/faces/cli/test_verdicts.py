"""What may be wrong by now is labelled on the command line, and two options of search decide what becomes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine


@pytest.fixture
def memory(tx: CommandLine, home: Path) -> CommandLine:
    """Three learnings: one whose code has another signature by now, one that holds, one that was superseded."""
    tx.add("tokens drifted", "--anchor", "src/auth.py::login")
    tx.add("tokens hold", "--anchor", "README.md", "--link", "1")
    tx.add("tokens of old", "--status", "superseded")
    (home / "src/auth.py").write_text("def login(user):\n    return True\n", encoding="utf-8")
    return tx


def test_search_labels_what_is_stale_and_ranks_it_lower(memory: CommandLine) -> None:
    shape = memory.json("learning:search", "tokens")
    assert [(one["id"], one["verdict"], one["stale"]) for one in shape["results"]] == [
        (2, "fresh", False),
        (1, "drifted:signature", True),
    ]
    assert shape["stats"]["stale_left_out"] == 0
    [anchor] = shape["results"][1]["anchors"]
    assert (anchor["anchor"], anchor["verdict"], anchor["drift"]) == (
        "src/auth.py::login",
        "drifted:signature",
        "signature",
    )


def test_verbose_search_says_what_changed(memory: CommandLine) -> None:
    lines = [line.strip() for line in memory.ok("learning:search", "tokens", "--verbose").out.splitlines()]
    assert "its code is not as it was: src/auth.py::login, the signature changed" in lines


def test_fresh_only_leaves_out_and_says_how_many(memory: CommandLine) -> None:
    outcome = memory.ok("learning:search", "tokens", "--fresh-only")
    assert "drifted" not in outcome.out
    assert "1 result left out that may be wrong by now." in outcome.err
    shape = memory.json("learning:search", "tokens", "--fresh-only")
    assert [one["id"] for one in shape["results"]] == [2]
    assert (shape["stats"]["matched"], shape["stats"]["stale_left_out"]) == (1, 1)


def test_include_stale_labels_what_was_superseded(memory: CommandLine) -> None:
    shape = memory.json("learning:search", "tokens", "--include-stale")
    assert {(one["id"], one["status"]) for one in shape["results"]} == {(1, "active"), (2, "active"), (3, "superseded")}
    [heading] = [
        line for line in memory.ok("learning:search", "old", "--include-stale").out.splitlines() if ":3" in line
    ]
    assert "superseded" in heading


def test_the_two_options_exclude_each_other(memory: CommandLine) -> None:
    outcome = memory("learning:search", "tokens", "--fresh-only", "--include-stale")
    assert outcome.status == 2
    assert "use one of them" in outcome.err


def test_showing_says_which_anchor_broke(memory: CommandLine) -> None:
    shape = memory.json("learning:show", "1")
    assert (shape["verdict"], shape["stale"]) == ("drifted:signature", True)
    assert [anchor["detail"] for anchor in shape["anchors"]] == ["the signature changed"]
    assert "src/auth.py::login  drifted:signature  the signature changed" in memory.ok("learning:show", "1").out


def test_neighbors_tell_of_learnings_and_of_nothing_else(memory: CommandLine) -> None:
    memory.ok("index")
    told = {one["ref"]: one.get("verdict") for one in memory.json("graph:neighbors", "2")["neighbors"]}
    assert told == {"learning:1": "drifted:signature", "README.md": None, "src/auth.py": None} | {
        ref: None for ref in told if ref.startswith(("src/auth.py::", "README.md#"))
    }
    assert "learning:1  drifted:signature  " in memory.ok("graph:neighbors", "2").out


def test_a_node_is_shown_with_the_verdicts_on_its_learnings(memory: CommandLine) -> None:
    [edge] = memory.json("graph:show", "src/auth.py::login")["edges"]
    assert (edge["target"], edge["verdict"], edge["stale"]) == ("learning:1", "drifted:signature", True)
    assert "learning:1  symbol  drifted:signature" in memory.ok("graph:show", "src/auth.py::login").out


def test_a_path_tells_of_the_learnings_on_it(memory: CommandLine) -> None:
    shape = memory.json("graph:path", "2", "src/auth.py")
    assert {(one["ref"], one["verdict"]) for one in shape["learnings"]} == {
        ("learning:1", "drifted:signature"),
        ("learning:2", "fresh"),
    }


@pytest.mark.parametrize("command", ["learning:list", "learning:recent"])
def test_a_list_tells_only_when_asked(memory: CommandLine, command: str) -> None:
    assert "verdict" not in memory.ok(command).out
    assert all("verdict" not in one for one in memory.json(command)["learnings"])
    heading, *rows = memory.ok(command, "--verify").out.splitlines()
    assert "verdict" in heading
    assert any("drifted:signature" in row for row in rows)
    told = {one["id"]: (one["verdict"], one["stale"]) for one in memory.json(command, "--verify")["learnings"]}
    assert told[1] == ("drifted:signature", True)
    assert told[2] == ("fresh", False)
