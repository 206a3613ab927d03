"""Texts as paragraphs: what people wrote for people, and when two of them may say the same."""

from __future__ import annotations

import pytest

from tx_graph.proposals.prose import Kind, clean, extract, may_be_same, paragraphs, shortened


def pieces(text: str) -> list[tuple[str, str]]:
    return [(one.kind.name, one.text) for one in paragraphs(clean(text))]


def test_wrapped_lines_are_joined() -> None:
    assert pieces("One sentence over\ntwo lines.\n\nAnother\tone.") == [
        ("PROSE", "One sentence over two lines."),
        ("PROSE", "Another one."),
    ]


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


def test_what_a_trailer_is_continued_with_goes_with_it() -> None:
    assert pieces("Why.\n\nAcked-by: Ada\n and Bob\n") == [("PROSE", "Why.")]


def test_lists_and_code_are_told_from_prose() -> None:
    text = "It does this:\n- one\n  and more\n- two\n\n    x = 1\n    y = 2\n\n```\ncode\n\nmore\n```\nAfter."
    assert pieces(text) == [
        ("PROSE", "It does this:"),
        ("LIST", "- one and more\n- two"),
        ("CODE", "    x = 1\n    y = 2"),
        ("CODE", "```\ncode\n\nmore\n```"),
        ("PROSE", "After."),
    ]


def test_sections_that_a_form_asks_for_are_left_out() -> None:
    assert pieces("## Why\n\nIt leaked.\n\n## Test plan\n\nRan it.\n\n<!-- fill in -->") == [
        ("HEADING", "Why"),
        ("PROSE", "It leaked."),
    ]


def test_what_steers_a_terminal_or_turns_text_round_is_taken_out() -> None:
    assert clean("a\x1b[31mb\u202ec\0d\r\ne\ud800") == "a[31mbcd\ne"


def test_an_extract_keeps_the_beginning_and_what_explains_and_marks_the_gaps() -> None:
    dull = "Some words about nothing. " * 12
    text = f"It is about locks.\n\n{dull}\n\nOtherwise two writers would deadlock.\n\n{dull}\n\n{dull}\n\n{dull}"
    assert extract(paragraphs(text)) == "It is about locks.\n\n…\n\nOtherwise two writers would deadlock."


def test_a_sentence_keeps_the_list_that_it_announces() -> None:
    found = paragraphs("Two things break:\n- this\n- that")
    assert extract(found) == "Two things break:\n\n- this\n- that"


def test_a_long_paragraph_ends_with_a_whole_sentence() -> None:
    assert shortened("First one. Second one. Third one.", 26) == "First one. Second one. …"
    assert shortened("short", 26) == "short"


def test_nothing_is_nothing() -> None:
    assert paragraphs("") == []
    assert extract([]) == ""
    assert Kind.PROSE not in {one.kind for one in paragraphs("* only\n* a list")}


@pytest.mark.parametrize(("one", "other"), [
    ("Use tabs, not blanks", "Use blanks, not tabs"), ("Always push to main", "Never push to main"),
    ("To run the tests: `make test`", "To run the tests: `make check`"),
    ("use pnpm instead of npm", "use npm instead of pnpm"),
])  # fmt: skip
def test_what_is_turned_round_is_not_the_same(one: str, other: str) -> None:
    assert not may_be_same(one, other)


@pytest.mark.parametrize(("one", "other"), [
    ("Never push to main", "do not push to main, ever"), ("Use tabs", "Tabs are used"),
    ("Run `make test` first", "First run `make test` and `make lint`"),
    ("We don't mock the database", "The database is never mocked: don't mock the database"),
])  # fmt: skip
def test_what_is_put_otherwise_may_be(one: str, other: str) -> None:
    assert may_be_same(one, other)
