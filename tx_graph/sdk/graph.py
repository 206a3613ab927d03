"""The graph: what is connected with what, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.domain.anchor import Anchor, AnchorRequest, parse_anchor
from tx_graph.domain.edges import Direction, EdgeType, Relation
from tx_graph.retrieval.expansion import Limits, Profile, chosen_types
from tx_graph.sdk.analyses import Analyses
from tx_graph.sdk.code import Code
from tx_graph.sdk.edges import Edges
from tx_graph.sdk.given import chosen
from tx_graph.sdk.references import AnchorSpec, spec_of

if TYPE_CHECKING:
    from tx_graph.services.connections import Connection
    from tx_graph.services.graph import GraphStats, Neighborhood, Surroundings
    from tx_graph.services.linking import Related as LearningsRelated
    from tx_graph.services.linking import Tied
    from tx_graph.services.suggesting import Suggestion

_STANDARD = Limits()
_HOPS_OF_A_PATH = 6


class Graph(Edges, Code, Analyses):
    """What is connected with what: `workspace.graph`."""

    def link(self, learning: Ref, place: str | AnchorRequest, *, dry_run: bool = False) -> Tied:
        """Return the anchor by which a learning is tied to code now; with `dry_run` by which it would be.

        A place is written `PATH[::SYMBOL][:L1-L2]`; prefer a symbol, which survives most changes around it.

        Raises:
            NotFound: The learning, file, symbol or lines do not exist.
            UsageError: The request contradicts itself, or leads out of the repository.
        """
        request = parse_anchor(place) if isinstance(place, str) else place
        with self._lasting.use() as workspace:
            return workspace.linking.link(ref_of(learning), request, dry_run=dry_run)

    def suggest_anchor(self, path: str, word: str) -> Suggestion:
        """Return the best anchor to what a word names in a file, and why; its `request` is for `link`.

        Raises:
            NotFound: There is no such file, or nothing like the word in it.
            UsageError: The word is empty, or the path cannot be anchored.
        """
        with self._lasting.use() as workspace:
            return workspace.linking.suggest(path, word)

    def unlink(self, learning: Ref, anchor: AnchorSpec) -> tuple[Anchor, ...]:
        """Return the anchors that were removed from a learning: the one named, or all those in the file named.

        Raises:
            NotFound: The learning has no such anchor; those it has are named.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.linking.unlink(ref_of(learning), spec_of(anchor) or "")[1])

    def relate(
        self, source: Ref, target: Ref, *, relation: Relation = Relation.REFERENCES, weight: float = 1.0
    ) -> LearningsRelated:
        """Return the link from one learning to another; the same relation again takes the new weight, in [0, 1].

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are the same, or the weight is out of range.
        """
        said = chosen(Relation, relation)
        with self._lasting.use() as workspace:
            return workspace.linking.relate(ref_of(source), ref_of(target), relation=said, weight=weight)

    def unrelate(self, source: Ref, target: Ref, *, relation: Relation | None = None) -> int:
        """Return how many links from one learning to another were removed, of one relation if it is named.

        Raises:
            NotFound: One of them does not exist, or there is no such link.
        """
        said = chosen(Relation, relation)
        with self._lasting.use() as workspace:
            return workspace.linking.unrelate(ref_of(source), ref_of(target), relation=said)

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
            return workspace.connections.between(ref_of(source), ref_of(target), limits=limits, types=types)

    def stats(self) -> GraphStats:
        """Return how many nodes and edges there are, and when the derived ones were made."""
        with self._lasting.use() as workspace:
            return workspace.graph.stats()
