"""Use case that says why two nodes are connected: the best path between them, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tx_graph.domain.edges import Direction, EdgeType, NodeId, Relation
from tx_graph.domain.imports import ImportType
from tx_graph.domain.references import NodeKind
from tx_graph.retrieval.connection import connect
from tx_graph.retrieval.expansion import Limits
from tx_graph.services.graph_view import GraphView
from tx_graph.services.paths import Step, ViewOf, step_of
from tx_graph.services.references import Node, References
from tx_graph.storage.cochanges import CoChangeStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection:
    """The best path from one node to another, its score in [0, 1]; 0 and no path when nothing connects them.

    A node is connected with itself, by no step. `sentence` is the path in words. `remarks` say what was looked for
    in the place of a node that nothing is tied to.
    """

    source: Node
    target: Node
    score: float = 0.0
    steps: tuple[Step, ...] = ()
    sentence: str = ""
    remarks: tuple[str, ...] = ()

    @property
    def path(self) -> tuple[str, ...]:
        """References from one end to the other, both included; none when nothing connects them."""
        if not self.is_connected:
            return ()
        return (*(step.source for step in self.steps), self.steps[-1].target if self.steps else self.target.ref)

    @property
    def is_connected(self) -> bool:
        """Whether there is a path."""
        return self.score > 0


class Connections:
    """Finds what connects two nodes."""

    def __init__(self, *, references: References, view_of: ViewOf, cochanges: CoChangeStore) -> None:
        self._references = references
        self._view_of = view_of
        self._cochanges = cochanges

    def between(
        self, source: str, target: str, *, limits: Limits, types: Sequence[EdgeType] = tuple(EdgeType)
    ) -> Connection:
        """Return the best path of at most `depth` hops between two nodes, along edges of these types, either way.

        Raises:
            NotFound: A reference names nothing, or more than one thing.
        """
        ends = (self._references.node(source), self._references.node(target))
        view = self._view_of(types, Direction.BOTH)
        remarks = tuple(_remark(node) for node in ends if node.kind is NodeKind.SYMBOL and node.id is None)
        start, end = (self._place(node, view) for node in ends)
        found = connect(start, end, view.neighbors_of, limits=limits) if start and end else None
        if found is None:
            return Connection(source=ends[0], target=ends[1], remarks=remarks)
        names = view.name({one for edge in found.path for one in edge[:2]})
        worded = view.worded(found.path)
        steps = tuple(step_of(worded[edge], names) for edge in found.path)
        return Connection(
            source=ends[0],
            target=ends[1],
            score=found.score,
            steps=steps,
            sentence=self._sentence(steps),
            remarks=remarks,
        )

    def _place(self, node: Node, view: GraphView) -> NodeId | None:
        if node.kind is NodeKind.SYMBOL and node.id is None:
            node = self._references.node(f"{NodeKind.FILE}:{_file_of(node)}")
        return view.unregistered(node.key) if node.id is None else node.id

    def _sentence(self, steps: Sequence[Step]) -> str:
        clauses = []
        for place, step in enumerate(steps):
            inverse = _INVERSES.get(step.relation) if not step.forward else None
            is_along = step.forward or step.type in _ALIKE or inverse is not None
            clause = _CLAUSES[EdgeType(step.type), is_along][1 if place else 0]
            relation = inverse or _RELATIONS.get(step.relation, "")
            words = clause.format(source=step.source, target=step.target, relation=relation)
            clauses.append(f"{words}{self._detail(step)}")
        return f"{', '.join(clauses)}." if clauses else "Both are the same."

    def _detail(self, step: Step) -> str:
        """Return in brackets how strong an edge is, where there is something to say."""
        if step.type == EdgeType.IMPORTS:
            return "" if step.relation == ImportType.STATIC else f" ({step.relation})"
        if step.type == EdgeType.CO_CHANGES_WITH:
            return f" ({step.weight:.2f}{self._commits(step)})"
        told = [f"{step.weight:.2f}"] if step.weight < 1 else []
        told += [f'"{step.why}"'] if step.why else []
        return f" ({': '.join(told)})" if told else ""

    def _commits(self, step: Step) -> str:
        """Return how many of the commits that touch either file touch both; empty when that is not known."""
        partners = self._cochanges.partners_of([step.source, step.target])
        ends = ((step.source, step.target), (step.target, step.source))
        both = [one for own, other in ends for one in partners.get(own, []) if one.path == other]
        either = sum(one.commits for one in both) - sum(one.shared for one in both[:1])
        return f": {both[0].shared:,} of {either:,} commits" if both else ""


_ALIKE = frozenset({EdgeType.CO_CHANGES_WITH, EdgeType.SIMILAR_TO})
_CLAUSES = {
    (EdgeType.IMPORTS, True): ("{source} imports {target}", "which imports {target}"),
    (EdgeType.IMPORTS, False): ("{source} is imported by {target}", "which is imported by {target}"),
    (EdgeType.CO_CHANGES_WITH, True): (
        "{source} changes together with {target}",
        "which changes together with {target}",
    ),
    (EdgeType.ANCHORED_TO, True): ("{source} is anchored to {target}", "which is anchored to {target}"),
    (EdgeType.ANCHORED_TO, False): ("{source} is what {target} is anchored to", "to which {target} is anchored"),
    (EdgeType.LINKS_TO, True): ("{source} {relation} {target}", "which {relation} {target}"),
    (EdgeType.LINKS_TO, False): ("{source} is what {target} {relation}", "which {target} {relation}"),
    (EdgeType.SIMILAR_TO, True): ("{source} is similar to {target}", "which is similar to {target}"),
    (EdgeType.DERIVED_FROM, True): ("{source} is derived from {target}", "which is derived from {target}"),
    (EdgeType.DERIVED_FROM, False): ("{source} is what {target} is derived from", "from which {target} is derived"),
    (EdgeType.USED_IN_RUN, True): ("{source} was used in {target}", "which was used in {target}"),
    (EdgeType.USED_IN_RUN, False): ("{source} used {target}", "which used {target}"),
    (EdgeType.INVALIDATED_BY, True): ("{source} is invalidated by {target}", "which is invalidated by {target}"),
    (EdgeType.INVALIDATED_BY, False): ("{source} invalidates {target}", "which invalidates {target}"),
}
"""For each type of edge, along and against it: how a sentence begins with it, and how one goes on."""
_RELATIONS: dict[str, str] = {
    Relation.REFERENCES: "references",
    Relation.ELABORATES: "elaborates",
    Relation.DEPENDS_ON: "depends on",
    Relation.CONTRADICTS: "contradicts",
    Relation.PART_OF: "is part of",
    Relation.SIMILAR_TO: "is similar to",
    Relation.SEQUENCE: "precedes",
    Relation.CAUSED_BY: "is caused by",
}
_INVERSES: dict[str, str] = {
    Relation.REFERENCES: "is referenced by",
    Relation.PART_OF: "contains",
    Relation.SEQUENCE: "follows",
}
"""What is said of the other end, where there is a word for it."""


def _file_of(symbol: Node) -> str:
    return symbol.key.partition("::")[0]


def _remark(symbol: Node) -> str:
    return f"Nothing is tied to {symbol.ref} itself; its file {_file_of(symbol)} stands for it."
