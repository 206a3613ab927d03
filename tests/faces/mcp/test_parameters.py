"""What a client sends is checked in our own words, and never reaches a use case when it is nothing it could take."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.faces.mcp.conftest import Ask
from tx_graph.core.errors import UsageError
from tx_graph.faces.mcp.tools import TOOLS

BY_NAME = {tool.name: tool for tool in TOOLS}
ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("tx_recall", {}, "Missing parameter 'query'."),
        ("tx_recall", {"query": None}, "Missing parameter 'query'."),
        ("tx_recall", {"query": 7}, "The parameter 'query' must be a text, not a number."),
        ("tx_recall", {"query": "a\0b"}, "The parameter 'query' has a NUL byte, which no name or text here has."),
        ("tx_recall", {"query": "x" * 20_000}, "The parameter 'query' has 20,000 characters; it holds at most 10,000."),
        ("tx_recall", {"query": "a", "hops": "2"}, "The parameter 'hops' must be a number, not a text."),
        ("tx_recall", {"query": "a", "hops": 1.5}, "The parameter 'hops' must be a whole number, not 1.5."),
        ("tx_recall", {"query": "a", "hops": math.nan}, "The parameter 'hops' must be a finite number."),
        ("tx_recall", {"query": "a", "hops": 10**400}, "The parameter 'hops' must be a finite number."),
        ("tx_recall", {"query": "a", "hops": -1}, "The parameter 'hops' must be from 0 to 10, not -1."),
        ("tx_recall", {"query": "a", "hops": True}, "The parameter 'hops' must be a number, not true or false."),
        ("tx_recall", {"query": "a", "hop": 1}, "tx_recall has no parameter 'hop'."),
        ("tx_recall", {"query": "a", "budget": 10}, "The parameter 'budget' must be from 200 to 50,000, not 10."),
        ("tx_context", {"files": {"a": 1}}, "The parameter 'files' must be a list of texts, not an object."),
        ("tx_context", {"files": [["a"]]}, "The parameter 'files' must be a text or a number, not a list."),
        ("tx_context", {"include_staged": "yes"}, "The parameter 'include_staged' must be true or false, not a text."),
        ("tx_context", {"text": "a", "task": "b"}, "The parameter 'text' is given twice, once as 'task'."),
        ("tx_graph_link", {"learningId": 1.5, "filePath": "a"}, "The parameter 'learningId' must be a whole number"),
        ("tx_graph_link", {"learningId": True, "filePath": "a"}, "The parameter 'learningId' must be a text or"),
        ("tx_graph_neighbors", {"id": 1, "type": "lerning"}, "The parameter 'type' cannot be 'lerning'."),
        ("tx_fact_add", {"subject": "a", "predicate": "b", "value": "c", "confidence": 2}, "The confidence must be a"),
    ],
)
def test_what_cannot_be_meant_is_explained(ask: Ask, tool: str, arguments: dict[str, Any], sentence: str) -> None:
    reply = ask(tool, **arguments)
    assert reply.is_error
    assert reply.structure["error"]["code"] == "usage"
    assert reply.text.startswith(sentence)


def test_a_wrong_name_or_value_names_the_nearest(ask: Ask) -> None:
    assert ask("tx_recall", qury="a").structure["error"]["candidates"] == ["query"]
    assert ask("tx_graph_neighbors", id=1, type="lerning").structure["error"]["candidates"] == ["learning"]
    assert "tx_recall takes query, hops, as_of, hub, budget." in ask("tx_recall", qury="a").text


def test_one_text_may_be_a_list_with_commas(ask: Ask) -> None:
    one = ask("tx_context", files="src/auth.py, src/app.py")
    many = ask("tx_context", files=["src/auth.py", "src/app.py"])
    assert one == many
    assert not one.is_error


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(BY_NAME)), st.data())
def test_whatever_is_sent_is_understood_or_refused(tool: str, data: st.DataObject) -> None:
    known = [one.name for one in BY_NAME[tool].parameters]
    arguments = data.draw(st.dictionaries(st.sampled_from(known) | st.text(max_size=8), ANYTHING, max_size=5))
    with suppress(UsageError):
        assert BY_NAME[tool].checked(arguments).keys() <= {*known, "budget"}
