"""Transcripts on the command line: what is said of what was read, what was not, and what is kept."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

KEY = "ghp_aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0eF3hJ6"


def said(text: str, *, role: str = "user", days: float = 0.01, **more: object) -> str:
    moment = datetime.now(UTC) - timedelta(days=days)
    return json.dumps({"role": role, "content": text, "timestamp": moment.isoformat()} | more)


@pytest.fixture
def session(tmp_path: Path) -> Path:
    path = tmp_path / "session.jsonl"
    path.write_text(
        "\n".join(
            [
                said("Old", days=40),
                said(f"Use {KEY}"),
                said("boom\x1b[31m", role="tool", name="bash", is_error=True),
                "{broken",
                '{"role": "ghost"}',
                said("never ended")[:-5],
            ]
        )
    )
    return path


def test_reading_a_transcript_says_what_was_read_and_what_was_not(tx: CommandLine, session: Path) -> None:
    outcome = tx.ok("transcript:ingest", str(session))
    assert outcome.out == "1 transcript (1 new).\n2 events, 1 secret taken out. See 'tx transcript:list'.\n"
    assert outcome.err == (
        "1 event older than 30d left out; --keep 365d keeps more.\n"
        "1 line that no format knows.\n"
        "1 line that is no JSON.\n"
        "1 last line without an end; read when there is more.\n"
    )
    assert tx.ok("transcript:ingest", str(session)).out == "1 transcript (1 unchanged).\n"


def test_reading_as_json(tx: CommandLine, session: Path, tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "packed.jsonl.gz").write_bytes(b"")
    document = tx.json("transcript:ingest", str(session), str(tmp_path / "more"))
    (one,) = document["transcripts"]
    assert one == {
        "path": str(session),
        "reading": "new",
        "format": "plain",
        "run": 1,
        "lines": 5,
        "events": 2,
        "unknown": 1,
        "malformed": 1,
        "redacted": 1,
        "expired": 1,
        "waits": True,
    }
    assert document["skipped"] == [
        {"path": str(tmp_path / "more" / "packed.jsonl.gz"), "reason": "is compressed: unpack it first"}
    ]
    assert (document["events"], document["redacted"], document["pruned"], document["keep"]) == (2, 1, 0, "30d")


def test_a_named_file_that_cannot_be_read_is_a_finding(tx: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("[]\n")
    outcome = tx("transcript:ingest", str(tmp_path / "x.jsonl"))
    assert (outcome.status, outcome.out) == (1, "0 transcripts.\n")
    assert outcome.err == f"{tmp_path / 'x.jsonl'} is no transcript in a known format.\n"
    assert tx.ok("transcript:ingest", str(tmp_path)).err == outcome.err
    assert tx("transcript:ingest", "nowhere").status == 3
    assert tx("transcript:ingest").status == 2
    assert tx("transcript:ingest", str(tmp_path), "--format", "word").status == 2


def test_what_was_read_is_listed(tx: CommandLine, session: Path) -> None:
    assert "No transcript was read yet" in tx.ok("transcript:list").err
    tx.ok("transcript:ingest", str(session))
    listed = tx.ok("transcript:list").out.splitlines()
    assert listed[0].split() == "run format last event MB lines events failed redacted file".split()
    assert listed[1].split()[:2] == ["1", "plain"]
    (one,) = tx.json("transcript:list")["transcripts"]
    assert (one["run"], one["lines"], one["events"], one["failed"], one["redacted"]) == (1, 5, 2, 1, 1)


def test_events_are_listed_without_secrets_and_steer_no_terminal(tx: CommandLine, session: Path) -> None:
    assert "No such event is kept" in tx.ok("telemetry:list").err
    tx.ok("transcript:ingest", str(session))
    out = tx.ok("telemetry:list").out
    assert "Use [redacted: github-pat]" in out
    assert "\x1b" not in out
    (failed,) = tx.json("telemetry:list", "--failed", "--run", "1", "--kind", "result")["events"]
    assert (failed["kind"], failed["tool"], failed["failed"], failed["text"]) == ("result", "bash", True, "boom")


def test_a_session_is_a_run_that_ended_nobody_said_how(tx: CommandLine, session: Path) -> None:
    tx.ok("transcript:ingest", str(session))
    shown = tx.ok("run:show", "1").out
    assert shown.startswith("run:1  ended\n")
    assert f"read from  {session}" in shown
    assert "2 events, 1 failed; 'tx telemetry:list --run 1' shows them" in shown
    assert tx.json("run:show", "1")["telemetry"]["events"] == 2
    assert tx.json("run:list")["runs"][0]["outcome"] is None
    assert "succeeded" in tx.ok("run:finish", "1", "--outcome", "succeeded").out
    tx.ok("run:start")
    assert tx.ok("run:show", "2").out.startswith("run:2  running\n")
    assert tx.json("run:show", "2")["telemetry"] is None


def test_pruning_says_how_much_is_left(tx: CommandLine, session: Path) -> None:
    tx.ok("transcript:ingest", str(session), "--keep", "90d")
    assert tx.json("telemetry:prune")["removed"] == 1
    assert tx.ok("telemetry:prune", "--keep", "0h").out.startswith("Removed 2 events from before ")
    assert tx.json("telemetry:prune") | {"since": ""} == {"removed": 0, "left": 0, "since": ""}
    assert tx("telemetry:prune", "--keep", "soon").status == 2


def test_the_setting_says_how_long_events_are_kept(tx: CommandLine, session: Path) -> None:
    tx.ok("config", "set", "telemetry.keep", "90d")
    assert tx.json("transcript:ingest", str(session))["events"] == 3
    refused = tx("config", "set", "telemetry.keep", "never")
    assert (refused.status, "'never' is no length of time" in refused.err) == (2, True)
    assert tx.ok("telemetry:prune").status == 0


def test_sessions_of_other_repositories_are_counted(tx: CommandLine, tmp_path: Path) -> None:
    place = tmp_path / "sessions"
    place.mkdir()
    (place / "a.jsonl").write_text(f"{said('x', cwd='/elsewhere')}\n")
    outcome = tx.ok("transcript:ingest", str(place))
    assert outcome.out == "0 transcripts.\n"
    assert outcome.err == "1 session in other directories left out; --everywhere reads them too.\n"
    assert tx.ok("transcript:ingest", str(place), "--everywhere").out.startswith("1 transcript (1 new).")
