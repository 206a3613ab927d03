"""Tying learnings to code and to each other, and looking at what came of it."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

ODD = "my dir/ünï côde/a b.py"


@pytest.fixture
def memory(tx: CommandLine, home: Path) -> CommandLine:
    """Two learnings; a file with blanks and letters in its path imports nothing, `src/app.py` imports `src/auth.py`."""
    (home / ODD).parent.mkdir(parents=True)
    (home / ODD).write_text("class Store:\n    def get(self):\n        return 1\n", encoding="utf-8")
    (home / "src" / "app.py").write_text("import auth\n", encoding="utf-8")
    subprocess.run(["git", "add", "--all"], cwd=home, check=True)
    tx.ok("index")
    tx.add("First")
    tx.add("Second")
    return tx


@pytest.mark.parametrize(
    ("arguments", "spec", "kind"),
    [
        ([ODD], ODD, "hash"),
        ([f"{ODD}::Store::get"], f"{ODD}::Store::get", "symbol"),
        ([ODD, "--symbol", "Store"], f"{ODD}::Store", "symbol"),
        ([f"{ODD}:L2-L3"], f"{ODD}:L2-L3", "lines"),
        ([ODD, "--lines", "2-3"], f"{ODD}:L2-L3", "lines"),
        (["my dir/**/*.py"], "my dir/**/*.py", "glob"),
        ([ODD, "--anchor-type", "glob"], ODD, "glob"),
    ],
)
def test_link_and_unlink(memory: CommandLine, arguments: list[str], spec: str, kind: str) -> None:
    assert memory.ok("graph:link", "1", *arguments).out == f"Anchored learning:1 to {spec} ({kind})\n"
    assert memory.ok("graph:link", "1", *arguments).out == f"Already anchored learning:1 to {spec} ({kind})\n"
    assert f"anchored to {spec}  fresh" in memory.ok("graph:show", "1").out
    assert any(one["ref"].startswith(ODD) for one in memory.json("graph:neighbors", "1", "--depth", "1")["neighbors"])
    assert memory.ok("graph:unlink", "1", spec).out == f"learning:1 is no longer anchored to {spec}\n"
    assert memory("graph:unlink", "1", spec).status == 3


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["missing.py"], 3), ([ODD, "--symbol", "nothing"], 3), ([ODD, "--lines", "7-9"], 3),
        ([ODD, "--lines", "3-2"], 2), ([ODD, "--lines", "x"], 2), ([f"{ODD}::Store", "--symbol", "Store"], 2),
        ([f"{ODD}::Store:L1-L2"], 2), ([ODD, "--anchor-type", "symbol"], 2), (["*.zig"], 3), (["src"], 2), ([""], 2),
    ],
    ids=str,
)  # fmt: skip
def test_a_tie_to_nothing_is_refused(memory: CommandLine, arguments: list[str], status: int) -> None:
    outcome = memory("graph:link", "1", *arguments)
    assert outcome.status == status
    assert outcome.err.startswith("tx: ")
    assert memory.json("learning:show", "1")["anchors"] == []


def test_relate_and_unrelate(memory: CommandLine) -> None:
    out = memory.ok("graph:relate", "1", "2", "--relation", "depends_on", "--weight", "0.5").out
    assert out == "learning:1 depends_on learning:2 (0.5)\n"
    assert memory.json("graph:relate", "1", "2", "--relation", "depends_on", "--weight", "0.5")["existed"] is True
    [there] = memory.json("graph:neighbors", "1")["neighbors"]
    assert (there["ref"], there["score"]) == ("learning:2", pytest.approx(0.35))
    assert memory.json("graph:neighbors", "1", "--direction", "in")["neighbors"] == []
    assert memory("graph:unrelate", "1", "2", "--relation", "references").status == 3
    assert memory.ok("graph:unrelate", "1", "2").out == "Removed 1 link\n"
    assert memory.json("graph:neighbors", "1")["neighbors"] == []


def test_a_learning_is_not_related_to_itself(memory: CommandLine) -> None:
    assert memory("graph:relate", "1", "learning:1").status == 2


def test_show_groups_edges_by_type_and_quotes_learnings(memory: CommandLine) -> None:
    memory.ok("graph:link", "1", "src/auth.py")
    lines = memory.ok("graph:show", "src/auth.py").out.splitlines()
    assert lines[0] == "src/auth.py  file"
    assert lines[1:5] == ["", "ANCHORED_TO  1", "  learning:1  hash  fresh", "    First"]
    assert lines[5:8] == ["", "IMPORTS  1", "  ← src/app.py  static"]


def test_show_does_not_flood(memory: CommandLine) -> None:
    for number in range(12):
        memory.add(f"Note {number}", "--anchor", "src/auth.py")
    outcome = memory.ok("graph:show", "src/auth.py", "-n", "3")
    assert outcome.out.count("  learning:") == 3
    assert "9 more; show them with -n 12" in outcome.err
    assert len(memory.json("graph:show", "src/auth.py", "-n", "3")["edges"]) == 13


def test_neighbors_stand_in_columns_with_the_way_to_them(memory: CommandLine) -> None:
    memory.ok("graph:link", "1", "src/auth.py")
    assert memory.ok("graph:neighbors", "1").out.splitlines() == [
        "0.70  src/auth.py  ─ANCHORED_TO→",
        "0.49  src/app.py   ─ANCHORED_TO→ src/auth.py ←IMPORTS─",
    ]
    outcome = memory.ok("graph:neighbors", "1", "-n", "1")
    assert outcome.err == "1 more; show them with -n 2.\n"


@pytest.mark.parametrize("profile", ["decay", "hops", "spread"])
def test_neighbors_in_every_profile_with_what_was_looked_at(memory: CommandLine, profile: str) -> None:
    memory.ok("graph:link", "1", "src/auth.py")
    document = memory.json("graph:neighbors", "1", "--profile", profile)
    assert [one["ref"] for one in document["neighbors"]] == ["src/auth.py", "src/app.py"]
    assert [edge["relation"] for edge in document["neighbors"][1]["edges"]] == ["hash", "static"]
    assert document["stats"] == {
        "reached": 2,
        "shown": 2,
        "seeds": 1,
        "expanded": 2,
        "max_depth_reached": 2,
        "nodes_visited": 3,
        "max_nodes_reached": False,
        "fan_out_reached": 0,
    }


def test_neighbors_follow_other_types_at_single_hops(memory: CommandLine) -> None:
    memory.ok("graph:link", "1", "src/auth.py")
    out = memory.ok("graph:neighbors", "1", "--types-at", "2=-IMPORTS,-CO_CHANGES_WITH").out
    assert out == "0.70  src/auth.py  ─ANCHORED_TO→\n"
    outcome = memory("graph:neighbors", "1", "--types-at", "IMPORTS")
    assert (outcome.status, outcome.out) == (2, "")
    assert "2=ANCHORED_TO,LINKS_TO" in outcome.err


def test_neighbors_say_what_the_answer_may_lack(memory: CommandLine) -> None:
    memory.ok("graph:link", "1", "src/auth.py")
    outcome = memory.ok("graph:neighbors", "1", "--max-nodes", "1")
    assert outcome.out == "0.70  src/auth.py  ─ANCHORED_TO→\n"
    assert outcome.err == "As many as --max-nodes were reached, the best; there may be more.\n"


def test_an_unknown_node_lists_the_nearest(memory: CommandLine) -> None:
    outcome = memory("graph:show", "src/auht.py")
    assert outcome.status == 3
    assert "  src/auth.py" in outcome.err.splitlines()


def test_verbose_search_says_why_in_words(memory: CommandLine) -> None:
    memory.add("Compare secrets in constant time", "--anchor", "src/auth.py")
    memory.ok("graph:link", "2", "src/app.py")
    out = memory.ok("learning:search", "constant time", "--expand", "--verbose").out
    assert re.search(r"matched by its words \(BM25 1\.00 of the best\)", out)
    assert "←IMPORTS─ src/app.py ─ANCHORED_TO→ this" in out
    assert "anchored to src/auth.py" in out


def test_stats_count_everything(memory: CommandLine) -> None:
    out = memory.ok("graph:stats").out
    assert re.search(r"^learnings +2 active$", out, re.MULTILINE)
    assert re.search(r"^IMPORTS +1$", out, re.MULTILINE)
    assert re.search(r"^last cochanges +never$", out, re.MULTILINE)


def test_a_symbol_is_looked_up_in_its_file(tx: CommandLine) -> None:
    assert tx.json("graph:show", "src/auth.py::login")["node"]["ref"] == "src/auth.py::login"
    outcome = tx("graph:show", "src/auth.py::logon")
    assert outcome.status == 3
    assert "src/auth.py::login" in outcome.err
