"""learning:propose, learning:promote and learning:reject on the command line."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.faces.cli.terminal import CommandLine

WHY = {
    "lock": "The lock is taken first, because two writers would otherwise overwrite each other's first record.",
    "queue": "Waiting is bounded, because one dead worker blocks every job behind it for hours otherwise, unseen.",
}


@pytest.fixture
def full(tx: CommandLine, home: Path) -> CommandLine:
    """A workspace in which two commits explain something."""
    for name, why in WHY.items():
        (home / "src" / f"{name}.py").write_text(f"def {name}():\n    return 'nothing at all'\n", encoding="utf-8")
        subprocess.run(["git", "add", "--all"], cwd=home, check=True)
        subprocess.run(["git", "commit", "--quiet", "-m", f"Take the {name} first\n\n{why}"], cwd=home, check=True)
    return tx


def test_proposals_are_shown_with_their_reasons_and_what_to_do_next(full: CommandLine) -> None:
    outcome = full.ok("learning:propose")
    assert "learning:1  " in outcome.out
    assert "Take the lock first" in outcome.out
    assert "reasons: because, otherwise" in outcome.out
    assert "2 proposals. 2 staged learnings, hidden from search until promoted" in outcome.err


def test_a_second_time_there_is_nothing_new(full: CommandLine) -> None:
    full.ok("learning:propose")
    assert full.ok("learning:propose").err.startswith("Nothing new to propose. 2 had been proposed before.")


def test_the_document_has_learnings_with_their_reasons(full: CommandLine) -> None:
    looked = full.json("learning:propose", "--dry-run", "-n", "1")
    assert (looked["dry_run"], looked["more"], looked["staged"], len(looked["proposals"])) == (True, 1, 0, 1)
    assert "id" not in looked["proposals"][0]
    document = full.json("learning:propose", "--from", "commits")
    assert document.keys() == {
        "proposals", "more", "known", "staged", "dry_run", "notices", "recognised", "dropped", "model",
    }  # fmt: skip
    one = document["proposals"][0]
    assert (one["status"], one["category"], one["reasons"]) == ("staged", "rationale", ["because", "otherwise"])
    assert one["source_type"] == "commit"
    assert one["source_ref"].startswith("commit:")
    assert 0 < one["confidence"] < 1


def test_looking_writes_nothing(full: CommandLine) -> None:
    outcome = full.ok("learning:propose", "--dry-run")
    assert "2 proposals; nothing was written." in outcome.err
    assert full.json("learning:list", "--status", "staged") == {"learnings": []}


def test_the_list_says_that_staged_ones_are_left_out(full: CommandLine) -> None:
    full.ok("learning:propose")
    assert full.ok("learning:list").err.endswith("2 staged learnings left out; see --status staged.\n")
    assert len(full.json("learning:list", "--status", "staged")["learnings"]) == 2
    assert "2 staged" in full.ok("status").out


def test_promoting_and_rejecting(full: CommandLine) -> None:
    full.ok("learning:propose")
    assert full.ok("learning:promote", "1").out == "Promoted learning:1.\n"
    assert full.ok("learning:reject", "2", "--reason", "obvious").out == "Rejected learning:2.\n"
    assert [one["id"] for one in full.json("learning:list")["learnings"]] == [1]
    (rejected,) = full.json("learning:list", "--removed")["learnings"]
    assert (rejected["status"], rejected["removal_reason"]) == ("staged", "obvious")
    assert "obvious" in full.ok("learning:show", "2").out
    full.ok("learning:remove", "2", "--restore")
    assert full.json("learning:promote", "2")["learnings"][0]["status"] == "active"


def test_all_are_promoted_only_when_somebody_agrees(full: CommandLine) -> None:
    full.ok("learning:propose")
    refused = full("learning:promote", "--all")
    assert (refused.status, "2 staged learnings would be promoted" in refused.err) == (2, True)
    assert full.ok("learning:promote", "--all", "--yes").out == "Promoted learning:1, learning:2.\n"
    assert full.ok("learning:promote", "--all", "--yes").err == "No learning is staged.\n"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["learning:promote"], 2, "Which learnings?"),
        (["learning:reject"], 2, "Which learnings?"),
        (["learning:promote", "1", "--all"], 2, "exclude each other"),
        (["learning:promote", "99"], 3, "99"),
        (["learning:propose", "--from", "rumours"], 2, "'rumours' is nothing to propose from"),
        (["learning:propose", "--since", "once"], 2, "as a date"),
        (["learning:propose", "-n", "0"], 2, "limit"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(
    full: CommandLine, arguments: list[str], status: int, message: str
) -> None:
    outcome = full(*arguments)
    assert outcome.status == status
    assert message in outcome.err
    assert "Traceback" not in outcome.err


def test_what_is_not_staged_cannot_be_reviewed(full: CommandLine) -> None:
    ref = full.add("Confirmed")
    outcome = full("learning:promote", ref)
    assert (outcome.status, f"{ref} is active; nothing was changed" in outcome.err) == (2, True)
