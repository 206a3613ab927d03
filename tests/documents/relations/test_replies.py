"""What is read from a reply, and which of its edges are kept."""

from __future__ import annotations

import json
import math
from collections import Counter
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tables import cells, rows
from tx_graph.core.errors import UsageError
from tx_graph.documents.relations import (
    Dropped,
    FoundEdge,
    Pruning,
    UnreadableReply,
    checked,
    distinct,
    edges_in,
    oriented,
    pruned,
)
from tx_graph.graph.edges import Relation

EDGE = {"source": "a", "target": "b", "relation": "depends_on", "weight": 0.8, "description": "b comes first"}
PLAIN = json.dumps({"edges": [EDGE]})
KEPT = FoundEdge(source="a", target="b", relation=Relation.DEPENDS_ON, weight=0.8, description="b comes first")


@pytest.mark.parametrize(
    "reply",
    [
        PLAIN,
        f"Here you are:\n```json\n{PLAIN}\n```\nAnything else?",
        f'The map {{of it}} is {{"x": 1}}: {PLAIN} {{}}',
        json.dumps({"result": {"edges": [EDGE]}}),
        json.dumps([EDGE]),
        PLAIN.replace("}]}", "},]}"),
        PLAIN.replace("}]}", ", } , ],\n}"),
        f'<think>Perhaps {{"edges": [{{"source": "x"}}]}}?</think>{PLAIN}',
        f"\ufeff{json.dumps({'edges': [EDGE]}, indent=4)}",
    ],
)
def test_edges_are_found_amid_prose_fences_and_loose_commas(reply: str) -> None:
    assert edges_in(reply) == [EDGE]


def test_drafts_are_left_out_and_one_that_never_ends_hides_nothing() -> None:
    draft = PLAIN.replace('"a"', '"x"')
    reply = f"<think>{draft}</think>\n<thinking>{draft}</thinking> {PLAIN} <think>"
    assert edges_in(reply) == [EDGE]
    assert edges_in(f"<think> {PLAIN}") == [EDGE]


def test_several_objects_are_taken_together() -> None:
    other = EDGE | {"target": "c"}
    assert edges_in(f"{PLAIN}\nand\n{json.dumps({'edges': [other]})}") == [EDGE, other]


def test_that_there_is_no_relation_is_an_answer() -> None:
    assert edges_in('{"edges": []}') == []


def test_a_comma_in_a_text_stays() -> None:
    reply = '{"edges": [{"description": "see [a,] and {b,}",},]}'
    assert edges_in(reply) == [{"description": "see [a,] and {b,}"}]


_NO_EDGES = cells('I see no relations. ¦ {"edges": {}} ¦ {"edges": null} ¦ {"nodes": []} ¦ []')


@pytest.mark.parametrize("reply", ["", "  ", PLAIN[:-3], "{" * 9999, *_NO_EDGES])
def test_what_holds_no_list_of_edges_is_refused(reply: str) -> None:
    with pytest.raises(UnreadableReply):
        edges_in(reply)


PROSE = st.text(st.characters(exclude_characters="[{<"))


@given(prose=PROSE, more=PROSE, weight=st.floats(0.01, 1))
def test_no_prose_around_an_answer_hides_it(prose: str, more: str, weight: float) -> None:
    edge = EDGE | {"weight": weight}
    assert edges_in(f"{prose}{json.dumps({'edges': [edge]})}{more}") == [edge]


@given(st.text(alphabet='{}[]",: \\abedgs0', max_size=200))
def test_any_text_is_an_answer_or_refused(reply: str) -> None:
    with suppress(UnreadableReply):
        assert isinstance(edges_in(reply), list)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        *rows("""
            {"source": "c"} → unknown_id ¦ {"target": null} → unknown_id ¦ {"target": ["b"]} → unknown_id
            {"target": "a"} → itself ¦ {"relation": "explains"} → unknown_relation ¦ {"relation": 1} → unknown_relation
            {"weight": 0} → bad_weight ¦ {"weight": -0.1} → bad_weight ¦ {"weight": 1.01} → bad_weight
            {"weight": NaN} → bad_weight ¦ {"weight": Infinity} → bad_weight ¦ {"weight": true} → bad_weight
            {"weight": "0.8"} → bad_weight ¦ {"weight": null} → bad_weight
        """),
        (json.dumps({"weight": 10**400}), "bad_weight"),
    ],
)
def test_an_edge_that_breaks_a_rule_is_dropped_and_counted(change: str, reason: str) -> None:
    reply = json.dumps({"edges": [EDGE, EDGE | json.loads(change)]})
    assert checked(edges_in(reply), ids={"a", "b"}) == ([KEPT], Counter({Dropped(reason): 1}))


def test_what_is_no_object_is_malformed() -> None:
    assert checked(["a", None, 1, []], ids={"a"}) == ([], Counter({Dropped.MALFORMED: 4}))


@pytest.mark.parametrize(
    "change",
    [
        {"source": " [a] ", "target": "`b`"},
        {"relation": " Depends-On "},
        {"relation": "depends on"},
        {"description": " b\ncomes\tfirst "},
    ],
)
def test_spelling_is_forgiven(change: dict[str, Any]) -> None:
    assert checked([EDGE | change], ids={"a", "b"})[0] == [KEPT]


def test_an_edge_needs_no_description_and_a_long_one_is_cut() -> None:
    edges, _ = checked([EDGE | {"description": text} for text in (None, 7, "x" * 400, "\ud800\x1b")], ids={"a", "b"})
    assert [len(edge.description) for edge in edges] == [0, 0, 300, 5]
    assert edges[3].description == "?\\x1b"


def edge(
    source: str, target: str, weight: float, relation: Relation = Relation.REFERENCES, text: str = ""
) -> FoundEdge:
    return FoundEdge(source=source, target=target, relation=relation, weight=weight, description=text)


def test_of_edges_that_say_the_same_the_heaviest_stays_with_its_description() -> None:
    said = [edge("a", "b", 0.5, text="first"), edge("a", "b", 0.7, text="second"), edge("a", "b", 0.7, text="third")]
    other = edge("a", "b", 0.1, Relation.ELABORATES)
    assert distinct([*said, other]) == [said[1], other]


def test_similarity_is_told_from_the_smaller_end() -> None:
    order = {"a": 2, "b": 1}
    assert oriented(edge("a", "b", 1, Relation.SIMILAR_TO), order) == edge("b", "a", 1, Relation.SIMILAR_TO)
    assert oriented(edge("a", "b", 1), order) == edge("a", "b", 1)


def test_light_edges_go_first_and_then_all_but_the_heaviest_of_each_source() -> None:
    edges = [edge("a", "b", 0.3), edge("a", "c", 0.9), edge("a", "d", 0.5), edge("a", "e", 0.6), edge("b", "a", 0.4)]
    kept, dropped = pruned(edges, Pruning(min_weight=0.4, most=2))
    assert kept == [edges[1], edges[3], edges[4]]
    assert dropped == Counter({Dropped.TOO_LIGHT: 1, Dropped.OVER_CAP: 1})


def test_of_equal_edges_the_first_target_stays() -> None:
    edges = [edge("a", "c", 0.5), edge("a", "b", 0.5, Relation.SIMILAR_TO), edge("a", "b", 0.5)]
    assert pruned(edges, Pruning(most=1))[0] == [edges[2]]
    assert pruned(edges[::-1], Pruning(most=1))[0] == [edges[2]]


def test_sequence_is_not_sacrificed_to_the_cap() -> None:
    edges = [edge("a", "b", 0.9), edge("a", "c", 0.2, Relation.SEQUENCE), edge("a", "d", 0.8)]
    assert pruned(edges, Pruning(most=1))[0] == edges[:2]
    assert pruned(edges, Pruning(min_weight=0.3, most=1))[0] == edges[:1]


def test_without_limits_nothing_is_pruned() -> None:
    edges = [edge("a", "b", 0.01), edge("a", "c", 0.02)]
    assert pruned(edges, Pruning()) == (edges, Counter())


@pytest.mark.parametrize("limits", [{"min_weight": 1.1}, {"min_weight": -0.1}, {"min_weight": math.nan}, {"most": -1}])
def test_impossible_limits_are_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        Pruning(**limits)
