"""What documents state of themselves, in the ways in which people write it."""

from __future__ import annotations

import pytest

from tests.tables import cells, rows
from tx_graph.documents.reading import read_document
from tx_graph.documents.statements import MOST, statements_of

RECORD = "docs/adr/0003-store.md"
NYGARD = """# 3. Keep facts in SQLite

Date: 2024-02-29

## Status

Accepted

## Context

Status: of the art. Note: nothing here is metadata.
"""
MADR_2 = """# Keep facts in SQLite

* Status: accepted
* Deciders: Ada Lovelace, [Ben](https://example.org/ben) and Cleo <cleo@example.org>
* Date: 2024-02-29 <!-- when the decision was last updated -->

Technical Story: [facts #7](https://example.org/7)

## Considered Options

* Speed: it is fast
* Cost: nothing
"""
MADR_4 = """---
status: "accepted"
date: 2024-02-29
decision-makers: [Ada Lovelace, Ben]
consulted:
  - Cleo
nav_order: 3
parent: Decisions
---
# Keep facts in SQLite

## Context and Problem Statement
"""


def said(text: str, path: str = RECORD) -> list[tuple[str, str]]:
    return [(one.predicate, one.value) for one in statements_of(path, read_document(path, text))]


def test_a_record_as_nygard_writes_it() -> None:
    assert said(NYGARD) == [("date", "2024-02-29"), ("status", "Accepted")]


def test_a_record_as_madr_2_and_log4brains_write_it() -> None:
    assert said(MADR_2) == rows("""
        status → accepted ¦ deciders → Ada Lovelace ¦ deciders → Ben ¦ deciders → Cleo ¦ date → 2024-02-29
        technical_story → facts #7
    """)


def test_a_record_with_front_matter_as_madr_4_writes_it() -> None:
    # Where a page stands in an order is no fact, and `parent` is a link.
    assert said(MADR_4) == rows("""
        status → accepted ¦ date → 2024-02-29 ¦ decision_makers → Ada Lovelace ¦ decision_makers → Ben
        consulted → Cleo
    """)


def test_front_matter_and_status_are_certain_and_other_lines_likely() -> None:
    found = statements_of(RECORD, read_document(RECORD, f"---\nowner: Ada\n---\n{NYGARD}"))
    assert {one.predicate: one.confidence for one in found} == {"owner": 1.0, "date": 0.9, "status": 1.0}


@pytest.mark.parametrize(
    ("written", "expected"),
    rows("""
        Status: Accepted → status Accepted ¦ **Status:** Accepted → status Accepted
        **Status**: Accepted. → status Accepted ¦ * Status: accepted → status accepted
        > Status: _Draft_ → status Draft ¦ ## Status: rejected → status rejected
        ## Status⏎⏎✅ Accepted on 2024-02-29 → status ✅ Accepted on 2024-02-29
        Status: superseded by [ADR 7](0007-x.md) → status superseded
        Status: Accepted, supersedes [ADR 2](0002-x.md) → status Accepted
        Status: superseded by ADR-0007 → status superseded, superseded_by ADR-7
        ## Status⏎⏎Superseded by [7. New](0007-x.md) → status Superseded
        ## Status⏎⏎Supersedes [2. Old](0002-x.md)⏎⏎Accepted → status Accepted
        ## Status⏎⏎Accepted⏎⏎Amends [2. Old](0002-x.md) → status Accepted
        Status: [proposed | rejected | accepted] → ¦ Status: {proposed} → ¦ Date: YYYY-MM-DD⏎Status: STATUS →
    """),
)
def test_a_status_in_any_of_its_forms(written: str, expected: str) -> None:
    assert ", ".join(map(" ".join, said(f"# 3. Keep facts\n\n{written}\n"))) == expected


@pytest.mark.parametrize(
    "written",
    [
        *cells("""
            Note: the author was here. ¦ Example: nothing⏎Warning: all of it ¦ Author: https://example.org/ada
            - **Fast:** it does a million a second⏎- **Small:** no dependencies ¦ Author: ![](ada.png) ¦ Author: N/A
            The status: it is known, and it goes on for long enough to be prose. ¦ 1. [Status: the page](status.md)
            ```⏎Author: Ada⏎team:: Payments⏎``` ¦ | Status | Accepted |⏎|---|---|⏎| 1 | 2 |
            ## Status⏎⏎The status that the server answers with ¦ Consulted: (whom did you ask?)
        """),
        f"Author: {'word ' * 40}",
    ],
)
def test_prose_remarks_code_and_addresses_are_no_facts(written: str) -> None:
    assert said(f"# A guide\n\n{written}\n", "docs/guide.md") == []


def test_other_keys_count_beside_one_that_speaks_of_the_document() -> None:
    head = "- Feature Name: `async_fn`\n- Start Date: 2024-02-29\n- RFC PR: [rfcs#1](https://e.org/1)\n- Nickname: afn"
    assert said(f"{head}\n\n# Summary\n\nKind: prose\n", "text/1-async.md") == rows("""
        feature_name → async_fn ¦ start_date → 2024-02-29 ¦ rfc_pr → rfcs#1 ¦ nickname → afn
    """)
    assert said("# A guide\n\n- Kind: prose\n- Size: large\n", "docs/guide.md") == []


def test_two_colons_say_it_anywhere() -> None:
    text = "# Payments\n\nText.\n\n## Deep\n\n- team:: Billing\n- [tier:: gold]\n- depends_on:: [[auth]]\n- x: y\n"
    assert said(text, "notes/payments.md") == [("team", "Billing"), ("tier", "gold")]


def test_a_list_below_its_key_is_one_value_each() -> None:
    assert said("# 3. It\n\n- Status: accepted\n- Deciders:\n  - Ada\n  - Ben\n") == [
        ("status", "accepted"),
        ("deciders", "Ada"),
        ("deciders", "Ben"),
    ]
    assert said("# 3. It\n\n## Deciders\n\n- Ada\n- Ben\n\n## Date\n\n2024\n") == [
        ("deciders", "Ada"),
        ("deciders", "Ben"),
        ("date", "2024"),
    ]


@pytest.mark.parametrize(
    "head",
    cells("""
        layout: default ¦ sidebar_position: 3 ¦ weight: 10 ¦ toc: true ¦ draft: false ¦ hide_table_of_contents: true
        comments: off ¦ slug: /here ¦ title: Only a name ¦ aliases: [Other] ¦ type: docs ¦ name: a-skill
        "@scope/package": patch ¦ package: minor ¦ hero: {name: x, tagline: y} ¦ image: https://example.org/a.png
        related: [b.md]
    """),
)
def test_front_matter_that_says_how_a_page_is_shown_is_no_fact(head: str) -> None:
    assert said(f"---\n{head}\n---\ntext\n", "docs/a.md") == []


def test_front_matter_says_what_it_says_in_yaml_toml_and_fields() -> None:
    expected = [("owner", "Ada"), ("tags", "storage"), ("tags", "sql"), ("deprecated", "true")]
    assert said("---\nowner: Ada\ntags: [storage, sql]\ndeprecated: true\n---\n", "docs/a.md") == expected
    assert said('+++\nowner = "Ada"\ntags = ["storage", "sql"]\ndeprecated = true\n+++\n', "docs/a.md") == expected
    assert said("Title\n=====\n\n:Owner: Ada\n:Tags: storage, sql\n:Deprecated: true\n", "docs/a.rst") == expected


def test_what_stands_in_a_template_holds_of_nothing() -> None:
    assert said(NYGARD, "docs/adr/template.md") == []
    assert said(NYGARD, "templates/adr.md") == []


def test_a_document_with_several_records_speaks_for_each() -> None:
    text = "# Decisions\n\n## ADR-1: One\n\n**Status:** Accepted\n\n## ADR-2: Two\n\n**Status:** Accepted\n"
    found = statements_of("docs/decisions.md", read_document("docs/decisions.md", text))
    assert [(one.section, one.predicate, one.value) for one in found] == [
        (2, "status", "Accepted"),
        (3, "status", "Accepted"),
    ]


def test_a_document_states_no_more_than_so_much() -> None:
    tags = ", ".join(f"tag{number}" for number in range(1000))
    assert len(said(f"---\ntags: [{tags}]\nkeywords: [{tags}]\nlabels: [{tags}]\n---\n", "docs/a.md")) <= MOST


@pytest.mark.parametrize("path", ["docs/adr/0001-a.md", "a.rst", "a.txt"])
@pytest.mark.parametrize(
    "text",
    [
        "# S\n\n## Status\n\n" + "superseded " * 20_000,
        "# S\n\n## Status\n\n" + "superseded by ADR-1 " * 10_000,
        "# S\n\n## Status\n\n" + "superseded by [x](y.md)\n" * 5_000,
        "# S\n\nStatus: " + "[" * 20_000,
        "# S\n\nStatus: " + "*a" * 20_000,
        "# S\n\nAuthor: " + "a, " * 20_000,
        "# S\n\n" + "a b c d " * 5_000 + ":: x",
        "# S\n\n" + "a:: b\n" * 10_000,
        "# S\n\n" + "Status: a\n" * 10_000,
        "# S\n\n" + "<!--" * 10_000 + "\nAuthor: <!--" + " " * 20_000,
        "---\nstatus: " + "superseded   " * 30 + "\n---\n",
    ],
)
def test_texts_that_seem_made_to_take_forever_are_read(path: str, text: str) -> None:
    assert len(said(text, path)) <= MOST
