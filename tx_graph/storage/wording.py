"""Bare edges in words: the relation and description of the few edges that an answer shows."""

from __future__ import annotations

import json
from collections.abc import Collection

from tx_graph.domain.edges import Edge
from tx_graph.storage.database import Database
from tx_graph.storage.lanes import WALKED_FACTS
from tx_graph.storage.layers import TOLD_FACT

_ASKED = "json_extract(asked.value, '$[{}]')"
_SOURCE, _TARGET, _TYPE, _WEIGHT = (_ASKED.format(number) for number in range(4))

_WORDS = f"""
    SELECT asked.key, import_type, ''
    FROM json_each(:edges) asked
    JOIN file_imports ON source_file = {_SOURCE} AND target_file = {_TARGET}
    WHERE {_TYPE} = 'IMPORTS'
    UNION ALL
    SELECT asked.key, anchor_type, anchor_value
    FROM json_each(:edges) asked
    JOIN file_anchors ON learning = {_SOURCE} AND {_TARGET} IN (file_node, symbol_node) AND weight = {_WEIGHT}
    WHERE {_TYPE} = 'ANCHORED_TO' AND status <> 'invalid'
    UNION ALL
    SELECT asked.key, relation, description
    FROM json_each(:edges) asked
    JOIN learning_edges ON source = {_SOURCE} AND target = {_TARGET} AND edge_type = {_TYPE} AND weight = {_WEIGHT}
    WHERE invalidated_at IS NULL
    UNION ALL
    SELECT asked.key, relation, description
    FROM json_each(:edges) asked
    JOIN section_edges ON source = {_SOURCE} AND target = {_TARGET} AND edge_type = {_TYPE} AND weight = {_WEIGHT}
    UNION ALL
    SELECT asked.key, relation, {TOLD_FACT}
    FROM json_each(:edges) asked
    JOIN facts ON subject = {_SOURCE} AND object = {_TARGET} AND confidence = {_WEIGHT}
    WHERE {_TYPE} = 'LINKS_TO' AND {WALKED_FACTS}
    UNION ALL
    SELECT asked.key, 'references', origin
    FROM json_each(:edges) asked
    JOIN mentions ON node = {_SOURCE} AND entity = {_TARGET} AND weight = {_WEIGHT}
    WHERE {_TYPE} = 'LINKS_TO'
    ORDER BY 1, 2 DESC, 3 DESC
"""


def worded(database: Database, edges: Collection[Edge]) -> dict[Edge, Edge]:
    """Return for each bare edge the stored one with its relation and description, as far as there is one.

    Where several edges of one type and weight join the same ends, it is the first by relation and description.
    """
    asked = list(edges)
    rows = database.rows(_WORDS, {"edges": json.dumps([_stored_way(edge) for edge in asked])}) if asked else []
    # Sorted backwards, so that the first of several is the last that is put in.
    return {asked[number]: asked[number]._replace(relation=how, description=text) for number, how, text in rows}


def _stored_way(edge: Edge) -> tuple[int, int, str, float]:
    ends = edge[:2] if edge.forward else (edge.target, edge.source)
    return (*ends, edge.type, edge.weight)
