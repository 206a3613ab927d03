"""How many tokens a text has, by rules of thumb."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.text import by_bytes, by_characters, by_script, fits, quarters


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("认证令牌", 1), ("🚀" * 5, 2)]
)
def test_four_characters_are_a_token(text: str, tokens: int) -> None:
    assert by_characters(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [("", 0), ("a", 1), ("a" * 15, 4), ("a" * 16, 5), ("认证令牌认", 4), ("🚀" * 15, 16), ("\udce9", 1)],
)
def test_three_and_three_quarter_bytes_are_a_token(text: str, tokens: int) -> None:
    assert by_bytes(text) == tokens


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("abcd", 1),
        ("a b c d e", 3),
        ("----", 5),
        ("2024", 5),
        ("приветик", 4),
        ("认证令牌", 4),
        ("トークン", 4),
        ("🚀" * 5, 5),
        ("\udce9", 1),
    ],
)
def test_a_token_is_four_letters_or_less_of_what_is_dearer(text: str, tokens: int) -> None:
    assert by_script(text) == tokens


@given(st.text(), st.text())
def test_more_text_never_has_fewer_tokens(text: str, more: str) -> None:
    assert by_script(text) <= by_script(text + more) <= by_script(text) + by_script(more)


@given(st.text(), st.text())
def test_quarters_of_tokens_add_up(text: str, more: str) -> None:
    assert quarters(text + more) == quarters(text) + quarters(more)


@given(st.text(), st.integers(min_value=0, max_value=20))
def test_a_text_fits_that_has_no_more_tokens_than_allowed(text: str, size: int) -> None:
    assert fits(text, size) == (by_script(text) <= size)
