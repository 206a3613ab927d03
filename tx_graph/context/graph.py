"""What is connected with what: around a node, between two nodes, and in numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.verdict import Standing
from tx_graph.code.file_store import FileStore
from tx_graph.code.imports import ImportType
from tx_graph.context.graph_view import GraphView
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit
from tx_graph.documents.store import DocumentStore
from tx_graph.graph.connection import connect
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import Direction, Edge, EdgeType, NodeId, Relation
from tx_graph.graph.expand import ExpansionStats, Limits, Profile, Reached, explore, scoring_of
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore
from tx_graph.graph.references import Node, NodeKind
from tx_graph.graph.resolving import References
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning_store import LearningStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One edge of a path, with its ends as references; `forward` is False when it points the other way."""

    source: str
    target: str
    type: str
    weight: float
    relation: str
    description: str
    forward: bool

    @property
    def why(self) -> str:
        """What was said of it beyond its relation; empty where nobody said anything."""
        is_told = EdgeType(self.type).words.is_explained and self.description.replace(" ", "_") != self.relation
        return self.description if is_told else ""

    @property
    def name(self) -> str:
        """Its type, or its relation where that says more: `IMPORTS`, `depends_on`."""
        return self.relation if self.relation and EdgeType(self.type).words.is_named_by_relation else self.type


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbor:
    """A node that a walk reached: its score in [0, 1] and the steps from the start that earned it.

    `standing` says of a learning whether its code still stands, where that was asked; None of other nodes.
    """

    ref: str
    kind: NodeKind
    score: float
    steps: tuple[Step, ...]
    node: NodeId
    standing: Standing | None = None

    @property
    def hops(self) -> int:
        """Edges between the start and this node."""
        return len(self.steps)

    @property
    def path(self) -> tuple[str, ...]:
        """References from the start to this node, both included."""
        return (*(step.source for step in self.steps), self.ref)


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


class Graph:
    """Reads the graph."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._references = kernel.one(References)
        self._analyses = AnalysisStore(kernel.database)

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
        """
        checked_limit(limit)
        node = self._references.node(ref)
        view = GraphView(self._kernel, types, direction, types_at=types_at)
        start = view.unregistered(node.key) if node.id is None else node.id
        if start is None:
            return Neighborhood(node=node, neighbors=(), reached=0)
        scoring = scoring_of(profile)
        found = explore({start: 1.0}, view.neighbors_of, limits=limits, scoring=scoring, degrees_of=view.degrees)
        reached = [one for one in found.reached() if one.path]
        if profile is Profile.SPREAD:  # the start itself, where a walk with restart is most of the time, casts a shadow
            best = max((one.score for one in reached), default=0.0) or 1.0
            reached = [replace(one, score=one.score / best) for one in reached]
        near = described(reached[:limit], view)
        told = self._kernel.one(Standings).now().standings([one.node for one in near if one.kind is NodeKind.LEARNING])
        neighbors = tuple(replace(one, standing=told[one.node]) if one.node in told else one for one in near)
        return Neighborhood(node=node, neighbors=neighbors, reached=len(reached), stats=found.stats())

    def show(self, ref: str) -> Surroundings:
        """Return a node with every edge that touches it, heaviest first."""
        node = self._references.node(ref)
        view = GraphView(self._kernel)
        start = view.unregistered(node.key) if node.id is None else node.id
        if start is None:
            return Surroundings(node=node, steps=())
        edges = sorted(view.edges_of(start), key=lambda edge: (-edge.weight, edge.type, edge.target, edge.relation))
        return Surroundings(node=node, steps=_steps(edges, view))

    def path(
        self, source: str, target: str, *, limits: Limits, types: Sequence[EdgeType] = tuple(EdgeType)
    ) -> Connection:
        """Return the best path of at most `depth` hops between two nodes, along edges of these types, either way."""
        ends = (self._references.node(source), self._references.node(target))
        view, places, remarks = GraphView(self._kernel, types), [], []
        for node in ends:
            place = node
            if node.kind is NodeKind.SYMBOL and node.id is None:
                file = node.key.partition("::")[0]
                remarks.append(f"Nothing is tied to {node.ref} itself; its file {file} stands for it.")
                place = self._references.node(f"{NodeKind.FILE}:{file}")
            places.append(view.unregistered(place.key) if place.id is None else place.id)
        start, end = places
        found = connect(start, end, view.neighbors_of, limits=limits) if start and end else None
        if found is None:
            return Connection(source=ends[0], target=ends[1], remarks=tuple(remarks))
        worded = view.worded(found.path)
        steps = _steps([worded[edge] for edge in found.path], view)
        return Connection(
            source=ends[0],
            target=ends[1],
            score=found.score,
            steps=steps,
            sentence=_sentence(steps, CoChangeStore(self._kernel.database)),
            remarks=tuple(remarks),
        )

    def standings(self, refs: Iterable[str]) -> dict[str, Standing]:
        """Return what is said now of the learnings among some canonical references, such as `learning:12`."""
        numbers = [int(ref.partition(":")[2]) for ref in refs if ref.startswith(f"{NodeKind.LEARNING}:")]
        briefs = LearningStore(self._kernel.database).briefs_by_numbers(numbers)
        known = {brief.node: brief.ref for brief in briefs}
        return {known[node]: told for node, told in self._kernel.one(Standings).now().standings(known).items()}

    def last_index(self) -> AnalysisRun | None:
        """Return the last indexing of the whole repository, None if there was none."""
        return self._analyses.last("index")

    def last_cochanges(self) -> AnalysisRun | None:
        """Return the last analysis of co-changes, None if it never ran."""
        return self._analyses.last("cochanges")

    def stats(self) -> GraphStats:
        """Return the sizes of the graph and the age of its derived parts."""
        database = self._kernel.database
        anchors, files = AnchorStore(database), FileStore(database)
        return GraphStats(
            learnings=LearningStore(database).numbers_by_status(),
            files=files.count(),
            languages=files.languages(),
            anchors=anchors.count(),
            findings=anchors.findings(),
            edges=EdgeStore(database).counts(),
            documents=DocumentStore(database).sizes(),
            analyses={name: self._analyses.last(name) for name in ("index", "cochanges", "documents")},
        )


def described(reached: Sequence[Reached], view: GraphView) -> list[Neighbor]:
    """Return what a walk reached, in words instead of numbers."""
    names = view.name({one.node for one in reached} | {end for one in reached for edge in one.path for end in edge[:2]})
    worded = view.worded({edge for one in reached for edge in one.path})
    return [
        Neighbor(
            ref=names[one.node][1],
            kind=names[one.node][0],
            score=one.score,
            steps=tuple(_step(worded[edge], names) for edge in one.path),
            node=one.node,
        )
        for one in reached
        if one.node in names
    ]


def _steps(edges: Sequence[Edge], view: GraphView) -> tuple[Step, ...]:
    names = view.name({end for edge in edges for end in edge[:2]})
    return tuple(_step(edge, names) for edge in edges)


def _step(edge: Edge, names: Mapping[NodeId, tuple[NodeKind, str]]) -> Step:
    return Step(
        source=names[edge.source][1],
        target=names[edge.target][1],
        type=edge.type,
        weight=edge.weight,
        relation=edge.relation,
        description=edge.description,
        forward=bool(edge.forward),
    )


def _sentence(steps: Sequence[Step], cochanges: CoChangeStore) -> str:
    clauses = [f"{_clause(step, is_first=not place)}{_detail(step, cochanges)}" for place, step in enumerate(steps)]
    return f"{', '.join(clauses)}." if clauses else "Both are the same."


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


def _detail(step: Step, cochanges: CoChangeStore) -> str:
    """Return in brackets how strong an edge is, where there is something to say."""
    if step.type == EdgeType.IMPORTS:
        return "" if step.relation == ImportType.STATIC else f" ({step.relation})"
    if step.type != EdgeType.CO_CHANGES_WITH:
        told = [f"{step.weight:.2f}"] if step.weight < 1 else []
        told += [f'"{step.why}"'] if step.why else []
        return f" ({': '.join(told)})" if told else ""
    # How many of the commits that touch either file touch both, where that is known.
    partners = cochanges.partners_of([step.source, step.target])
    ends = ((step.source, step.target), (step.target, step.source))
    both = [one for own, other in ends for one in partners.get(own, []) if one.path == other]
    either = sum(one.commits for one in both) - sum(one.shared for one in both[:1])
    commits = f": {both[0].shared:,} of {either:,} commits" if both else ""
    return f" ({step.weight:.2f}{commits})"
