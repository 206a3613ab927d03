"""The lines that have most of the question's words are shown, whole and in their order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.text import best_lines


def test_the_beginning_is_shown_where_no_line_is_better() -> None:
    assert best_lines("one\ntwo\nthree", "nothing of it", most=8) == (0, 2)
    assert best_lines("one\ntwo", "", most=100) == (0, 2)


def test_the_lines_with_most_words_of_the_question_are_shown() -> None:
    text = "intro\n\nsessions live in redis\nfor a day\n\ntokens expire after an hour"
    assert best_lines(text, "when do tokens expire", most=30) == (5, 6)
    assert best_lines(text, "redis sessions", most=32) == (2, 4)


def test_a_text_that_fits_is_shown_from_its_beginning() -> None:
    assert best_lines("intro\n\nsessions live in redis", "redis", most=100) == (0, 3)


def test_words_are_found_in_their_longer_forms() -> None:
    assert best_lines("a\nb\nthe tokenizer\nc", "token", most=5) == (2, 3)


def test_a_line_longer_than_all_that_may_be_shown_is_shown_alone() -> None:
    assert best_lines("x" * 100 + "\nshort", "x", most=10) == (0, 1)


def test_blank_lines_neither_begin_nor_end_an_excerpt() -> None:
    assert best_lines("\n\nfirst\n\n", "first", most=100) == (2, 3)


@given(st.text(alphabet="ab \n", max_size=60), st.text(alphabet="ab ", max_size=10), st.integers(1, 40))
def test_what_is_shown_lies_within_the_text_and_fits(text: str, question: str, most: int) -> None:
    first, end = best_lines(text, question, most=most)
    lines = text.split("\n")
    assert 0 <= first < end <= len(lines)
    assert end == first + 1 or len("\n".join(lines[first:end])) <= most
