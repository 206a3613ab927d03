"""Use cases that read the graph: what is tied to a node, and what lies around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tx_graph.domain.edges import Direction, EdgeType
from tx_graph.domain.labels import checked_limit
from tx_graph.domain.references import NodeKind
from tx_graph.domain.verdict import Standing
from tx_graph.retrieval.expansion import ExpansionStats, Limits, Profile, Reached, explore, scoring_of
from tx_graph.services.paths import Neighbor, Step, ViewOf, described, step_of
from tx_graph.services.references import Node, References
from tx_graph.services.standings import Standings
from tx_graph.storage.analyses import AnalysisRun, AnalysisStore
from tx_graph.storage.anchors import AnchorStore
from tx_graph.storage.documents import DocumentStore
from tx_graph.storage.edges import EdgeStore
from tx_graph.storage.files import FileStore
from tx_graph.storage.learnings import LearningStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighborhood:
    """What lies around a node, best first; `reached` counts what the limit cut off too.

    `stats` say how much was looked at; None of a node that nothing is tied to.
    """

    node: Node
    neighbors: tuple[Neighbor, ...]
    reached: int
    stats: ExpansionStats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """A node and the edges that touch it, each turned to lead away from it."""

    node: Node
    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStats:
    """Sizes of the graph, and when its derived parts were last made.

    `findings` says how many anchors did not hold when verification last looked, by status; `documents` has the
    numbers of documents, sections and chunks.
    """

    learnings: dict[str, int]
    files: int
    languages: dict[str, int]
    anchors: int
    findings: dict[str, int]
    edges: dict[str, int]
    documents: dict[str, int]
    analyses: dict[str, AnalysisRun | None]


class Graph:
    """Reads the graph."""

    def __init__(
        self,
        *,
        references: References,
        view_of: ViewOf,
        edges: EdgeStore,
        anchors: AnchorStore,
        learnings: LearningStore,
        files: FileStore,
        documents: DocumentStore,
        analyses: AnalysisStore,
        standings: Standings,
    ) -> None:
        self._references = references
        self._view_of = view_of
        self._edges = edges
        self._anchors = anchors
        self._learnings = learnings
        self._files = files
        self._documents = documents
        self._analyses = analyses
        self._standings = standings

    def neighbors(
        self,
        ref: str,
        *,
        limits: Limits,
        profile: Profile = Profile.DECAY,
        types: Sequence[EdgeType] = tuple(EdgeType),
        types_at: Mapping[int, Sequence[EdgeType]] = MappingProxyType({}),
        direction: Direction = Direction.BOTH,
        limit: int = 100,
    ) -> Neighborhood:
        """Return what lies around a node, best first; under `spread` the best neighbour scores 1.

        At the hops named in `types_at`, counted from 1, these types of edges are followed instead of `types`.

        Raises:
            NotFound: The reference names nothing, or more than one thing.
            UsageError: The limit is not from 1 to 10,000.
        """
        checked_limit(limit)
        node = self._references.node(ref)
        view = self._view_of(types, direction)
        view.follow_at(types_at)
        start = view.unregistered(node.key) if node.id is None else node.id
        if start is None:
            return Neighborhood(node=node, neighbors=(), reached=0)
        found = explore(
            {start: 1.0},
            view.neighbors_of,
            limits=limits,
            scoring=scoring_of(profile),
            degrees_of=view.degrees,
        )
        reached = [one for one in found.reached() if one.path]
        shown = _as_shares_of_the_best(reached) if profile is Profile.SPREAD else reached
        return Neighborhood(
            node=node,
            neighbors=self._judged(described(shown[:limit], view)),
            reached=len(reached),
            stats=found.stats(),
        )

    def _judged(self, neighbors: Sequence[Neighbor]) -> tuple[Neighbor, ...]:
        """Return the neighbours with what is said of the learnings among them."""
        learnings = [one.node for one in neighbors if one.kind is NodeKind.LEARNING]
        found = self._standings.now().standings(learnings)
        return tuple(replace(one, standing=found[one.node]) if one.node in found else one for one in neighbors)

    def show(self, ref: str) -> Surroundings:
        """Return a node with every edge that touches it, heaviest first.

        Raises:
            NotFound: The reference names nothing, or more than one thing.
        """
        node = self._references.node(ref)
        view = self._view_of(tuple(EdgeType), Direction.BOTH)
        start = view.unregistered(node.key) if node.id is None else node.id
        if start is None:
            return Surroundings(node=node, steps=())
        edges = sorted(view.edges_of(start), key=lambda edge: (-edge.weight, edge.type, edge.target, edge.relation))
        names = view.name({end for edge in edges for end in edge[:2]})
        return Surroundings(node=node, steps=tuple(step_of(edge, names) for edge in edges))

    def standings(self, refs: Iterable[str]) -> dict[str, Standing]:
        """Return what is said now of the learnings among some canonical references, such as `learning:12`."""
        numbers = [int(ref.partition(":")[2]) for ref in refs if ref.startswith(f"{NodeKind.LEARNING}:")]
        known = {brief.node: brief.ref for brief in self._learnings.briefs_by_numbers(numbers)}
        return {known[node]: told for node, told in self._standings.now().standings(known).items()}

    def last_index(self) -> AnalysisRun | None:
        """Return the last indexing of the whole repository, None if there was none."""
        return self._analyses.last("index")

    def last_cochanges(self) -> AnalysisRun | None:
        """Return the last analysis of co-changes, None if it never ran."""
        return self._analyses.last("cochanges")

    def stats(self) -> GraphStats:
        """Return the sizes of the graph and the age of its derived parts."""
        return GraphStats(
            learnings=self._learnings.numbers_by_status(),
            files=self._files.count(),
            languages=self._files.languages(),
            anchors=self._anchors.count(),
            findings=self._anchors.findings(),
            edges=self._edges.counts(),
            documents=self._documents.sizes(),
            analyses={name: self._analyses.last(name) for name in ("index", "cochanges", "documents")},
        )


def _as_shares_of_the_best(reached: Sequence[Reached]) -> list[Reached]:
    """Return the neighbours without the shadow of the start, where a walk with restart is most of the time."""
    best = max((one.score for one in reached), default=0.0) or 1.0
    return [replace(one, score=one.score / best) for one in reached]
