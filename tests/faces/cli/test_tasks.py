"""Tasks on the command line."""

from __future__ import annotations

import pytest

from tests.faces.cli.terminal import CommandLine

TASK = {"id", "ref", "title", "description", "external_id", "status", "created_at", "updated_at", "done_at"}


@pytest.fixture
def two(tx: CommandLine) -> CommandLine:
    """Two open tasks; a tracker knows the second."""
    tx.ok("task:add", "Cache the index")
    tx.ok("task:add", "Repair the login", "--id", "GH-123", "--description", "-", stdin=b"It fails\non Safari.\n")
    return tx


def test_adding_prints_the_task(tx: CommandLine) -> None:
    assert tx.ok("task:add", "Repair the login", "--id", "GH-123").out == "Added task:1 (GH-123) Repair the login\n"
    shape = tx.json("task:add", "Next", "--description", "more")
    assert shape.keys() == TASK
    assert (shape["id"], shape["ref"], shape["description"], shape["external_id"]) == (2, "task:2", "more", None)


def test_tasks_are_listed_by_status(two: CommandLine) -> None:
    assert two.ok("task:done", "1").out == "Done: task:1 Cache the index\n"
    assert [line.split() for line in two.ok("task:list").out.splitlines()] == [
        ["#", "id", "created", "title"],
        ["2", "GH-123", two.json("task:show", "2")["created_at"][:10], "Repair", "the", "login"],
    ]
    for status, ids in {"open": [2], "done": [1], "all": [2, 1]}.items():
        assert [task["id"] for task in two.json("task:list", "--status", status)["tasks"]] == ids
    assert [task["id"] for task in two.json("task:list", "--status", "all", "-n", "1")["tasks"]] == [2]
    assert two.ok("task:done", "1", "--reopen").out == "Reopened task:1 Cache the index\n"
    assert two.json("task:list")["tasks"][1]["done_at"] is None


def test_an_empty_list_says_what_to_do_on_stderr(tx: CommandLine) -> None:
    outcome = tx.ok("task:list")
    assert outcome.out == ""
    assert "tx task:add" in outcome.err
    assert tx.ok("task:list", "--status", "done").err == "No such tasks.\n"
    assert tx.json("task:list") == {"tasks": []}


def test_showing_gives_runs_and_learnings(two: CommandLine) -> None:
    two.add("Safari drops the cookie", "--task", "GH-123")
    two.add("Tokens expire")
    two.ok("run:start", "--task", "GH-123")
    two.ok("run:feedback", "1", "--helpful", "2")
    text = two.ok("task:show", "GH-123").out
    assert text.startswith("task:2 (GH-123) Repair the login  open\n\n    It fails\n    on Safari.\n\n")
    for part in ("\nRuns\n", "\nLearned from it\n", "Safari drops the cookie", "\nUsed in its runs\n", "Tokens expire"):
        assert part in text
    shape = two.json("task:show", "GH-123")
    assert shape.keys() == TASK | {"runs", "derived", "used"}
    assert [one["id"] for one in shape["derived"]] == [1]
    assert [run["ref"] for run in shape["runs"]] == ["run:1"]
    [used] = shape["used"]
    assert (used["id"], used["runs"], used["helpful"], used["unhelpful"]) == (2, [1], 1, 0)


def test_a_task_shows_its_last_ten_runs_and_says_where_the_others_are(two: CommandLine) -> None:
    for _ in range(12):
        two.ok("run:start", "--task", "1")
    outcome = two.ok("task:show", "1")
    assert [line.split()[0] for line in outcome.out.splitlines()[-10:]] == [str(number) for number in range(12, 2, -1)]
    assert outcome.err == "2 more; see 'tx run:list --task 1'.\n"
    assert len(two.json("task:show", "1")["runs"]) == 12


def test_editing_changes_and_clears(two: CommandLine) -> None:
    assert two.ok("task:edit", "GH-123", "--title", "Mend it").out == "Changed task:2 (GH-123) Mend it\n"
    shape = two.json("task:edit", "2", "--id", "", "--description", "")
    assert (shape["external_id"], shape["description"]) == (None, "")


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ("task:add|", 2, "The title is empty."),
        ("task:add|a\x1b[31mb", 2, "The title must be one line"),
        ("task:add|a|--id|gh-123", 2, "There is a task called GH-123 already."),
        ("task:add|a|--id|12", 2, "would be taken for a local number"),
        ("task:edit|1", 2, "Nothing to change was given."),
        ("task:edit|1|--id|GH-123", 2, "There is a task called GH-123 already."),
        ("task:show|9", 3, "There is no task '9'."),
        ("task:done|GH-9", 3, "There is no task 'GH-9'."),
        ("task:edit|run:1|--title|x", 3, "'run:1' is not a task."),
        ("task:list|--limit|0", 2, "The limit must be"),
        ("task:list|--status|stuck", 2, "stuck"),
        ("learning:add|x|--task|9", 3, "There is no task '9'."),
        ("learning:add|x|--task|1|--run|1", 2, "give --task or --run"),
        ("learning:add|x|--task|1|--source-ref|y", 2, "leave out --source-type and --source-ref"),
        ("learning:add|x|--run|1|--source-type|manual", 2, "leave out --source-type and --source-ref"),
    ],
)
def test_bad_input_is_explained_and_changes_nothing(
    two: CommandLine, arguments: str, status: int, sentence: str
) -> None:
    before = two.json("task:list", "--status", "all"), two.json("learning:list")
    outcome = two(*arguments.split("|"))
    assert (outcome.status, outcome.out) == (status, "")
    assert sentence in outcome.err
    assert "\x1b" not in outcome.err
    assert (two.json("task:list", "--status", "all"), two.json("learning:list")) == before


def test_a_learning_from_a_task_keeps_the_name_that_others_know(two: CommandLine) -> None:
    known = two.json("learning:add", "Known", "--task", "2")
    assert (known["source_type"], known["source_ref"]) == ("task", "GH-123")
    local = two.json("learning:add", "Local", "--task", "task:1")
    assert (local["source_type"], local["source_ref"]) == ("task", "task:1")
    two.ok("run:start")
    run = two.json("learning:add", "Run", "--run", "1")
    assert (run["source_type"], run["source_ref"]) == ("run", "run:1")
    assert two.json("learning:add", "Plain")["source_type"] == "manual"


def test_the_graph_shows_tasks_and_runs_with_what_they_are_about(two: CommandLine) -> None:
    two.add("Safari drops the cookie", "--task", "GH-123", "--anchor", "src/auth.py")
    two.ok("run:start", "--task", "GH-123", "--agent", "claude")
    two.ok("run:feedback", "1", "--helpful", "1")
    text = two.ok("graph:show", "1").out
    assert "→ task:2\n    Repair the login (GH-123)\n" in text
    assert "→ run:1\n    running, claude, for task 2 (GH-123) Repair the login\n" in text
    assert two.ok("graph:show", "task:GH-123").out.startswith("task:2  task\nRepair the login (GH-123)\n")
    assert two.json("graph:show", "task:2")["task"]["title"] == "Repair the login"
    assert two.json("graph:show", "run:1")["run"]["agent"] == "claude"
    found = {one["ref"]: one["kind"] for one in two.json("graph:neighbors", "task:2")["neighbors"]}
    assert {"learning:1": "learning", "run:1": "run", "src/auth.py": "file"}.items() <= found.items()
    assert "is derived from task:2" in two.ok("graph:path", "1", "task:2").out


def test_a_task_cannot_drive_the_terminal(tx: CommandLine) -> None:
    tx.ok("task:add", "One", "--description", "\x1b[2Jgone")
    assert "\\x1b[2Jgone" in tx.ok("task:show", "1").out
