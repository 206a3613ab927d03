"""The whole graph as one document, or its heaviest part: nodes and edges as columns."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from tx_graph.code.file_store import FileStore
from tx_graph.core.kernel import Kernel
from tx_graph.graph.edges import Edge, EdgeType, NodeId
from tx_graph.graph.references import NodeKind
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.view.look import Look, title

_MOST_NODES, _MOST_EDGES = 10_000, 50_000
"""What a browser draws and drags at ease."""
DIGITS = 6
"""Of a weight: the scores that a page works out are those of a walk to as many."""
_WRITTEN = (NodeKind.LEARNING, NodeKind.ENTITY, NodeKind.TASK, NodeKind.RUN)
_PLURALS = {NodeKind.ENTITY: "entities"}


def graph(kernel: Kernel) -> dict[str, Any]:
    """Return what a walk may come by: every learning, file and entity, and what else has a tie.

    Where that is too much, learnings, entities and documents come first, then what has the heaviest ties; nodes are in
    the order of their numbers, by which walks settle ties.
    """
    look = kernel.one(Look)
    kinds = {node: (name.kind, name.ref) for node, name in look.names.items()}
    kinds |= {node: (NodeKind.FILE, path) for path, node in FileStore(kernel.database).paths().items()}
    kinds |= {one.stored.node: (NodeKind.LEARNING, one.stored.ref) for one in look.learnings}
    kinds |= {one.node: (NodeKind.ENTITY, one.ref) for one in EntityStore(kernel.database).listed()}
    weights = defaultdict[NodeId, float](float)
    for edge in look.edges:
        weights[edge.source] += edge.weight
        weights[edge.target] += edge.weight

    def rank(node: NodeId) -> tuple[bool, float, str]:
        kind, ref = kinds[node]
        return kind not in _WRITTEN and ref not in look.documents, -weights[node], ref

    kept = sorted(sorted(kinds, key=rank)[:_MOST_NODES])
    edges = _heaviest(look.edges, set(kept), kinds)
    number = {node: place for place, node in enumerate(kept)}
    labels = {one.stored.node: title(one.stored.learning.content) for one in look.learnings}
    verdicts = {one.stored.node: one.standing.word.value for one in look.learnings}
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
        },
        "edges": {
            "source": [number[edge.source] for edge in edges],
            "target": [number[edge.target] for edge in edges],
            "type": [types.index(EdgeType(edge.type)) for edge in edges],
            "relation": [relations.index(edge.relation) if edge.relation else -1 for edge in edges],
            "weight": [round(edge.weight, DIGITS) for edge in edges],
            "directed": [int(bool(EdgeType(edge.type).words.against)) for edge in edges],
        },
        "left_out": _left_out(kinds, number, len(look.edges) - len(edges)),
    }


def _heaviest(
    edges: Iterable[Edge], kept: Collection[NodeId], kinds: Mapping[NodeId, tuple[NodeKind, str]]
) -> list[Edge]:
    """Return the edges between nodes that are kept, those that people wrote first, then the heaviest."""
    between = [edge for edge in edges if edge.source in kept and edge.target in kept]
    between.sort(key=lambda edge: (not {kinds[edge.source][0], kinds[edge.target][0]} & {*_WRITTEN}, -edge.weight))
    return sorted(between[:_MOST_EDGES])


def _left_out(kinds: Mapping[NodeId, tuple[NodeKind, str]], kept: Collection[NodeId], edges: int) -> list[str]:
    lacking = Counter(kind for node, (kind, _) in kinds.items() if node not in kept)
    said = [f"{count:,} {_PLURALS.get(kind, f'{kind}s')}" for kind, count in sorted(lacking.items())]
    told = [f"Left out, as the lightest: {', '.join(said)}."] if said else []
    return told + ([f"Left out: {edges:,} edges, the lightest and those of nodes that are not here."] if edges else [])
