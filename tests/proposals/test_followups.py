"""Fixes after fixes."""

from __future__ import annotations

from tests.proposals.messages import message
from tx_graph.proposals.commits import follow_ups, judge_follow_up

FIRST = message("Fix the retry loop", name="b", day=0)


def pairs(*newest_first: object) -> list[tuple[str, str, bool]]:
    found = follow_ups(newest_first)  # type: ignore[arg-type]
    return [(one.fix.subject, one.earlier.subject, one.is_certain) for one in found]


def test_a_fix_that_names_an_earlier_commit_mends_it() -> None:
    for line in (f"Fixes: {'b' * 12}", f"Follow-up to {'b' * 9}", f"This regression was introduced in {'b' * 40}."):
        second = message(f"Stop after three\n\n{line}", day=90)
        assert pairs(second, FIRST) == [("Stop after three", "Fix the retry loop", True)], line


def test_a_commit_that_is_only_mentioned_is_not_mended() -> None:
    second = message(f"Stop after three\n\nThe option was introduced in {'b' * 12}, like others.", day=90)
    assert pairs(second, FIRST) == []


def test_two_fixes_of_one_file_soon_after_each_other_may_be_one_story() -> None:
    assert pairs(message("Fix the retry loop again", day=5), FIRST) == [
        ("Fix the retry loop again", "Fix the retry loop", False)
    ]
    assert pairs(message("Fix the retry loop again", day=50), FIRST) == []
    assert pairs(message("Fix the other thing", day=5, paths=["src/b.py"]), FIRST) == []
    assert pairs(message("Add retries", day=5), FIRST) == []
    assert pairs(message("Fix the retry loop", day=5), FIRST) == []  # the same once more, as on another branch


def test_it_says_what_it_mends() -> None:
    text = f"Stop retrying after three attempts\n\nOtherwise a dead server is asked for ever.\n\nFixes: {'b' * 12}"
    (found,) = follow_ups([message(text, day=5), FIRST])
    judged = judge_follow_up(found)
    assert judged is not None
    assert judged.content == (
        "Stop retrying after three attempts\n\nOtherwise a dead server is asked for ever.\n\n"
        "It mends “Fix the retry loop” (bbbbbbbbbbbb)."
    )
    assert judged.category == "pitfall"
    assert judged.reasons[0].name == "follow-up fix"
