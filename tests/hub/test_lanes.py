"""Hubs hold the numbers of edges: what they stand for never changes, and what is new goes to the end."""

from __future__ import annotations

import pytest

from tx_graph.code.imports import ImportType
from tx_graph.graph.edges import EDGE_SOURCES, EdgeType, Relation
from tx_graph.hub.lanes import RELATIONS, lane_of, relation_number
from tx_graph.records.anchor import AnchorType

_LANES: dict[str, dict[EdgeType, tuple[int, ...]]] = {
    "anchor": {EdgeType.ANCHORED_TO: (0, 16)},
    "import": {EdgeType.IMPORTS: (34,)},
    "cochange": {EdgeType.CO_CHANGES_WITH: (51,)},
    "asserted": {
        EdgeType.DERIVED_FROM: (65,),
        EdgeType.SIMILAR_TO: (68,),
        EdgeType.LINKS_TO: (69,),
        EdgeType.USED_IN_RUN: (70,),
        EdgeType.INVALIDATED_BY: (71,),
    },
    "section": {EdgeType.LINKS_TO: (85,), EdgeType.SIMILAR_TO: (84,)},
    "fact": {EdgeType.LINKS_TO: (101,)},
    "mention": {EdgeType.LINKS_TO: (117,)},
}


def test_lanes_keep_their_numbers() -> None:
    lanes = [(lane_of(source, kind), source.layer, kind) for source in EDGE_SOURCES for kind in source.types]
    assert all(lane in _LANES[layer][kind] for lane, layer, kind in lanes)
    assert len({lane for lane, _, _ in lanes}) == len(lanes)


@pytest.mark.parametrize("kind", [Relation, ImportType, AnchorType])
def test_every_relation_has_a_number(kind: type[Relation | ImportType | AnchorType]) -> None:
    assert [RELATIONS[relation_number(one)] for one in kind] == [one.value for one in kind]
    assert RELATIONS[0] == ""
    assert (RELATIONS[8], RELATIONS[-1]) == ("type-only", "caused_by")
