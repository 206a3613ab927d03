"""The whole graph as one document, or its heaviest part: nodes and edges as columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tx_graph.code.file_store import FileStore
from tx_graph.core.kernel import Kernel
from tx_graph.core.text import counted
from tx_graph.graph.edge_store import DegreeStore
from tx_graph.graph.edges import Edge, EdgeType, NodeId
from tx_graph.graph.references import NodeKind
from tx_graph.view.look import Look, title

_MOST_NODES, _MOST_EDGES = 10_000, 50_000
"""What a browser draws and drags at ease."""
DIGITS = 6
"""Of a weight: the scores that a page works out are those of a walk to as many."""
_WRITTEN = (NodeKind.LEARNING, NodeKind.ENTITY, NodeKind.TASK, NodeKind.RUN)


def graph(kernel: Kernel) -> dict[str, Any]:
    """Return what a walk may come by: every learning, file and entity, and what else has a tie.

    Where that is too much, learnings, entities and documents come first, then what has the heaviest ties; nodes are in
    the order of their numbers, by which walks settle ties, and have the degree that hubs count less by.
    """
    look = kernel.one(Look)
    kinds = {node: (name.kind, name.ref) for node, name in look.names.items()}
    kinds |= {node: (NodeKind.FILE, path) for path, node in FileStore(kernel.database).paths().items()}
    kinds |= {one.stored.node: (NodeKind.LEARNING, one.stored.ref) for one in look.learnings}
    kinds |= {one.node: (NodeKind.ENTITY, one.ref) for one in look.entities}
    weights = defaultdict[NodeId, float](float)
    for edge in look.edges:
        weights[edge.source] += edge.weight
        weights[edge.target] += edge.weight

    def rank(node: NodeId) -> tuple[bool, float, str]:
        kind, ref = kinds[node]
        return kind not in _WRITTEN and ref not in look.documents, -weights[node], ref

    kept = sorted(sorted(kinds, key=rank)[:_MOST_NODES])
    number = {node: place for place, node in enumerate(kept)}
    between = [edge for edge in look.edges if edge.source in number and edge.target in number]
    edges = _heaviest(between, kinds)
    labels = {one.stored.node: title(one.stored.learning.content) for one in look.learnings}
    verdicts = {one.stored.node: one.standing.word.value for one in look.learnings}
    degrees = DegreeStore(kernel.database).of(kept)
    relations = sorted({edge.relation for edge in edges} - {""})
    node_kinds, types = list(NodeKind), list(EdgeType)
    return {
        "kinds": node_kinds,
        "types": types,
        "relations": relations,
        "nodes": {
            "ref": [kinds[node][1] for node in kept],
            "kind": [node_kinds.index(kinds[node][0]) for node in kept],
            "label": [labels.get(node) for node in kept],
            "verdict": [verdicts.get(node) for node in kept],
            "degree": [degrees.get(node, 0) for node in kept],
        },
        "edges": {
            "source": [number[edge.source] for edge in edges],
            "target": [number[edge.target] for edge in edges],
            "type": [types.index(EdgeType(edge.type)) for edge in edges],
            "relation": [relations.index(edge.relation) if edge.relation else -1 for edge in edges],
            "weight": [round(edge.weight, DIGITS) for edge in edges],
            "directed": [int(bool(EdgeType(edge.type).words.against)) for edge in edges],
        },
        "left_out": _left_out(kinds, number, len(between) - len(edges)),
    }


def _heaviest(edges: Iterable[Edge], kinds: Mapping[NodeId, tuple[NodeKind, str]]) -> list[Edge]:
    """Return as many edges as find room: those of what people wrote first, then the heaviest."""

    def rank(edge: Edge) -> tuple[bool, float]:
        return kinds[edge.source][0] not in _WRITTEN and kinds[edge.target][0] not in _WRITTEN, -edge.weight

    return sorted(sorted(edges, key=rank)[:_MOST_EDGES])


def _left_out(kinds: Mapping[NodeId, tuple[NodeKind, str]], kept: Collection[NodeId], edges: int) -> list[str]:
    lacking = Counter(kind for node, (kind, _) in kinds.items() if node not in kept)
    said = ", ".join(counted(count, kind) for kind, count in sorted(lacking.items()))
    told = [f"Left out, with their edges, as those are the lightest: {said}."] if said else []
    return told + ([f"Left out: {edges:,} edges, the lightest."] if edges else [])
