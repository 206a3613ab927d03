"""What a reference can name is told by its form alone."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tx_graph.core.errors import UsageError
from tx_graph.graph.references import NodeKind, Reference, parse_reference

LEARNING, FILE, SYMBOL, SECTION = NodeKind.LEARNING, NodeKind.FILE, NodeKind.SYMBOL, NodeKind.SECTION


@pytest.mark.parametrize(
    ("text", "named", "kinds"),
    [
        ("12", "12", (LEARNING,)),
        ("  12 ", "12", (LEARNING,)),
        ("learning:12", "12", (LEARNING,)),
        ("k7f3", "k7f3", (LEARNING, FILE)),
        ("K7F3Q0", "K7F3Q0", (LEARNING, FILE)),
        ("k7f", "k7f", (FILE,)),
        ("learning:k7f", "k7f", (LEARNING,)),
        ("src/auth.ts", "src/auth.ts", (FILE,)),
        ("file:12", "12", (FILE,)),
        ("file:learning:12", "learning:12", (FILE,)),
        ("src/auth.ts::AuthService::login", "src/auth.ts::AuthService::login", (SYMBOL,)),
        ("docs/adr/003.md#decision-2", "docs/adr/003.md#decision-2", (SECTION, FILE)),
        ("entity:DuckDB", "DuckDB", (NodeKind.ENTITY,)),
        ("task:7", "7", (NodeKind.TASK,)),
        ("run:9", "9", (NodeKind.RUN,)),
        ("commit:1a2b3c4", "1a2b3c4", (NodeKind.COMMIT,)),
        ("learning:", "learning:", (FILE,)),
        ("C:\\src\\a.ts", "C:\\src\\a.ts", (FILE,)),
        ("१२", "१२", (FILE,)),
    ],
)
def test_the_form_of_a_reference_says_what_it_can_name(text: str, named: str, kinds: tuple[NodeKind, ...]) -> None:
    assert parse_reference(text) == Reference(text=named, kinds=kinds)


@pytest.mark.parametrize(("text", "expected"), [("12", True), ("learning:007", True), ("k7f3", False), ("१२", False)])
def test_only_ascii_digits_are_a_local_number(text: str, expected: bool) -> None:
    assert parse_reference(text).is_number is expected


@settings(deadline=None)
@given(st.text())
def test_any_text_names_at_least_one_kind_of_thing(text: str) -> None:
    assert parse_reference(text).kinds


@pytest.mark.parametrize("text", ["caf\udce9", "learning:\udce9", "src/a.ts::\udce9"])
def test_what_is_no_text_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        parse_reference(text)
