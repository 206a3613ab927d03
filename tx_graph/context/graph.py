"""What is connected with what: around a node, between two nodes, and in numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, ClassVar, cast

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.verdict import IF_JUDGED, JUDGED, Standing
from tx_graph.code.file_store import FileStore
from tx_graph.code.imports import ImportType
from tx_graph.context.graph_view import GraphView, Neighbor, Step, described, steps_of
from tx_graph.core.arguments import Arg, Limit, NodeRef, Ref, WithHub, ref_of
from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit
from tx_graph.core.shape import Answer, Network, NodeReference, Rows
from tx_graph.documents.store import DocumentStore, Sizes
from tx_graph.graph.connection import connect
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import Direction, EdgeType, Relation
from tx_graph.graph.elsewhere import Elsewhere, FromHub, HubPlace, hub_of, place_elsewhere
from tx_graph.graph.expand import (
    Decaying,
    Depth,
    EdgeTypes,
    ExpansionStats,
    Limits,
    MaxNodes,
    OtherEdgeTypes,
    Profile,
    ProfileName,
    TypesAt,
    Ways,
    chosen_types,
    explore,
    scoring_of,
    types_by_hop,
)
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore
from tx_graph.graph.references import Node, NodeKind
from tx_graph.graph.resolving import References
from tx_graph.history.cochange_store import CoChangeStore
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning_store import LearningStore

if TYPE_CHECKING:
    from tx_graph.learnings.learnings import Shown
    from tx_graph.work.values import Run, Task

_STANDARD = Limits()


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedStep:
    """A step, with what is said of the learning it leads to."""

    JSON: ClassVar = f"*step {IF_JUDGED}"

    step: Step
    standing: Standing | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Met:
    """A learning on a path, and what is said of it."""

    JSON: ClassVar = f"node=reference ref {JUDGED}"

    ref: str
    reference: NodeReference
    standing: Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighborhood(Rows[Neighbor], Network):
    """What lies around a node, best first; `reached` counts what the limit cut off too.

    `stats` say how much was looked at; None of a node that nothing is tied to. `texts` are what the node and neighbours
    that have words of their own are about, by reference. `elsewhere` is what lies around it in other repositories, as
    a hub knows them; `notices` say why it does not.
    """

    node: Node
    neighbors: tuple[Neighbor, ...]
    reached: int
    stats: ExpansionStats | None = None
    texts: Mapping[str, str] = field(default_factory=dict)
    elsewhere: tuple[Elsewhere, ...] = ()
    notices: tuple[str, ...] = ()

    ROWS: ClassVar = "neighbors"
    JSON: ClassVar = "node neighbors stats.reached=reached stats.shown=shown stats.*=stats elsewhere notices"

    @property
    def shown(self) -> int:
        """How many of them are here."""
        return len(self.neighbors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings(Network):
    """A node and the edges that touch it, each turned to lead away from it.

    Where that was asked: the learning, task or run that it is, what is said of the learnings at the other ends, and in
    `texts` what it and these are about, by reference.
    """

    node: Node
    steps: tuple[Step, ...]
    learning: Shown | None = None
    work: Task | Run | None = None
    standings: Mapping[str, Standing] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)

    JSON: ClassVar = "node edges learning? task? run?"

    @property
    def edges(self) -> list[JudgedStep]:
        """The steps, each with what is said of the learning it leads to."""
        return [JudgedStep(step=one, standing=self.standings.get(one.target)) for one in self.steps]

    @property
    def task(self) -> Task | None:
        """The task that it is."""
        return cast("Task", self.work) if self.node.kind is NodeKind.TASK else None

    @property
    def run(self) -> Run | None:
        """The run that it is."""
        return cast("Run", self.work) if self.node.kind is NodeKind.RUN else None


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphStats(Answer):
    """Sizes of the graph, and when its derived parts were last made.

    `verdicts` says how many anchors were fresh, drifted or gone when verification last looked, and how many are
    unverified or pinned; `documents` has the numbers of documents, sections and chunks.
    """

    learnings: dict[str, int]
    files: int
    languages: dict[str, int]
    anchors: int
    verdicts: dict[str, int]
    edges: dict[str, int]
    documents: Sizes
    analyses: dict[str, AnalysisRun | None]

    JSON: ClassVar = "learnings files languages anchors verdicts edges *documents analyses"

    @property
    def findings(self) -> dict[str, int]:
        """How many anchors did not hold, by status."""
        words = {"drifted": "drifted", "invalid": "gone"}
        return {status: self.verdicts[word] for status, word in words.items() if word in self.verdicts}


@dataclass(frozen=True, slots=True, kw_only=True)
class Connection(Network):
    """The best path from one node to another, its score in [0, 1]; 0 and no path when nothing connects them.

    A node is connected with itself, by no step. `sentence` is the path in words. `remarks` say what was looked for
    in the place of a node that nothing is tied to. `standings` and `texts` are what is said of the learnings on the
    path, and what these say, by reference. `elsewhere` is the best path through a hub, where that is asked.
    """

    source: Node
    target: Node
    score: float = 0.0
    steps: tuple[Step, ...] = ()
    sentence: str = ""
    remarks: tuple[str, ...] = ()
    standings: Mapping[str, Standing] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    elsewhere: FromHub | None = None

    JSON: ClassVar = (
        "source target score hops path~ edges=steps sentence~ learnings elsewhere_score?=elsewhere.score "
        "elsewhere?=elsewhere.steps"
    )

    @property
    def hops(self) -> int:
        """Edges between the two."""
        return len(self.steps)

    @property
    def learnings(self) -> list[Met]:
        """The learnings on the path, and what is said of them."""
        ends = {
            ref: node
            for one in self.steps
            for ref, node in ((one.source, one.source_node), (one.target, one.target_node))
        }
        ends |= {self.source.ref: self.source.reference}
        return [Met(ref=ref, standing=told, reference=ends[ref]) for ref, told in self.standings.items()]

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

    def neighbors(
        self,
        node: NodeRef,
        *,
        depth: Depth = _STANDARD.depth,
        profile: ProfileName = Profile.DECAY,
        edge_types: EdgeTypes = (),
        exclude_edge_types: OtherEdgeTypes = (),
        types_at: TypesAt = (),
        direction: Ways = Direction.BOTH,
        decay: Decaying = _STANDARD.decay,
        max_nodes: MaxNodes = _STANDARD.max_nodes,
        limit: Limit = 20,
        kind: NodeKind | None = None,
        hub: WithHub = False,
        words_first: bool = False,
    ) -> Neighborhood:
        """Show what lies around a node, best first.

        Each result names the path that leads to it. With the profile decay its score is the product of the weights
        along the best path, times the decay for each hop. With hops only the last edge of the path counts, and how many
        hops it took. With spread many paths count together: the score is how often a random walk from the node that
        returns there now and then comes by, as a share of the best; hubs count less.

        With --hub a walk through what is published there shows what is tied to the node in other repositories: who
        imports a file, and who speaks of an entity.

        Example:
          tx graph:neighbors src/auth.py
          tx graph:neighbors 12 --depth 1 --edge-types LINKS_TO,ANCHORED_TO
          tx graph:neighbors src/auth.py --profile spread --depth 4
          tx graph:neighbors src/auth.py --types-at 1=IMPORTS --types-at 2=ANCHORED_TO
          tx graph:neighbors src/api.py --hub
          tx graph:neighbors src/auth.py --tree

        Raises:
            NotFound: The reference names nothing, or more than one thing.
            UsageError: A number is out of range, or a type is unknown or both included and excluded.

        Examples:
            >>> [one.ref for one in workspace.graph.neighbors("src/auth.py", edge_types=["IMPORTS"]).neighbors]
            ['src/tokens.py']
        """
        limits = Limits(depth=depth, decay=decay, max_nodes=max_nodes)
        types, at_hops = chosen_types(edge_types, exclude_edge_types), types_by_hop(types_at)
        checked_limit(limit)
        name, references = ref_of(node), self._kernel.one(References)
        start_node = references.node(name if kind is None or name.startswith(f"{kind}:") else f"{kind}:{name}")
        asking = hub_of(self._kernel, is_asked=hub)
        asked = asking and asking.neighbors(
            HubPlace(start_node.key, start_node.kind),
            types=types,
            types_at=at_hops,
            direction=direction,
            limits=limits,
            profile=profile,
            limit=limit,
        )
        view = GraphView(self._kernel, types, direction, types_at=at_hops)
        start = view.unregistered(start_node.key) if start_node.id is None else start_node.id
        seeds, scoring = {} if start is None else {start: 1.0}, scoring_of(profile)
        found = explore(seeds, view.neighbors_of, limits=limits, scoring=scoring, degrees_of=view.degrees)
        reached = [one for one in found.reached() if one.path]
        if profile is Profile.SPREAD:  # the start itself, where a walk with restart is most of the time, casts a shadow
            best = max((one.score for one in reached), default=0.0) or 1.0
            reached = [replace(one, score=one.score / best) for one in reached]
        near = described(reached if words_first else reached[:limit], view)
        if words_first:  # half of the places at most go first to what people wrote, which seldom is what is nearest
            written = [one for one in near if one.kind not in (NodeKind.FILE, NodeKind.SYMBOL)][: -(-limit // 2)]
            near = [*written, *(one for one in near if one not in written)][:limit]
        told = Standings(self._kernel).standings([one.node for one in near if one.kind is NodeKind.LEARNING])
        neighbors = tuple(replace(one, standing=told[one.node]) if one.node in told else one for one in near)
        texts = {ref: references.text(ref) for ref in (start_node.ref, *(one.ref for one in near))}
        beyond = asked.answer() if asked else FromHub()
        return Neighborhood(
            node=start_node,
            neighbors=neighbors,
            reached=len(reached),
            stats=found.stats() if seeds else None,
            texts=texts if seeds else {},
            elsewhere=beyond.found,
            notices=beyond.notices,
        )

    def show(self, node: Ref) -> Surroundings:
        """Return a node with every edge that touches it, heaviest first.

        Raises:
            NotFound: The reference names nothing, or more than one thing.
        """
        found = self._kernel.one(References).node(ref_of(node))
        view = GraphView(self._kernel)
        start = view.unregistered(found.key) if found.id is None else found.id
        edges = view.edges_of(start) if start is not None else []
        edges.sort(key=lambda edge: (-edge.weight, edge.type, edge.target, edge.relation))
        return Surroundings(node=found, steps=steps_of(edges, view))

    def path(
        self,
        source: Annotated[Ref, Arg("FROM", "A learning, a path, PATH::SYMBOL or docs/a.md#part.")],
        target: Annotated[Ref, Arg("TO", "Another one.")],
        *,
        max_hops: Annotated[int, Arg("N", "How many hops the path may have, 1 to 10.")] = 6,
        edge_types: EdgeTypes = (),
        exclude_edge_types: OtherEdgeTypes = (),
        decay: Decaying = _STANDARD.decay,
        hub: WithHub = False,
    ) -> Connection:
        """Say why two nodes are connected: the best path between them, in words.

        Edges are followed both ways. The score is the product of the weights along the path, times the decay for each
        hop, as in graph:neighbors; a path of strong edges may beat a shorter one. With --hub the path may also lead
        through other repositories, and to a node of one: github.com/owner/name:src/app.py.

        Example:
          tx graph:path src/app.py src/db.py
          tx graph:path src/auth.py 12 --max-hops 4
          tx graph:path docs/guide.md#tokens src/auth.py
          tx graph:path src/auth.py src/db.py --edge-types IMPORTS
          tx graph:path src/app.py src/db.py --format mermaid
          tx graph:path src/db.py github.com/acme/shop:src/orders.py --hub

        Raises:
            NotFound: A reference names nothing, or more than one thing.
            UsageError: A number is out of range, or a type is unknown or both included and excluded.
        """
        limits, types = Limits(depth=max_hops, decay=decay), chosen_types(edge_types, exclude_edge_types)
        references, asking = self._kernel.one(References), hub_of(self._kernel, is_asked=hub)
        there = [place_elsewhere(ref_of(one)) if asking else None for one in (source, target)]
        ends = [
            Node(kind=NodeKind.FILE, key=ref_of(one), ref=ref_of(one), id=None)
            if place
            else references.node(ref_of(one))
            for place, one in zip(there, (source, target), strict=True)
        ]
        hub_ends = [place or HubPlace(one.key, one.kind) for place, one in zip(there, ends, strict=True)]
        asked = asking.path(*hub_ends, types=types, limits=limits) if asking else None
        if asked and any(there):
            return Connection(source=ends[0], target=ends[1], elsewhere=asked.answer())
        view, places, remarks = GraphView(self._kernel, types), [], []
        for node in ends:
            place = node
            if node.kind is NodeKind.SYMBOL and node.id is None:
                file = node.key.partition("::")[0]
                remarks.append(f"Nothing is tied to {node.ref} itself; its file {file} stands for it.")
                place = references.node(f"{NodeKind.FILE}:{file}")
            places.append(view.unregistered(place.key) if place.id is None else place.id)
        start, end = places
        found = connect(start, end, view.neighbors_of, limits=limits) if start and end else None
        if found is None:
            beyond = asked.answer() if asked else None
            return Connection(source=ends[0], target=ends[1], remarks=tuple(remarks), elsewhere=beyond)
        worded = view.worded(found.path)
        steps = steps_of([worded[edge] for edge in found.path], view)
        answer = Connection(
            source=ends[0],
            target=ends[1],
            score=found.score,
            steps=steps,
            sentence=_sentence(steps, CoChangeStore(self._kernel.database)),
            remarks=tuple(remarks),
            elsewhere=asked.answer() if asked else None,
        )
        told = standings(self._kernel, answer.path)
        return replace(answer, standings=told, texts={ref: references.text(ref) for ref in told})

    def stats(self) -> GraphStats:
        """Count nodes and edges, and say how old they are.

        Example:
          tx graph:stats
        """
        database = self._kernel.database
        anchors, files, analyses = AnchorStore(database), FileStore(database), AnalysisStore(database)
        return GraphStats(
            learnings=LearningStore(database).numbers_by_status(),
            files=files.count(),
            languages=files.languages(),
            anchors=anchors.count(),
            verdicts=anchors.last_told(),
            edges=EdgeStore(database).counts(),
            documents=DocumentStore(database).sizes(),
            analyses={name: analyses.last(name) for name in ("index", "cochanges", "documents")},
        )


def standings(kernel: Kernel, refs: Iterable[str]) -> dict[str, Standing]:
    """Return what is said now of the learnings among some canonical references, such as `learning:12`."""
    numbers = [int(ref.partition(":")[2]) for ref in refs if ref.startswith(f"{NodeKind.LEARNING}:")]
    known = {brief.node: brief.ref for brief in LearningStore(kernel.database).briefs(numbers=numbers)}
    return {known[node]: told for node, told in Standings(kernel).standings(known).items()}


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
        told = [": ".join(told), *([f"by {step.origin}"] if step.origin else [])]
        return f" ({', '.join(filter(None, told))})" if any(told) else ""
    # How many of the commits that touch either file touch both, where that is known.
    partners = cochanges.partners_of([step.source, step.target])
    ends = ((step.source, step.target), (step.target, step.source))
    both = [one for own, other in ends for one in partners.get(own, []) if one.path == other]
    either = sum(one.commits for one in both) - sum(one.shared for one in both[:1])
    commits = f": {both[0].shared:,} of {either:,} commits" if both else ""
    return f" ({step.weight:.2f}{commits})"


def show(
    kernel: Kernel,
    ref: NodeRef,
    *,
    limit: Annotated[int, Arg("N", "Most edges of each type; JSON has all.", flag="-n --limit")] = 10,
) -> Surroundings:
    """Show a node and everything tied to it, by type of edge, heaviest first.

    Example:
      tx graph:show src/auth.py
      tx graph:show src/auth.py::verify_token
      tx graph:show docs/guide.md#tokens
      tx graph:show 12
      tx graph:show task:7
    """
    checked_limit(limit)
    around, references = kernel.one(Graph).show(ref), kernel.one(References)
    node, by_type = around.node, defaultdict[str, list[str]](list)
    for step in around.steps:
        by_type[step.type].append(step.target)
    shown = {node.ref, *(target for targets in by_type.values() for target in targets[:limit])}
    learning = work = None
    if node.kind is NodeKind.LEARNING:
        from tx_graph.learnings.learnings import Learnings  # only who shows one waits for all that writes them

        learning = kernel.one(Learnings).show(node.ref)
    elif node.kind in (NodeKind.TASK, NodeKind.RUN):
        from tx_graph.work.references import WorkReferences

        found = kernel.one(WorkReferences)
        work = found.task(node.ref) if node.kind is NodeKind.TASK else found.run(node.ref)
    return replace(
        around,
        learning=learning,
        work=work,
        standings=standings(kernel, {step.target for step in around.steps}),
        texts={one: references.text(one) for one in shown},
    )
