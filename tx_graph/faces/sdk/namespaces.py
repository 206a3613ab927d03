"""The graph: what is connected with what, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tx_graph.anchors.anchors import Anchors
from tx_graph.anchors.linking import Linking, parse_relation
from tx_graph.code.import_graph import ImportGraph
from tx_graph.code.indexing import ImportAnalysis
from tx_graph.code.symbol_index import SymbolIndex
from tx_graph.context.partners import CoChanges
from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import UsageError
from tx_graph.faces.sdk.live import Namespace
from tx_graph.faces.sdk.values import GraphEdge, NewEdge, TraverseOptions, chosen
from tx_graph.graph.edges import Direction, EdgeType, Relation
from tx_graph.graph.expand import Limits, Profile, chosen_types
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochanges import CoChangeAnalysis
from tx_graph.learnings.similar import Similar
from tx_graph.records.anchor import AnchorType

if TYPE_CHECKING:
    from tx_graph.anchors.linking import Tied
    from tx_graph.context.graph import Connection, GraphStats, Neighborhood, Surroundings
    from tx_graph.context.graph_view import Neighbor, Step


class Edges(Namespace):
    """Asserted edges live in the records of learnings, as their links and anchors; all others are derived."""

    def add_edge(self, edge: NewEdge) -> GraphEdge:
        """Return an edge that was added: a LINKS_TO edge between learnings, or an ANCHORED_TO edge to code.

        One that is there already stays, a link with the new weight; one that was removed is valid again.

        Raises:
            NotFound: One of its ends does not exist.
            UsageError: Its type is derived, its ends are the same or of the wrong kind, or its weight is none.

        Example:
            >>> from tx_graph import NewEdge
            >>> one, other = (workspace.learnings.add(text).stored for text in ("Tokens are secret", "Tokens end"))
            >>> workspace.graph.add_edge(NewEdge(source=one, target=other)).relation
            'references'
        """
        kind, relation = chosen(EdgeType, edge.type), chosen(Relation, edge.relation)
        with self._lasting.use() as workspace:
            if kind is EdgeType.LINKS_TO:
                source, target = ref_of(edge.source), ref_of(edge.target)
                related = workspace.kernel.one(Linking).relate(source, target, relation=relation, weight=edge.weight)
                return GraphEdge(
                    type=kind,
                    source=related.source.ref,
                    target=related.target.ref,
                    relation=related.link.relation.value,
                    weight=related.link.weight,
                )
            if kind is EdgeType.ANCHORED_TO:
                return _anchored(workspace.kernel.one(Linking).link(ref_of(edge.source), ref_of(edge.target)))
        raise _derived(kind, "added")

    def get_edges(self, node: Ref, type: NodeKind | None = None) -> tuple[GraphEdge, ...]:
        """Return every valid edge that touches a node, heaviest first, each as it is stored; `type` is the node's.

        Raises:
            NotFound: There is no such node, or several.
        """
        named = ref_of(node)
        ref = named if type is None or named.startswith(f"{type}:") else f"{type}:{named}"
        with self._lasting.use() as workspace:
            return tuple(dict.fromkeys(map(_as_stored, workspace.graph.show(ref).steps)))

    def traverse(self, start: Ref, options: TraverseOptions | None = None) -> tuple[Neighbor, ...]:
        """Return the nodes that a walk from `start` meets, best first, each with the path that earned its score.

        Raises:
            NotFound: There is no such node, or several.
            UsageError: A number is out of range, or a type is unknown or both included and excluded.

        Example:
            >>> from tx_graph import TraverseOptions
            >>> [one.ref for one in workspace.graph.traverse("src/auth.py", TraverseOptions(edge_types=["IMPORTS"]))]
            ['src/tokens.py']
        """
        wanted = options or TraverseOptions()
        with self._lasting.use() as workspace:
            return workspace.graph.neighbors(
                ref_of(start),
                limits=Limits(depth=wanted.depth, decay=wanted.decay, max_nodes=wanted.max_nodes),
                profile=chosen(Profile, wanted.profile),
                types=chosen_types(wanted.edge_types, wanted.exclude_edge_types),
                direction=chosen(Direction, wanted.direction),
                limit=wanted.limit,
            ).neighbors

    def invalidate_edge(self, edge: GraphEdge, *, reason: str = "Somebody invalidated the edge.") -> None:
        """Return nothing: the edge holds no more. Its history stays, and `add_edge` or `anchors.restore` revives it.

        A link is removed from the record of its learning; an anchor is marked there, with the reason.

        Raises:
            NotFound: There is no such edge, or there is none any more.
            UsageError: It is derived: what it was read from has to change.
        """
        with self._lasting.use() as workspace:
            if edge.type is EdgeType.ANCHORED_TO:
                workspace.kernel.one(Anchors).invalidate(edge.source, edge.description or edge.target, reason=reason)
            elif edge.type is EdgeType.LINKS_TO and all(map(_is_learning, (edge.source, edge.target))):
                workspace.kernel.one(Linking).unrelate(edge.source, edge.target, relation=parse_relation(edge.relation))
            else:
                raise _derived(edge.type, "invalidated")


def _is_learning(ref: str) -> bool:
    return ref.startswith(f"{NodeKind.LEARNING}:")


def _derived(kind: EdgeType, done: str) -> UsageError:
    hint = f"It comes of {kind.words.made_by}."
    return UsageError(f"This {kind} edge cannot be {done} by itself: it is derived.", hint=hint)


def _anchored(tied: Tied) -> GraphEdge:
    from tx_graph.records.anchor_store import GLOB_WEIGHT

    anchor = tied.anchor
    return GraphEdge(
        type=EdgeType.ANCHORED_TO,
        source=tied.learning.ref,
        target=anchor.spec if anchor.symbol else anchor.path,
        relation=anchor.type.value,
        weight=GLOB_WEIGHT if anchor.type is AnchorType.GLOB else 1.0,
        description=anchor.spec,
    )


def _as_stored(step: Step) -> GraphEdge:
    """Return the edge of a step, which is turned to lead away from where somebody stands."""
    source, target = (step.source, step.target) if step.forward else (step.target, step.source)
    return GraphEdge(
        type=EdgeType(step.type),
        source=source,
        target=target,
        relation=step.relation,
        weight=step.weight,
        description=step.description,
    )


_STANDARD = Limits()
_HOPS_OF_A_PATH = 6


class Graph(Linking, Edges, ImportGraph, SymbolIndex, CoChanges, ImportAnalysis, CoChangeAnalysis, Similar):
    """What is connected with what: `workspace.graph`."""

    def show(self, node: Ref) -> Surroundings:
        """Return a node with every edge that touches it, heaviest first.

        Raises:
            NotFound: The reference names nothing, or more than one thing.
        """
        with self._lasting.use() as workspace:
            return workspace.graph.show(ref_of(node))

    def neighbors(
        self,
        node: Ref,
        *,
        depth: int = _STANDARD.depth,
        decay: float = _STANDARD.decay,
        max_nodes: int = _STANDARD.max_nodes,
        profile: Profile = Profile.DECAY,
        edge_types: Sequence[EdgeType | str] = (),
        exclude_edge_types: Sequence[EdgeType | str] = (),
        types_at: Mapping[int, Sequence[EdgeType | str]] | None = None,
        direction: Direction = Direction.BOTH,
        limit: int = 20,
    ) -> Neighborhood:
        """Return what lies around a node, best first, each with the path that earned its score.

        At the hops named in `types_at`, counted from 1, these types of edges are followed instead of the others.

        Raises:
            NotFound: The reference names nothing, or more than one thing.
            UsageError: A number is out of range, or a type is unknown or both included and excluded.

        Example:
            >>> [one.ref for one in workspace.graph.neighbors("src/auth.py", edge_types=["IMPORTS"]).neighbors]
            ['src/tokens.py']
        """
        with self._lasting.use() as workspace:
            return workspace.graph.neighbors(
                ref_of(node),
                limits=Limits(depth=depth, decay=decay, max_nodes=max_nodes),
                profile=chosen(Profile, profile),
                types=chosen_types(edge_types, exclude_edge_types),
                types_at={hop: chosen_types(types, ()) for hop, types in (types_at or {}).items()},
                direction=chosen(Direction, direction),
                limit=limit,
            )

    def path(
        self,
        source: Ref,
        target: Ref,
        *,
        max_hops: int = _HOPS_OF_A_PATH,
        decay: float = _STANDARD.decay,
        edge_types: Sequence[EdgeType | str] = (),
        exclude_edge_types: Sequence[EdgeType | str] = (),
    ) -> Connection:
        """Return the best path between two nodes, with its score and in words; none of it when there is none.

        Raises:
            NotFound: A reference names nothing, or more than one thing.
            UsageError: A number is out of range, or a type is unknown or both included and excluded.
        """
        limits, types = Limits(depth=max_hops, decay=decay), chosen_types(edge_types, exclude_edge_types)
        with self._lasting.use() as workspace:
            return workspace.graph.path(ref_of(source), ref_of(target), limits=limits, types=types)

    def stats(self) -> GraphStats:
        """Return how many nodes and edges there are, and when the derived ones were made."""
        with self._lasting.use() as workspace:
            return workspace.graph.stats()
