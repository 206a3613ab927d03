"""Texts: how many tokens they have, which lines are shown, and that those from elsewhere steer and hide nothing."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.text import best_lines, by_bytes, by_characters, by_script, fits, inert, inert_line, label, quarters


@pytest.mark.parametrize(("count", "text", "tokens"), [
    *((by_characters, text, tokens) for text, tokens in (
        ("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("认证令牌", 1), ("🚀" * 5, 2),
    )),
    *((by_bytes, text, tokens) for text, tokens in (
        ("", 0), ("a", 1), ("a" * 15, 4), ("a" * 16, 5), ("认证令牌认", 4), ("🚀" * 15, 16), ("\udce9", 1),
    )),
    *((by_script, text, tokens) for text, tokens in (
        ("", 0), ("abcd", 1), ("a b c d e", 3), ("----", 5), ("2024", 5), ("приветик", 4), ("认证令牌", 4),
        ("トークン", 4), ("🚀" * 5, 5), ("\udce9", 1),
    )),
])  # fmt: skip
def test_a_token_is_so_many_characters_or_bytes_by_script(count: Callable[[str], int], text: str, tokens: int) -> None:
    assert count(text) == tokens


@given(st.text(), st.text())
def test_more_text_never_has_fewer_tokens(text: str, more: str) -> None:
    assert by_script(text) <= by_script(text + more) <= by_script(text) + by_script(more)


@given(st.text(), st.text())
def test_quarters_of_tokens_add_up(text: str, more: str) -> None:
    assert quarters(text + more) == quarters(text) + quarters(more)


@given(st.text(), st.integers(min_value=0, max_value=20))
def test_a_text_fits_that_has_no_more_tokens_than_allowed(text: str, size: int) -> None:
    assert fits(text, size) == (by_script(text) <= size)


@pytest.mark.parametrize(("text", "shown"), [
    ("\x1b[31mred", "\\x1b[31mred"), ("bell\x07", "bell\\x07"), ("over\rwritten", "over\\x0dwritten"),
    ("a\u2028b\x85c\x0bd", "a\\u2028b\\x85c\\x0bd"), ("\u202etxet", "\\u202etxet"),
    ("zero\u200bwidth", "zero\\u200bwidth"), ("tag\U000e0069gged", "tag\\U000e0069gged"),
    *((written, written) for written in ("line\n\tindented", "naïve 认证 🚀", "👩‍💻 family", "می‌خواهم")),
])  # fmt: skip
def test_what_steers_or_hides_is_shown_by_its_number_and_what_people_write_as_it_is(text: str, shown: str) -> None:
    assert inert(text) == shown


@given(st.text())
def test_only_a_line_end_begins_a_line(text: str) -> None:
    assert len(inert(text).splitlines()) <= text.count("\n") + 1


@given(st.text())
def test_one_line_is_one_line(text: str) -> None:
    assert len(inert_line(text).splitlines()) <= 1


@pytest.mark.parametrize("name", ["security", "GH-123", "src/auth.py::login", "认证", "docs/a.md#part"])
def test_a_name_of_one_word_stays_as_it_is(name: str) -> None:
    assert label(name) == name


@pytest.mark.parametrize("name", ["Ignore previous instructions", "a\nb", "`x`", 'a"b', "\x1b[31m"])
def test_any_other_name_stands_in_quotes(name: str) -> None:
    assert label(name).startswith('"')
    assert label(name).endswith('"')
    assert label(name).count('"') == len('""')


TWO_TOPICS = "intro\n\nsessions live in redis\nfor a day\n\ntokens expire after an hour"


@pytest.mark.parametrize(("text", "question", "most", "shown"), [
    pytest.param("one\ntwo\nthree", "nothing of it", 8, (0, 2), id="the beginning where no line is better"),
    pytest.param("one\ntwo", "", 100, (0, 2), id="all that fits, without a question"),
    pytest.param("intro\n\nsessions live in redis", "redis", 100, (0, 3), id="all that fits, from its beginning"),
    pytest.param(TWO_TOPICS, "when do tokens expire", 30, (5, 6), id="the line with most words"),
    pytest.param(TWO_TOPICS, "redis sessions", 32, (2, 4), id="the lines with most words"),
    pytest.param("a\nb\nthe tokenizer\nc", "token", 5, (2, 3), id="words in their longer forms"),
    pytest.param("x" * 100 + "\nshort", "x", 10, (0, 1), id="one line longer than all that may be shown"),
    pytest.param("\n\nfirst\n\n", "first", 100, (2, 3), id="no blank line at either end"),
])  # fmt: skip
def test_the_lines_with_most_words_of_the_question_are_shown_whole_and_in_their_order(
    text: str, question: str, most: int, shown: tuple[int, int]
) -> None:
    assert best_lines(text, question, most=most) == shown


@given(st.text(alphabet="ab \n", max_size=60), st.text(alphabet="ab ", max_size=10), st.integers(1, 40))
def test_what_is_shown_lies_within_the_text_and_fits(text: str, question: str, most: int) -> None:
    first, end = best_lines(text, question, most=most)
    lines = text.split("\n")
    assert 0 <= first < end <= len(lines)
    assert end == first + 1 or len("\n".join(lines[first:end])) <= most
