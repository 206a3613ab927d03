"""What decision records decide."""

from __future__ import annotations

import pytest

from tx_graph.proposals.comments import is_decision_page, propose_decision
from tx_graph.proposals.values import Proposal
from tx_graph.records.learning import SourceType

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


@pytest.mark.parametrize(
    "path", ["docs/adr/0001-a.md", "doc/architecture/decisions/0001-a.md", "docs/decisions/0001.md", "adr/a.adoc"]
)
def test_decision_records_are_told_by_their_place(path: str) -> None:
    assert is_decision_page(path)


@pytest.mark.parametrize(
    "path", ["docs/a.md", "docs/adr/README.md", "docs/adr/template.md", "docs/decisions/a.png", "src/adr.py"]
)
def test_other_files_are_none(path: str) -> None:
    assert not is_decision_page(path)


@pytest.mark.parametrize(
    ("text", "content"),
    [
        (NYGARD, f"Keep text as the truth\n\n{TEXT_FILES}"),
        (MADR, 'Use SQLite\n\nChosen option: "SQLite", because it is everywhere.'),
        (RUN_IN, "Words nobody used\n\nKnown words stand in."),
    ],
    ids=["Nygard", "MADR", "bold words"],
)
def test_the_title_and_the_decision_are_proposed(text: str, content: str) -> None:
    found = proposed(text)
    assert found is not None
    assert found.content == content
    assert (found.category, found.source_type, found.source_ref) == (
        "decision",
        SourceType.DOCUMENT,
        "docs/adr/0003-text.md",
    )


def test_it_is_tied_to_its_page_and_to_the_files_it_names() -> None:
    found = proposed(NYGARD, files=("src/records.py", "src/other.py"))
    assert found is not None
    assert [anchor.path for anchor in found.anchors] == ["docs/adr/0003-text.md", "src/records.py"]


@pytest.mark.parametrize("status", ["Superseded by [7](0007.md)", "Deprecated", "Rejected"])
def test_what_does_not_stand_any_more_is_not_proposed(status: str) -> None:
    assert proposed(NYGARD.replace("Accepted", status)) is None
    assert proposed(MADR.replace("accepted", status)) is None


def test_what_is_still_open_is_less_sure() -> None:
    stands, is_open = proposed(NYGARD), proposed(NYGARD.replace("Accepted", "Proposed"))
    assert stands is not None
    assert is_open is not None
    assert is_open.confidence < stands.confidence


@pytest.mark.parametrize("text", ["", "# Only a title", "no title\n\n## Decision\n\nNothing.", "# A\n\n## Decision\n"])
def test_a_page_that_decides_nothing_proposes_nothing(text: str) -> None:
    assert proposed(text) is None
