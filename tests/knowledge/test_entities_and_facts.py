"""What names, predicates, values and moments may be."""

from __future__ import annotations

import pytest

from tx_graph.core.errors import UsageError
from tx_graph.core.labels import clean_predicate
from tx_graph.core.times import moment_of
from tx_graph.knowledge.entity import clean_aliases, clean_name, clean_type, entity_key
from tx_graph.knowledge.fact import clean_value


@pytest.mark.parametrize("name", ["DuckDB", "duckdb", " DUCKDB ", "\uff24uckDB"])
def test_names_are_recognised_whatever_their_case_width_and_white_space(name: str) -> None:
    assert entity_key(name) == "duckdb"


def test_a_name_has_single_spaces_and_no_prefix() -> None:
    assert clean_name("  Billing \n service ") == "Billing service"
    assert clean_name("entity:DuckDB") == clean_name(" entity: entity:DuckDB") == "DuckDB"


@pytest.mark.parametrize("name", ["", "   ", "a\0b", "x" * 201, "\x1b[31m"])
def test_what_is_no_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="name of an entity"):
        clean_name(name)


def test_other_names_are_each_there_once_and_never_the_name_itself() -> None:
    assert clean_aliases(["duck", "Duck", "DUCKDB", "adr 3"], name="DuckDB") == ("adr 3", "Duck")


@pytest.mark.parametrize(("typed", "kind"), [("Person", "person"), ("ADR", "adr"), ("design-doc", "design_doc")])
def test_a_type_is_any_word(typed: str, kind: str) -> None:
    assert clean_type(typed) == kind


@pytest.mark.parametrize("typed", ["", "9lives", "a/b", "x" * 41])
def test_what_is_no_type_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="no type"):
        clean_type(typed)


@pytest.mark.parametrize(
    ("typed", "predicate"),
    [
        ("Works on", "works_on"),
        ("uses", "uses"),
        ("is-a", "is_a"),
        ("größer als", "größer_als"),
        ("cafe\u0301", "café"),
        ("नाम", "नाम"),
    ],
)
def test_a_predicate_is_in_snake_case(typed: str, predicate: str) -> None:
    assert clean_predicate(typed) == predicate


@pytest.mark.parametrize("typed", ["", "--", "x" * 201])
def test_what_is_no_predicate_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="predicate"):
        clean_predicate(typed)


@pytest.mark.parametrize("text", ["", " \n ", "a\0", "\udcff", "x" * 10_001])
def test_what_is_no_value_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        clean_value(text)


@pytest.mark.parametrize(
    ("typed", "moment"),
    [
        ("2026-11-20", "2026-11-20T23:59:59Z"),  # a day stands for its end: what was said on it counts
        ("20261120", "2026-11-20T23:59:59Z"),
        ("0001-01-01", "0001-01-01T23:59:59Z"),
        ("2026-11-20T10:00:00Z", "2026-11-20T10:00:00Z"),
        ("2026-11-20 10:00", "2026-11-20T10:00:00Z"),
        ("2026-11-20T10:00:00+02:00", "2026-11-20T08:00:00Z"),
    ],
)
def test_a_moment_is_a_day_or_a_time(typed: str, moment: str) -> None:
    assert moment_of(typed) == moment


@pytest.mark.parametrize("typed", ["", "yesterday", "2026-13-01", "20261", "2026-02-30", "0001-01-01T00:00+05:00"])
def test_what_is_no_moment_is_refused(typed: str) -> None:
    with pytest.raises(UsageError, match="no date"):
        moment_of(typed)
