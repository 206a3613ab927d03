"""Which comments explain, and what decision records decide."""

from __future__ import annotations

import pytest

from tests.proposals.told import sure
from tx_graph.code.comments import Comment
from tx_graph.proposals.comments import is_decision_page, marked, propose_comment, propose_decision, reference
from tx_graph.proposals.values import Proposal
from tx_graph.records.anchor import AnchorRequest
from tx_graph.records.learning import SourceType


def comment(text: str, *, path: str = "src/a.py", symbol: str | None = "load") -> Comment:
    return Comment(path=path, text=text, lines=(3, 4), symbol=symbol, code=(3, 6))


WHY = "the header must not be sent before the body is known, because proxies drop the connection"


@pytest.mark.parametrize("mark", ["WHY", "HACK", "NOTE", "WORKAROUND", "XXX", "FIXME", "TODO", "Note", "TODO(ada)"])
def test_a_mark_with_a_reason_is_proposed(mark: str) -> None:
    found = sure(propose_comment([comment(f"{mark}: {WHY}.")]))
    assert found.content == f"load: T{WHY[1:]}."
    assert found.source_type is SourceType.COMMENT
    assert found.anchors == (AnchorRequest(path="src/a.py", symbol="load"),)


@pytest.mark.parametrize("text", [
    WHY, "TODO: write some more tests for the other half of this table one day",
    "FIXME: rename the second argument of this function to something that is better", "NOTE: see below",
    "note that the function gives back a list of numbers in the order of the file", f"Copyright 2024. NOTE: {WHY}",
    "Notes on the format, which is described in the specification at length and elsewhere",
], ids=["no mark", "work", "work, too", "short", "a sentence", "legal", "another word"])  # fmt: skip
def test_others_are_not(text: str) -> None:
    assert propose_comment([comment(text)]) is None


def test_the_reason_in_brackets_behind_a_mark_is_kept_and_a_name_is_not() -> None:
    asked = sure(propose_comment([comment(f"TODO(wait for proxies to be fixed): {WHY}")]))
    named = sure(propose_comment([comment(f"TODO(ada): {WHY}")]))
    assert asked.content.startswith("load: Wait for proxies to be fixed: the header")
    assert named.content.startswith("load: The header")


def test_few_words_before_a_mark_go_with_it_and_a_description_does_not() -> None:
    short = sure(marked(comment(f"Send the header.\n\nNOTE: {WHY}")))
    long = sure(marked(comment(f"{'It gives back the table in the order of the file. ' * 5}\n\nNOTE: {WHY}")))
    assert [part.text for part in short[1]] == ["Send the header.", f"T{WHY[1:]}"]
    assert [part.text for part in long[1]] == [f"T{WHY[1:]}"]


def test_lines_for_documentation_tools_are_left_out() -> None:
    found = sure(propose_comment([comment(f"NOTE: {WHY}\n@param name the name\n@return nothing")]))
    assert "@" not in found.content


def test_the_same_words_at_two_places_are_one_proposal() -> None:
    places = [comment(f"HACK: {WHY}"), comment(f"HACK: {WHY}", path="src/b.py", symbol=None)]
    assert reference(places[0]) == reference(places[1])
    found = sure(propose_comment(places))
    assert found.anchors == (
        AnchorRequest(path="src/a.py", symbol="load"),
        AnchorRequest(path="src/b.py", lines=(3, 6)),
    )


def test_a_comment_is_the_same_however_it_is_wrapped() -> None:
    assert reference(comment(f"HACK: {WHY}")) == reference(comment(f"HACK:\n{WHY.replace(' ', chr(10), 3)}"))


def test_tests_are_less_sure_than_code() -> None:
    paths = ("tests/test_a.py", "src/a.py")
    test, code = (sure(propose_comment([comment(f"HACK: {WHY}", path=path)])) for path in paths)
    assert test.confidence < code.confidence


TEXT_FILES = "Learnings are text files, written by `src/records.py`, because plain git merges them."
NYGARD = """# 3. Keep text as the truth

Date: 2024-01-01

## Status

Accepted

## Context

Databases cannot be merged.

## Decision

Learnings are text files, written by `src/records.py`,
because plain git merges them.

## Consequences

The database is an index.
"""
MADR = """---
status: accepted
---
# Use SQLite

## Considered Options

* SQLite
* DuckDB

## Decision Outcome

Chosen option: "SQLite", because it is everywhere.

### Consequences

* Good, because small
"""
RUN_IN = (
    "# 0007: Words nobody used\n\n**Context.** Why.\n\n**Decision.** Known words stand in.\n\n**Consequences.** None."
)


def proposed(text: str, *, files: tuple[str, ...] = ()) -> Proposal | None:
    return propose_decision("docs/adr/0003-text.md", text, files=files)


@pytest.mark.parametrize(("path", "expected"), [
    ("docs/adr/0001-a.md", True), ("doc/architecture/decisions/0001-a.md", True), ("docs/decisions/0001.md", True),
    ("adr/a.adoc", True), ("docs/a.md", False), ("docs/adr/README.md", False), ("docs/adr/template.md", False),
    ("docs/decisions/a.png", False), ("src/adr.py", False),
])  # fmt: skip
def test_decision_records_are_told_by_their_place(path: str, *, expected: bool) -> None:
    assert is_decision_page(path) is expected


@pytest.mark.parametrize(("text", "content"), [
    (NYGARD, f"Keep text as the truth\n\n{TEXT_FILES}"),
    (MADR, 'Use SQLite\n\nChosen option: "SQLite", because it is everywhere.'),
    (RUN_IN, "Words nobody used\n\nKnown words stand in."),
], ids=["Nygard", "MADR", "bold words"])  # fmt: skip
def test_the_title_and_the_decision_are_proposed(text: str, content: str) -> None:
    found = sure(proposed(text))
    assert found.content == content
    assert (found.category, found.source_type, found.source_ref) == (
        "decision",
        SourceType.DOCUMENT,
        "docs/adr/0003-text.md",
    )


def test_it_is_tied_to_its_page_and_to_the_files_it_names() -> None:
    found = sure(proposed(NYGARD, files=("src/records.py", "src/other.py")))
    assert [anchor.path for anchor in found.anchors] == ["docs/adr/0003-text.md", "src/records.py"]


@pytest.mark.parametrize("status", ["Superseded by [7](0007.md)", "Deprecated", "Rejected"])
def test_what_does_not_stand_any_more_is_not_proposed(status: str) -> None:
    assert proposed(NYGARD.replace("Accepted", status)) is proposed(MADR.replace("accepted", status)) is None


def test_what_is_still_open_is_less_sure() -> None:
    stands, is_open = sure(proposed(NYGARD)), sure(proposed(NYGARD.replace("Accepted", "Proposed")))
    assert is_open.confidence < stands.confidence


@pytest.mark.parametrize("text", ["", "# Only a title", "no title\n\n## Decision\n\nNothing.", "# A\n\n## Decision\n"])
def test_a_page_that_decides_nothing_proposes_nothing(text: str) -> None:
    assert proposed(text) is None
