"""Which names are found in texts, and where."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import pytest

from tx_graph.knowledge.mentions import Prepared, Spelling, mentions_in, spelling_of


def times(name: str, text: str) -> int:
    spelling = spelling_of(name)

    def named(words: Collection[str]) -> Iterable[tuple[int, Spelling]]:
        return [(1, spelling)] if spelling and spelling.word in words else []

    return mentions_in(Prepared(text), named).get(1, 0)


@pytest.mark.parametrize("name", ["user", "User", "Go", "K8", "status", "make", "2024", "3.14", "--"])
def test_common_words_and_what_is_too_short_are_not_looked_for(name: str) -> None:
    assert spelling_of(name) is None


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("DuckDB", "We use duckdb, DuckDB and DUCKDB.", 3),
        ("DuckDB", "DuckDBs and myDuckDB and Duck DB", 0),
        ("K8s", "runs on k8s", 1),
        ("tx-graph", "the TX-Graph package", 1),
        ("learning_edges", "table `learning_edges`, not learning_edges2", 1),
        ("docs/a.md", "see [a](../docs/a.md#part) and docs/a.md", 2),
        ("docs/a.md", "see other/docs/a.md", 0),
        ("ADR-3", "as adr-3 says; ADR-30 does not", 1),
        ("ADR 3", "as ADR 3 says, not ADR 30", 1),
        ("C++ API", "the c++ api and the C++ API", 1),
    ],
)
def test_what_looks_like_a_name_counts_in_whatever_case(name: str, text: str, expected: int) -> None:
    assert times(name, text) == expected


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("API", "The API of api and Api", 1),
        ("Kafka", "We use Kafka here; through kafka", 1),
        ("Make", "Make sure that you run Make.", 1),
        ("Status", "Status of it\n\n# Status\n\n- Status: fine", 0),
        ("Make", "it ends\n\nMake is run", 0),
        ("Getting Started", "See Getting Started when getting started", 1),
        ("auth service", "The Auth Service, the auth\nservice and the Auth\n\nservice", 2),
        ("Keep facts in SQLite", "we keep facts in sqlite since", 1),
        ("結果 表", "see 結果 表 here", 1),
    ],
)
def test_what_may_be_a_common_word_counts_where_it_is_meant(name: str, text: str, expected: int) -> None:
    assert times(name, text) == expected
