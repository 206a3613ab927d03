"""Texts about code become words that people would type; files that belong together have one stem."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.core.identifiers import MAX_TERMS, content_words, query_terms, searchable, searchable_prose, stem


def words(query: str) -> list[str]:
    return [spellings[0] for spellings in query_terms(query)]


@pytest.mark.parametrize(("text", "expected"), [
    ("validateToken", "validateToken validate Token"), ("HTTPServer2", "HTTPServer2 HTTP Server 2"),
    ("snake_case", "snake_case snake case"), ("src/auth.ts", "src auth ts"), ("C++ and C#", "cplusplus and csharp"),
    ("认证", "认 证"), ("🚀", "uxhfmog"),
])  # fmt: skip
def test_identifiers_are_also_split(text: str, expected: str) -> None:
    assert searchable(text) == expected


@pytest.mark.parametrize(("query", "expected"), [
    ("auth.ts", [["auth", "auth ts"]]), ("src/auth.ts", [["auth", "auth ts"]]),
    ("./src/auth.ts", [["auth", "auth ts"]]),
    ("../lib/authService.TS", [["authservice", "auth service", "auth service ts"]]),
    ("see auth.ts.", [["see"], ["auth", "auth ts"]]),
    ("services/jwt.spec.ts", [["services"], ["jwt"], ["spec", "spec ts"]]), (".ts", [["ts"]]), ("ts", [["ts"]]),
    ("_.ts", [["ts"]]), ("src/", [["src"]]), ("resource/a1.tsv", [["resource"], ["a1", "a 1"], ["tsv"]]),
    ("mysrc/x1", [["mysrc"], ["x1", "x 1"]]),
])  # fmt: skip
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


TEXTS = st.text(max_size=80) | st.lists(
    st.sampled_from(
        """validateToken auth_token HTTPServer2 get_HTTPServer _x v2 src/authService.py C++ .NET c# 认证 ok→done 🚀go
        naïve été_2 authService.py. _privateName.ts, ² ٣x __init__.py a.b.ts \udce9""".split()
    )
    | st.text(max_size=5)
).map(" ".join)


def seen(words: str) -> str:
    """Return the words that full-text search sees, each between blanks."""
    return " ".join(["", *re.findall(r"[^\W_]+", words.lower()), ""])


@settings(deadline=None)
@given(TEXTS)
def test_a_long_text_has_the_words_that_a_short_one_has(text: str) -> None:
    assert set(seen(searchable_prose(text, splits={})).split()) == set(seen(searchable(text)).split())


@settings(deadline=None)
@given(TEXTS, TEXTS)
def test_what_is_found_in_a_short_text_is_found_in_a_long_one(text: str, query: str) -> None:
    short, long = seen(searchable(text)), seen(searchable_prose(text, splits={}))
    asked = [*query_terms(text), *query_terms(query)]
    for phrase in {seen(phrase) for spellings in asked for phrase in spellings if seen(phrase) in short}:
        assert phrase in long


@given(st.lists(TEXTS))
def test_what_was_split_before_changes_nothing(texts: list[str]) -> None:
    splits: dict[str, str] = {}
    assert [searchable_prose(text, splits=splits) for text in texts] == [
        searchable_prose(text, splits={}) for text in texts
    ]


@pytest.mark.parametrize(("text", "expected"), [
    ("Call validateToken, then validateToken.", "Call validateToken  then validateToken  validate Token"),
    ("in auth_token or max2", "in auth_token or max2 max 2"),
    ("see authService.py", "see authService py auth Service auth Service py"), ("C++ it is", " cplusplus  it is"),
    ("认证 – ok", "认 证 ok"),
])  # fmt: skip
def test_a_long_text_is_followed_by_the_parts_of_its_identifiers(text: str, expected: str) -> None:
    assert searchable_prose(text, splits={}) == expected


@pytest.mark.parametrize(("text", "expected"), [
    ("Validate the auth_token, and VALIDATE it!", {"validate", "auth_token"}),
    ("how do we do it", {"how", "do", "we", "it"}), ("先认证", {"先", "认", "证"}), ("… - !", set()),
])  # fmt: skip
def test_what_a_text_is_about_are_its_words_without_the_common_ones(text: str, expected: set[str]) -> None:
    assert content_words(text) == expected


@pytest.mark.parametrize(("path", "expected"), [
    *((path, "auth") for path in (
        "src/auth.py", "tests/test_auth.py", "tests/auth_test.go", "auth-test.js", "spec-auth.rb", "spec_auth.rb",
        "auth_spec.rb", "auth.spec.ts", "auth.test.tsx", "auth.module.css", "auth.h", "authTest.java", "authTests.cs",
        "authSpec.scala", "deep/down/auth",
    )),
    # A word that only ends or begins like one of these is left whole.
    ("latest.py", "latest"), ("contest.go", "contest"), ("Test.java", "Test"), ("testing.py", "testing"),
    ("tests/conftest.py", "conftest"),
    # A name that says too little has no stem.
    *((path, "") for path in ("go.mod", ".gitignore", "a/b.c", "test_io.py", "test_.py", "x/.env.test", "")),
])  # fmt: skip
def test_a_test_or_a_header_has_the_stem_of_its_source(path: str, expected: str) -> None:
    assert stem(path) == expected


@given(st.text())
def test_any_path_is_safe(path: str) -> None:
    assert stem(path) in path
