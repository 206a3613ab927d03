"""Local history goes to another machine: wholly or not at all, with its numbers where these are free."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox

SAID = ("task:list --status all", "run:list", "run:show 1", "learning:list", "graph:history", "fact:list --past")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    """A project in which much was said, all records committed."""
    sandbox = GitSandbox(tmp_path / "desk", monkeypatch)
    sandbox.write("a.py", text="def login():\n    return 1\n")
    sandbox.commit(message="Log in")
    tx = CommandLine(sandbox.root)
    tx.ok("init")
    for step in (
        "config set embedder none",
        "learning:add First --anchor a.py::login",
        "learning:add Second --anchor a.py",
        "task:add 'Mend it' --id GH-1",
        "run:start --task 1 --agent claude",
        "run:feedback 1 --helpful 2",
        "run:start",
        "graph:relate 1 2",
        "graph:unlink 2 a.py",
        "fact:add Ada owns --value tests",
        "fact:add Ada likes --value zebras",
    ):
        tx.ok(step)
    sandbox.commit(message="What was learned")
    return sandbox


@pytest.fixture
def lap(desk: GitSandbox, tmp_path: Path) -> CommandLine:
    """A clone of it, in which records have other numbers."""
    desk.git("clone", "--quiet", ".", str(tmp_path / "lap"))
    tx = CommandLine(tmp_path / "lap")
    first = next((tmp_path / "lap/.tx/learnings").glob("*first.md"))
    text = first.read_text()
    first.unlink()
    tx.ok("learning:list")
    first.write_text(text)
    return tx


def test_a_clone_in_which_nothing_was_said_gets_everything_with_its_numbers(
    desk: GitSandbox, lap: CommandLine, tmp_path: Path
) -> None:
    here = CommandLine(desk.root)
    rows = here.json("export", str(tmp_path / "memory"))["rows"]
    assert {"learnings", "tasks", "runs", "learning_edges", "invalidation_log", "link_log"} <= rows.keys()
    before = [here.json(command) for command in SAID]
    assert lap.json("learning:list") != before[3]
    lap.ok("import", str(tmp_path / "memory"))
    assert [lap.json(command) for command in SAID] == before
    assert lap.json("learning:search First")["results"][0]["id"] == 1
    assert lap("doctor").status == 0
    again = lap.json("import", str(tmp_path / "memory"))
    assert again == {"added": {}, "known": rows, "renumbered": 0}
    for file in (tmp_path / "lap/.tx").glob("graph.db*"):
        file.unlink()
    assert [lap.json(command) for command in SAID] == before


def test_what_is_there_stays_and_what_comes_gets_free_numbers(
    desk: GitSandbox, lap: CommandLine, tmp_path: Path
) -> None:
    lap.ok("task:add", "Mine")
    lap.ok("run:start --task 1")
    lap.ok("run:feedback 1 --unhelpful 1")
    mine = lap.json("run:show 1")
    CommandLine(desk.root).ok("export", str(tmp_path / "memory"))
    for _ in range(2):
        lap.ok("import", str(tmp_path / "memory"))
        assert lap.json("run:show 1") == mine
        titles = {task["title"]: task["id"] for task in lap.json("task:list")["tasks"]}
        assert titles == {"Mine": 1, "Mend it": 2}
        runs = {run["id"]: run["task"] and run["task"]["title"] for run in lap.json("run:list")["runs"]}
        assert runs == {1: "Mine", 2: "Mend it", 3: None}
        assert [one["content"] for one in lap.json("run:show 2")["used"]] == ["Second"]


def test_what_was_done_since_comes_with_the_next_one(desk: GitSandbox, lap: CommandLine, tmp_path: Path) -> None:
    here, file = CommandLine(desk.root), str(tmp_path / "memory")
    here.ok("export", file)
    lap.ok("import", file)
    lap.ok("task:done 1")
    lap.ok("run:finish 1 --outcome succeeded")
    lap.ok("export", file)
    here.ok("import", file)
    assert here.json("run:show 1")["outcome"] == "succeeded"
    assert here.json("task:show 1")["done_at"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "not a file that 'tx export' wrote"),
        ('{"content": "a learning"}', "not a file that 'tx export' wrote"),
        ('HEAD\n{"tasks":[[1]]}', "Line 2 cannot be read"),
        ("HEAD\nnothing", "Line 2 cannot be read"),
        ('HEAD\n{"wishes":[]}', "Line 2 cannot be read"),
        (
            'HEAD\n{"tasks":[[9,"task:9","New","",null,"2026","2026",null]],"runs":[[9,"run:9",8,',
            "Line 2 cannot be read",
        ),
        (
            'HEAD\n{"tasks":[[9,"task:9","","",null,"","",null]],"runs":[[9,"run:9",77,null,"",null,null,null,null]]}',
            "contradicts itself",
        ),
        ('HEAD\n{"tasks":[[9,"task:9",null,"",null,"2026","2026",null]]}', "contradicts itself"),
        ("NEWER", "written by a newer tx"),
    ],
)
def test_what_cannot_be_read_changes_nothing(desk: GitSandbox, tmp_path: Path, line: str, told: str) -> None:
    tx, file = CommandLine(desk.root), tmp_path / "memory"
    tx.ok("export", str(file))
    head = file.read_text().splitlines()[0]
    file.write_text(line.replace("HEAD", head).replace("NEWER", json.dumps(json.loads(head) | {"tx": 99})))
    before = [tx.json(command) for command in SAID]
    outcome = tx("import", str(file))
    assert (outcome.status in (2, 5), told in outcome.err, outcome.err.count("\n") <= 2) == (True, True, True), outcome
    assert [tx.json(command) for command in SAID] == before


def test_where_nothing_can_be_written_it_says_so(desk: GitSandbox) -> None:
    outcome = CommandLine(desk.root)("export", "missing/memory")
    assert (outcome.status, "cannot be written" in outcome.err) == (5, True)
