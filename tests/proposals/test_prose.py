"""Texts as paragraphs: what people wrote for people, and when two of them may say the same."""

from __future__ import annotations

import pytest

from tx_graph.proposals.prose import ROOM, brief, clean, code_names, may_be_same, paragraphs


def pieces(text: str) -> list[tuple[str, str]]:
    return [(one.kind.name, one.text) for one in paragraphs(clean(text))]


@pytest.mark.parametrize(("text", "expected"), [
    ("One sentence over\ntwo lines.\n\nAnother\tone.", [
        ("PROSE", "One sentence over two lines."), ("PROSE", "Another one."),
    ]),
    ("Why.\n\nAcked-by: Ada\n and Bob\n", [("PROSE", "Why.")]),
    ("It does this:\n- one\n  and more\n- two\n\n    x = 1\n    y = 2\n\n```\ncode\n\nmore\n```\nAfter.", [
        ("PROSE", "It does this:"), ("LIST", "- one and more\n- two"), ("CODE", "    x = 1\n    y = 2"),
        ("CODE", "```\ncode\n\nmore\n```"), ("PROSE", "After."),
    ]),
    ("## Why\n\nIt leaked.\n> says Bob\n\n<!-- fill in -->", [("HEADING", "Why"), ("PROSE", "It leaked.")]),
    ("It failed:\n\nTraceback:\n  File x\n  raise y\nValueError", [
        ("HEADING", "It failed"), ("CODE", "Traceback:\n  File x\n  raise y\nValueError"),
    ]),
    ("* only\n* a list", [("LIST", "* only\n* a list")]),
    ("", []),
], ids=["wrapped lines", "trailer", "lists and code", "a form", "a traceback", "a list alone", "nothing"])  # fmt: skip
def test_a_text_is_its_paragraphs_without_what_is_not_for_people(text: str, expected: list[tuple[str, str]]) -> None:
    assert pieces(text) == expected


@pytest.mark.parametrize("line", [
    "Signed-off-by: Ada <ada@example.org>", "Co-authored-by: Bob <bob@example.org>", "Change-Id: I0123456789abcdef",
    "Reviewed-by: Ada", "Closes #12", "Fixes: https://example.org/bug/1", "Refs GH-7", "See also #33",
    "Follow-up to 0123456789ab", "(cherry picked from commit 0123456789ab)",
    "git-svn-id: https://example.org/trunk@1 2", "https://example.org/thread",
])  # fmt: skip
def test_trailers_are_for_machines(line: str) -> None:
    assert pieces(f"Because it hurts.\n\n{line}\n") == [("PROSE", "Because it hurts.")]


@pytest.mark.parametrize("line", [
    "Note: the lock is taken twice.", "See the table below for why.", "Fixes a crash when the list is empty.",
    "Bug: it was called twice.",
])  # fmt: skip
def test_a_sentence_with_a_colon_is_no_trailer(line: str) -> None:
    assert pieces(line) == [("PROSE", line)]


def test_what_steers_a_terminal_or_turns_text_round_is_taken_out() -> None:
    assert clean("a\x1b[31mb\u202ec\0d\r\ne\ud800") == "a[31mbcd\ne"


def test_what_is_short_is_kept_and_of_more_the_sentence_that_says_most() -> None:
    dull = "Some words about nothing at all. " * 12
    text = f"It is about locks.\n\n{dull}\n\nTwo writers would deadlock, because each holds one.\n\n{dull}"
    assert brief(paragraphs(text)) == "Two writers would deadlock, because each holds one."
    assert brief(paragraphs("Two things break:\n- this\n- that")) == "Two things break:\n\n- this\n- that"
    assert brief(paragraphs(dull * 2)) == brief([]) == ""
    assert len(brief(paragraphs(f"{dull}\n\n{'It leaks, because of it. ' * 40}"))) <= ROOM


@pytest.mark.parametrize(("text", "names"), [
    ("It calls `Auth.login(user)`, then logout() and set_up", ["Auth.login", "user", "logout", "set_up"]),
    ("JsonReader and getPath, but no Reader, e.g. in v1.2 or and/or", ["JsonReader", "getPath"]),
    ("std::fs::read of src/a.py", ["std::fs::read"]),
])  # fmt: skip
def test_code_is_named_by_how_it_is_written(text: str, names: list[str]) -> None:
    assert code_names(text) == names


@pytest.mark.parametrize(("one", "other", "expected"), [
    ("Use tabs, not blanks", "Use blanks, not tabs", False),
    ("Always push to main", "Never push to main", False),
    ("To run the tests: `make test`", "To run the tests: `make check`", False),
    ("use pnpm instead of npm", "use npm instead of pnpm", False),
    ("Never push to main", "do not push to main, ever", True),
    ("Use tabs", "Tabs are used", True),
    ("Run `make test` first", "First run `make test` and `make lint`", True),
    ("We don't mock the database", "The database is never mocked: don't mock the database", True),
])  # fmt: skip
def test_what_is_put_otherwise_may_be_the_same_but_not_turned_round(one: str, other: str, *, expected: bool) -> None:
    assert may_be_same(one, other) is expected
