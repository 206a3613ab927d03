"""The layers of the graph with all their words: the same edges as the view `graph_edges`, four times as fast.

The view spells out seven columns for every row of every layer, most of them constant. Here each table is asked for
what only the table knows, and the rest is added. A test holds the two together. Walks ask for less; see `lanes`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Protocol

from tx_graph.domain.edges import Edge, EdgeType, Relation
from tx_graph.storage.lanes import WALKED_FACTS

_FRONTIER = "IN (SELECT value FROM json_each(:nodes))"
_TYPED = "IN (SELECT value FROM json_each(:types))"
_PRESENT = "NOT IN (SELECT node_id FROM gone_files)"
TOLD_FACT = "predicate || iif(status = 'staged', ' (staged)', '')"
"""What a fact says as an edge: nothing staged goes unmarked."""


class Rows(Protocol):
    """Turns rows into edges; they were stored that way round, or are turned."""

    def __call__(self, rows: Iterable[Any], *, forward: bool) -> list[Edge]:
        """Return one edge per row."""


class Layer(NamedTuple):
    """One table of edges: its types, what to ask for each way, and how its rows become edges."""

    types: frozenset[EdgeType]
    forward: str
    backward: str
    edges: Rows


def _layer(
    types: Iterable[EdgeType],
    *ends: tuple[str, str],
    columns: str,
    source: str,
    edges: Rows,
) -> Layer:
    """Return a layer whose rows have a source and a target column (several pairs of them are united)."""

    def ask(start: str, end: str) -> str:
        return f"SELECT {start}, {end}{columns} FROM {source} {start} {_FRONTIER} AND {end} IS NOT NULL"

    return Layer(
        types=frozenset(types),
        forward=" UNION ALL ".join(ask(start, end) for start, end in ends),
        backward=" UNION ALL ".join(ask(end, start) for start, end in ends),
        edges=edges,
    )


def _anchors(rows: Iterable[Any], *, forward: bool) -> list[Edge]:
    kind = EdgeType.ANCHORED_TO.value
    return [Edge(start, end, kind, weight, how, spec, forward) for start, end, weight, how, spec in rows]


def _imports(rows: Iterable[Any], *, forward: bool) -> list[Edge]:
    kind = EdgeType.IMPORTS.value
    return [Edge(start, end, kind, 1.0, how, "", forward) for start, end, how in rows]


def _cochanges(rows: Iterable[Any], *, forward: bool) -> list[Edge]:
    kind = EdgeType.CO_CHANGES_WITH.value
    return [Edge(start, end, kind, score, "", "", forward) for start, end, score in rows]


def _asserted(rows: Iterable[Any], *, forward: bool) -> list[Edge]:
    return [Edge(start, end, kind, weight, how, text, forward) for start, end, kind, weight, how, text in rows]


def _facts(rows: Iterable[Any], *, forward: bool) -> list[Edge]:
    kind = EdgeType.LINKS_TO.value
    return [Edge(start, end, kind, weight, how, text, forward) for start, end, weight, how, text in rows]


def _mentions(rows: Iterable[Any], *, forward: bool) -> list[Edge]:
    kind, how = EdgeType.LINKS_TO.value, Relation.REFERENCES.value
    return [Edge(start, end, kind, weight, how, text, forward) for start, end, weight, text in rows]


LAYERS = (
    _layer(
        [EdgeType.ANCHORED_TO],
        ("learning", "file_node"),
        ("learning", "symbol_node"),
        columns=", weight, anchor_type, anchor_value",
        source="file_anchors WHERE status <> 'invalid' AND",
        edges=_anchors,
    ),
    _layer(
        [EdgeType.IMPORTS],
        ("source_file", "target_file"),
        columns=", import_type",
        source="file_imports WHERE",
        edges=_imports,
    ),
    _layer(
        [EdgeType.CO_CHANGES_WITH],
        ("file_a", "file_b"),
        columns=", correlation_score",
        source=f"file_cochanges WHERE file_a {_PRESENT} AND file_b {_PRESENT} AND",
        edges=_cochanges,
    ),
    _layer(
        set(EdgeType) - {EdgeType.ANCHORED_TO, EdgeType.IMPORTS, EdgeType.CO_CHANGES_WITH},
        ("source", "target"),
        columns=", edge_type, weight, relation, description",
        source=f"learning_edges WHERE invalidated_at IS NULL AND edge_type {_TYPED} AND",
        edges=_asserted,
    ),
    _layer(
        [EdgeType.LINKS_TO, EdgeType.SIMILAR_TO],
        ("source", "target"),
        columns=", edge_type, weight, relation, description",
        source=f"section_edges WHERE edge_type {_TYPED} AND",
        edges=_asserted,
    ),
    _layer(
        [EdgeType.LINKS_TO],
        ("subject", "object"),
        columns=f", confidence, relation, {TOLD_FACT}",
        source=f"facts WHERE {WALKED_FACTS} AND",
        edges=_facts,
    ),
    _layer(
        [EdgeType.LINKS_TO],
        ("node", "entity"),
        columns=", weight, origin",
        source="mentions WHERE",
        edges=_mentions,
    ),
)
