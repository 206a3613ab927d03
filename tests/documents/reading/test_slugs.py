"""Slugs as GitHub gives them; the cases are those that are known from GitHub itself and from github-slugger."""

from __future__ import annotations

import pytest

from tx_graph.documents.reading import Slugs, slug_of


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("Hello World", "hello-world"),
        ("foo bar", "foo-bar"),
        ("I ♥ unicode", "i--unicode"),
        ("Dash-dash", "dash-dash"),
        ("en–dash", "endash"),
        ("em–dash", "emdash"),
        ("😄 unicode emoji", "-unicode-emoji"),
        ("😄-😄 unicode emoji", "--unicode-emoji"),
        ("😄_😄 unicode emoji", "_-unicode-emoji"),
        ("😄 - an emoji", "---an-emoji"),
        (":smile: - a gemoji", "smile---a-gemoji"),
        ("Привет non-latin 你好", "привет-non-latin-你好"),
        ("Ünïcödé Straße İ", "ünïcödé-straße-i̇"),
        ("हिन्दी", "हिन्दी"),
        ("What's new in 2.0?", "whats-new-in-20"),
        ("C++ & C#", "c--c"),
        ("snake_case __init__", "snake_case-__init__"),
        ("a  b", "a--b"),
        ("/api/v1 {id}", "apiv1-id"),
        ("½ ² ①", "--"),
        ("Ⓐ circled", "ⓐ-circled"),
        ("tab\there", "tabhere"),
    ],
)
def test_a_slug_is_what_github_makes_of_a_heading(heading: str, slug: str) -> None:
    assert slug_of(heading) == slug


@pytest.mark.parametrize(
    ("headings", "slugs"),
    [
        (["Usage", "Usage", "Usage"], ["usage", "usage-1", "usage-2"]),
        (["foo", "foo", "foo 1"], ["foo", "foo-1", "foo-1-1"]),
        (["foo-1", "foo", "foo"], ["foo-1", "foo", "foo-2"]),
        (["foo", "foo 1", "foo"], ["foo", "foo-1", "foo-2"]),
        (["A!", "a?"], ["a", "a-1"]),
    ],
)
def test_a_repeated_slug_gets_the_next_free_number(headings: list[str], slugs: list[str]) -> None:
    given = Slugs()
    assert [given.give(heading) for heading in headings] == slugs


def test_a_heading_without_letters_is_called_by_a_number_since_the_empty_slug_is_the_documents() -> None:
    given = Slugs()
    assert [given.give("🎉"), given.give("!")] == ["-1", "-2"]
