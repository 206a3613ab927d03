"""Texts about code become words that people would type."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.analysis.identifiers import MAX_TERMS, content_words, query_terms, searchable


def words(query: str) -> list[str]:
    return [spellings[0] for spellings in query_terms(query)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("validateToken", "validateToken validate Token"),
        ("HTTPServer2", "HTTPServer2 HTTP Server 2"),
        ("snake_case", "snake_case snake case"),
        ("src/auth.ts", "src auth ts"),
        ("C++ and C#", "cplusplus and csharp"),
        ("认证", "认 证"),
        ("🚀", "uxhfmog"),
    ],
)
def test_identifiers_are_also_split(text: str, expected: str) -> None:
    assert searchable(text) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("auth.ts", [["auth", "auth ts"]]),
        ("src/auth.ts", [["auth", "auth ts"]]),
        ("./src/auth.ts", [["auth", "auth ts"]]),
        ("../lib/authService.TS", [["authservice", "auth service", "auth service ts"]]),
        ("see auth.ts.", [["see"], ["auth", "auth ts"]]),
        ("services/jwt.spec.ts", [["services"], ["jwt"], ["spec", "spec ts"]]),
        (".ts", [["ts"]]),
        ("ts", [["ts"]]),
        ("_.ts", [["ts"]]),
        ("src/", [["src"]]),
        ("resource/a1.tsv", [["resource"], ["a1", "a 1"], ["tsv"]]),
        ("mysrc/x1", [["mysrc"], ["x1", "x 1"]]),
    ],
)
def test_what_half_of_all_paths_share_is_no_word_of_its_own(query: str, expected: list[list[str]]) -> None:
    assert query_terms(query) == expected


def test_common_words_count_only_when_there_is_nothing_else() -> None:
    assert words("how do we do it") == ["how", "do", "we", "it"]
    assert words("how do we validate") == ["validate"]


def test_a_word_counts_once_and_only_so_many_count() -> None:
    assert words("Token token TOKEN") == ["token"]
    assert len(words(" ".join(f"word{number}x" for number in range(500)))) == MAX_TERMS


@settings(deadline=None)
@given(st.text(max_size=200))
def test_no_term_holds_what_full_text_search_gives_a_meaning_to(text: str) -> None:
    for spellings in query_terms(text):
        for phrase in spellings:
            assert phrase
            assert not set(phrase) & set("\"'*():^-+\0")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Validate the auth_token, and VALIDATE it!", {"validate", "auth_token"}),
        ("how do we do it", {"how", "do", "we", "it"}),
        ("先认证", {"先", "认", "证"}),
        ("… - !", set()),
    ],
)
def test_what_a_text_is_about_are_its_words_without_the_common_ones(text: str, expected: set[str]) -> None:
    assert content_words(text) == expected
