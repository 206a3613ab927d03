"""What names, types, predicates, values and moments may be."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tx_graph.core.errors import UsageError
from tx_graph.core.labels import clean_predicate
from tx_graph.core.times import moment_of
from tx_graph.knowledge.entity import clean_aliases, clean_name, clean_type, entity_key
from tx_graph.knowledge.fact import clean_value

Clean = Callable[[str], str]


@pytest.mark.parametrize(("clean", "typed", "kept"), [
    *((entity_key, name, "duckdb") for name in ("DuckDB", "duckdb", " DUCKDB ", "\uff24uckDB")),
    (clean_name, "  Billing \n service ", "Billing service"), (clean_name, "entity:DuckDB", "DuckDB"),
    (clean_name, " entity: entity:DuckDB", "DuckDB"),
    (clean_type, "Person", "person"), (clean_type, "ADR", "adr"), (clean_type, "design-doc", "design_doc"),
    (clean_predicate, "Works on", "works_on"), (clean_predicate, "uses", "uses"), (clean_predicate, "is-a", "is_a"),
    (clean_predicate, "größer als", "größer_als"), (clean_predicate, "cafe\u0301", "café"),
    (clean_predicate, "नाम", "नाम"),
    (moment_of, "2026-11-20", "2026-11-20T23:59:59Z"),  # a day stands for its end: what was said on it counts
    (moment_of, "20261120", "2026-11-20T23:59:59Z"), (moment_of, "0001-01-01", "0001-01-01T23:59:59Z"),
    (moment_of, "2026-11-20T10:00:00Z", "2026-11-20T10:00:00Z"),
    (moment_of, "2026-11-20 10:00", "2026-11-20T10:00:00Z"),
    (moment_of, "2026-11-20T10:00:00+02:00", "2026-11-20T08:00:00Z"),
])  # fmt: skip
def test_what_is_typed_has_one_form(clean: Clean, typed: str, kept: str) -> None:
    assert clean(typed) == kept


@pytest.mark.parametrize(("clean", "message", "typed"), [
    *((clean_name, "name of an entity", name) for name in ("", "   ", "a\0b", "x" * 201, "\x1b[31m")),
    *((clean_type, "no type", name) for name in ("", "9lives", "a/b", "x" * 41)),
    *((clean_predicate, "predicate", name) for name in ("", "--", "x" * 201)),
    *((clean_value, "value", text) for text in ("", " \n ", "a\0", "\udcff", "x" * 10_001)),
    *((moment_of, "no date", text) for text in ("", "yesterday", "2026-13-01", "20261", "2026-02-30")),
    (moment_of, "no date", "0001-01-01T00:00+05:00"),
], ids=lambda value: getattr(value, "__name__", ascii(value)[:20]))  # fmt: skip
def test_what_is_none_is_refused(clean: Clean, message: str, typed: str) -> None:
    with pytest.raises(UsageError, match=message):
        clean(typed)


def test_other_names_are_each_there_once_and_never_the_name_itself() -> None:
    assert clean_aliases(["duck", "Duck", "DUCKDB", "adr 3"], name="DuckDB") == ("adr 3", "Duck")
