"""How many tokens a text has, by rules of thumb."""

from __future__ import annotations

import pytest

from tx_graph.domain.tokens import by_bytes, by_characters


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
