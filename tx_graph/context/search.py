"""Search for learnings: direct matches, what is near open files, and the walk that ties them together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from functools import cache, partial
from heapq import nlargest
from operator import itemgetter
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.verdict import JUDGED, Judgement, Standing, standing
from tx_graph.code.file_store import FileStore
from tx_graph.context.gate import CANDIDATES, Direct, Nearby, direct_matches, judged_by, standard_retriever
from tx_graph.context.graph_view import GraphView, Step, described
from tx_graph.core.arguments import Arg, WithHub, choices
from tx_graph.core.arguments import Limit as MostResults
from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.identifiers import content_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import checked_limit, clean_label
from tx_graph.core.shape import Rows
from tx_graph.core.tracing import span
from tx_graph.graph.diversify import Candidate as Contender
from tx_graph.graph.diversify import Choice, diversify, overlap
from tx_graph.graph.edges import Direction, Edge, EdgeType, NodeId
from tx_graph.graph.elsewhere import Elsewhere, FromHub, among_best, hub_of
from tx_graph.graph.expand import (
    Decaying,
    Depth,
    EdgeTypes,
    ExpansionStats,
    Exploration,
    Hops,
    Limits,
    MaxNodes,
    OtherEdgeTypes,
    Profile,
    Reached,
    Spread,
    TypesAt,
    Walk,
    Ways,
    chosen_types,
    explore,
    scoring_of,
    types_by_hop,
)
from tx_graph.graph.fuse import ASKING_SHARE, STALE_SHARE, WORDS_SHARE, boosted, feedback, recency
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.graph.search import Matches, Question
from tx_graph.learnings.similarity_store import SimilarityStore
from tx_graph.records.learning import Status, StoredLearning, unit_interval
from tx_graph.records.learning_store import Brief, LearningStore
from tx_graph.vectors.embedding import Embedding

if TYPE_CHECKING:
    from tx_graph.context.open_files import OpenPlace
    from tx_graph.context.ranking_evidence import RankedFile


FUSED = "fused"
"""What expansions are called that no profile was named for."""
DIVERSITY = 0.05
"""How much novelty counts beside relevance: the 1 − λ of PRD-016."""
_POOL = 3
"""How many times the results that are shown are looked at: what is further down is not relevant enough to move up."""
_LARGEST_POOL = 300  # comparing each two of 300 takes 40 ms; whoever asks for hundreds of results reads them all


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to find: what a text asks for, what is near `context_files`, or both, added up.

    `expansion` None looks at direct matches alone. By a `profile` the graph alone says how an expansion scores; without
    one, the ranking of files counts as much as the text and what the walk finds from there. `types_at` says which edges
    are followed at single hops, counted from 1, instead of `types`; filters apply before ranking. `context_files` are
    open files and symbols as one types them (see `context.open_files`). `diversity` in [0, 1] says how much novelty
    counts beside relevance, 0 not at all. `retriever` names who finds direct matches, None the one in the settings.

    A result is stale when its code has changed since or is gone; it counts less than one that holds. `fresh_only`
    leaves such results out; `include_stale` ranks them like others, and takes in what was superseded or retracted.
    """

    text: str = ""
    limit: int = 10
    min_score: float = 0.0
    category: str | None = None
    status: Status | None = None
    file: str | None = None
    expansion: Limits | None = None
    profile: Profile | None = None
    types: Sequence[EdgeType] = tuple(EdgeType)
    types_at: Mapping[int, Sequence[EdgeType]] = field(default_factory=dict)
    direction: Direction = Direction.BOTH
    fresh_only: bool = False
    include_stale: bool = False
    context_files: Sequence[str] = ()
    diversity: float = DIVERSITY
    retriever: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.fresh_only and self.include_stale:
            raise UsageError("--fresh-only leaves stale results out, --include-stale takes them in: use one of them.")
        checked_limit(self.limit)
        unit_interval(self.min_score, what="least score")
        unit_interval(self.diversity, what="diversity")
        if self.category is not None:
            clean_label(self.category, what="category")
        if not self.text.strip() and not self.context_files:
            raise UsageError("The query is empty.", hint="Say what to look for, in quotes, or name open files.")

    @property
    def pool(self) -> int:
        """How many results are looked at for those that are shown."""
        return max(self.limit, min(_POOL * self.limit, _LARGEST_POOL)) if self.diversity else self.limit


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A learning and why it is there. All scores lie in [0, 1].

    `relevance` is what the result ranks by; for a stale one it counts less than what was found. `anchors` are the
    verdicts on its anchors. `rrf` is the fused score, 0 for what only the graph found; `steps` lead from the seed,
    itself a learning or a file, to this learning; `seed_reason` says why the walk started at that file. `beside`
    is the learning of the same source that has most of the words, where this one stands beside it. `retrieved`
    is what a plug-in gave it. `likely` is the probability that it helps, None where no ranking of files was asked.
    `position` counts from 1; by relevance alone it would be `relevance_position`, and
    `similar_to` is what above it is most like it, `similarity` how much.
    """

    JSON: ClassVar = (
        f"*stored {JUDGED} anchors relevance_score=relevance bm25_score=bm25 vector_score=vector "
        "recency_score=recency rrf_score=rrf feedback_score=feedback expansion_hops=hops expansion_path=path "
        "expansion_edges=steps source_edge seed_reason=told_reason beside retriever_score=retrieved likely position "
        "relevance_position similar_to similarity"
    )

    stored: StoredLearning
    relevance: float
    bm25: float
    vector: float
    recency: float
    rrf: float
    feedback: float
    standing: Standing
    anchors: tuple[Judgement, ...] = ()
    steps: tuple[Step, ...] = ()
    seed_reason: str = ""
    beside: str | None = None
    retrieved: float = 0.0
    likely: float | None = None
    position: int = 1
    relevance_position: int = 1
    similar_to: str | None = None
    similarity: float = 0.0

    @property
    def hops(self) -> int:
        """Edges between the seed and this learning; 0 for a direct match."""
        return len(self.steps)

    @property
    def is_stale(self) -> bool:
        """Whether it may be wrong by now."""
        return self.standing.is_stale

    @property
    def path(self) -> tuple[str, ...]:
        """References from the seed to this learning, both included."""
        return (*(step.source for step in self.steps), self.stored.ref)

    @property
    def source_edge(self) -> str | None:
        """The type of the edge that led here, None for a direct match."""
        return self.steps[-1].type if self.steps else None

    @property
    def told_reason(self) -> str | None:
        """Why the walk started at its file, None where it started at none."""
        return self.seed_reason or None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchStats:
    """What the search rested on: matches of each ranking, seeds, nodes reached, and learnings without a vector.

    `retrieved` counts the hits of a plug-in, `dropped` by reason those that meant nothing; `open_files` are the files
    and symbols in question, `near` the learnings near them, and `remarks` say which were not found, or how many files a
    glob is. `walk` says how much an expansion looked at, files too.

    `matched` counts what could be shown with a higher limit, `stale_left_out` what was found and is not fresh, as
    far as anybody looked.
    """

    lexical: int
    vector: int
    seeds: int
    seed_files: int
    expanded: int
    matched: int
    lacking_vectors: int
    stale_left_out: int
    model: str | None
    retriever: str
    retrieved: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    open_files: tuple[str, ...] = ()
    near: int = 0
    walk: ExpansionStats | None = None
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer(Rows[SearchResult]):
    """The results, best first, and what they rest on; `elsewhere` is what ranks among them from other repositories."""

    query: Query
    results: tuple[SearchResult, ...]
    stats: SearchStats
    elsewhere: tuple[Elsewhere, ...] = ()

    ROWS: ClassVar = "results"
    JSON: ClassVar = (
        "query=query.text results stats.matched=stats.matched stats.lexical=stats.lexical stats.vector=stats.vector "
        "stats.seeds=stats.seeds stats.seed_files=stats.seed_files stats.expanded=stats.expanded "
        "stats.model=stats.model stats.lacking_vectors=stats.lacking_vectors "
        "stats.stale_left_out=stats.stale_left_out stats.profile=profile stats.retriever=stats.retriever "
        "stats.retrieved=stats.retrieved stats.dropped=stats.dropped stats.open_files=stats.open_files "
        "stats.near=stats.near stats.remarks=stats.remarks stats.diversity=query.diversity "
        "stats.max_depth_reached=walk.max_depth_reached stats.nodes_visited=walk.nodes_visited "
        "stats.max_nodes_reached=walk.max_nodes_reached elsewhere"
    )

    @property
    def profile(self) -> str | None:
        """How the walk scored, None where there was none."""
        return (self.query.profile or FUSED) if self.query.expansion else None

    @property
    def walk(self) -> ExpansionStats:
        """How far it went."""
        return self.stats.walk or ExpansionStats(
            seeds=0, expanded=0, max_depth_reached=0, nodes_visited=0, max_nodes_reached=False, fan_out_reached=0
        )


WithProfile = Annotated[
    Profile | None,
    Arg("NAME", f"Score by the graph alone: {choices(Profile)}; else by text, graph and files together."),
]
RetrieverName = Annotated[str | None, Arg("NAME", "Who finds direct matches: hybrid, bm25 or a plug-in.")]
_OPEN_FILES = "Files you have open: paths, globs, PATH::SYMBOL. Repeatable."
OpenFilesNamed = Annotated[
    Sequence[str],
    Arg(
        "A,B",
        _OPEN_FILES,
        flag="--files",
        is_split=False,
        mcp="open files: paths, globs, PATH::SYMBOL",
    ),
]

_SEEDS = 10  # direct matches that the walk starts from; more where more results are asked for (Oasis: seedTopK)
_FURTHER = 4  # how many times further down the rankings are followed, each time that too few of the results are fresh
_PASSED = 500
"""Files a walk may pass through. They are not what is searched for, so they do not count towards `max_nodes`."""


def allowed(kernel: Kernel, query: Query) -> set[int] | None:
    """Return the learnings that the filters of a query let through, None when there are no filters."""
    if query.category is None and query.status is None and query.file is None and not query.include_stale:
        return None
    store = LearningStore(kernel.database)
    found = store.numbers(category=query.category, status=query.status, stale=query.include_stale)
    if query.file is None:
        return found
    from tx_graph.core.globs import PathMatcher, literal

    typed = query.file.removeprefix(f"{NodeKind.FILE}:")
    tree, tracked, anchored = kernel.checkout.tree, kernel.checkout.tracked_files(), store.anchored_paths()
    named = PathMatcher({path for _, path, is_glob in anchored if not is_glob})
    # A path is one from where the user stands, all else a glob from the root.
    try:
        paths = tree.candidates(typed)
        path = tree.existing(typed) or next((path for path in paths if path in named), None)
        pattern = typed if path is None else "**" if path == "." else f"/{literal(path)}"
    except UsageError:  # `/src/*.py` is a glob, although no path of this repository
        pattern = typed
    present = tracked.matching(pattern)
    hit = {glob: tracked.matches_any(glob, present) for _, glob, is_glob in anchored if is_glob}
    files = set(named.matching(pattern))  # deleted ones too
    return found & {number for number, path, is_glob in anchored if (hit[path] if is_glob else path in files)}


class Search:
    """Answers questions: seeds, fused, expanded, judged, and as many shown as are asked for, unlike each other."""

    def __init__(self, kernel: Kernel) -> None:
        kernel.database.expect_much_reading()
        self._kernel = kernel
        self._learnings = LearningStore(kernel.database)

    @span("retrieve", what="learnings")
    def run(
        self, query: Query, files: Sequence[RankedFile] | None = None, direct: Direct | None = None
    ) -> SearchAnswer:
        """Return the learnings that answer the query, best first.

        `files` are those it is about and `direct` what matches it, where somebody knows that already. Where stale
        results are left out and too few remain, the rankings are followed further down.
        """
        kernel, expansion = self._kernel, query.expansion
        is_asked = bool(query.text.strip())
        is_fused = query.profile is None and (expansion is not None or (is_asked and bool(query.context_files)))
        moment, view = (
            Standings(kernel),
            GraphView(
                kernel, query.types, query.direction, types_at=query.types_at, is_stale_shown=query.include_stale
            ),
        )
        places, remarks = self._open_places(query)
        may_answer, count = allowed(kernel, query), max(CANDIDATES, query.pool)
        match = partial(direct_matches, kernel, query.text, retriever=query.retriever, allowed=may_answer)
        direct = match(count=count) if direct is None or may_answer is not None else direct
        beside = _BESIDE if is_fused and is_asked else 1.0
        near, is_judged = Nearby(), files is not None or (expansion is not None and is_fused)
        if is_judged:
            around = opened(places, view, beside)
            if files is None:
                from tx_graph.context.ranking import rank_files  # which most searches need not load

                refs = view.name(around).values()
                files = rank_files(
                    kernel,
                    query.text,
                    open_files=list(dict.fromkeys(one.ref.partition("::")[0] for one in refs)),
                    limit=RANKED,
                    direct=direct if may_answer is None else None,  # filters say nothing about files
                )
            near = tied(kernel, files, around, view, share=1.0 if is_asked else _BESIDE)
        elif places:
            # Without an expansion the direct relatives of open files; profiles other than `decay` go on from the files.
            limits = expansion or Limits(depth=1)
            is_decay = expansion is None or query.profile is Profile.DECAY
            near = nearby(opened(places, view, beside), view, limits if is_decay else replace(limits, depth=0))
        scoring = scoring_of(query.profile or Profile.DECAY)
        while True:
            question, matches = direct
            briefs = {brief.node: brief for brief in self._learnings.briefs(numbers=matches.fused)}
            own = {node: matches.relevance[brief.id] for node, brief in briefs.items()}
            walk: Exploration = Walk({}, Limits(depth=0))
            seed_files: SeedFiles = {}
            seeds: Mapping[NodeId, float]
            if expansion:
                if isinstance(scoring, Hops):
                    cosines = matches.by("vector")
                    own = {
                        node: scoring.seed_score(_unit(cosines.get(briefs[node].id, 0.0)) or score)
                        for node, score in own.items()
                    }
                # What is ranked by the text and open files together is not to be walked to once more.
                if is_fused and is_asked:
                    seed_files = dict.fromkeys(question.files, (1.0, _NAMED))
                    seeds = dict(nlargest(max(_SEEDS, query.limit), own.items(), key=itemgetter(1)))
                    seeds |= dict.fromkeys(question.files, 1.0)
                else:
                    seeds, seed_files = self._seeds(query, question, own, briefs, near, view)
                _ = view.reader  # which asks what the walk need not ask at each hop
                walk = explore(
                    seeds,
                    view.neighbors_of,
                    limits=replace(expansion, max_nodes=max(_PASSED, expansion.max_nodes)),
                    scoring=scoring,
                    at_last_hop=partial(view.neighbors_of, only_to_learnings=True),
                    degrees_of=view.degrees,
                    prior=self._freshness_of_history,
                )
            everything = self._learnings.briefs(nodes={*own, *near.learnings, *walk.scores})
            scale = 1.0
            if expansion and isinstance(scoring, Spread):  # the best learning has 1, not the best of all nodes
                scale = 1 / (max((walk.scores.get(brief.node, 0.0) for brief in everything), default=0.0) or 1.0)
            found = Found(matches, own, near, walk, seed_files, everything, scale, is_fused)
            ranked = sorted(one for one in found.candidates() if may_answer is None or one.brief.id in may_answer)
            if expansion:  # direct matches and what is near open files, and the best of those that only the walk found
                beyond = [one for one in ranked if found.is_beyond(one.brief.node)]
                cut = {one.brief.id for one in beyond[expansion.max_nodes :]}
                ranked = [one for one in ranked if one.brief.id not in cut]
            chosen = [one for one in ranked if one.relevance >= query.min_score]
            top = best(chosen, query, moment, count=query.pool)
            if not top.stale or len(top.shown) >= query.limit or not matches.is_cut:
                break
            count *= _FURTHER
            direct = match(count=count)
        embedding = kernel.one(Embedding)
        chances = self._likely(question, found, top.shown) if is_judged else {}
        return SearchAnswer(
            query=query,
            results=tuple(self._results(query, top, found, view, chances)),
            stats=SearchStats(
                lexical=len(matches.by("bm25")),
                vector=len(matches.by("vector")),
                seeds=len(own),
                seed_files=len(seed_files),
                expanded=sum(1 for one in chosen if one.hops and found.is_beyond(one.brief.node)),
                matched=len(chosen) - top.stale - top.weak,
                lacking_vectors=embedding.lacking(),
                stale_left_out=top.stale,
                model=embedding.name if "vector" in matches.scores else None,
                retriever=query.retriever or standard_retriever(kernel),
                retrieved=len(matches.by("retriever")),
                dropped=matches.dropped,
                open_files=tuple(place.ref for place in places),
                near=len(near.learnings),
                walk=walk.stats() if expansion else None,
                remarks=tuple(remarks),
            ),
        )

    def _open_places(self, query: Query) -> tuple[Sequence[OpenPlace], list[str]]:
        remarks: list[str] = []
        if not query.context_files:
            return (), remarks
        from tx_graph.context.open_files import OpenFiles

        return self._kernel.one(OpenFiles).named(query.context_files, remarks), remarks

    def _seeds(
        self,
        query: Query,
        question: Question,
        direct: Mapping[NodeId, float],
        briefs: Mapping[NodeId, Brief],
        near: Nearby,
        view: GraphView,
    ) -> tuple[Mapping[NodeId, float], SeedFiles]:
        """Return where the walk starts: at the best matches, the best of what is near open files, and at files.

        Those are open, or the question names them, or a match is anchored there: a learning stands on its files, so the
        walk starts from these without paying a hop.
        """
        most = max(_SEEDS, query.limit)
        best_direct = dict(nlargest(most, direct.items(), key=itemgetter(1)))
        near_scores = {node: one.score for node, one in near.learnings.items()}
        best_near = dict(nlargest(most, near_scores.items(), key=itemgetter(1)))
        anchored = [(best_direct[edge.source] * edge.weight, edge) for edge in view.seed_files(list(best_direct))]
        offers = [
            *((node, score, _OPEN) for node, score in near.places.items()),
            *((node, 1.0, _NAMED) for node in question.files),
            *(
                (edge.target, score, f"where {briefs[edge.source].ref} is anchored")
                for score, edge in nlargest(_MOST_ANCHORED, anchored)
            ),
        ]
        files: dict[NodeId, tuple[float, str]] = {}
        for node, score, reason in offers:
            if node not in files or files[node][0] < score:
                files[node] = (score, reason)
        several = (best_direct, best_near, {node: score for node, (score, _) in files.items()})
        nodes = {node for scores in several for node in scores}
        return {node: max(scores.get(node, 0.0) for scores in several) for node in nodes}, files

    def _freshness_of_history(self, nodes: Collection[NodeId]) -> dict[NodeId, float]:
        """Return how recent the learnings among some nodes are that commits tell; what people wrote does not age."""
        now = self._kernel.clock.now()
        half_life = timedelta(days=float(self._kernel.config.get("search.history_half_life_days")))
        return {
            node: recency(datetime.fromisoformat(time), now=now, half_life=half_life)
            for node, time in self._learnings.told_by_commits(nodes).items()
        }

    def _likely(self, question: Question, found: Found, shown: Sequence[Weighed]) -> dict[NodeId, float]:
        """Return how likely learnings help; what a walk found from a direct match has a share of how likely that is."""
        nodes = {*found.direct, *(one.candidate.brief.node for one in shown)}
        briefs = [brief for brief in found.briefs if brief.node in nodes]
        chances = judged_by(self._kernel.database, question, found.matches, found.near, briefs)
        for node in filter(found.is_beyond, chances):
            end = found.walk.reached_at(node)
            if end.seed in found.direct:
                share = min(1.0, end.score / found.direct[end.seed])
                chances[node] = max(chances[node], chances[end.seed] * share)
        return chances

    def _results(
        self, query: Query, top: Best, found: Found, view: GraphView, chances: Mapping[NodeId, float]
    ) -> list[SearchResult]:
        """Return the best candidates with all one wants to know of them: only these are worth the reading."""
        weighed = {one.candidate.brief.id: one for one in top.shown}
        contenders = [
            Contender(number, one.candidate.relevance, one.candidate.brief.category) for number, one in weighed.items()
        ]
        chosen = self.diversified(contenders, limit=query.limit, diversity=query.diversity)
        stored = {one.id: one for one in self._learnings.by_numbers([one.candidate.id for one in chosen])}
        reached = [found.reached(weighed[one.candidate.id].candidate) for one in chosen]
        now, matches, results = self._kernel.clock.now(), found.matches, []
        half_life = timedelta(days=float(self._kernel.config.get("search.half_life_days")))
        bm25 = matches.by("bm25")
        most = max(bm25.values(), default=0.0)
        ways = zip(chosen, reached, described(reached, view), strict=True)
        for position, (choice, end, way) in enumerate(ways, start=1):
            number = choice.candidate.id
            one, shown = weighed[number], stored[number]
            result = SearchResult(
                stored=shown,
                relevance=one.candidate.relevance,
                bm25=bm25.get(number, 0.0) / most if most > 0 else 0.0,  # BM25 itself has no upper bound
                vector=_unit(matches.by("vector").get(number, 0.0)),
                recency=recency(datetime.fromisoformat(shown.learning.created_at), now=now, half_life=half_life),
                rrf=matches.fused.get(number, 0.0),
                feedback=feedback(helpful=shown.usage.helpful, used=shown.usage.count),
                standing=one.standing,
                anchors=one.judgements,
                steps=way.steps,
                seed_reason=found.reason(end),
                beside=f"learning:{matches.beside[number]}" if number in matches.beside else None,
                retrieved=matches.by("retriever").get(number, 0.0),
                likely=chances.get(one.candidate.brief.node),
                position=position,
                relevance_position=choice.rank,
                similar_to=None if choice.like is None else stored[choice.like].ref,
                similarity=choice.similarity,
            )
            results.append(result)
        return results

    def diversified(self, candidates: Sequence[Contender], *, limit: int, diversity: float) -> list[Choice]:
        """Return at most `limit` candidates, by learning number, most relevant first but for repetitions.

        `diversity` in [0, 1] says how much novelty counts beside relevance, the 1 − λ of MMR; 0 is the order of
        relevance alone. Candidates beyond the largest pool follow by relevance.
        """
        if not diversity:
            return [Choice(one, rank) for rank, one in enumerate(candidates[:limit], start=1)]
        pool, rest = candidates[:_LARGEST_POOL], candidates[_LARGEST_POOL:limit]
        numbers = [one.id for one in pool]
        pairs = len(pool) * (len(pool) - 1) // 2
        model, store = self._kernel.one(Embedding).name, SimilarityStore(self._kernel.database)
        cosines = store.cosines(numbers, model=model) if pairs else {}
        contents = self._learnings.contents(numbers) if len(cosines) < pairs else {}

        @cache
        def words(number: int) -> frozenset[str]:
            return content_words(contents.get(number, ""))

        def likeness(one: int, other: int) -> float:
            """Compare two by their vectors, and by their words where one of them has none."""
            cosine = cosines.get((one, other) if one < other else (other, one))
            return overlap(words(one), words(other)) if cosine is None else cosine

        chosen = diversify(pool, limit=limit, similarity=likeness, lam=1 - diversity)
        return chosen + [Choice(one, rank) for rank, one in enumerate(rest, start=len(pool) + 1)]


def opened(open_places: Sequence[OpenPlace], view: GraphView, share: float) -> dict[NodeId, float]:
    """Return by each open file and symbol, as a walk numbers them, how much it counts: so large a share of itself."""
    places: dict[NodeId, float] = {}
    for place in open_places:
        node = view.unregistered(place.ref) if place.node is None else place.node
        if node is not None:
            places[node] = max(place.score * share, places.get(node, 0.0))
    return places


def tied(
    kernel: Kernel, files: Sequence[RankedFile], open_places: Mapping[NodeId, float], view: GraphView, *, share: float
) -> Nearby:
    """Return the learnings tied to open files and to the first that are ranked, which count so large a share."""
    nodes = FileStore(kernel.database).nodes_of([one.path for one in files[:RANKED]])
    there = {nodes[one.path]: one for one in files if one.path in nodes}
    places = {**{node: one.score * share for node, one in there.items()}, **open_places}
    told = {node: one.texts[0] if one.reasons else "a file it is about" for node, one in there.items()}
    return nearby(places, view, Limits(depth=0))._replace(ranked=told)


def nearby(places: Mapping[NodeId, float], view: GraphView, limits: Limits) -> Nearby:
    """Return the learnings near files, by the best of their scores.

    A hop between files multiplies by the edge's weight and the decay; from a file to a learning anchored there it is
    the anchor's weight alone that counts, as for the files of direct matches (PRD-016: 0.8 × 0.7 × 1.0 = 0.56).
    """
    walk = explore(places, view.between_files, limits=replace(limits, max_nodes=max(_PASSED, limits.max_nodes)))
    found: dict[NodeId, tuple[tuple[float, int, NodeId], Edge]] = {}
    crowd = Counter[NodeId]()
    for strand in view.learnings_at(walk.scores):
        for source, target, weight in strand.rows:
            crowd[source] += 1
            rank = (walk.scores[source] * weight, -walk.hops(source), -source)
            if target not in found or rank > found[target][0]:
                found[target] = (rank, strand.edge(source, target, weight))
    learnings = {
        node: Reached(node=node, score=score, path=(*walk.reached_at(edge.source).path, edge))
        for node, ((score, *_), edge) in found.items()
    }
    return Nearby(learnings, places, crowd)


SeedFiles = Mapping[NodeId, tuple[float, str]]
"""Files with their score in (0, 1] and, in words, why the question is about them."""

_NAMED = "named by the query"
_OPEN = "an open file"
RANKED = 10  # files of the ranking whose learnings count: further down hardly any is what will be changed
_BESIDE = 0.5
"""What open files count beside a question, lest all that is tied to them stands above what answers it; and what other
files count where nothing is asked."""
_MOST_ANCHORED = 50  # files of matching learnings that the walk starts from: a glob may match thousands


class Candidate(NamedTuple):
    """A learning in the ranking; sorts best first, and `place` is never the same for two."""

    place: tuple[float, float, int, int]
    relevance: float
    brief: Brief
    hops: int
    support: float


def candidate(brief: Brief, relevance: float, *, hops: int, support: float = 0.0) -> Candidate:
    """Return a learning with its place in the ranking.

    That is by relevance, then by `support`, the weaker of two reasons to show it, then by the shorter way, then by the
    older number.
    """
    return Candidate((-relevance, -support, hops, brief.id), relevance, brief, hops, support)


class Found(NamedTuple):
    """What one search found: direct matches (by number, and their scores by node), the walk, and where it started.

    `briefs` are the learnings among all that; what the walk says of one is multiplied by `scale`. Where `is_fused`,
    what speaks for a learning by itself and what its files say count half each.
    """

    matches: Matches
    direct: Mapping[NodeId, float]
    near: Nearby
    walk: Exploration
    files: SeedFiles
    briefs: Sequence[Brief]
    scale: float = 1.0
    is_fused: bool = False

    def candidates(self) -> list[Candidate]:
        """Return each learning with its scores joined: as a direct match, near a file, and ending a walk."""
        scores, scale, hops_of, found = self.walk.scores, self.scale, self.walk.hops, []
        for brief in self.briefs:
            node, direct, near = brief.node, self.direct.get(brief.node, 0.0), self.near.learnings.get(brief.node)
            walked, nearness = scores.get(node, 0.0) * scale, near.score if near else 0.0
            best = max(direct, nearness, walked)
            relevance = (max(direct, walked) + nearness) / 2 if self.is_fused else best
            hops = 0
            if self.is_beyond(node):
                hops = hops_of(node)
            elif direct < best:
                hops = near.hops if near and nearness >= best else hops_of(node)
            if brief.asks:
                relevance *= ASKING_SHARE
            if brief.used or brief.helpful:  # feedback leaves what nobody used as it is
                score = feedback(helpful=brief.helpful, used=brief.used)
                relevance = boosted(relevance, feedback_score=score)
            found.append(candidate(brief, min(1.0, relevance), hops=hops, support=min(direct, nearness)))
        return found

    def reached(self, one: Candidate) -> Reached:
        """Return how a candidate was found."""
        node = one.brief.node
        if not one.hops:
            return Reached(node=node, score=one.relevance)
        near = self.near.learnings.get(node)
        is_near = near and near.score >= self.walk.scores.get(node, 0.0) * self.scale
        return near if near and is_near else self.walk.reached_at(node)

    def reason(self, reached: Reached) -> str:
        """Return why a walk started at a file; nothing for a walk from a learning, or for a direct match."""
        if not reached.path:
            return ""
        seed = reached.seed
        if reached is self.near.learnings.get(reached.node):
            return self.near.ranked.get(seed, _OPEN)
        return self.files[seed][1] if seed in self.files else ""

    def is_beyond(self, node: NodeId) -> bool:
        """Whether only the walk found it."""
        return node not in self.direct and node not in self.near.learnings


_LEAST_AT_ONCE = 10  # candidates judged together: each time costs two queries


class Weighed(NamedTuple):
    """A candidate with its place now that its anchors were looked at, and what is said of its code."""

    candidate: Candidate
    judgements: tuple[Judgement, ...]
    standing: Standing


class Best(NamedTuple):
    """The candidates to show, best first; how many were left out as stale, and how many as not relevant enough."""

    shown: Sequence[Weighed]
    stale: int
    weak: int


def best(ranked: Sequence[Candidate], query: Query, moment: Standings, *, count: int) -> Best:
    """Return the best `count` candidates by what their relevance counts.

    No relevance counts more than it is, so candidates are judged from the top only until those that are kept rank
    above the best of the rest, whatever the rest will turn out to be.
    """
    kept: list[Weighed] = []
    looked_at = stale = weak = 0
    while looked_at < len(ranked):
        if len(kept) >= count and kept[count - 1].candidate.place < ranked[looked_at].place:
            break
        batch = ranked[looked_at : looked_at + max(_LEAST_AT_ONCE, count)]
        looked_at += len(batch)
        judged = moment.judgements([one.brief.node for one in batch])
        for one in batch:
            told = standing(judged[one.brief.node])
            if told.is_stale and not query.include_stale:
                less = one.relevance * STALE_SHARE
                one = candidate(one.brief, less, hops=one.hops, support=one.support)  # noqa: PLW2901 - as it counts
            weighed = Weighed(one, judged[one.brief.node], told)
            if query.fresh_only and weighed.standing.is_stale:
                stale += 1
            elif weighed.candidate.relevance < query.min_score:
                weak += 1
            else:
                kept.append(weighed)
        kept.sort(key=lambda one: one.candidate.place)
    return Best(kept[:count], stale, weak)


def _unit(cosine: float) -> float:
    return max(0.0, min(1.0, cosine))


_STANDARD = Limits()
_EXPANSION_OPTIONS = (
    "--depth, --edge-types, --exclude-edge-types, --types-at, --decay, --max-nodes, --direction and --profile"
)


def search(
    kernel: Kernel,
    query: Annotated[str | None, Arg("QUERY", "What to find: words, a question, a path.")] = None,
    *,
    limit: MostResults = 10,
    min_score: Annotated[float, Arg("F", "Least relevance to show, 0 to 1.")] = 0.0,
    category: Annotated[str | None, Arg("NAME", "Only this category.")] = None,
    status: Annotated[Status | None, Arg("NAME", f"Only this status: {choices(Status)}.")] = None,
    file: Annotated[str | None, Arg("GLOB", "Only what is anchored to such files.")] = None,
    files: Annotated[Sequence[str], Arg("A,B", _OPEN_FILES, is_split=False, mcp="open files")] = (),
    expand: Annotated[bool, Arg(help="Also find what is related to the matches.", mcp="follow the graph")] = False,
    depth: Depth = _STANDARD.depth,
    edge_types: EdgeTypes = (),
    exclude_edge_types: OtherEdgeTypes = (),
    types_at: TypesAt = (),
    decay: Decaying = _STANDARD.decay,
    max_nodes: MaxNodes = _STANDARD.max_nodes,
    direction: Ways = Direction.BOTH,
    profile: WithProfile = None,
    fresh_only: Annotated[bool, Arg(help="Leave out what may be wrong by now: drifted or gone.")] = False,
    include_stale: Annotated[
        bool,
        Arg(
            help="Rank what may be wrong like the rest; also superseded and retracted.",
            mcp="superseded too",
        ),
    ] = False,
    diversity: Annotated[
        float, Arg("F", "How much it counts, 0 to 1, that results differ from each other.")
    ] = DIVERSITY,
    no_diversify: Annotated[bool, Arg(help="By relevance alone, however alike: the same as --diversity 0.")] = False,
    retriever: RetrieverName = None,
    hub: WithHub = False,
    verbose: Annotated[bool, Arg(help="Say why each result is there.")] = False,  # noqa: ARG001 - of what is printed
) -> SearchAnswer:
    """Find learnings by their words, their meaning and, with --expand, what is related to them.

    With --expand a walk starts at the matches and at the files they are anchored to or that the question names, and
    follows imports, co-changes, anchors and links. The word behind a result says whether its code still stands as
    it did: fresh, relocated, drifted or gone. What drifted or is gone ranks lower.

    With --files, or without a QUERY by them alone, it finds what is anchored to the files you have open, and to what
    these import or change together with. Of results that say much the same, all but the best rank lower.

    With --hub it also finds what other repositories know that were published to the hub, with their commit and its age.

    Example:
      tx learning:search "how are tokens validated" --expand --verbose
      tx learning:search "token lifetime" --files 'src/auth/**/*.ts,src/jwt.ts'
      tx learning:search src/auth.py --expand --edge-types IMPORTS,ANCHORED_TO
      tx learning:search "retry policy" --fresh-only
      tx learning:search "retry policy" --hub
      tx learning:search --file 'src/**/*.py' -- -Werror
    """
    limits = Limits(depth=depth, decay=decay, max_nodes=max_nodes)
    types, at_hops = chosen_types(edge_types, exclude_edge_types), types_by_hop(types_at)
    changed = (limits, direction, profile) != (_STANDARD, Direction.BOTH, None)
    if (changed or edge_types or exclude_edge_types or types_at) and not expand:
        raise UsageError(f"{_EXPANSION_OPTIONS} need --expand.")
    if no_diversify and diversity not in (0.0, DIVERSITY):
        raise UsageError("--no-diversify and --diversity contradict each other: use one of them.")
    return search_here_and_elsewhere(
        kernel,
        Query(
            text=query or "",
            limit=limit,
            min_score=min_score,
            category=category,
            status=status,
            file=file,
            expansion=limits if expand else None,
            types=types,
            types_at=at_hops,
            direction=direction,
            profile=profile,
            fresh_only=fresh_only,
            include_stale=include_stale,
            context_files=files,
            diversity=0.0 if no_diversify else diversity,
            retriever=retriever,
        ),
        hub=hub,
    )


def search_here_and_elsewhere(kernel: Kernel, query: Query, *, hub: bool = False) -> SearchAnswer:
    """Return the learnings that answer a query, and beside them those that a hub has, where that is to be asked."""
    asking = hub_of(kernel, is_asked=hub) if query.text.strip() else None
    asked = asking and asking.search(query.text, kinds={NodeKind.LEARNING: WORDS_SHARE}, limit=query.limit)
    found = kernel.one(Search).run(query)
    return with_elsewhere(kernel, found, asked.answer()) if asked else found


def with_elsewhere(kernel: Kernel, found: SearchAnswer, told: FromHub) -> SearchAnswer:
    """Return an answer with what a hub found beside it; a learning that this repository has too is no news."""
    known = NodeStore(kernel.database).find(NodeKind.LEARNING, [one.ref.partition(":")[2] for one in told.found])
    others = [
        one for one in told.found if one.ref.partition(":")[2] not in known and one.score >= found.query.min_score
    ]
    return replace(
        found,
        elsewhere=among_best(others, [one.relevance for one in found.results], limit=found.query.limit),
        stats=replace(found.stats, remarks=(*found.stats.remarks, *told.notices)),
    )
