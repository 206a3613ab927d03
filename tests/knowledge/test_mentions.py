"""Mentions: which names are found in texts and where, whoever changes texts, facts and names."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import pytest

from tests.knowledge.bank import opened
from tests.support import Project
from tx_graph.core.database import Database
from tx_graph.documents.ingesting import Ingesting
from tx_graph.knowledge.mentions import Prepared, Spelling, mentions_in, spelling_of


def times(name: str, text: str) -> int:
    spelling = spelling_of(name)

    def named(words: Collection[str]) -> Iterable[tuple[int, Spelling]]:
        return [(1, spelling)] if spelling and spelling.word in words else []

    return mentions_in(Prepared(text), named).get(1, 0)


@pytest.mark.parametrize("name", ["user", "User", "Go", "K8", "status", "make", "2024", "3.14", "--"])
def test_common_words_and_what_is_too_short_are_not_looked_for(name: str) -> None:
    assert spelling_of(name) is None


@pytest.mark.parametrize(("name", "text", "expected"), [
    ("DuckDB", "We use duckdb, DuckDB and DUCKDB.", 3), ("DuckDB", "DuckDBs and myDuckDB and Duck DB", 0),
    ("K8s", "runs on k8s", 1), ("tx-graph", "the TX-Graph package", 1),
    ("learning_edges", "table `learning_edges`, not learning_edges2", 1),
    ("docs/a.md", "see [a](../docs/a.md#part) and docs/a.md", 2), ("docs/a.md", "see other/docs/a.md", 0),
    ("ADR-3", "as adr-3 says; ADR-30 does not", 1), ("ADR 3", "as ADR 3 says, not ADR 30", 1),
    ("C++ API", "the c++ api and the C++ API", 1),
    # What may be a common word counts only where it is meant.
    ("API", "The API of api and Api", 1), ("Kafka", "We use Kafka here; through kafka", 1),
    ("Make", "Make sure that you run Make.", 1), ("Status", "Status of it\n\n# Status\n\n- Status: fine", 0),
    ("Make", "it ends\n\nMake is run", 0), ("Getting Started", "See Getting Started when getting started", 1),
    ("auth service", "The Auth Service, the auth\nservice and the Auth\n\nservice", 2),
    ("Keep facts in SQLite", "we keep facts in sqlite since", 1), ("結果 表", "see 結果 表 here", 1),
])  # fmt: skip
def test_a_name_counts_as_often_as_it_is_meant(name: str, text: str, expected: int) -> None:
    assert times(name, text) == expected


def read(project: Project) -> None:
    project.git.git("add", "--all")
    with project.open() as workspace:
        workspace.kernel.one(Ingesting).run()


def say(project: Project, subject: str, *, aliases: tuple[str, ...] = ()) -> None:
    with opened(project) as bank:
        bank.add(subject, "kind", "database")
        if aliases:
            bank.entities.alias(subject, *aliases)


def speaking(project: Project, name: str) -> dict[str, tuple[str, int, float]]:
    """Return what speaks of an entity: origin, times and weight by key (of a learning its content)."""
    with Database.open(project.root / ".tx" / "graph.db") as database:
        rows = database.rows(
            """
            SELECT coalesce(l.content, n.key), m.origin, m.times, m.weight
            FROM mentions m
            JOIN entities e ON e.node_id = m.entity
            JOIN nodes n ON n.id = m.node
            LEFT JOIN learnings l ON l.node_id = n.id
            WHERE e.name = ?
            """,
            (name,),
        )
        assert database.value("SELECT mentions FROM entities WHERE name = ?", (name,)) in (len(rows), None)
    return {key: (origin, times, weight) for key, origin, times, weight in rows}


def test_sections_and_learnings_that_name_an_entity_speak_of_it_as_long_as_they_do(project: Project) -> None:
    project.write("docs/a.md", "# A\n\n## Storage\n\nWe use DuckDB. duckdb is fast; DUCKDB.\n\n## Other\n\nDuckDB\n")
    read(project)
    project.add("DuckDB reads Parquet")
    say(project, "DuckDB")
    learning = {"DuckDB reads Parquet": ("text", 1, 0.5)}
    sections = {"docs/a.md#storage": ("text", 3, 0.7), "docs/a.md#other": ("text", 1, 0.5)}
    assert speaking(project, "DuckDB") == sections | learning
    project.write("docs/a.md", "# A\n\n## Storage\n\nWe use SQLite.\n")
    read(project)
    assert speaking(project, "DuckDB") == learning


def test_texts_that_come_after_the_name_are_found_too(project: Project) -> None:
    say(project, "DuckDB", aliases=("the duck",))
    project.add("The duck is fast")
    project.write("docs/a.md", "# A\n\n## Storage\n\nWe use DuckDB.\n")
    read(project)
    assert speaking(project, "DuckDB").keys() == {"The duck is fast", "docs/a.md#storage"}


def test_a_name_that_is_taken_back_finds_nothing_any_more(project: Project) -> None:
    project.add("The duck is fast")
    say(project, "DuckDB", aliases=("the duck",))
    assert speaking(project, "DuckDB").keys() == {"The duck is fast"}
    with opened(project) as bank:
        bank.entities.unalias("DuckDB", "the duck")
    assert speaking(project, "DuckDB") == {}


def test_learnings_whose_records_go_speak_of_nothing(project: Project) -> None:
    stored = project.add("DuckDB is fast")
    say(project, "DuckDB")
    (project.root / ".tx" / "learnings" / stored.record).unlink()
    with project.open():
        assert speaking(project, "DuckDB") == {}


def test_an_entity_that_is_a_file_or_a_document_is_that(project: Project) -> None:
    project.write("src/store.py", "class Store: ...\n")
    project.write("docs/adr/0001-x.md", "# 1. Keep it\n\n## Status\n\nAccepted\n\n- implemented_in:: `src/store.py`\n")
    project.git.git("add", "--all")
    project.index()
    read(project)
    assert speaking(project, "src/store.py")["src/store.py"] == ("identity", 1, 1.0)
    assert speaking(project, "1. Keep it")["docs/adr/0001-x.md"] == ("identity", 1, 1.0)


def test_the_place_that_states_a_fact_speaks_of_both_its_ends(project: Project) -> None:
    project.write("docs/a.md", "# Payments\n\n## Links\n\n- uses:: [[Ledger Service]]\n")
    read(project)
    assert speaking(project, "Payments")["docs/a.md#links"] == ("fact", 1, 0.8)
    assert speaking(project, "Ledger Service")["docs/a.md#links"] == ("fact", 1, 0.8)


def test_a_document_that_is_renamed_or_removed_takes_its_mentions_along(project: Project) -> None:
    project.write("docs/a.md", "# A\n\n## Storage\n\nWe use DuckDB.\n")
    say(project, "DuckDB")
    read(project)
    (project.root / "docs/a.md").rename(project.root / "docs/b.md")
    read(project)
    assert speaking(project, "DuckDB").keys() == {"docs/b.md#storage"}
    (project.root / "docs/b.md").unlink()
    read(project)
    assert speaking(project, "DuckDB") == {}


def test_long_sections_speak_by_their_parts(project: Project) -> None:
    paragraphs = "\n\n".join(f"Paragraph {number} says {'word ' * 90}." for number in range(20))
    project.write("docs/a.md", f"# A\n\n## Long\n\n{paragraphs}\n\nAt the end: DuckDB.\n")
    say(project, "DuckDB")
    read(project)
    (part,) = speaking(project, "DuckDB")
    assert part.startswith("docs/a.md#long~")


@pytest.mark.parametrize("name", ["C# API", "結果 表", "ADR-7", "Ünïcode Söup"])
def test_names_that_full_text_search_takes_apart_are_found_in_what_was_there(project: Project, name: str) -> None:
    project.add(f"Look at {name} first")
    say(project, name)
    assert speaking(project, name).keys() == {f"Look at {name} first"}
