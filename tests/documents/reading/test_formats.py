"""Which paths are documents, and how these are written."""

from __future__ import annotations

import pytest

from tx_graph.documents.document import Format, format_of


@pytest.mark.parametrize(
    "path", ["README.md", "docs/a.MD", "a.markdown", "a.mdown", "a.mkd", "a.mdx", "tests/fixtures/a.md"]
)
def test_markdown_is_told_by_its_ending(path: str) -> None:
    assert format_of(path) is Format.MARKDOWN


@pytest.mark.parametrize("path", ["docs/index.rst", "README.rest"])
def test_restructured_text_is_told_by_its_ending(path: str) -> None:
    assert format_of(path) is Format.RST


@pytest.mark.parametrize(
    "path",
    ["notes.txt", "docs/a.text", "LICENSE", "LICENSE-APACHE", "README", "readme", "Readme", "CHANGES", "llms.txt"],
)
def test_plain_text_is_told_by_its_ending_or_by_a_name_that_people_give(path: str) -> None:
    assert format_of(path) is Format.TEXT


@pytest.mark.parametrize(
    "path",
    [
        "CMakeLists.txt",
        "requirements.txt",
        "requirements-dev.txt",
        "dev-requirements.txt",
        "requirements/base.txt",
        "constraints.txt",
        "public/robots.txt",
        "src/tx.egg-info/SOURCES.txt",
        "tests/fixtures/words.txt",
        "pkg/testdata/out.txt",
    ],
)
def test_text_that_programs_read_is_no_document(path: str) -> None:
    assert format_of(path) is None


@pytest.mark.parametrize(
    "path", ["src/a.py", "Makefile", "bin/install", "VERSION", ".md", "docs", "a.json", "CODEOWNERS"]
)
def test_anything_else_is_no_document(path: str) -> None:
    assert format_of(path) is None
