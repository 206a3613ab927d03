"""Which commit messages explain, and how sure that is."""

from __future__ import annotations

import pytest

from tests.proposals.messages import message
from tx_graph.proposals.commits import LEAST, SUREST, discounted, judge, told

WHY = (
    "The lock is taken before the file is opened, because two writers that open it at the same time "
    "would otherwise both see an empty file and overwrite each other's first record."
)
BODY = f"\n\n{WHY}\n"


def test_a_body_that_gives_a_reason_explains() -> None:
    judged = judge(message(f"Take the lock first (#12){BODY}"))
    assert judged is not None
    assert judged.content == f"Take the lock first\n\n{WHY}"
    assert [reason.name for reason in judged.reasons] == ["because", "otherwise"]
    assert LEAST <= judged.confidence <= SUREST
    assert judged.category == "rationale"


@pytest.mark.parametrize(
    "text",
    [
        "Take the lock first",
        "Take the lock first\n\nbecause it is better",
        "Add a lock\n\n" + "It adds a lock and a file and a test and a page and some more words to read. " * 3,
        "Add a lock\n\n* take the lock, because of races\n* write the file, otherwise it is empty\n* add a test",
    ],
    ids=["no body", "too short", "no reason", "a list, as a squashed merge leaves it"],
)
def test_what_does_not_explain_is_nothing(text: str) -> None:
    assert judge(message(text)) is None


@pytest.mark.parametrize(
    "subject",
    [
        "Merge branch 'main' into topic",
        "Bump urllib3 from 1.0 to 2.0",
        "build(deps): bump actions/checkout",
        "Release v1.2.3",
        "v1.2.3",
        "chore: prepare for release",
        "Update dependencies",
        "build(npm): updates external dependencies",
        "Fix typo in page",
        "Update CHANGELOG",
        "Fix trailing whitespace",
        "l10n: de.po: update",
    ],
)
def test_routine_is_passed_over(subject: str) -> None:
    assert judge(message(subject + BODY)) is None


@pytest.mark.parametrize(
    "subject",
    [
        "Release the lock before waiting",
        "Handle white space in paths",
        "Fix the parser's treatment of comments in tables",
        "Do not lose a missing author",
        "Fix regression in v2.3.1",
        "Process records in one batch",
    ],
)
def test_code_that_sounds_like_routine_is_not(subject: str) -> None:
    assert judge(message(subject + BODY)) is not None


@pytest.mark.parametrize("author", ["dependabot[bot]", "renovate-bot", "pre-commit-ci"])
def test_machines_are_passed_over(author: str) -> None:
    assert judge(message(f"Take the lock first{BODY}", author=author)) is None


def test_a_body_that_begins_with_the_subject_says_it_once() -> None:
    judged = judge(message(f"Take the lock first (#3)\n\nTake the lock first (#2){BODY}"))
    assert judged is not None
    assert judged.content == f"Take the lock first\n\n{WHY}"


def test_a_subject_that_a_forge_cut_is_joined_again() -> None:
    assert told(message("Take the lock before the file …\n\n… is opened\n\nWhy.")).subject == (
        "Take the lock before the file  is opened".replace("  ", " ")
    )


@pytest.mark.parametrize(
    "weaker",
    [
        message(f"docs: take the lock first{BODY}"),
        message(f"Take the lock first{BODY}", paths=["tests/test_lock.py"]),
        message(f"Take the lock first{BODY}", paths=[f"src/{number}.py" for number in range(40)]),
        message(f"Take the lock first{BODY}\nThe next commit will use it.\n"),
        message(f"Take the lock first{BODY}" + "\n* one\n\nSome words.\n" * 4),
    ],
    ids=["by its subject", "tests", "many files", "a part of a story", "a squashed merge"],
)
def test_what_is_less_about_code_is_less_sure(weaker: object) -> None:
    plain = judge(message(f"Take the lock first{BODY}"))
    judged = judge(weaker)  # type: ignore[arg-type]
    assert plain is not None
    assert judged is None or judged.confidence < plain.confidence


def test_more_reasons_make_surer_but_never_sure() -> None:
    few = judge(message(f"Take the lock first{BODY}"))
    many = judge(
        message(
            f"Fix a race{BODY}\nThis is a regression, which led to data loss: the root cause was a deadlock. "
            "It must not be taken later, instead of which a workaround kept it deliberately. However, previously "
            "it could only work so that nothing leaked.\n"
        )
    )
    assert few is not None
    assert many is not None
    assert few.confidence < many.confidence <= SUREST


def test_code_that_was_rewritten_since_makes_a_reason_less_sure() -> None:
    judged = judge(message(f"Take the lock first{BODY}"))
    assert judged is not None
    less = discounted(judged)
    assert less is not None
    assert less.confidence < judged.confidence


def test_nothing_in_a_message_can_steer_a_terminal() -> None:
    judged = judge(message(f"Take\x1b[2J the lock\u202e first{BODY}"))
    assert judged is not None
    assert judged.content.startswith("Take[2J the lock first\n")
