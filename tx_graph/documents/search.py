"""Questions to documents: sections that answer by themselves, and what their relations lead to."""

from __future__ import annotations

import hashlib
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import StrEnum
from heapq import nlargest
from typing import Annotated, ClassVar, NamedTuple

from tx_graph.core.arguments import Arg, WithHub, choices
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import ModelError, NotFound, StorageError, UsageError
from tx_graph.core.globs import PathMatcher, literal
from tx_graph.core.guard import without_secrets
from tx_graph.core.identifiers import query_terms
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit
from tx_graph.core.shape import Rows, canonical_reference
from tx_graph.core.text import best_lines
from tx_graph.core.tracing import span
from tx_graph.documents.chunk_store import ChunkStore, sections
from tx_graph.documents.document import Unit
from tx_graph.documents.edge_store import SectionTie, SectionWalk
from tx_graph.documents.statement_store import StatementStore
from tx_graph.documents.store import DocumentStore, SectionStore
from tx_graph.graph.edges import Direction, NodeId, Relation, Strand, predicate_of
from tx_graph.graph.elsewhere import Elsewhere, FromHub, among_best, hub_of
from tx_graph.graph.expand import MAX_DEPTH, Ask, Exploration, Hops, Limits, explore
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.graph.search import Question, matched
from tx_graph.records.learning import unit_interval
from tx_graph.vectors.embedding import NO_EMBEDDER, Asked, Embedding, bringing
from tx_graph.vectors.models import DEFAULT_MODEL

KEYWORD_WEIGHT = 0.35
"""What words count beside meaning. Of conversations, whose sections are short, more is better (.5), of manuals less
(.1), where a question seldom has the words of its answer."""
SEEDS = 10  # sections that a walk starts from (Oasis, Graph RAG)
_MOST_SEEDS = 1_000
_NEAREST = 5
_CLOSE, _ABOUT, _OF_WORDS = 0.4, 0.29, 0.1
"""Nothing is about a question where no section's cosine is `_CLOSE`, and the mean of the `_NEAREST` best and
`_OF_WORDS` of the share of the question's words that any section has are less than `_ABOUT` together. Chosen on 241
questions with answers and 498 about something else, with all-MiniLM-L6-v2; other models have other cosines."""


def relations_named(names: Iterable[str]) -> tuple[Relation, ...]:
    """Return the relations of these names, all of them where there are no names."""
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
    by words and by the cosine of vectors; `keyword_weight` in [0, 1] says how much words count in that choice. From
    there relations are followed for `hops` edges. `source` (globs over paths) and `since` (a date or an age) narrow the
    seeds alone. Of the results `graph_slots` at least are such as only relations lead to, where there are so many, and
    the others those of the best scores. Where no section is about the question there is none, unless `anything` will
    do. `exclude` (globs over paths) and `title` (words of the document's) narrow the seeds too; so do `where`
    (`status=accepted`) and `tag`, by the keys of front matter and of lines such as `- Status: accepted`: all of them
    are to hold.
    """

    text: str
    limit: int = 5
    hops: int = 2
    scoring: Hops | None = None
    direction: Direction = Direction.BOTH
    relations: Sequence[Relation] = tuple(Relation)
    min_edge_weight: float = 0.0
    seeds: int | None = None
    keyword_weight: float = KEYWORD_WEIGHT
    source: Sequence[str] = ()
    since: str | None = None
    graph_slots: int = 0
    exclude: Sequence[str] = ()
    title: str = ""
    where: Sequence[str] = ()
    tag: Sequence[str] = ()
    anything: bool = False

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
        if not 0 <= self.graph_slots <= self.limit:
            raise UsageError(f"The places for the graph must be from 0 to the limit, not {self.graph_slots}.")

    @property
    def seed_count(self) -> int:
        """How many sections are to answer by themselves."""
        return max(SEEDS, self.limit) if self.seeds is None else self.seeds


@dataclass(frozen=True, slots=True, kw_only=True)
class DocTie:
    """Why the graph led to a result: its relation with `other`, from which it leads `forward`, `hops` from a seed.

    `origin` is who says so: structure, link, a model's name, agent, vectors or manual.
    """

    JSON: ClassVar = "from=other relation description~ weight forward hops origin"

    other: str
    relation: str
    description: str
    weight: float
    forward: bool
    hops: int
    origin: str = "structure"


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

    `similarity` is its cosine with the question and `keyword_score` the share of the question that its words have, None
    where nobody looked. `ties` are the edges by which the graph led there, the best first; a seed has none.
    `superseded_by` is what took its place, a reference or what a note names. `beside` is the section that has most of
    the question's words, where this one is there because it stands beside it.
    """

    JSON: ClassVar = (
        "node=unit.ref@section ref=unit.ref document=unit.document document_node=unit.document@file "
        "title=unit.title headings=unit.headings line_start=excerpt.line_start line_end=excerpt.line_end score hops "
        "similarity keyword_score text=excerpt.text is_whole=excerpt.is_whole context=ties verdict=state state! "
        "superseded_by beside"
    )

    unit: Unit
    score: float
    hops: int
    similarity: float | None
    keyword_score: float | None
    excerpt: Excerpt
    state: State
    ties: tuple[DocTie, ...] = ()
    superseded_by: str | None = None
    beside: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocStats:
    """What the answer rests on.

    `documents` are those there are, `searched` those that the filters let through, None without filters. `model` is
    None where words alone chose the seeds. `found` counts what the graph led to beyond the seeds. `notices` are
    sentences about what could not be done.
    """

    JSON: ClassVar = "documents searched seeds found matched nodes_visited model lacking_vectors"

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
class DocAnswer(Rows[DocResult]):
    """The results, best first, and what they rest on; `elsewhere` is what ranks among them from other repositories."""

    query: DocQuery
    results: tuple[DocResult, ...]
    stats: DocStats
    elsewhere: tuple[Elsewhere, ...] = ()

    ROWS: ClassVar = "results"
    JSON: ClassVar = (
        "query=query.text results stats.*=stats stats.hops=query.hops stats.keyword_weight=query.keyword_weight "
        "stats.graph_slots=query.graph_slots notices=stats.notices elsewhere"
    )


_CANDIDATES = 200  # sections that each index gives; more where more seeds are asked for
_MOST_NODES = 1_000  # nodes to reach: many have the same score, and which of them answer best is told by what they say
_POOL = 500  # sections beyond the seeds, the best by score, that are compared with the question to tell equals apart
_MOST_TIES = 5
_STRUCTURE = (Relation.PART_OF.value, Relation.SEQUENCE.value)
"""Relations that only say where a section stands: any other one says more."""
_TAG = ""  # the key of tags, whatever a document calls them
_TAGS = frozenset("tag tags label labels keyword keywords category categories topic topics".split())
_MOST_NAMED = 20
_NANOSECONDS = 1_000_000_000


class Seeds(NamedTuple):
    """What answers by itself: each section's score in [0, 1], best first.

    `cosines` and `words` are what the two indexes say of these and other sections, as a cosine and in [0, 1]; `chunks`
    is the best chunk of each, `beside` the section that a seed stands beside, where it is found by that. `asked` is the
    question as a vector, None where there is none; `notice` says why.
    """

    scores: Mapping[NodeId, float]
    cosines: Mapping[NodeId, float]
    words: Mapping[NodeId, float]
    chunks: Mapping[NodeId, int]
    beside: Mapping[NodeId, NodeId]
    asked: Asked | None
    notice: str = ""


class Way(NamedTuple):
    """How a section was reached: score, edges, and at which node, itself or one without text that it stands for."""

    score: float
    hops: int
    node: NodeId

    @property
    def place(self) -> tuple[float, int, NodeId]:
        """What sorts the better way first."""
        return (-self.score, self.hops, self.node)


class Walked(NamedTuple):
    """Sections that relations lead to; `problem` says why none."""

    ways: Mapping[NodeId, Way] = {}
    exploration: Exploration | None = None
    problem: str = ""


class DocSearch:
    """Finds sections of documents."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._database = kernel.database
        self._embedding = kernel.one(Embedding)

    def _scoring(self, query: DocQuery) -> Hops:
        return query.scoring or scoring_of(self._kernel)

    @span("retrieve", what="sections")
    def run(self, query: DocQuery) -> DocAnswer:
        """Return the sections that answer best, best first, each once; notices say what could not be done."""
        allowed = self._allowed(query)
        seeds = self._seeds(query, allowed)
        if not query.anything and self._is_about_nothing(query, seeds):
            told = "Nothing here is about that; --anything shows what is nearest."
            stats = self._stats(Seeds({}, {}, {}, {}, {}, seeds.asked, told), Walked(), allowed)
            return DocAnswer(query=query, results=(), stats=stats)
        walked = self._walked(query, seeds)
        pool = sorted(walked.ways, key=lambda node: walked.ways[node].place)[:_POOL]
        near, near_chunks = self._cosines(seeds.asked, pool)
        candidates = []
        for node, score in {**{node: way.score for node, way in walked.ways.items()}, **seeds.scores}.items():
            way = walked.ways.get(node)
            likeness = _first(node, seeds.cosines, near, seeds.words) or 0.0
            candidates.append(Candidate((-score, way.hops if way else 0, -likeness, node), node, way))
        best = with_places_kept(candidates, limit=query.limit, slots=query.graph_slots)
        neighbors = {one.node: seeds.beside[one.node] for one in best if one.node in seeds.beside}
        units = SectionStore(self._database).units_by_nodes([*(one.node for one in best), *neighbors.values()])
        ties = self._ties(query, walked, [one.way for one in best if one.way])
        states = states_of(self._kernel, {unit.document for unit in units.values()})
        superseded = SectionWalk(self._database).superseded_by([one.node for one in best])
        chunks = {**seeds.chunks, **{node: chunk for node, chunk in near_chunks.items() if node not in seeds.cosines}}
        texts = ChunkStore(self._database).texts([chunks[one.node] for one in best if one.node in chunks])
        results = tuple(
            DocResult(
                unit=units[one.node],
                score=one.score,
                hops=one.way.hops if one.way else 0,
                similarity=_first(one.node, seeds.cosines, near),
                keyword_score=seeds.words.get(one.node),
                excerpt=excerpt(units[one.node], query.text, texts.get(chunks.get(one.node, 0))),
                state=states[units[one.node].document],
                ties=ties.get(one.way.node, ()) if one.way else (),
                superseded_by=superseded.get(one.node),
                beside=units[neighbors[one.node]].ref if neighbors.get(one.node) in units else None,
            )
            for one in best
            if one.node in units
        )
        return DocAnswer(query=query, results=results, stats=self._stats(seeds, walked, allowed))

    def _is_about_nothing(self, query: DocQuery, seeds: Seeds) -> bool:
        """Whether the sections have neither the meaning nor the words of a question; False where that is not known."""
        if not seeds.asked or self._embedding.name != DEFAULT_MODEL or self._embedding.lacking("chunks"):
            return False
        words = query_terms(query.text)
        known = len(words) - ChunkStore(self._database).unknown(words)
        near = nlargest(_NEAREST, seeds.cosines.values()) or [0.0]
        return near[0] < _CLOSE and sum(near) / len(near) + _OF_WORDS * known / max(1, len(words)) < _ABOUT

    def _stats(self, seeds: Seeds, walked: Walked, allowed: Collection[str] | None) -> DocStats:
        documents, lacking = DocumentStore(self._database).count(), self._embedding.lacking("chunks")
        notices = [seeds.notice] if seeds.notice else []
        if not documents:
            notices.append("No documents are known yet: run 'tx sync'.")
        elif seeds.asked is None and self._embedding.name == NO_EMBEDDER:
            notices.append("By words alone: there are no vectors of documents, for the setting 'embedder' is none.")
        elif seeds.asked is None:
            first = "" if self._embedding.available else "'tx model install', then "
            notices.append(f"By words alone: there are no vectors of documents ({first}'{bringing(lacking)}').")
        elif lacking:
            notices.append(f"Without a vector yet: {lacking:,} pieces of documents; run '{bringing(lacking)}'.")
        if walked.problem:
            notices.append(f"By the seeds alone: relations cannot be followed. {walked.problem}")
        return DocStats(
            documents=documents,
            searched=None if allowed is None else len(allowed),
            seeds=len(seeds.scores),
            found=len(walked.ways),
            matched=len(seeds.scores) + len(walked.ways),
            nodes_visited=walked.exploration.stats().nodes_visited if walked.exploration else 0,
            model=None if seeds.asked is None else self._embedding.name,
            lacking_vectors=lacking,
            notices=tuple(notices),
        )

    # Which documents the seeds may come from.

    def _saying(self, query: DocQuery) -> set[str]:
        """Return the documents that say all that a query wants of them; NotFound for what none says."""
        said: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for path, key, value in StatementStore(self._database).by_key():
            for one in {key, _TAG} if key in _TAGS else {key}:
                said[one][value].add(path)
        wanted = [(_TAG, tag) for tag in query.tag]
        for one in query.where:
            key, mark, value = one.partition("=")
            if not (mark and key.strip() and value.strip()):
                raise UsageError(f"'{one}' is no KEY=VALUE.", hint="Write status=accepted, for example.")
            if not said.keys() & {predicate_of(key)}:
                known = sorted(said.keys() - {_TAG}, key=lambda name: (-len(said[name]), name))
                raise NotFound(f"No document has the key '{key.strip()}'.", hint=f"There are: {_some(known)}.")
            wanted.append((predicate_of(key), value))
        found = set[str]()
        for place, (key, value) in enumerate(wanted):
            same = [paths for told, paths in said[key].items() if told.casefold() == value.strip().casefold()]
            if not same:
                raise NotFound(
                    f"No document has {key or 'tag'} '{value}'.", hint=f"There are: {_some(sorted(said[key]))}."
                )
            paths = set().union(*same)
            found = found & paths if place else paths
        return found

    def _allowed(self, query: DocQuery) -> set[str] | None:
        """Return the documents that the filters let through, by path; None when there are no filters."""
        is_narrowed = query.source or query.exclude or query.title or query.where or query.tag
        if not is_narrowed and query.since is None:
            return None
        stamps, known = DocumentStore(self._database).stamps(), set(DocumentStore(self._database).nodes())
        if query.source:
            matcher, tree = PathMatcher(known), self._kernel.checkout.tree
            known = set()
            for typed in query.source:  # a path is one from where the user stands, all else a glob
                candidates = tree.candidates(typed) if not typed.startswith("/") else [typed.lstrip("/")]
                path = next((one for one in candidates if one in matcher or tree.is_directory(one)), None)
                pattern = typed if path is None else "**" if path == "." else f"/{literal(path)}"
                found = matcher.matching(pattern)
                if not found:
                    raise NotFound(f"'{typed}' names no document that was ingested.", candidates=matcher.nearest(typed))
                known.update(found)
        if query.exclude or query.title:
            matcher, words = PathMatcher(known), query.title.casefold()
            titles = DocumentStore(self._database).titles()
            left_out = {path for glob in query.exclude for path in matcher.matching(glob)}
            known = {path for path in known - left_out if words in titles[path].casefold()}
        if query.where or query.tag:
            known &= self._saying(query)
        if query.since is None:
            return known
        from tx_graph.core.revisions import changed_files
        from tx_graph.history.commits import oldest_time, read_commits

        # What a commit touched since then, or what changed on disk and is not committed yet.
        now = self._kernel.clock.now()
        oldest = oldest_time(query.since, now=now)
        recent = {path for path, (_, mtime_ns) in stamps.items() if mtime_ns >= oldest * _NANOSECONDS}
        repository = self._kernel.checkout.askable
        if repository is None:
            return known & recent
        commits = read_commits(repository.root, since=query.since, now=now)
        committed = {path for one in commits for path in one.paths}
        outside = filter(self._kernel.checkout.tree.is_outside, recent)
        return known & {*committed, *recent.intersection(changed_files(repository)), *outside}

    # Seeds: sections ranked by the best of their chunks, by vectors, by words, or by both.

    def _seeds(self, query: DocQuery, allowed: Collection[str] | None) -> Seeds:
        """Return the best sections of the allowed documents (None: all); without vectors, by how well words match."""
        among = None if allowed is None else ChunkStore(self._database).of_documents(allowed)
        asked, notice, weight = None, "", query.keyword_weight
        try:
            asked = self._embedding.asked(query.text, "chunks")
        except ModelError as error:
            notice = f"{error.message} {error.hint}".rstrip()
        source = sections(self._database, asked if weight < 1 else None, keyword_weight=weight if asked else 1.0)
        if asked and not weight:
            source = source._replace(indexes={"vectors": source.indexes["vectors"]})
        count = max(_CANDIDATES, query.seed_count)
        found = matched(source, Question(text=query.text, words=query.text), count=count, allowed=among)
        likeness = dict(nlargest(query.seed_count, found.relevance.items(), key=lambda one: (one[1], -one[0])))
        # Those that words alone found have cosines too.
        more, chunks = self._cosines(asked, [node for node in likeness if node not in found.by("vectors")])
        rows = found.rows.get("words", {})
        givers = {node: found.beside[rows[node]] for node in likeness if rows.get(node) in found.beside}
        owners = ChunkStore(self._database).sections(givers.values())
        return Seeds(
            scores={node: self._scoring(query).seed_score(value) for node, value in likeness.items()},
            cosines={**found.by("vectors"), **more},
            words=found.by("words"),
            chunks={**rows, **found.rows.get("vectors", {}), **chunks},
            beside={node: owners[giver] for node, giver in givers.items() if owners[giver] != node},
            asked=asked,
            notice=notice,
        )

    def _cosines(self, asked: Asked | None, nodes: Collection[NodeId]) -> tuple[dict[NodeId, float], dict[NodeId, int]]:
        """Return the cosine with the question of each section that has a vector, and its best chunk."""
        rows = ChunkStore(self._database).of_sections(nodes) if asked and nodes else []
        chunks = {chunk: node for chunk, node, _ in rows}
        found = asked.nearest(list(chunks), len(chunks)) if asked and chunks else []
        cosines: dict[NodeId, float] = {}
        best: dict[NodeId, int] = {}
        for chunk, cosine in sorted(found, key=lambda one: (-one[1], one[0])):
            if chunks[chunk] not in cosines:
                cosines[chunks[chunk]], best[chunks[chunk]] = cosine, chunk
        return cosines, best

    # Relations. Files and symbols lead from one section to the next, but are no results.

    def _walked(self, query: DocQuery, seeds: Seeds) -> Walked:
        """Return what can be reached. A section without text is stood for by the first below it that has some."""
        if not query.hops or not seeds.scores:
            return Walked()
        walk = SectionWalk(self._database)
        relations = self._relations(query)

        def leaving(ask: Ask) -> list[Strand]:
            least = max(query.min_edge_weight, ask.least)
            return walk.leaving(ask.nodes, relations=relations, direction=query.direction, least=least)

        limits = Limits(depth=query.hops, max_nodes=_MOST_NODES)
        try:
            exploration = explore(seeds.scores, leaving, limits=limits, scoring=self._scoring(query))
            met = [one.node for one in exploration.reached()]
            speakers = walk.speakers(met)
        except StorageError as error:
            return Walked(problem=error.message)
        ways: dict[NodeId, Way] = {}  # the best to each section with text that is no seed
        for node in met:
            speaker = speakers.get(node)
            if node in seeds.scores or speaker is None or speaker in seeds.scores:
                continue
            way = Way(exploration.scores[node], exploration.hops(node), node)
            if speaker not in ways or way.place < ways[speaker].place:
                ways[speaker] = way
        return Walked(ways=ways, exploration=exploration)

    def _relations(self, query: DocQuery) -> list[Relation]:
        """Return the relations that are followed, without those that the settings switch off."""
        get = self._kernel.config.get
        off = [one for one in _STRUCTURE if "off" in (get("documents.structure"), get(f"documents.{one}"))]
        return [one for one in query.relations if one not in off]

    def _ties(self, query: DocQuery, walked: Walked, ways: Sequence[Way]) -> dict[NodeId, tuple[DocTie, ...]]:
        """Return, by the node that was reached, the edges that lead there at its hop, the most telling first."""
        exploration = walked.exploration
        if exploration is None or not ways:
            return {}
        nodes = {way.node: way for way in ways}
        found: dict[NodeId, list[tuple[SectionTie, NodeId, bool]]] = defaultdict(list)
        relations = self._relations(query)
        for tie in SectionWalk(self._database).ties(list(nodes), list(exploration.scores)):
            if tie.weight < query.min_edge_weight or tie.relation not in relations:
                continue
            for node, other, forward in ((tie.target, tie.source, True), (tie.source, tie.target, False)):
                against = Direction.IN if forward else Direction.OUT
                may_follow = tie.relation == Relation.SIMILAR_TO or query.direction is not against
                # The walk came from a node one hop nearer.
                if node in nodes and may_follow and exploration.hops(other) == nodes[node].hops - 1:
                    found[node].append((tie, other, forward))
        described = NodeStore(self._database).describe({other for several in found.values() for _, other, _ in several})
        names = {node: canonical_reference(kind, key) for node, (kind, key) in described.items()}

        def place(one: tuple[SectionTie, NodeId, bool]) -> tuple[object, ...]:
            tie, other, _ = one
            return (
                tie.dullness,
                -tie.weight,
                tie.relation in _STRUCTURE,
                -exploration.scores[other],
                names[other],
                tie,
            )

        return {
            node: tuple(
                DocTie(
                    other=names[other],
                    relation=tie.relation,
                    description=tie.description,
                    weight=tie.weight,
                    forward=forward,
                    hops=nodes[node].hops,
                    origin=tie.origin,
                )
                for tie, other, forward in sorted(several, key=place)[:_MOST_TIES]
            )
            for node, several in found.items()
        }


def _first(node: NodeId, *several: Mapping[NodeId, float]) -> float | None:
    return next((scores[node] for scores in several if node in scores), None)


class Candidate(NamedTuple):
    """A section in the ranking, best first: ties go to fewer hops, likeness, the smaller node. A seed has no way."""

    place: tuple[float, int, float, NodeId]
    node: NodeId
    way: Way | None

    @property
    def score(self) -> float:
        """Its score in [0, 1]."""
        return -self.place[0]


def with_places_kept(candidates: Sequence[Candidate], *, limit: int, slots: int) -> list[Candidate]:
    """Return the best candidates, best first, so that `slots` of them, if there are so many, are not seeds."""
    ranked = sorted(candidates)
    kept = [one for one in ranked if one.way][: min(slots, limit)]
    others = [one for one in ranked if one not in kept]
    return sorted([*kept, *others[: limit - len(kept)]])


_UNDERLINE = re.compile(r"([^\w]|_)\1*")
EXCERPT = 600  # characters of a section that an answer shows; all of it would flood a page with the first two results


def excerpt(unit: Unit, question: str, chunk: str | None) -> Excerpt:
    """Return the lines of a section that answer best, of its best chunk, without its heading if there are others."""
    lines = unit.text.split("\n")
    inside = chunk if chunk is not None and chunk in unit.text else unit.text
    offset = unit.text.count("\n", 0, unit.text.find(inside))
    start = max(offset, below_heading(lines, unit.title))
    end = offset + inside.count("\n") + 1
    first, last = best_lines("\n".join(lines[start:end]), question, most=EXCERPT)
    cut = "\n".join(lines[start + first : start + last])[:EXCERPT]
    line = unit.line_start + start + first
    is_whole = len(cut) >= len("\n".join(lines[below_heading(lines, unit.title) :]).strip())
    return Excerpt(
        text=without_secrets(cut, quick=True), line_start=line, line_end=line + cut.count("\n"), is_whole=is_whole
    )


def below_heading(lines: Sequence[str], title: str) -> int:
    """Return the place of the first line that is no heading of this title, its underline or blank; 0 if all are."""
    if not title or title not in lines[0]:
        return 0
    place = 1
    while place < len(lines) and (not (line := lines[place].strip()) or (place == 1 and _UNDERLINE.fullmatch(line))):
        place += 1
    return place if place < len(lines) and lines[0].strip("#* ").endswith(title) else 0


def _some(names: Sequence[str]) -> str:
    """Return names for a hint: the first, and how many more there are."""
    more = f" and {len(names) - _MOST_NAMED:,} more" if len(names) > _MOST_NAMED else ""
    return (", ".join(names[:_MOST_NAMED]) or "none") + more


def states_of(kernel: Kernel, paths: Collection[str]) -> dict[str, State]:
    """Return whether each of these documents still is what was read of it; what is none is left out."""
    found = {}
    for path, row in DocumentStore(kernel.database).by_paths(paths).items():
        data = kernel.checkout.tree.read(path)
        is_fresh = data is not None and hashlib.sha256(data).hexdigest() == row.content_hash
        found[path] = State.GONE if data is None else State.FRESH if is_fresh else State.CHANGED
    return found


def scoring_of(kernel: Kernel, *, vector: float | None = None, graph: float | None = None, decay: str = "") -> Hops:
    """Return how results score: as said, and where nothing is said as the settings have it."""
    config = kernel.config
    factors = decay.split(",") if decay else config.texts("documents.hop_decay")
    try:
        return Hops(
            vector_weight=float(config.get("documents.vector_weight")) if vector is None else vector,
            graph_weight=float(config.get("documents.graph_weight")) if graph is None else graph,
            hop_decay=tuple(map(float, factors)),
        )
    except ValueError:
        hint = "Write one for each hop, from 0 for seeds: 1.0,0.7,0.5."
        raise UsageError(f"'{decay}' is no list of factors.", hint=hint) from None


def search(
    kernel: Kernel,
    query: Annotated[str, Arg("QUERY", "What to find: a question, or words.")],
    *,
    limit: Annotated[int, Arg("N", "Most results to show, 1 to 10,000.", flag="-n --limit", least=1)] = 5,
    hops: Annotated[int, Arg("N", "How many relations to follow, 0 to 10.", most=MAX_DEPTH)] = 2,
    vector_weight: Annotated[
        float | None, Arg("F", "What likeness counts in the score of a seed; 0.7 unless set.")
    ] = None,
    graph_weight: Annotated[
        float | None, Arg("F", "What the graph counts; with the former at most 1; 0.3 unless set.")
    ] = None,
    hop_decay: Annotated[
        str, Arg("F,F,…", "Factor by hop, from 0 for seeds; the last goes on; 1.0,0.7,0.5 unless set.")
    ] = "",
    direction: Annotated[Direction, Arg("WAY", f"How to follow edges: {choices(Direction)}.")] = Direction.BOTH,
    relations: Annotated[
        Sequence[str], Arg("A,B", "Follow only these, such as references, depends_on, sequence.")
    ] = (),
    min_edge_weight: Annotated[float, Arg("F", "Follow no edge lighter than this, 0 to 1.")] = 0.0,
    seeds: Annotated[int | None, Arg("N", f"Sections to start from: {SEEDS}, or as many as are shown.")] = None,
    keyword_weight: Annotated[float, Arg("F", "How much words count in choosing seeds, 0 to 1.")] = KEYWORD_WEIGHT,
    source: Annotated[
        Sequence[str],
        Arg("GLOB", "Start only from such documents. Repeatable.", is_split=False, mcp="globs of documents"),
    ] = (),
    since: Annotated[
        str | None,
        Arg(
            "DATE",
            "Start only from documents changed since: a date, '3 weeks ago'.",
            mcp="'3 weeks ago'",
        ),
    ] = None,
    exclude: Annotated[Sequence[str], Arg("GLOB", "Start from no such documents. Repeatable.", is_split=False)] = (),
    title: Annotated[str, Arg("TEXT", "Start only from documents whose title has this.")] = "",
    where: Annotated[
        Sequence[str],
        Arg(
            "KEY=VALUE",
            "Start only from documents that say so, as in front matter. Repeatable.",
            is_split=False,
            mcp="what front matter says: status=accepted",
        ),
    ] = (),
    tag: Annotated[Sequence[str], Arg("A,B", "Start only from documents with these tags. Repeatable.")] = (),
    graph_slots: Annotated[int, Arg("N", "Keep N places for what only relations lead to.")] = 0,
    anything: Annotated[bool, Arg(help="Show what is nearest, even where nothing is about the question.")] = False,
    hub: WithHub = False,
    full: Annotated[bool, Arg(help="Show whole sections, not only the lines that matter.")] = False,
) -> DocAnswer:
    """Find sections of the repository's documents, and what these refer to, depend on or are followed by.

    The sections most like the question, by words and by meaning, are the seeds; from these relations are followed. A
    seed scores by its likeness, and above all else, which scores by the relation that led there: below such a result
    it says which. The word behind a result
    says whether its document still is what was read: fresh, changed or gone.

    Example:
      tx doc:search "how are sessions stored"
      tx doc:search "token lifetime" --source 'docs/adr/**' --since '3 months ago'
      tx doc:search "sessions" --where status=accepted --tag security
      tx doc:search "rate limits" --relations depends_on --direction out
      tx doc:search ERR_4711 --keyword-weight 0.5 --json
      tx doc:search "rate limits" --hub
    """
    asking = hub_of(kernel, is_asked=hub) if query.strip() else None
    asked = asking and asking.search(query, kinds={NodeKind.SECTION: keyword_weight}, limit=limit)
    answer = kernel.one(DocSearch).run(
        DocQuery(
            text=query,
            limit=limit,
            hops=hops,
            scoring=scoring_of(kernel, vector=vector_weight, graph=graph_weight, decay=hop_decay),
            direction=direction,
            relations=relations_named(relations),
            min_edge_weight=min_edge_weight,
            seeds=seeds,
            keyword_weight=keyword_weight,
            source=source,
            since=since,
            graph_slots=graph_slots,
            exclude=exclude,
            title=title,
            where=where,
            tag=tag,
            anything=anything,
        )
    )
    if asked:
        answer = with_elsewhere(answer, asked.answer(), scoring_of(kernel))
    if not full:
        return answer
    results = []
    for one in answer.results:
        unit = one.unit
        text = without_secrets(unit.text, quick=True)
        whole = Excerpt(text=text, line_start=unit.line_start, line_end=unit.line_end, is_whole=True)
        results.append(replace(one, excerpt=whole))
    return replace(answer, results=tuple(results))


def with_elsewhere(answer: DocAnswer, told: FromHub, scoring: Hops) -> DocAnswer:
    """Return an answer with what a hub found beside it, which scores as its own sections do."""
    found = [replace(one, score=scoring.seed_score(one.score)) for one in told.found]
    if not answer.query.anything and max((one.meaning or 0.0 for one in found), default=1.0) < _CLOSE:
        found = [one for one in found if one.meaning is None]
    return replace(
        answer,
        elsewhere=among_best(found, [one.score for one in answer.results], limit=answer.query.limit),
        stats=replace(answer.stats, notices=(*answer.stats.notices, *told.notices)),
    )
