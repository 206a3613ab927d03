"""Files whose names differ only in what makes one the test, header or style of the other have the same stem."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.core.identifiers import stem


@pytest.mark.parametrize(
    "path",
    [
        "src/auth.py",
        "tests/test_auth.py",
        "tests/auth_test.go",
        "auth-test.js",
        "spec-auth.rb",
        "spec_auth.rb",
        "auth_spec.rb",
        "auth.spec.ts",
        "auth.test.tsx",
        "auth.module.css",
        "auth.h",
        "authTest.java",
        "authTests.cs",
        "authSpec.scala",
        "deep/down/auth",
    ],
)
def test_a_test_or_a_header_has_the_stem_of_its_source(path: str) -> None:
    assert stem(path) == "auth"


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("latest.py", "latest"),
        ("contest.go", "contest"),
        ("Test.java", "Test"),
        ("testing.py", "testing"),
        ("tests/conftest.py", "conftest"),
    ],
)
def test_a_word_that_only_ends_or_begins_like_one_is_left_whole(path: str, expected: str) -> None:
    assert stem(path) == expected


@pytest.mark.parametrize("path", ["go.mod", ".gitignore", "a/b.c", "test_io.py", "test_.py", "x/.env.test", ""])
def test_a_name_that_says_too_little_has_no_stem(path: str) -> None:
    assert stem(path) == ""


@given(st.text())
def test_any_path_is_safe(path: str) -> None:
    assert stem(path) in path
