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
        clauses = [f"{_clause(step, is_first=not place)}{self._detail(step)}" for place, step in enumerate(steps)]
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


def _clause(step: Step, *, is_first: bool) -> str:
    """Return how a sentence begins with an edge, or goes on with it."""
    words = EdgeType(step.type).words
    relation = Relation(step.relation) if words.is_named_by_relation and step.relation else None
    is_along = step.forward or not words.against
    said = relation.along if relation else ""
    if relation and relation.against and not step.forward:
        is_along, said = True, relation.against
    if not (is_along or is_first) and words.which_against:
        return words.which_against.format(step.target, relation=said)
    begins = (words.along if is_along else words.against).format(step.target, relation=said)
    return f"{step.source if is_first else 'which'} {begins}"


def _file_of(symbol: Node) -> str:
    return symbol.key.partition("::")[0]


def _remark(symbol: Node) -> str:
    return f"Nothing is tied to {symbol.ref} itself; its file {_file_of(symbol)} stands for it."
