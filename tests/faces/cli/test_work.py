"""Tasks, runs and what agents did, on the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.faces.cli.conftest import Prepared
from tests.faces.cli.terminal import Checkout, CommandLine, Program
from tx_graph.faces.cli.render.work import duration
from tx_graph.work.values import TRANSCRIPT_LIMIT, Outcome, Run

TASK = {"node", "id", "ref", "title", "description", "external_id", "status", "created_at", "updated_at", "done_at"}
RUN = {"node", "id", "ref", "task", "agent", "outcome", "started_at", "finished_at", "transcript_bytes"}


@pytest.fixture(scope="module")
def origin(prepared: Prepared) -> Path:
    """Two open tasks, of which a tracker knows the second; two learnings, and a run for the second task."""
    return prepared(
        "learning:add One",
        "learning:add Two",
        "task:add 'Cache the index'",
        ["task:add", "Repair the login", "--id", "GH-123", "--description", "It fails\non Safari.\n"],
        "run:start --task GH-123 --agent claude",
    )


# --- tasks ----------------------------------------------------------------------------------------


def test_adding_prints_the_task(tx: CommandLine) -> None:
    assert tx.ok("task:add 'Write it' --id GH-124").out == "Added task:3 (GH-124) Write it\n"
    shape = tx.json("task:add Next --description -", stdin=b"more\n")
    assert shape.keys() == TASK
    assert (shape["id"], shape["ref"], shape["description"], shape["external_id"]) == (4, "task:4", "more", None)


def test_tasks_are_listed_by_status(tx: CommandLine) -> None:
    assert tx.ok("task:done 1").out == "Done: task:1 Cache the index\n"
    assert [line.split() for line in tx.ok("task:list").out.splitlines()] == [
        ["#", "id", "created", "title"],
        ["2", "GH-123", tx.json("task:show 2")["created_at"][:10], "Repair", "the", "login"],
    ]
    for options, ids in {"--status open": [2], "--status done": [1], "--status all": [2, 1], "-n 1": [2]}.items():
        assert [task["id"] for task in tx.json(f"task:list {options}")["tasks"]] == ids
    assert "task:1 is done" in tx.ok("run:start --task 1").err
    assert tx.ok("task:done 1 --reopen").out == "Reopened task:1 Cache the index\n"
    assert tx.json("task:list")["tasks"][1]["done_at"] is None


def test_an_empty_list_says_what_to_do_on_stderr(elsewhere: CommandLine) -> None:
    elsewhere.ok("init")
    outcome = elsewhere.ok("task:list")
    assert (outcome.out, "tx task:add" in outcome.err) == ("", True)
    assert elsewhere.ok("task:list --status done").err == "No such tasks.\n"
    assert elsewhere.json("task:list") == {"tasks": []}
    outcome = elsewhere.ok("run:list")
    assert (outcome.out, outcome.err) == ("", "No runs. Start one: tx run:start --task TASK\n")


def test_showing_a_task_gives_runs_and_learnings(tx: CommandLine) -> None:
    tx.add("Safari drops the cookie", "--task", "GH-123")
    tx.ok("run:feedback 1 --helpful 2")
    text = tx.ok("task:show GH-123").out
    assert text.startswith("task:2 (GH-123) Repair the login  open\n\n    It fails\n    on Safari.\n\n")
    for part in ("\nRuns\n", "\nLearned from it\n", "Safari drops the cookie", "\nUsed in its runs\n", "Two"):
        assert part in text
    shape = tx.json("task:show GH-123")
    assert shape.keys() == TASK | {"runs", "derived", "used"}
    assert ([one["id"] for one in shape["derived"]], [run["ref"] for run in shape["runs"]]) == ([3], ["run:1"])
    [used] = shape["used"]
    assert (used["id"], used["runs"], used["helpful"], used["unhelpful"]) == (2, [1], 1, 0)


def test_a_task_shows_its_last_ten_runs_and_says_where_the_others_are(tx: CommandLine) -> None:
    for _ in range(12):
        tx.ok("run:start --task 1")
    outcome = tx.ok("task:show 1")
    assert [line.split()[0] for line in outcome.out.splitlines()[-10:]] == [str(number) for number in range(13, 3, -1)]
    assert outcome.err == "2 more; see 'tx run:list --task 1'.\n"
    assert len(tx.json("task:show 1")["runs"]) == 12


def test_editing_changes_and_clears(tx: CommandLine) -> None:
    assert tx.ok("task:edit GH-123 --title 'Mend it'").out == "Changed task:2 (GH-123) Mend it\n"
    shape = tx.json("task:edit 2 --id '' --description ''")
    assert (shape["external_id"], shape["description"]) == (None, "")


def test_a_learning_from_a_task_keeps_the_name_that_others_know(tx: CommandLine) -> None:
    expected = {
        "--task 2": ("task", "GH-123"), "--task task:1": ("task", "task:1"), "--run 1": ("run", "run:1"),
        "": ("manual", None),
    }  # fmt: skip
    for number, (option, source) in enumerate(expected.items()):
        shape = tx.json(f"learning:add Learned{number} {option}")
        assert (shape["source_type"], shape["source_ref"]) == source


def test_the_graph_shows_tasks_and_runs_with_what_they_are_about(tx: CommandLine) -> None:
    ref = tx.add("Safari drops the cookie", "--task", "GH-123", "--anchor", "src/auth.py")
    tx.ok("run:feedback 1 --helpful 3")
    text = tx.ok("graph:show", ref).out
    assert "→ task:2\n    Repair the login (GH-123)\n" in text
    assert "→ run:1\n    running, claude, for task 2 (GH-123) Repair the login\n" in text
    assert tx.ok("graph:show task:GH-123").out.startswith("task:2  task\n  Repair the login (GH-123)\n")
    assert tx.json("graph:show task:2")["task"]["title"] == "Repair the login"
    assert tx.json("graph:show run:1")["run"]["agent"] == "claude"
    found = {one["ref"]: one["kind"] for one in tx.json("graph:neighbors task:2")["neighbors"]}
    assert {ref: "learning", "run:1": "run", "src/auth.py": "file"}.items() <= found.items()
    assert "is derived from task:2" in tx.ok("graph:path", ref, "task:2").out


# --- runs -----------------------------------------------------------------------------------------


def test_starting_prints_the_number_alone(tx: CommandLine) -> None:
    outcome = tx.ok("run:start --task 1")
    assert (outcome.out, outcome.err) == ("2\n", "Started run:2 for task:1 Cache the index.\n")
    assert tx.ok("run:start").err == "Started run:3.\n"
    shape = tx.json("run:start --task 1 --agent a")
    assert shape.keys() == RUN
    told = (shape["id"], shape["task"]["title"], shape["agent"], shape["outcome"])
    assert told == (4, "Cache the index", "a", None)


@pytest.mark.slow
def test_a_script_goes_through_a_run(program: Program) -> None:
    outcome = program.shell(
        """
        set -eu
        RUN=$(tx run:start --task GH-123)
        tx learning:add "Learned" --run "$RUN" > /dev/null
        tx run:feedback "$RUN" --helpful 1 > /dev/null
        echo "what was said" | tx run:finish "$RUN" --outcome succeeded --transcript - > /dev/null
        tx run:show "$RUN" --transcript
        """
    )
    assert (outcome.status, outcome.out) == (0, "what was said\n")


def test_finishing_says_how_it_ended_and_how_long_it_took(tx: CommandLine) -> None:
    assert tx.ok("run:finish 1 --outcome failed").out.startswith("run:1 failed after ")
    assert tx.ok("run:finish 1 --outcome failed").out == "run:1 had failed already.\n"
    assert tx.json("run:finish 1 --outcome failed")["existed"] is True
    refused = tx("run:finish 1 --outcome succeeded")
    assert (refused.status, "--again" in refused.err) == (2, True)
    shape = tx.json("run:finish 1 --outcome succeeded --again")
    assert shape.keys() == RUN | {"existed"}
    assert (shape["outcome"], shape["existed"]) == ("succeeded", False)


def test_a_transcript_is_shown_when_it_is_asked_for(tx: CommandLine, checkout: Checkout) -> None:
    without = tx.ok("run:show 1 --transcript")
    assert (without.out, without.err) == ("", "run:1 has no transcript.\n")
    checkout.write("session.log", "\x1b[31mrot\x1b[0m ü\r\n")
    tx.ok("run:finish 1 --outcome cancelled --transcript session.log")
    assert tx.ok("run:show 1 --transcript").out == "\\x1b[31mrot\\x1b[0m ü\n"
    assert tx.json("run:show 1 --transcript")["transcript"] == "\x1b[31mrot\x1b[0m ü\n"
    assert "transcript" not in tx.json("run:show 1")
    assert "rot" not in tx.ok("run:show 1").out


@pytest.mark.parametrize("source", ["-", "big.log"])
def test_a_transcript_that_is_too_long_is_refused_and_an_empty_one_is_none(
    tx: CommandLine, home: Path, source: str
) -> None:
    data = b"x" * (TRANSCRIPT_LIMIT + 1)
    (home / "big.log").write_bytes(data)
    outcome = tx(f"run:finish 1 --outcome failed --transcript {source}", stdin=data)
    assert (outcome.status, "tail -c" in outcome.err) == (2, True)
    assert tx.json("run:show 1")["outcome"] is None
    (home / "big.log").write_bytes(b"")
    empty = tx.ok(f"run:finish 1 --outcome failed --transcript {source}")
    assert empty.err == "The transcript is empty; none is kept.\n"


def test_showing_a_run_tells_what_it_had_of_learnings(tx: CommandLine) -> None:
    tx.ok("run:feedback 1 --helpful 2 --unhelpful 1")
    tx.add("Learned", "--run", "1")
    text = tx.ok("run:show 1").out
    assert text.startswith("run:1  running\n")
    for part in ("task:2 (GH-123) Repair the login", "claude", "Learnings it had", "unhelpful", "Learned from it"):
        assert part in text
    shape = tx.json("run:show 1")
    assert shape.keys() == RUN | {"used", "derived", "telemetry"}
    assert [(one["id"], one["helpful"], one["position"], one["times_shown"]) for one in shape["used"]] == [
        (1, False, None, 0),
        (2, True, None, 0),
    ]
    assert [one["content"] for one in shape["derived"]] == ["Learned"]


def test_runs_are_listed_newest_first(tx: CommandLine) -> None:
    tx.ok("run:start")
    assert [one["id"] for one in tx.json("run:list")["runs"]] == [2, 1]
    assert [one["id"] for one in tx.json("run:list --task gh-123")["runs"]] == [1]
    heading, second, first = tx.ok("run:list").out.splitlines()
    assert heading.split() == ["#", "started", "outcome", "agent", "task"]
    assert second.split()[-1] == "running"
    assert first.endswith("claude  task:2 (GH-123) Repair the login")


def test_feedback_shows_what_counts_now(tx: CommandLine) -> None:
    tx.add("Three")
    outcome = tx.ok("run:feedback 1 --helpful 3,1 --unhelpful learning:2")
    assert [line.split() for line in outcome.out.splitlines()] == [
        ["#", "vote", "feedback", "content"],
        ["3", "helpful", "0.67", "Three"],
        ["1", "helpful", "0.67", "One"],
        ["2", "unhelpful", "0.33", "Two"],
    ]
    assert outcome.err.count("was not shown in run:1; the vote counts all the same.") == 3
    assert "helpful, not unhelpful" in tx.ok("run:feedback 1 --helpful 2").out
    shape = tx.json("run:feedback 1 --unhelpful 2")
    assert shape["run"]["id"] == 1
    [vote] = shape["learnings"]
    assert (vote["id"], vote["helpful"], vote["previous"], vote["position"]) == (2, False, True, None)
    assert vote["feedback_score"] == pytest.approx(1 / 3)


@pytest.mark.parametrize(
    ("finished", "words"),
    [("12:00:00", "0 s"), ("12:00:59", "59 s"), ("12:01:59", "1 min"), ("15:20:00", "3 h 20 min"), ("11:00:00", "0 s")],
)
def test_a_duration_is_told_in_its_largest_units(finished: str, words: str) -> None:
    started = Run(id=1, node=1, started_at="2026-11-20T12:00:00Z")
    ended = replace(started, outcome=Outcome.FAILED, finished_at=f"2026-11-20T{finished}Z")
    assert (duration(started), duration(ended)) == ("", words)


# --- what agents did ------------------------------------------------------------------------------

KEY = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


def said(text: str, *, role: str = "user", days: float = 0.01, **more: object) -> str:
    moment = datetime.now(UTC) - timedelta(days=days)
    return json.dumps({"role": role, "content": text, "timestamp": moment.isoformat()} | more)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    lines = [
        said("Old", days=40),
        said(f"Use {KEY}"),
        said("boom\x1b[31m", role="tool", name="bash", is_error=True),
        "{broken",
        '{"role": "ghost"}',
        said("never ended")[:-5],
    ]
    path = tmp_path / "session.jsonl"
    path.write_text("\n".join(lines))
    return path


def test_reading_a_transcript_says_what_was_read_and_what_was_not(tx: CommandLine, session: Path) -> None:
    outcome = tx.ok(f"transcript:ingest {session}")
    assert outcome.out == "1 transcript (1 new).\n2 events, 1 secret taken out. See 'tx transcript:list'.\n"
    assert outcome.err == (
        "1 event older than 30d left out; --keep 365d keeps more.\n"
        "1 line that no format knows.\n"
        "1 line that is no JSON.\n"
        "1 last line without an end; read when there is more.\n"
    )
    assert tx.ok(f"transcript:ingest {session}").out == "1 transcript (1 unchanged).\n"


def test_reading_as_json(tx: CommandLine, session: Path, tmp_path: Path) -> None:
    packed = tmp_path / "more" / "packed.jsonl.gz"
    packed.parent.mkdir()
    packed.write_bytes(b"")
    document = tx.json(f"transcript:ingest {session} {packed.parent}")
    assert document["transcripts"] == [
        {
            "path": str(session), "reading": "new", "format": "plain", "run": 2, "lines": 5, "events": 2, "unknown": 1,
            "malformed": 1, "redacted": 1, "expired": 1, "waits": True,
        }
    ]  # fmt: skip
    assert document["skipped"] == [{"path": str(packed), "reason": "is compressed: unpack it first"}]
    assert (document["events"], document["redacted"], document["pruned"], document["keep"]) == (2, 1, 0, "30d")


def test_a_named_file_that_cannot_be_read_is_a_finding(tx: CommandLine, tmp_path: Path) -> None:
    odd = tmp_path / "there" / "x.jsonl"
    odd.parent.mkdir()
    odd.write_text("[]\n")
    outcome = tx(f"transcript:ingest {odd}")
    assert (outcome.status, outcome.out) == (1, "0 transcripts.\n")
    assert outcome.err == f"{odd} is no transcript in a known format.\n"
    assert tx.ok(f"transcript:ingest {odd.parent}").err == outcome.err


def test_what_was_read_is_listed(tx: CommandLine, session: Path) -> None:
    assert "No transcript was read yet" in tx.ok("transcript:list").err
    tx.ok(f"transcript:ingest {session}")
    listed = tx.ok("transcript:list").out.splitlines()
    assert listed[0].split() == "run format last event MB lines events failed redacted file".split()
    assert listed[1].split()[:2] == ["2", "plain"]
    (one,) = tx.json("transcript:list")["transcripts"]
    assert (one["run"], one["lines"], one["events"], one["failed"], one["redacted"]) == (2, 5, 2, 1, 1)


def test_events_are_listed_without_secrets_and_steer_no_terminal(tx: CommandLine, session: Path) -> None:
    assert "No such event is kept" in tx.ok("telemetry:list").err
    tx.ok(f"transcript:ingest {session}")
    out = tx.ok("telemetry:list").out
    assert ("Use [redacted: github-pat]" in out, "\x1b" in out) == (True, False)
    (failed,) = tx.json("telemetry:list --failed --run 2 --kind result")["events"]
    assert (failed["kind"], failed["tool"], failed["failed"], failed["text"]) == ("result", "bash", True, "boom")


def test_a_session_is_a_run_that_ended_nobody_said_how(tx: CommandLine, session: Path) -> None:
    tx.ok(f"transcript:ingest {session}")
    shown = tx.ok("run:show 2").out
    assert shown.startswith("run:2  ended\n")
    assert f"read from  {session}" in shown
    assert "2 events, 1 failed; 'tx telemetry:list --run 2' shows them" in shown
    assert tx.json("run:show 2")["telemetry"]["events"] == 2
    assert {run["id"]: run["outcome"] for run in tx.json("run:list")["runs"]} == {1: None, 2: None}
    assert "succeeded" in tx.ok("run:finish 2 --outcome succeeded").out
    assert tx.json("run:show 1")["telemetry"] is None


def test_pruning_says_how_much_is_left(tx: CommandLine, session: Path) -> None:
    tx.ok(f"transcript:ingest {session} --keep 90d")
    assert tx.json("telemetry:prune")["removed"] == 1
    assert tx.ok("telemetry:prune --keep 0h").out.startswith("Removed 2 events from before ")
    assert tx.json("telemetry:prune") | {"since": ""} == {"removed": 0, "left": 0, "since": ""}


def test_sessions_of_other_repositories_are_counted(tx: CommandLine, tmp_path: Path) -> None:
    place = tmp_path / "sessions"
    place.mkdir()
    (place / "a.jsonl").write_text(f"{said('x', cwd='/elsewhere')}\n")
    outcome = tx.ok(f"transcript:ingest {place}")
    assert outcome.out == "0 transcripts.\n"
    assert outcome.err == "1 session in other directories left out; --everywhere reads them too.\n"
    assert tx.ok(f"transcript:ingest {place} --everywhere").out.startswith("1 transcript (1 new).")
