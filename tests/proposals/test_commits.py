"""Which commits explain and how sure that is, fixes after fixes, and what was taken back, and why."""

from __future__ import annotations

import pytest

from tests.proposals.told import message, sure
from tx_graph.history.commits import CommitMessage
from tx_graph.proposals.commits import (
    LEAST,
    SUREST,
    came_back,
    discounted,
    follow_ups,
    judge,
    judge_follow_up,
    judge_revert,
    reverted,
    taken_back,
    told,
)

WHY = (
    "The lock is taken before the file is opened, because two writers that open it at the same time "
    "would otherwise both see an empty file and overwrite each other's first record."
)
BODY = f"\n\n{WHY}\n"


def test_a_body_that_gives_a_reason_explains() -> None:
    judged = sure(judge(message(f"Take the lock first (#12){BODY}")))
    assert judged.content == f"Take the lock first\n\n{WHY}"
    assert [reason.name for reason in judged.reasons] == ["because", "otherwise"]
    assert LEAST <= judged.confidence <= SUREST
    assert judged.category == "rationale"


@pytest.mark.parametrize("text", [
    "Take the lock first", "Take the lock first\n\nbecause it is better",
    "Add a lock\n\n" + "It adds a lock and a file and a test and a page and some more words to read. " * 3,
    "Add a lock\n\n* take the lock, because of races\n* write the file, otherwise it is empty\n* add a test",
], ids=["no body", "too short", "no reason", "a list, as a squashed merge leaves it"])  # fmt: skip
def test_what_does_not_explain_is_nothing(text: str) -> None:
    assert judge(message(text)) is None


@pytest.mark.parametrize(("subject", "expected"), [
    *((subject, False) for subject in (
        "Merge branch 'main' into topic", "Bump urllib3 from 1.0 to 2.0", "build(deps): bump actions/checkout",
        "Release v1.2.3", "v1.2.3", "chore: prepare for release", "Update dependencies",
        "build(npm): updates external dependencies", "Fix typo in page", "Update CHANGELOG", "Fix trailing whitespace",
        "l10n: de.po: update",
    )),
    *((subject, True) for subject in (
        "Release the lock before waiting", "Handle white space in paths",
        "Fix the parser's treatment of comments in tables", "Do not lose a missing author",
        "Fix regression in v2.3.1", "Process records in one batch",
    )),
])  # fmt: skip
def test_routine_is_passed_over_and_code_that_sounds_like_it_is_not(subject: str, *, expected: bool) -> None:
    assert (judge(message(subject + BODY)) is not None) is expected


@pytest.mark.parametrize("author", ["dependabot[bot]", "renovate-bot", "pre-commit-ci"])
def test_machines_are_passed_over(author: str) -> None:
    assert judge(message(f"Take the lock first{BODY}", author=author)) is None


def test_a_body_that_begins_with_the_subject_says_it_once_and_a_cut_one_is_joined_again() -> None:
    judged = sure(judge(message(f"Take the lock first (#3)\n\nTake the lock first (#2){BODY}")))
    assert judged.content == f"Take the lock first\n\n{WHY}"
    cut = told(message("Take the lock before the file …\n\n… is opened\n\nWhy."))
    assert cut.subject == "Take the lock before the file is opened"


@pytest.mark.parametrize("weaker", [
    message(f"docs: take the lock first{BODY}"), message(f"Take the lock first{BODY}", paths=["tests/test_lock.py"]),
    message(f"Take the lock first{BODY}", paths=[f"src/{number}.py" for number in range(40)]),
    message(f"Take the lock first{BODY}\nThe next commit will use it.\n"),
    message(f"Take the lock first{BODY}" + "\n* one\n\nSome words.\n" * 4),
], ids=["by its subject", "tests", "many files", "a part of a story", "a squashed merge"])  # fmt: skip
def test_what_is_less_about_code_is_less_sure(weaker: object) -> None:
    plain = sure(judge(message(f"Take the lock first{BODY}")))
    judged = judge(weaker)  # type: ignore[arg-type]
    assert judged is None or judged.confidence < plain.confidence


def test_more_reasons_make_surer_but_never_sure_and_code_rewritten_since_less_sure() -> None:
    few = sure(judge(message(f"Take the lock first{BODY}")))
    reasons = (
        "This is a regression, which led to data loss: the root cause was a deadlock. It must not be taken later, "
        "instead of which a workaround kept it deliberately. However, previously it could only work so that nothing "
        "leaked.\n"
    )
    many = sure(judge(message(f"Fix a race{BODY}\n{reasons}")))
    assert few.confidence < many.confidence <= SUREST
    assert sure(discounted(few)).confidence < few.confidence


def test_nothing_in_a_message_can_steer_a_terminal() -> None:
    judged = sure(judge(message(f"Take\x1b[2J the lock\u202e first{BODY}")))
    assert judged.content.startswith("Take[2J the lock first\n")


FIRST = message("Fix the retry loop", name="b", day=0)


def pairs(*newest_first: object) -> list[tuple[str, str, bool]]:
    found = follow_ups(newest_first)  # type: ignore[arg-type]
    return [(one.fix.subject, one.earlier.subject, one.is_certain) for one in found]


@pytest.mark.parametrize(("line", "mends"), [
    (f"Fixes: {'b' * 12}", True), (f"Follow-up to {'b' * 9}", True),
    (f"This regression was introduced in {'b' * 40}.", True),
    (f"The option was introduced in {'b' * 12}, like others.", False),
])  # fmt: skip
def test_a_fix_that_names_an_earlier_commit_mends_it_and_to_mention_it_does_not(line: str, *, mends: bool) -> None:
    second = message(f"Stop after three\n\n{line}", day=90)
    assert pairs(second, FIRST) == [("Stop after three", "Fix the retry loop", True)] * mends


@pytest.mark.parametrize(("second", "is_one"), [
    (message("Fix the retry loop again", day=5), True),
    (message("Fix the retry loop again", day=50), False),
    (message("Fix the other thing", day=5, paths=["src/b.py"]), False),
    (message("Add retries", day=5), False),
    (message("Fix the retry loop", day=5), False),
], ids=["soon", "late", "another file", "no fix", "the same once more, as on another branch"])  # fmt: skip
def test_two_fixes_of_one_file_soon_after_each_other_may_be_one_story(second: CommitMessage, *, is_one: bool) -> None:
    assert pairs(second, FIRST) == [("Fix the retry loop again", "Fix the retry loop", False)] * is_one


def test_it_says_what_it_mends() -> None:
    text = f"Stop retrying after three attempts\n\nOtherwise a dead server is asked for ever.\n\nFixes: {'b' * 12}"
    (found,) = follow_ups([message(text, day=5), FIRST])
    judged = sure(judge_follow_up(found))
    assert judged.content == (
        "Stop retrying after three attempts\n\nOtherwise a dead server is asked for ever.\n\n"
        "It mends “Fix the retry loop” (bbbbbbbbbbbb)."
    )
    assert judged.category == "pitfall"
    assert judged.reasons[0].name == "follow-up fix"


NAME = "b" * 40
BROKE = "It broke every proxy that requires authentication, because the header was sent too early."
REVERT = f'Revert "Send the header first"\n\nThis reverts commit {NAME}.\n\n{BROKE}\n'
SENT = message("Send the header first", name="b", day=0)


def test_a_revert_says_what_was_tried_and_why_it_was_taken_back() -> None:
    judged = sure(judge_revert(message(REVERT, day=3), returned=frozenset()))
    assert judged.content == f"Reverted: Send the header first\n\n{BROKE}"
    assert judged.category == "pitfall"
    assert [reason.name for reason in judged.reasons][:2] == ["revert", "says why"]


@pytest.mark.parametrize(("text", "subject"), [
    (f"Revert “Send the header first”\n\n{BROKE}", "Send the header first"),
    (f"revert: Send the header first\n\nThis reverts commit {NAME}.", "Send the header first"),
    (f'fix(http): revert "Send the header first" (#7)\n\n{BROKE}', "Send the header first"),
    (f"Reverted: Send the header first\n\nreverts {NAME[:10]}", "Send the header first"),
    (f"Revert to the old icons\n\n{BROKE}", None),
])  # fmt: skip
def test_reverts_are_understood_in_all_forms_and_going_back_is_none(text: str, subject: str | None) -> None:
    taken = reverted(message(text))
    assert (taken.subject if taken else None) == subject


def test_what_git_writes_of_itself_is_left_out() -> None:
    why = "because it broke every proxy that we have."
    text = f'Revert "Use f()"\n\nThis reverts commit {NAME[:10]} (Use f(), 2024-01-01), {why}'
    judged = sure(judge_revert(message(text), returned=frozenset()))
    assert judged.content == "Reverted: Use f()\n\nBecause it broke every proxy that we have."


def test_without_a_reason_it_tells_how_long_it_stood() -> None:
    bare = message(f'Revert "Send the header first"\n\nThis reverts commit {NAME}.\n', day=3)
    judged = sure(judge_revert(bare, returned=frozenset(), earlier=SENT))
    assert judged.content == (
        "Reverted: Send the header first\n\nWhy it was reverted was not recorded. It had stood for 3 days."
    )
    with_reason = sure(judge_revert(message(REVERT, day=3), returned=frozenset(), earlier=SENT))
    assert judged.confidence < with_reason.confidence


def test_a_slip_that_was_taken_back_at_once_teaches_nothing() -> None:
    bare = message(f'Revert "Send the header first"\n\nThis reverts commit {NAME}.\n', day=0)
    assert judge_revert(bare, returned=frozenset(), earlier=SENT) is None


def test_what_came_again_was_no_mistake() -> None:
    again = message('Reapply "Send the header first"\n', name="c", day=5)
    twice = message(f'Revert "Revert "Send the header first""\n\nThis reverts commit {"d" * 40}.', name="c", day=5)
    for back in (again, twice):
        returned = came_back([back, message(REVERT, day=3), SENT])
        assert returned == {"send the header first"}
        assert judge_revert(message(REVERT, day=3), returned=returned) is None
        assert taken_back([back, message(REVERT, day=3), SENT], returned=returned) == frozenset()


def test_what_was_taken_back_explains_nothing_any_more() -> None:
    assert taken_back([message(REVERT, day=3), SENT], returned=frozenset()) == {SENT.sha}
    by_subject = message(f'Revert "Send the header first"\n\n{BROKE}', day=3)
    assert taken_back([by_subject, SENT], returned=frozenset()) == {SENT.sha}


def test_a_revert_of_routine_is_routine() -> None:
    bump = f'Revert "Bump urllib3 from 1.0 to 2.0"\n\n{BROKE}'
    assert judge_revert(message(bump), returned=frozenset()) is None
