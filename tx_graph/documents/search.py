"""The room of questions to documents: sections that answer by themselves, and what their relations lead to."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum
from heapq import nlargest
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.errors import ModelError, NotFound, StorageError, UsageError
from tx_graph.core.globs import PathMatcher, literal
from tx_graph.core.labels import checked_limit
from tx_graph.core.ports import Clock
from tx_graph.core.text import best_lines
from tx_graph.core.working_tree import WorkingTree
from tx_graph.documents.chunk_store import ChunkSearch
from tx_graph.documents.document import Unit
from tx_graph.documents.edge_store import SectionLines, SectionTie, SectionWalk
from tx_graph.documents.store import DocumentStore, SectionStore
from tx_graph.graph.edges import Direction, NodeId, Relation, Strand
from tx_graph.graph.expand import MAX_DEPTH, Ask, Exploration, Hops, Limits, explore
from tx_graph.graph.fuse import Row, supports, weighted_rank_fusion, word_strengths
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import canonical_reference
from tx_graph.records.learning import unit_interval
from tx_graph.vectors.embedding import NO_EMBEDDER, Embedding
from tx_graph.vectors.store import VectorStore

if TYPE_CHECKING:
    from tx_graph.core.repository import GitRepository


SEEDS = 10
"""Sections that a walk starts from (Oasis, Graph RAG)."""
_MOST_SEEDS = 1_000


def relations_named(names: Iterable[str]) -> tuple[Relation, ...]:
    """Return the relations of these names, all of them where there are no names.

    Raises:
        UsageError: A relation is unknown.
    """
    known = {relation.value: relation for relation in Relation}
    wanted = {name: known.get(name.strip().lower().replace("-", "_")) for name in names}
    if unknown := next((name for name, relation in wanted.items() if relation is None), None):
        raise UsageError(f"'{unknown}' is no relation.", hint=f"Choose from {', '.join(known)}.")
    return tuple(dict.fromkeys(filter(None, wanted.values()))) or tuple(Relation)


class State(StrEnum):
    """Whether a document still is what was read of it."""

    FRESH = "fresh"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocQuery:
    """What to find in documents.

    The best `seeds` sections (None: the standard, or as many as are asked for) answer by themselves. They are chosen
    by the cosine of vectors; `keyword_weight` in [0, 1] says how much words count in that choice. From there relations
    are followed for `hops` edges. `source` (globs over paths) and `since` (a date or an age) narrow the seeds alone.
    Of the results `graph_slots` at least are such as only relations lead to, where there are so many, and the others
    those of the best scores. With None the best half by score is shown, and beside it what is worth most: likeness
    and how much the seeds speak for it (see `choosing`).
    """

    text: str
    limit: int = 5
    hops: int = 2
    scoring: Hops = field(default_factory=Hops)
    direction: Direction = Direction.BOTH
    relations: Sequence[Relation] = tuple(Relation)
    min_edge_weight: float = 0.0
    seeds: int | None = None
    keyword_weight: float = 0.0
    source: Sequence[str] = ()
    since: str | None = None
    graph_slots: int | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for what cannot be asked."""
        if not self.text.strip():
            raise UsageError("The query is empty.", hint="Say what to look for, in quotes.")
        checked_limit(self.limit)
        unit_interval(self.keyword_weight, what="weight of words")
        unit_interval(self.min_edge_weight, what="least weight of edges")
        if not 0 <= self.hops <= MAX_DEPTH:
            raise UsageError(f"The hops must be from 0 to {MAX_DEPTH}, not {self.hops}.")
        if self.seeds is not None and not 1 <= self.seeds <= _MOST_SEEDS:
            raise UsageError(f"The seeds must be from 1 to {_MOST_SEEDS:,}, not {self.seeds}.")
        if self.graph_slots is not None and not 0 <= self.graph_slots <= self.limit:
            raise UsageError(f"The places for the graph must be from 0 to the limit, not {self.graph_slots}.")

    @property
    def seed_count(self) -> int:
        """How many sections are to answer by themselves."""
        return max(SEEDS, self.limit) if self.seeds is None else self.seeds


@dataclass(frozen=True, slots=True, kw_only=True)
class DocTie:
    """Why the graph led to a result: its relation with `other`, a section, file or symbol that was met before.

    `forward` says that the edge leads from `other` to the result. `hops` counts the edges from a seed to the result.
    """

    other: str
    relation: str
    description: str
    weight: float
    forward: bool
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The lines of a section that answer best; lines count from 1 in the file. `is_whole`: there are no others."""

    text: str
    line_start: int
    line_end: int
    is_whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DocResult:
    """A section and why it is there. All scores lie in [0, 1].

    `similarity` is its cosine with the question and `keyword_score` how well its words match beside the best, None
    where nobody looked. `ties` are the edges by which the graph led there, the best first; a seed has none.
    `superseded_by` is what took its place, a reference or what a note names.
    """

    unit: Unit
    score: float
    hops: int
    similarity: float | None
    keyword_score: float | None
    excerpt: Excerpt
    state: State
    ties: tuple[DocTie, ...] = ()
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocStats:
    """What the answer rests on.

    `documents` are those there are, `searched` those that the filters let through, None without filters. `model` is
    None where words alone chose the seeds. `found` counts what the graph led to beyond the seeds. `notices` are
    sentences about what could not be done.
    """

    documents: int
    searched: int | None
    seeds: int
    found: int
    matched: int
    nodes_visited: int
    model: str | None
    lacking_vectors: int
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocAnswer:
    """The results, best first, and what they rest on."""

    query: DocQuery
    results: tuple[DocResult, ...]
    stats: DocStats


_NANOSECONDS = 1_000_000_000


class DocFiltering:
    """Says which documents the seeds of a question may come from."""

    def __init__(
        self,
        *,
        documents: DocumentStore,
        tree: WorkingTree,
        repository: Callable[[], GitRepository | None],
        clock: Clock,
    ) -> None:
        self._documents = documents
        self._tree = tree
        self._repository = repository
        self._clock = clock

    def allowed(self, query: DocQuery) -> set[str] | None:
        """Return the documents that the filters let through, by path; None when there are no filters.

        Raises:
            NotFound: One of the globs matches no document.
            UsageError: `since` cannot be understood, or a path leads out of the repository.
        """
        if not query.source and query.since is None:
            return None
        changes = self._documents.stamps()
        known = set(self._documents.nodes())
        found = self._matching(query.source, known) if query.source else known
        return found if query.since is None else found & self._changed_since(query.since, changes)

    def _matching(self, typed: Sequence[str], known: set[str]) -> set[str]:
        matcher = PathMatcher(known)
        return {path for one in typed for path in self._named(one, matcher)}

    def _named(self, typed: str, matcher: PathMatcher) -> Iterable[str]:
        found = matcher.matching(self._pattern(typed, matcher))
        if not found:
            raise NotFound(f"'{typed}' names no document that was ingested.", candidates=matcher.nearest(typed))
        return found

    def _pattern(self, typed: str, matcher: PathMatcher) -> str:
        """Return the glob that is meant: a path is one from where the user stands, all else a glob from the root."""
        candidates = self._tree.candidates(typed) if not typed.startswith("/") else [typed.lstrip("/")]
        path = next((one for one in candidates if one in matcher or self._tree.is_directory(one)), None)
        if path is None:
            return typed.removeprefix("./")
        return "**" if path == "." else f"/{literal(path)}"

    def _changed_since(self, since: str, stamps: dict[str, tuple[int, int]]) -> set[str]:
        """Return the files that a commit touched since then, or that changed on disk and are not committed yet."""
        from tx_graph.history.commits import oldest_time, read_commits

        now: datetime = self._clock.now()
        oldest = oldest_time(since, now=now)
        recent = {path for path, (_, mtime_ns) in stamps.items() if mtime_ns >= oldest * _NANOSECONDS}
        repository = self._repository()
        if repository is None:
            return recent
        from tx_graph.core.revisions import changed_files

        committed = {path for one in read_commits(repository.root, since=since, now=now) for path in one.paths}
        return committed | recent.intersection(changed_files(repository))


_CANDIDATES = 50
"""Sections each ranking contributes to the fusion; more where more seeds are asked for."""
_CHUNKS_EACH = 4
"""Chunks to look at for each section that is wanted: several chunks of one section count once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Best:
    """The best of its chunks that a ranking found of each section, best section first, with its score."""

    scores: Mapping[NodeId, float] = field(default_factory=dict)
    chunks: Mapping[NodeId, int] = field(default_factory=dict)

    def first(self, count: int) -> list[NodeId]:
        """Return the best sections."""
        return list(self.scores)[:count]


@dataclass(frozen=True, slots=True, kw_only=True)
class Seeds:
    """What answers by itself: each section's score in [0, 1], best first.

    `vectors` and `words` are what the two rankings say of these and other sections, as a cosine and in [0, 1].
    `vector` is that of the question, None where there is none; `notices` are sentences about why.
    """

    scores: Mapping[NodeId, float]
    vectors: Best
    words: Best
    vector: bytes | None = None
    dimension: int = 0
    notices: tuple[str, ...] = ()

    @property
    def likeness(self) -> dict[NodeId, float]:
        """How much each seed is like the question, in [0, 1]: by its vectors, or else by its words."""
        words, vectors = self.words.scores, self.vectors.scores
        return {node: _unit(vectors.get(node, words.get(node, 0.0))) for node in self.scores}


class Seeding:
    """Ranks sections by the best of their chunks: by vectors, by words, or by both."""

    def __init__(self, *, text: ChunkSearch, vectors: VectorStore, embedding: Embedding) -> None:
        self._text = text
        self._vectors = vectors
        self._embedding = embedding

    @property
    def model(self) -> str:
        """The model whose vectors are compared."""
        return self._embedding.name

    @property
    def lacking(self) -> int:
        """How many chunks have no vector."""
        return self._embedding.lacking_chunks

    @property
    def remedy(self) -> str:
        """The end of a sentence that says that there are no vectors: what to do about it."""
        if self._embedding.name == NO_EMBEDDER:
            return ", for the setting 'embedder' is none."
        first = "" if self._embedding.available else "'tx model install', then "
        return f" ({first}'tx doc:ingest')."

    def seeds(self, query: DocQuery, allowed: Collection[str] | None) -> Seeds:
        """Return the best sections of the documents that are allowed (None: of all).

        Where there are no vectors, how well the words match stands in for the cosine.
        """
        among = None if allowed is None else self._text.of_documents(allowed)
        asked = self._asked(query.text)
        words = self._by_words(query, among) if asked.vector is None or query.keyword_weight else Best()
        vectors = self._by_vectors(query, asked, among)
        chosen = self._chosen(query, vectors, words)
        vectors = self._completed(vectors, asked, [node for node in chosen if node not in vectors.scores])
        scores = {node: _score(query, vectors.scores.get(node), words.scores.get(node, 0.0)) for node in chosen}
        ordered = dict(sorted(scores.items(), key=lambda one: (-one[1], one[0])))
        return replace(asked, scores=ordered, vectors=vectors, words=words)

    def similarities(self, asked: Seeds, nodes: Collection[NodeId]) -> Best:
        """Return the cosines of sections with the question; of those that have no vector nothing."""
        if asked.vector is None or not nodes:
            return Best()
        chunks = self._text.of_sections(nodes)
        found = self._vectors.similarities(asked.vector, list(chunks), model=self.model, dimension=asked.dimension)
        return _best(sorted(found.items(), key=lambda one: (-one[1], one[0])), chunks)

    def _asked(self, text: str) -> Seeds:
        """Return the question, with its vector if there is anything to compare it with."""
        nothing = Seeds(scores={}, vectors=Best(), words=Best())
        try:
            embedded = self._embedding.document_query_vector(text)
        except ModelError as error:
            return replace(nothing, notices=(f"{error.message} {error.hint}".rstrip(),))
        return replace(nothing, vector=embedded[0], dimension=embedded[1].dimension) if embedded else nothing

    def _by_words(self, query: DocQuery, among: Collection[int] | None) -> Best:
        count = _CHUNKS_EACH * max(_CANDIDATES, query.seed_count)
        matching = self._text.best(query.text, allowed=among, limit=count)
        strengths = word_strengths(dict(matching))
        ranked = [(chunk, strengths[chunk]) for chunk, _ in matching]
        return _best(ranked, self._text.sections(list(strengths)))

    def _by_vectors(self, query: DocQuery, asked: Seeds, among: Collection[int] | None) -> Best:
        """Return as many sections as are wanted, looking at more chunks until there are so many."""
        if asked.vector is None or query.keyword_weight == 1:
            return Best()
        wanted = max(_CANDIDATES, query.seed_count) if query.keyword_weight else query.seed_count
        count = _CHUNKS_EACH * wanted
        while True:
            nearest = self._vectors.nearest(
                asked.vector, model=self.model, dimension=asked.dimension, allowed=among, limit=count
            )
            best = _best(nearest, self._text.sections([chunk for chunk, _ in nearest]))
            if len(best.scores) >= wanted or len(nearest) < count:
                return best
            count *= _CHUNKS_EACH

    def _chosen(self, query: DocQuery, vectors: Best, words: Best) -> Sequence[NodeId]:
        """Return the seeds: the best by vectors, or by the fusion of both rankings."""
        if not vectors.scores or not words.scores:
            return (vectors if vectors.scores else words).first(query.seed_count)
        fused = weighted_rank_fusion(
            {"vectors": list(vectors.scores), "words": list(words.scores)},
            {"vectors": 1 - query.keyword_weight, "words": query.keyword_weight},
        )
        return nlargest(query.seed_count, fused, key=lambda node: (fused[node], -node))

    def _completed(self, vectors: Best, asked: Seeds, nodes: Collection[NodeId]) -> Best:
        """Add the cosines of sections that words alone found."""
        more = self.similarities(asked, nodes)
        return Best(scores={**vectors.scores, **more.scores}, chunks={**vectors.chunks, **more.chunks})


def _score(query: DocQuery, cosine: float | None, strength: float) -> float:
    return query.scoring.seed_score(strength if cosine is None else _unit(cosine))


def _unit(cosine: float) -> float:
    return max(0.0, min(1.0, cosine))


def _best(ranked: Sequence[tuple[int, float]], sections: Mapping[int, NodeId]) -> Best:
    """Return each section once, by the first, and so the best, of its chunks."""
    scores: dict[NodeId, float] = {}
    chunks: dict[NodeId, int] = {}
    for chunk, score in ranked:
        node = sections[chunk]
        if node not in scores:
            scores[node], chunks[node] = score, chunk
    return Best(scores=scores, chunks=chunks)


_MOST_NODES = 1_000
"""Nodes to reach: many have the same score, and which of them answer best is told by what they say."""
_MOST_TIES = 5
_STRUCTURE = (Relation.PART_OF.value, Relation.SEQUENCE.value)
"""Relations that only say where a section stands: any other one says more."""


class Way(NamedTuple):
    """How a section was reached: with which score, after how many edges, and at which node.

    That node is the section itself, or one without text that it stands for.
    """

    score: float
    hops: int
    node: NodeId

    @property
    def place(self) -> tuple[float, int, NodeId]:
        """Return what sorts the better way first."""
        return (-self.score, self.hops, self.node)


@dataclass(frozen=True, slots=True, kw_only=True)
class Walked:
    """The sections beyond the seeds that relations lead to; `problem` says why they could not be followed.

    `supports` is how much the seeds speak for these sections and for each other, in [0, 1].
    """

    ways: Mapping[NodeId, Way] = field(default_factory=dict)
    supports: Mapping[NodeId, float] = field(default_factory=dict)
    exploration: Exploration | None = None
    problem: str = ""

    @property
    def visited(self) -> int:
        """How many nodes were met."""
        return self.exploration.stats().nodes_visited if self.exploration else 0


class Walking:
    """Follows the relations of sections. Files and symbols lead from one section to the next, but are no results."""

    def __init__(self, *, walk: SectionWalk, lines: SectionLines, nodes: NodeStore) -> None:
        self._walk = walk
        self._lines = lines
        self._nodes = nodes

    def from_seeds(self, query: DocQuery, seeds: Mapping[NodeId, float], likeness: Mapping[NodeId, float]) -> Walked:
        """Return what can be reached. A section without text is stood for by the first below it that has some.

        `likeness` says how much each seed is like the question, in [0, 1].
        """
        if not query.hops or not seeds:
            return Walked()
        limits = Limits(depth=query.hops, max_nodes=_MOST_NODES)
        followed: list[list[Strand]] = []
        try:
            exploration = explore(seeds, self._neighbors(query, followed), limits=limits, scoring=query.scoring)
            met = [one.node for one in exploration.reached()]
            speakers = self._lines.speakers(met)
        except StorageError as error:
            return Walked(problem=error.message)
        return Walked(
            ways=_ways(exploration, [node for node in met if node not in seeds], speakers, seeds),
            supports=supports(likeness, [_rows(strands) for strands in followed], query.scoring.decay, speakers),
            exploration=exploration,
        )

    def _neighbors(self, query: DocQuery, followed: list[list[Strand]]) -> Callable[[Ask], Iterable[Strand]]:
        """Return what answers a walk, and notes the edges of each hop."""

        def leaving(ask: Ask) -> list[Strand]:
            least = max(query.min_edge_weight, ask.least)
            followed.append(
                self._walk.leaving(ask.nodes, relations=query.relations, direction=query.direction, least=least)
            )
            return followed[-1]

        return leaving

    def ties(self, query: DocQuery, walked: Walked, ways: Sequence[Way]) -> dict[NodeId, tuple[DocTie, ...]]:
        """Return, by the node that was reached, the edges that lead there at its hop, the best first."""
        if walked.exploration is None or not ways:
            return {}
        nodes = {way.node: way for way in ways}
        found: dict[NodeId, list[tuple[SectionTie, NodeId, bool]]] = defaultdict(list)
        for tie in self._walk.ties(list(nodes), list(walked.exploration.scores)):
            for node, other, forward in ((tie.target, tie.source, True), (tie.source, tie.target, False)):
                if node in nodes and _leads(query, walked.exploration, nodes[node], other, tie, forward=forward):
                    found[node].append((tie, other, forward))
        names = self._names({other for several in found.values() for _, other, _ in several})
        return {node: self._told(several, nodes[node], walked, names) for node, several in found.items()}

    def _names(self, nodes: Collection[NodeId]) -> dict[NodeId, str]:
        return {node: canonical_reference(kind, key) for node, (kind, key) in self._nodes.describe(nodes).items()}

    def _told(
        self, several: Sequence[tuple[SectionTie, NodeId, bool]], way: Way, walked: Walked, names: Mapping[NodeId, str]
    ) -> tuple[DocTie, ...]:
        scores = walked.exploration.scores if walked.exploration else {}
        best = sorted(
            several,
            key=lambda one: (-one[0].weight, one[0].relation in _STRUCTURE, -scores[one[1]], names[one[1]], one[0]),
        )
        return tuple(
            DocTie(
                other=names[other],
                relation=tie.relation,
                description=tie.description,
                weight=tie.weight,
                forward=forward,
                hops=way.hops,
            )
            for tie, other, forward in best[:_MOST_TIES]
        )


def _ways(
    exploration: Exploration, met: Iterable[NodeId], speakers: Mapping[NodeId, NodeId], seeds: Collection[NodeId]
) -> dict[NodeId, Way]:
    """Return the best way to each section with text that is no seed."""
    ways: dict[NodeId, Way] = {}
    for node in met:
        speaker = speakers.get(node)
        if speaker is None or speaker in seeds:
            continue
        way = Way(exploration.scores[node], exploration.hops(node), node)
        if speaker not in ways or way.place < ways[speaker].place:
            ways[speaker] = way
    return ways


def _rows(strands: Iterable[Strand]) -> list[Row]:
    return [row for strand in strands for row in strand.rows]


def _leads(query: DocQuery, walked: Exploration, way: Way, other: NodeId, tie: SectionTie, *, forward: bool) -> bool:
    """Whether the walk came that way: from a node one hop nearer, along an edge that the question lets it follow."""
    against = Direction.IN if forward else Direction.OUT
    is_mutual = tie.relation == Relation.SIMILAR_TO
    return (
        walked.hops(other) == way.hops - 1
        and tie.weight >= query.min_edge_weight
        and tie.relation in query.relations
        and (is_mutual or query.direction is not against)
    )


SUPPORT_SHARE = 0.2
"""What support counts beside likeness. On 49 questions to the documents of three repositories recall@5 was .42 by
likeness alone, and .48 to .50 with shares from .07 to .3."""


class Candidate(NamedTuple):
    """A section in the ranking; sorts best first.

    Ties go to fewer hops, then to what is more like the question, then to the smaller node. `worth` is its likeness
    and what others say for it.
    """

    place: tuple[float, int, float, NodeId]
    node: NodeId
    way: Way | None
    worth: float

    @property
    def score(self) -> float:
        """Its score in [0, 1]."""
        return -self.place[0]


def candidate(node: NodeId, score: float, *, way: Way | None, likeness: float, support: float) -> Candidate:
    """Return a section with its place in the ranking; a seed has no way."""
    place = (-score, way.hops if way else 0, -likeness, node)
    return Candidate(place, node, way, likeness + SUPPORT_SHARE * support)


def with_places_kept(candidates: Sequence[Candidate], *, limit: int, slots: int) -> list[Candidate]:
    """Return the best candidates, best first, so that `slots` of them, if there are so many, are not seeds."""
    ranked = sorted(candidates)
    kept = [one for one in ranked if one.way][: min(slots, limit)]
    others = [one for one in ranked if one not in kept]
    return sorted([*kept, *others[: limit - len(kept)]])


def most_worth(candidates: Sequence[Candidate], *, limit: int) -> list[Candidate]:
    """Return the best half by score and those of the others that are worth most, seeds or not, best score first.

    By score alone nothing that only relations lead to would be shown: no edge outweighs the likeness of a seed, not
    even that of one which nothing speaks for.
    """
    ranked = sorted(candidates)
    half = max(1, limit // 2)
    first, others = ranked[:half], ranked[half:]
    others.sort(key=lambda one: (-one.worth, one.place))
    return sorted([*first, *others[: limit - len(first)]])


EXCERPT = 600
"""Characters of a section that an answer shows; all of it would flood a page with the first two results."""


def excerpt(unit: Unit, question: str, chunk: str | None) -> Excerpt:
    """Return the lines of a section that answer best, looked for in that of its chunks which does.

    Its own heading is not among them, unless there is nothing else: the answer has it anyway.
    """
    lines = unit.text.split("\n")
    inside = chunk if chunk is not None and chunk in unit.text else unit.text
    offset = unit.text.count("\n", 0, unit.text.find(inside))
    start = max(offset, below_heading(lines, unit.title))
    end = offset + inside.count("\n") + 1
    first, last = best_lines("\n".join(lines[start:end]), question, most=EXCERPT)
    cut = "\n".join(lines[start + first : start + last])[:EXCERPT]
    line = unit.line_start + start + first
    is_whole = len(cut) >= len("\n".join(lines[below_heading(lines, unit.title) :]).strip())
    return Excerpt(text=cut, line_start=line, line_end=line + cut.count("\n"), is_whole=is_whole)


def below_heading(lines: Sequence[str], title: str) -> int:
    """Return the place of the first line that is no heading of this title, its underline or blank; 0 if all are."""
    if not title or title not in lines[0]:
        return 0
    place = 1
    while place < len(lines) and (not lines[place].strip() or (place == 1 and _is_underline(lines[place]))):
        place += 1
    return place if place < len(lines) and lines[0].strip("#* ").endswith(title) else 0


def _is_underline(line: str) -> bool:
    mark = line.strip()
    return len(set(mark)) == 1 and not mark[0].isalnum()


class States:
    """Compares documents with what was read of them."""

    def __init__(self, *, documents: DocumentStore, tree: WorkingTree) -> None:
        self._documents = documents
        self._tree = tree

    def of(self, paths: Collection[str]) -> dict[str, State]:
        """Return whether each of these documents still is what was read."""
        return {path: self._state(path, row.content_hash) for path, row in self._documents.by_paths(paths).items()}

    def _state(self, path: str, known: str) -> State:
        data = self._tree.read(path)
        if data is None:
            return State.GONE
        return State.FRESH if hashlib.sha256(data).hexdigest() == known else State.CHANGED


_POOL = 500
"""Sections beyond the seeds, the best by score, that are compared with the question to tell equals apart."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """All that one search found."""

    query: DocQuery
    seeds: Seeds
    walked: Walked
    likeness: Best


class DocSearch:
    """Finds sections of documents."""

    def __init__(
        self,
        *,
        documents: DocumentStore,
        sections: SectionStore,
        lines: SectionLines,
        text: ChunkSearch,
        filtering: DocFiltering,
        seeding: Seeding,
        walking: Walking,
        states: States,
    ) -> None:
        self._documents = documents
        self._sections = sections
        self._lines = lines
        self._text = text
        self._filtering = filtering
        self._seeding = seeding
        self._walking = walking
        self._states = states

    def run(self, query: DocQuery) -> DocAnswer:
        """Return the sections that answer best, best first, each once.

        Without vectors words choose the seeds, and without a graph that can be read the seeds are all: the answer's
        notices say so.

        Raises:
            NotFound, UsageError: A filter cannot be applied.
        """
        allowed = self._filtering.allowed(query)
        seeds = self._seeding.seeds(query, allowed)
        walked = self._walking.from_seeds(query, seeds.scores, seeds.likeness)
        pool = sorted(walked.ways, key=lambda node: walked.ways[node].place)[:_POOL]
        found = _Found(query=query, seeds=seeds, walked=walked, likeness=self._seeding.similarities(seeds, pool))
        best = _chosen(query, _candidates(found))
        return DocAnswer(query=query, results=self._results(found, best), stats=self._stats(found, allowed))

    def _results(self, found: _Found, best: Sequence[Candidate]) -> tuple[DocResult, ...]:
        units = self._sections.units_by_nodes([one.node for one in best])
        ties = self._walking.ties(found.query, found.walked, [one.way for one in best if one.way])
        states = self._states.of({unit.document for unit in units.values()})
        superseded = self._lines.superseded_by(list(units))
        excerpts = self._chunk_texts(found, best)
        return tuple(
            DocResult(
                unit=units[one.node],
                score=one.score,
                hops=one.way.hops if one.way else 0,
                similarity=_first(one.node, found.seeds.vectors.scores, found.likeness.scores),
                keyword_score=found.seeds.words.scores.get(one.node),
                excerpt=excerpt(units[one.node], found.query.text, excerpts.get(one.node)),
                state=states[units[one.node].document],
                ties=ties.get(one.way.node, ()) if one.way else (),
                superseded_by=superseded.get(one.node),
            )
            for one in best
            if one.node in units
        )

    def _chunk_texts(self, found: _Found, best: Sequence[Candidate]) -> dict[NodeId, str]:
        """Return what the best chunk of each section says, where anybody knows which it is."""
        known = {**found.seeds.words.chunks, **found.likeness.chunks, **found.seeds.vectors.chunks}
        chunks = {one.node: known[one.node] for one in best if one.node in known}
        texts = self._text.texts(list(chunks.values()))
        return {node: texts[chunk] for node, chunk in chunks.items() if chunk in texts}

    def _stats(self, found: _Found, allowed: set[str] | None) -> DocStats:
        seeds, walked = found.seeds, found.walked
        documents = self._documents.count()
        return DocStats(
            documents=documents,
            searched=None if allowed is None else len(allowed),
            seeds=len(seeds.scores),
            found=len(walked.ways),
            matched=len(seeds.scores) + len(walked.ways),
            nodes_visited=walked.visited,
            model=None if seeds.vector is None else self._seeding.model,
            lacking_vectors=self._seeding.lacking,
            notices=tuple(self._notices(found, documents)),
        )

    def _notices(self, found: _Found, documents: int) -> list[str]:
        notices = list(found.seeds.notices)
        if not documents:
            notices.append("No documents are known yet: run 'tx doc:ingest'.")
        elif found.seeds.vector is None:
            notices.append("By words alone: there are no vectors of documents" + self._seeding.remedy)
        elif lacking := self._seeding.lacking:
            notices.append(f"{lacking:,} pieces of documents have no vector yet: run 'tx doc:ingest'.")
        if found.walked.problem:
            notices.append(f"By the seeds alone: relations cannot be followed. {found.walked.problem}")
        return notices


def _candidates(found: _Found) -> list[Candidate]:
    ways, supports = found.walked.ways, found.walked.supports
    scores = {**{node: way.score for node, way in ways.items()}, **found.seeds.scores}
    return [
        candidate(node, score, way=ways.get(node), likeness=_likeness(found, node), support=supports.get(node, 0.0))
        for node, score in scores.items()
    ]


def _chosen(query: DocQuery, candidates: Sequence[Candidate]) -> list[Candidate]:
    if query.graph_slots is None:
        return most_worth(candidates, limit=query.limit)
    return with_places_kept(candidates, limit=query.limit, slots=query.graph_slots)


def _likeness(found: _Found, node: NodeId) -> float:
    """Return how much a section says like the question, by its vectors, else by its words."""
    known = (found.seeds.vectors.scores, found.likeness.scores, found.seeds.words.scores)
    return _first(node, *known) or 0.0


def _first(node: NodeId, *several: Mapping[NodeId, float]) -> float | None:
    return next((scores[node] for scores in several if node in scores), None)
