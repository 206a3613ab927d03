"""Commands that come again and again."""

from __future__ import annotations

import pytest

from tests.proposals.sessions.events import Session
from tx_graph.proposals.calls import purpose_of
from tx_graph.proposals.lessons import Habits
from tx_graph.proposals.speech import Lesson


def habits(*sessions: Session) -> list[Lesson]:
    counting = Habits()
    for number, session in enumerate(sessions):
        counting.count(number, session.calls)
    return [lesson for lesson, _ in counting.lessons()]


@pytest.mark.parametrize(
    ("command", "doing"),
    [
        ("mise run test:integration", "run the integration tests"),
        ("npm test", "run the tests"),
        ("pnpm run build", "build"),
        ("make -j8 lint", "lint"),
        ("uv run pytest -q", "run the tests"),
        ("python -m pytest", "run the tests"),
        ("cargo clippy --all", "lint"),
        ("go build ./...", "build"),
        ("npx tsc --noEmit", "check the types"),
        ("./scripts/run_tests.sh", "run the tests"),
        ("bash scripts/build.sh", "build"),
    ],
)
def test_what_builds_tests_and_checks_is_known(command: str, doing: str) -> None:
    purpose = purpose_of(command)
    assert purpose is not None
    assert purpose.doing == doing


@pytest.mark.parametrize(
    "command",
    [
        "ls -la", "cd src", "git status", "git commit -m test", "cat Makefile", "echo test", "rg test", "npm install",
        "pytest tests/test_a.py", "pytest -k login", "pytest a.py::test_b", "go test -run TestX ./pkg",
        "make test && rm -rf /", "pytest > out", "cargo test /tmp/x", "testing", "make", "npm run dev", "",
    ],
)  # fmt: skip
def test_other_commands_and_single_tests_are_not(command: str) -> None:
    assert purpose_of(command) is None


def test_three_sessions_make_a_habit_and_two_do_not() -> None:
    session = Session().run("make test 2>&1 | tail -5")
    assert habits(session, session) == []
    (lesson,) = habits(session, session, session)
    assert lesson.content == "To run the tests: `make test` (3 times in 3 sessions; 3 ended well)"
    assert lesson.patterns == ("Makefile", "makefile", "GNUmakefile")


def test_many_times_in_one_session_do_too() -> None:
    session = Session()
    for _ in range(8):
        session.run("cargo test")
    assert "8 times in 1 session;" in habits(session)[0].content


def test_what_mostly_fails_is_no_recommendation() -> None:
    session = Session().run("npm test", failed="boom")
    assert habits(session, session, session) == []


def test_commands_that_run_one_after_the_other_count_each() -> None:
    session = Session().run("make fmt && make lint")
    assert [lesson.said for lesson in habits(session, session, session)] == ["make fmt", "make lint"]
    failed = Session().run("make fmt && make lint", failed="boom")
    assert habits(failed, failed, failed) == []


def test_variants_and_detours_are_left_out() -> None:
    often = [Session().run("go test ./...") for _ in range(40)]
    variants = [Session().run("go test ./cmd/...") for _ in range(5)]
    detours = [Session().run("make test") for _ in range(3)]
    assert [lesson.said for lesson in habits(*often, *variants, *detours)] == ["go test ./..."]


def test_what_is_used_more_is_surer_and_the_same_whatever_the_counts() -> None:
    session = Session().run("make test")
    few, many = habits(*[session] * 3)[0], habits(*[session] * 9)[0]
    assert few.confidence < many.confidence < 1
    assert few.identity == many.identity
