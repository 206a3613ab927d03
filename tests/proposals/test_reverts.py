"""What was taken back, and why."""

from __future__ import annotations

from tests.proposals.messages import message
from tx_graph.proposals.commits import came_back, judge_revert, reverted, taken_back

NAME = "b" * 40
WHY = "It broke every proxy that requires authentication, because the header was sent too early."
REVERT = f'Revert "Send the header first"\n\nThis reverts commit {NAME}.\n\n{WHY}\n'
SENT = message("Send the header first", name="b", day=0)


def test_a_revert_says_what_was_tried_and_why_it_was_taken_back() -> None:
    judged = judge_revert(message(REVERT, day=3), returned=frozenset())
    assert judged is not None
    assert judged.content == f"Reverted: Send the header first\n\n{WHY}"
    assert judged.category == "pitfall"
    assert [reason.name for reason in judged.reasons][:2] == ["revert", "says why"]


def test_other_forms_are_understood() -> None:
    for text in (
        f"Revert “Send the header first”\n\n{WHY}",
        f"revert: Send the header first\n\nThis reverts commit {NAME}.",
        f'fix(http): revert "Send the header first" (#7)\n\n{WHY}',
        f"Reverted: Send the header first\n\nreverts {NAME[:10]}",
    ):
        taken = reverted(message(text))
        assert taken is not None, text
        assert taken.subject == "Send the header first"


def test_what_git_writes_of_itself_is_left_out() -> None:
    why = "because it broke every proxy that we have."
    text = f'Revert "Use f()"\n\nThis reverts commit {NAME[:10]} (Use f(), 2024-01-01), {why}'
    judged = judge_revert(message(text), returned=frozenset())
    assert judged is not None
    assert judged.content == "Reverted: Use f()\n\nBecause it broke every proxy that we have."


def test_going_back_to_something_is_no_revert() -> None:
    assert reverted(message(f"Revert to the old icons\n\n{WHY}")) is None


def test_without_a_reason_it_tells_how_long_it_stood() -> None:
    bare = message(f'Revert "Send the header first"\n\nThis reverts commit {NAME}.\n', day=3)
    judged = judge_revert(bare, returned=frozenset(), earlier=SENT)
    assert judged is not None
    assert judged.content == (
        "Reverted: Send the header first\n\nWhy it was reverted was not recorded. It had stood for 3 days."
    )
    with_reason = judge_revert(message(REVERT, day=3), returned=frozenset(), earlier=SENT)
    assert with_reason is not None
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
    by_subject = message(f'Revert "Send the header first"\n\n{WHY}', day=3)
    assert taken_back([by_subject, SENT], returned=frozenset()) == {SENT.sha}


def test_a_revert_of_routine_is_routine() -> None:
    bump = f'Revert "Bump urllib3 from 1.0 to 2.0"\n\n{WHY}'
    assert judge_revert(message(bump), returned=frozenset()) is None
