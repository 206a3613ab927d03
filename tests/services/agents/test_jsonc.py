"""JSON with comments is read as everybody reads it, and every value knows its place."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.services.agents.json_texts import settings_files
from tx_graph.services.agents.jsonc import Node, NotJson, parsed

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)


@given(plain, st.sampled_from([None, 0, 2, "\t"]))
def test_plain_json_says_what_the_standard_library_says(value: object, indent: int | str | None) -> None:
    assert parsed(json.dumps(value, indent=indent)).value == value


@given(settings_files())
def test_every_value_stands_where_its_place_says(text: str) -> None:
    for node in _all(parsed(text)):
        assert parsed(text[node.start : node.end]).value == node.value


def test_comments_and_trailing_commas_say_nothing() -> None:
    assert parsed('// a\n{"a": [1, /* 2, */ 3,], // "b": 1\n}').value == {"a": [1, 3]}


def test_of_a_key_that_stands_twice_the_last_counts() -> None:
    root = parsed('{"a": 1, "a": 2}')
    assert root.value == {"a": 2}
    assert (node := root.get("a")) is not None
    assert node.value == 2


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("", "a value"),
        ("{", "a name in quotes"),
        ("{a: 1}", "a name in quotes"),
        ('{"a" 1}', '":"'),
        ('{"a": }', "a value"),
        ('{"a": 1 "b": 2}', '"," or "}"'),
        ("[1 2]", '"," or "]"'),
        ("[,]", "a value"),
        ('{"a": NaN}', "a value"),
        ('{"a": "\n"}', "a value"),
        ("{} {}", "nothing more"),
        ("{} /* open", "nothing more"),
        ("[" * 2_000, "nested too deeply"),
    ],
)
def test_what_is_no_json_is_said_with_its_place(text: str, missing: str) -> None:
    with pytest.raises(NotJson, match=missing.replace("[", r"\[")) as refused:
        parsed(text)
    assert 0 <= refused.value.at <= len(text)


def _all(node: Node) -> Iterator[Node]:
    yield node
    for one in (*node.items, *(member.node for member in node.members)):
        yield from _all(one)
