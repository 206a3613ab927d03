"""What was called, in its plain form, and how it ended."""

from __future__ import annotations

import pytest

from tests.proposals.sessions.events import Session
from tx_graph.proposals.calls import calls_of, plain_command
from tx_graph.work.values import Event, EventKind


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("go test ./...", "go test ./..."),
        ("cd src && timeout 60 go test ./... 2>&1 | tail -20", "go test ./..."),
        ('cd "/a b" && make  test', "make test"),
        ("bash -lc 'npm test'", "npm test"),
        ("pytest -q > /dev/null; echo $?", "pytest -q"),
        ("make test || true", "make test"),
        ("cat <<EOF\nx\nEOF", ""),
        ("x" * 400, ""),
        ("| head", "| head"),
        ("", ""),
    ],
)
def test_what_only_serves_to_watch_is_no_part_of_a_command(typed: str, plain: str) -> None:
    assert plain_command(typed) == plain


def test_calls_are_tied_to_their_results() -> None:
    failed, edited = Session().run("make", failed="boom").edit("a.py").calls
    assert (failed.command, failed.failed, failed.output) == ("make", True, "boom")
    assert (edited.command, edited.edits, edited.paths) == ("", True, ("a.py",))


def test_a_call_without_a_result_and_a_result_without_a_call_are_passed_over() -> None:
    events = [
        Event(kind=EventKind.CALL, text="make", line=1, tool="Bash", call="1"),
        Event(kind=EventKind.RESULT, text="x", line=2, call="2"),
        Event(kind=EventKind.RESULT, text="x", line=3),
        Event(kind=EventKind.CALL, text="{broken", line=4, tool="Bash"),
    ]
    assert list(calls_of(events)) == []
