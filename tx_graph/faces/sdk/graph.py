"""The graph: what is connected with what, and why; and how programs name its edges."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.anchors.anchors import Anchors
from tx_graph.anchors.linking import Linking, parse_relation
from tx_graph.code.import_graph import ImportGraph
from tx_graph.code.indexing import ImportAnalysis
from tx_graph.code.references import SymbolUses
from tx_graph.code.symbol_index import SymbolIndex
from tx_graph.context import graph
from tx_graph.context.graph_export import GraphExporter
from tx_graph.context.graph_view import Neighbor
from tx_graph.context.impact import ImpactAnalysis
from tx_graph.context.partners import CoChanges
from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.faces.sdk.live import chosen
from tx_graph.graph.edges import Direction, EdgeType, Relation
from tx_graph.graph.expand import Limits, Profile
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochanges import CoChangeAnalysis
from tx_graph.learnings.similar import Similar
from tx_graph.records.anchor import AnchorType
from tx_graph.records.anchor_store import GLOB_WEIGHT

_STANDARD = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEdge:
    """An edge that somebody asserts, from a learning: a LINKS_TO edge to another one, or an ANCHORED_TO edge to code.

    `relation` and `weight` in [0, 1] are those of a link. The target of an anchor is written
    `PATH[::SYMBOL][:L1-L2]`.
    """

    source: Ref
    target: Ref
    type: EdgeType = EdgeType.LINKS_TO
    relation: Relation = Relation.REFERENCES
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphEdge(Answer):
    """An edge as it is stored, named by what it says: its type, its ends as references, and its relation.

    Of an anchor, `relation` is how it finds its place and `description` the anchor as one writes it. `weight` lies in
    [0, 1].
    """

    type: EdgeType
    source: str
    target: str
    relation: str = ""
    weight: float = 1.0
    description: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TraverseOptions:
    """How far a traversal goes, which edges it follows, and how it scores what it meets (see `Limits`, `Profile`).

    No `edge_types` stand for all of them. `limit` is the most nodes that are told, from 1 to 10,000.
    """

    depth: int = _STANDARD.depth
    decay: float = _STANDARD.decay
    max_nodes: int = _STANDARD.max_nodes
    profile: Profile = Profile.DECAY
    edge_types: Sequence[EdgeType | str] = ()
    exclude_edge_types: Sequence[EdgeType | str] = ()
    direction: Direction = Direction.BOTH
    limit: int = 100


class Graph(
    graph.Graph,
    GraphExporter,
    Linking,
    ImportGraph,
    SymbolIndex,
    SymbolUses,
    ImpactAnalysis,
    CoChanges,
    ImportAnalysis,
    CoChangeAnalysis,
    Similar,
):
    """What is connected with what: `workspace.graph`.

    Asserted edges live in the records of learnings, as their links and anchors; all others are derived, and to add or
    invalidate one raises UsageError. So does a number that is out of range and a type that is none; a reference that
    names nothing, or several things, raises NotFound.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def add_edge(self, edge: NewEdge) -> GraphEdge:
        """Return an edge that was added: a LINKS_TO edge between learnings, or an ANCHORED_TO edge to code.

        One that is there already stays, a link with the new weight; one that was removed is valid again.

        Example:
            >>> from tx_graph import NewEdge
            >>> one, other = (workspace.learnings.add(text).stored for text in ("Tokens are secret", "Tokens end"))
            >>> workspace.graph.add_edge(NewEdge(source=one, target=other)).relation
            'references'
        """
        kind, linking = chosen(EdgeType, edge.type), self._kernel.one(Linking)
        source, target = ref_of(edge.source), ref_of(edge.target)
        if kind is EdgeType.LINKS_TO:
            related = linking.relate(source, target, relation=chosen(Relation, edge.relation), weight=edge.weight)
            link = related.link
            return GraphEdge(
                type=kind,
                source=related.source.ref,
                target=related.target.ref,
                relation=link.relation.value,
                weight=link.weight,
            )
        if kind is not EdgeType.ANCHORED_TO:
            raise _derived(kind, "added")
        tied = linking.link(source, target)
        return GraphEdge(
            type=kind,
            source=tied.learning.ref,
            target=tied.anchor.spec if tied.anchor.symbol else tied.anchor.path,
            relation=tied.anchor.type.value,
            weight=GLOB_WEIGHT if tied.anchor.type is AnchorType.GLOB else 1.0,
            description=tied.anchor.spec,
        )

    def get_edges(self, node: Ref, type: NodeKind | None = None) -> tuple[GraphEdge, ...]:
        """Return every valid edge that touches a node, heaviest first, each as it is stored; `type` is the node's."""
        named = ref_of(node)
        ref = named if type is None or named.startswith(f"{type}:") else f"{type}:{named}"
        edges = []
        for step in self.show(ref).steps:
            # A step is turned to lead away from where somebody stands.
            source, target = (step.source, step.target) if step.forward else (step.target, step.source)
            edge = GraphEdge(
                type=EdgeType(step.type),
                source=source,
                target=target,
                relation=step.relation,
                weight=step.weight,
                description=step.description,
            )
            edges.append(edge)
        return tuple(dict.fromkeys(edges))

    def traverse(self, start: Ref, options: TraverseOptions | None = None) -> tuple[Neighbor, ...]:
        """Return the nodes that a walk from `start` meets, best first, each with the path that earned its score.

        Example:
            >>> from tx_graph import TraverseOptions
            >>> [one.ref for one in workspace.graph.traverse("src/auth.py", TraverseOptions(edge_types=["IMPORTS"]))]
            ['src/tokens.py']
        """
        wanted = options or TraverseOptions()
        return self.neighbors(
            start,
            depth=wanted.depth,
            decay=wanted.decay,
            max_nodes=wanted.max_nodes,
            profile=chosen(Profile, wanted.profile),
            edge_types=wanted.edge_types,
            exclude_edge_types=wanted.exclude_edge_types,
            direction=chosen(Direction, wanted.direction),
            limit=wanted.limit,
        ).neighbors

    def invalidate_edge(self, edge: GraphEdge, *, reason: str = "Somebody invalidated the edge.") -> None:
        """Return nothing: the edge holds no more. Its history stays, and `add_edge` or `anchors.restore` revives it.

        A link is removed from the record of its learning; an anchor is marked there, with the reason.
        """
        are_learnings = all(end.startswith(f"{NodeKind.LEARNING}:") for end in (edge.source, edge.target))
        if edge.type is EdgeType.ANCHORED_TO:
            self._kernel.one(Anchors).invalidate(edge.source, edge.description or edge.target, reason=reason)
        elif edge.type is EdgeType.LINKS_TO and are_learnings:
            self._kernel.one(Linking).unrelate(edge.source, edge.target, relation=parse_relation(edge.relation))
        else:
            raise _derived(edge.type, "invalidated")


def _derived(kind: EdgeType, done: str) -> UsageError:
    hint = f"It comes of {kind.words.made_by}."
    return UsageError(f"This {kind} edge cannot be {done} by itself: it is derived.", hint=hint)
