"""Runs on the command line: a number for scripts, an end, and votes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine, Program
from tx_graph.faces.cli.render.work import duration
from tx_graph.work.values import TRANSCRIPT_LIMIT, Outcome, Run

RUN = {"id", "ref", "task", "agent", "outcome", "started_at", "finished_at", "transcript_bytes"}


@pytest.fixture
def run(tx: CommandLine) -> CommandLine:
    """Three learnings, and a run for a task."""
    for content in ("One", "Two", "Three"):
        tx.add(content)
    tx.ok("task:add", "Repair the login", "--id", "GH-123")
    tx.ok("run:start", "--task", "GH-123", "--agent", "claude")
    return tx


def test_starting_prints_the_number_alone(tx: CommandLine) -> None:
    tx.ok("task:add", "Repair")
    outcome = tx.ok("run:start", "--task", "1")
    assert outcome.out == "1\n"
    assert outcome.err == "Started run:1 for task:1 Repair.\n"
    assert tx.ok("run:start").err == "Started run:2.\n"
    shape = tx.json("run:start", "--task", "1", "--agent", "a")
    assert shape.keys() == RUN
    assert (shape["id"], shape["task"]["title"], shape["agent"], shape["outcome"]) == (3, "Repair", "a", None)


def test_a_run_for_a_task_that_is_done_says_so(tx: CommandLine) -> None:
    tx.ok("task:add", "Repair")
    tx.ok("task:done", "1")
    assert "task:1 is done" in tx.ok("run:start", "--task", "1").err


@pytest.mark.slow
def test_a_script_goes_through_a_run(program: Program) -> None:
    outcome = program.shell(
        """
        set -eu
        tx task:add "Repair" --id GH-1 > /dev/null
        RUN=$(tx run:start --task GH-1)
        tx learning:add "Learned" --run "$RUN" > /dev/null
        tx run:feedback "$RUN" --helpful 1 > /dev/null
        echo "what was said" | tx run:finish "$RUN" --outcome succeeded --transcript - > /dev/null
        tx run:show "$RUN" --transcript
        """
    )
    assert (outcome.status, outcome.out) == (0, "what was said\n")


def test_finishing_says_how_it_ended_and_how_long_it_took(run: CommandLine) -> None:
    assert run.ok("run:finish", "1", "--outcome", "failed").out.startswith("run:1 failed after ")
    assert run.ok("run:finish", "1", "--outcome", "failed").out == "run:1 had failed already.\n"
    assert run.json("run:finish", "1", "--outcome", "failed")["existed"] is True
    refused = run("run:finish", "1", "--outcome", "succeeded")
    assert refused.status == 2
    assert "--again" in refused.err
    shape = run.json("run:finish", "1", "--outcome", "succeeded", "--again")
    assert shape.keys() == RUN | {"existed"}
    assert (shape["outcome"], shape["existed"]) == ("succeeded", False)


def test_a_transcript_is_shown_when_it_is_asked_for(run: CommandLine, home: Path) -> None:
    (home / "session.log").write_bytes("\x1b[31mrot\x1b[0m ü\r\n".encode())
    run.ok("run:finish", "1", "--outcome", "cancelled", "--transcript", "session.log")
    assert run.ok("run:show", "1", "--transcript").out == "\\x1b[31mrot\\x1b[0m ü\n"
    assert run.json("run:show", "1", "--transcript")["transcript"] == "\x1b[31mrot\x1b[0m ü\n"
    assert "transcript" not in run.json("run:show", "1")
    assert "rot" not in run.ok("run:show", "1").out


def test_a_run_without_a_transcript_says_so(run: CommandLine) -> None:
    outcome = run.ok("run:show", "1", "--transcript")
    assert (outcome.out, outcome.err) == ("", "run:1 has no transcript.\n")
    empty = run.ok("run:finish", "1", "--outcome", "failed", "--transcript", "-", stdin=b"")
    assert empty.err == "The transcript is empty; none is kept.\n"


@pytest.mark.parametrize("source", ["-", "big.log"])
def test_a_transcript_that_is_too_long_is_refused(run: CommandLine, home: Path, source: str) -> None:
    data = b"x" * (TRANSCRIPT_LIMIT + 1)
    (home / "big.log").write_bytes(data)
    outcome = run("run:finish", "1", "--outcome", "failed", "--transcript", source, stdin=data)
    assert outcome.status == 2
    assert "tail -c" in outcome.err
    assert run.json("run:show", "1")["outcome"] is None


def test_showing_a_run_tells_what_it_had_of_learnings(run: CommandLine) -> None:
    run.ok("run:feedback", "1", "--helpful", "3", "--unhelpful", "1")
    run.add("Learned", "--run", "1")
    text = run.ok("run:show", "1").out
    assert text.startswith("run:1  running\n")
    for part in ("task:1 (GH-123) Repair the login", "claude", "Learnings it had", "unhelpful", "Learned from it"):
        assert part in text
    shape = run.json("run:show", "1")
    assert shape.keys() == RUN | {"used", "derived", "telemetry"}
    assert [(one["id"], one["helpful"], one["position"], one["times_shown"]) for one in shape["used"]] == [
        (1, False, None, 0),
        (3, True, None, 0),
    ]
    assert [one["content"] for one in shape["derived"]] == ["Learned"]


def test_runs_are_listed_newest_first(run: CommandLine) -> None:
    run.ok("run:start")
    assert [one["id"] for one in run.json("run:list")["runs"]] == [2, 1]
    assert [one["id"] for one in run.json("run:list", "--task", "gh-123")["runs"]] == [1]
    heading, second, first = run.ok("run:list").out.splitlines()
    assert heading.split() == ["#", "started", "outcome", "agent", "task"]
    assert second.split()[-1] == "running"
    assert first.endswith("claude  task:1 (GH-123) Repair the login")


def test_no_runs_at_all_says_what_to_do(tx: CommandLine) -> None:
    outcome = tx.ok("run:list")
    assert (outcome.out, outcome.err) == ("", "No runs. Start one: tx run:start --task TASK\n")


def test_feedback_shows_what_counts_now(run: CommandLine) -> None:
    outcome = run.ok("run:feedback", "1", "--helpful", "3,1", "--unhelpful", "learning:2")
    assert [line.split() for line in outcome.out.splitlines()] == [
        ["#", "vote", "feedback", "content"],
        ["3", "helpful", "0.67", "Three"],
        ["1", "helpful", "0.67", "One"],
        ["2", "unhelpful", "0.33", "Two"],
    ]
    assert outcome.err.count("was not shown in run:1; the vote counts all the same.") == 3
    assert "helpful, not unhelpful" in run.ok("run:feedback", "1", "--helpful", "2").out
    shape = run.json("run:feedback", "1", "--unhelpful", "2")
    assert shape["run"]["id"] == 1
    [vote] = shape["learnings"]
    assert (vote["id"], vote["helpful"], vote["previous"], vote["position"]) == (2, False, True, None)
    assert vote["feedback_score"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        ("run:start|--task|9", 3, "There is no task '9'."),
        ("run:start|--agent|", 2, "The name of the agent is empty."),
        ("run:finish|9|--outcome|failed", 3, "There is no run '9'."),
        ("run:finish|1", 2, "--outcome"),
        ("run:finish|1|--outcome|won", 2, "won"),
        ("run:finish|1|--outcome|failed|--transcript|none.log", 2, "none.log cannot be read"),
        ("run:finish|1|--outcome|failed|--transcript|.", 2, ". cannot be read"),
        ("run:show|task:1", 3, "'task:1' is not a run."),
        ("run:list|--task|GH-9", 3, "There is no task 'GH-9'."),
        ("run:feedback|1", 2, "Which learnings?"),
        ("run:feedback|1|--helpful|,", 2, "Which learnings?"),
        ("run:feedback|1|--helpful|3|--unhelpful|3", 2, "learning:3 is named as helpful and as unhelpful"),
        ("run:feedback|1|--helpful|1,99", 3, "There is no learning '99'."),
        ("run:feedback|9|--helpful|1", 3, "There is no run '9'."),
    ],
)
def test_bad_input_is_explained_and_changes_nothing(
    run: CommandLine, arguments: str, status: int, sentence: str
) -> None:
    def state() -> object:
        return run.json("run:list"), run.json("run:show", "1"), run.json("learning:list")

    before = state()
    outcome = run(*arguments.split("|"))
    assert (outcome.status, outcome.out) == (status, "")
    assert sentence in outcome.err
    assert state() == before


def test_bytes_that_are_no_text_are_refused(run: CommandLine) -> None:
    outcome = run("run:finish", "1", "--outcome", "failed", "--transcript", "-", stdin=b"ok\n\xff\n")
    assert outcome.status == 2
    assert "stdin is not valid UTF-8 (line 2)" in outcome.err


@pytest.mark.parametrize(
    ("finished", "words"),
    [("12:00:00", "0 s"), ("12:00:59", "59 s"), ("12:01:59", "1 min"), ("15:20:00", "3 h 20 min"), ("11:00:00", "0 s")],
)
def test_a_duration_is_told_in_its_largest_units(finished: str, words: str) -> None:
    started = Run(id=1, node=1, started_at="2026-11-20T12:00:00Z")
    ended = replace(started, outcome=Outcome.FAILED, finished_at=f"2026-11-20T{finished}Z")
    assert (duration(started), duration(ended)) == ("", words)
