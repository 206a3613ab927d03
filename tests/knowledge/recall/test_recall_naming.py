"""Names that a text states word for word: whole tokens, the longest of those that overlap."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from tx_graph.core.identifiers import is_telling
from tx_graph.graph.edges import NodeId
from tx_graph.knowledge.entity import entity_key
from tx_graph.knowledge.spreading import Stated, stated

NAMES = (
    "DuckDB",
    "Memory",
    "Memory graph",
    "graph store",
    "C++",
    ".NET",
    "docs/adr/003.md",
    "003",
    "go",
    "the",
    "Straße",
    "記憶",
    "Next.js 16",
)


def names_in(text: str, *names: str) -> Stated:
    known = {entity_key(name): number for number, name in enumerate(names or NAMES, start=1)}

    def names_of(keys: Collection[str]) -> dict[str, NodeId]:
        return {key: known[key] for key in keys if key in known}

    return stated(text, names_of, is_name=is_telling)


def found(text: str, *names: str) -> list[str]:
    return list(names_in(text, *names).names.values())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("What is DuckDB?", ["duckdb"]),
        ("duckdb's cache, DUCKDB!", ["duckdb"]),
        ("duckdbs and myduckdb and duckdb_cache", []),
        ("(DuckDB)-based", ["duckdb"]),
        ("why C++ and not .NET", ["c++", ".net"]),
        ("c+", []),
        ("see docs/adr/003.md#decision", ["docs/adr/003.md"]),
        ("ADR 003", ["003"]),
        ("is next.js   16 fast", ["next.js 16"]),
        ("STRASSE", ["strasse"]),
        ("会話の記憶を保存", ["記憶"]),
        ("let it go", ["go"]),
        ("the", []),
        ("", []),
        ("\x1b[31m ' \" ( * ) -- ;", []),
    ],
)
def test_a_name_is_stated_by_whole_tokens_in_any_letters(text: str, expected: list[str]) -> None:
    assert found(text) == expected


def test_of_names_that_overlap_the_longest_is_meant() -> None:
    assert found("the memory graph store") == ["memory graph"]
    assert found("memory and graph store") == ["memory", "graph store"]


def test_names_come_in_the_order_of_the_text_each_once() -> None:
    assert found("C++ in DuckDB, and C++") == ["c++", "duckdb"]


def test_the_other_words_are_left() -> None:
    assert names_in("how does DuckDB store the memory graph?").rest == "how does store the ?"
    assert names_in("nothing known").rest == "nothing known"


def test_all_names_are_asked_for_at_once() -> None:
    asked: list[Collection[str]] = []

    def names_of(keys: Collection[str]) -> dict[str, NodeId]:
        asked.append(keys)
        return {}

    stated("a memory of graphs", names_of)
    assert len(asked) == 1
    assert len(list(asked[0])) == len(set(asked[0])) == 10


def test_an_endless_text_is_looked_at_as_far_as_it_tells_something() -> None:
    assert found("word " * 399 + "DuckDB") == ["duckdb"]
    assert found("word " * 400 + "DuckDB") == []
