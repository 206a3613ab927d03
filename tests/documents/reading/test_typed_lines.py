"""Typed lines: which lines relate what they stand in to something else, and by which predicate."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.documents.document import LinkKind
from tx_graph.documents.reading import texts_with_keys, typed_line


@pytest.mark.parametrize(
    ("line", "predicate", "targets"),
    [
        ("- depends_on:: [[auth]]", "depends_on", "[[auth]]"),
        ("reviewed by:: [Ada](people/ada.md)", "reviewed_by", "[Ada](people/ada.md)"),
        ("Supersedes: [ADR 3](003.md)", "supersedes", "[ADR 3](003.md)"),
        ("* **Depends on**: [a](a.md), [b](b.md) and [[c]] for now", "depends_on", "[a](a.md), [b](b.md) and [[c]]"),
        ("**Depends on:** `src/auth.py`", "depends_on", "`src/auth.py`"),
        ("Superseded by: docs/x.md", "superseded_by", "docs/x.md"),
        ("1. _See also_: [x][y]", "see_also", "[x][y]"),
        ("> - [ ] Requires: <a href='x.md'>x</a>", "requires", "<a href='x.md'>x</a>"),
        ("Status: Superseded by [ADR 7](007.md)", "superseded_by", "[ADR 7](007.md)"),
        ("Status: Accepted, amended by [ADR 7](007.md)", "amended_by", "[ADR 7](007.md)"),
        (":Supersedes: :doc:`003`", "supersedes", ":doc:`003`"),
    ],
)
def test_a_key_before_links_types_them(line: str, predicate: str, targets: str) -> None:
    found = typed_line(line)
    assert found is not None
    assert (found.predicate, line[found.start : found.end]) == (predicate, targets)


@pytest.mark.parametrize(
    "line",
    [
        "Note: [x](y)",
        "Requires: a good deal of patience",
        "std::vector is [x](y)",
        "depends_on:: nothing in particular",
        "https://example.org/[x](y)",
        "Superseded by [ADR 7](007.md)",
        "one two three four:: [x](y)",
        "",
    ],
)
def test_other_lines_say_nothing(line: str) -> None:
    assert typed_line(line) is None


def test_under_a_heading_status_no_colon_is_needed() -> None:
    found = typed_line("Superseded by [ADR 7](007.md)", under_status=True)
    assert found is not None
    assert found.predicate == "superseded_by"


def test_bare_paths_and_inline_code_are_targets_too() -> None:
    found = typed_line("Depends on: docs/x.md#part, `src/a.py::foo`.")
    assert found is not None
    assert found.names == ((LinkKind.WIKI, "docs/x.md#part", 12), (LinkKind.CODE, "src/a.py::foo", 28))


@given(st.from_regex(r"(- )?(\*\*)?(Depends on|see also|any)(\*\*)?::? \[x\]\(y\)", fullmatch=True), st.text())
def test_every_typed_line_is_among_the_texts_that_may_have_a_key(line: str, other: str) -> None:
    # As the parser hands texts over: a link is a text of its own.
    texts = [other.replace("\n", " "), line.removesuffix("[x](y)"), "x"]
    if typed_line(line):
        assert 1 in set(texts_with_keys("\n".join(texts)))
