"""Questions, what answers them, and direct matches: what words and meaning find by themselves."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from tx_graph.anchors.taking import Anchoring
from tx_graph.anchors.verdict import Judgement, Standing
from tx_graph.context.graph import Step
from tx_graph.core.errors import UsageError
from tx_graph.core.globs import PathMatcher, literal
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import BUILT_IN_RETRIEVERS
from tx_graph.graph.edges import Direction, EdgeType, NodeId
from tx_graph.graph.expand import ExpansionStats, Limits, Profile
from tx_graph.graph.fuse import meaning_strengths, reciprocal_rank_fusion, word_strengths
from tx_graph.graph.word_store import TextSearch
from tx_graph.records.learning import Status, StoredLearning
from tx_graph.records.learning_store import LearningStore, Selection
from tx_graph.vectors.embedding import Embedding
from tx_graph.vectors.store import VectorStore

DIVERSITY = 0.3
"""How much novelty counts beside relevance: the 1 − λ of PRD-016."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to find: what a text asks for, what is near `context_files`, or both, each learning by its better score.

    `expansion` None looks at direct matches alone, `profile` says how an expansion scores, and `types_at` which edges
    it follows at single hops, counted from 1, instead of `types`; filters apply before ranking. `context_files` are
    open files and symbols as one types them (see `services.open_files`). `diversity` in [0, 1] says how much novelty
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
    profile: Profile = Profile.DECAY
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A learning and why it is there. All scores lie in [0, 1].

    `relevance` is what the result ranks by; for a stale one it counts less than what was found. `anchors` are the
    verdicts on its anchors. `rrf` is the fused score, 0 for what only the graph found; `steps` lead from the seed,
    itself a learning or a file, to this learning; `seed_reason` says why the walk started at that file. `retrieved`
    is what a plug-in gave it. `position` counts from 1; by relevance alone it would be `relevance_position`, and
    `similar_to` is what above it is most like it, `similarity` how much.
    """

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
    retrieved: float = 0.0
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchStats:
    """What the search rested on: matches of each ranking, seeds, nodes reached, and learnings without a vector.

    `retrieved` counts the hits of a plug-in, `dropped` by reason those that meant nothing; `open_files` are the files
    and symbols in question, `near` the learnings near them. `walk` says how much an expansion looked at, files too.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """The results, best first, and what they rest on."""

    query: Query
    results: tuple[SearchResult, ...]
    stats: SearchStats


_MOST_NAMED = 5
"""Files one question may name."""
_SAME_NAME = 3
"""Files of one name that a question may mean."""
_READ = 2000
"""Characters in which file names are looked for."""
_FILE_NAME = re.compile(r"(?<![\w@.\-/])(?:[\w@.\-/]*\w\.\w{1,8}\b|[\w@.\-]+/[\w@.\-/]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question as it is searched for.

    `text` is the question, `words` the same with paths of known files cut down to their names: their directories
    are no words of it. `rest` is what it says besides; `files` are the nodes of the files it names.
    """

    text: str
    words: str
    rest: str
    files: tuple[NodeId, ...]

    @property
    def has_meaning(self) -> bool:
        """Whether it says anything besides naming files; a file's name alone means nothing to an embedding."""
        return not self.files or any(character.isalnum() for character in self.rest)


def read_question(text: str, files: TextSearch) -> Question:
    """Return the question with the files it names, as far as the repository has them."""
    names = dict.fromkeys(match[0].removeprefix("./").strip("/") for match in _FILE_NAME.finditer(text[:_READ]))
    found = {
        name: [node for _, node in files.files_named(name, limit=_SAME_NAME)]
        for name in [name for name in names if name][:_MOST_NAMED]
    }
    words = rest = text
    for name in sorted((name for name, nodes in found.items() if nodes), key=len, reverse=True):
        words = words.replace(name, name.rpartition("/")[2])
        rest = rest.replace(name, " ")
    return Question(text=text, words=words, rest=rest, files=tuple(node for nodes in found.values() for node in nodes))


def allowed(kernel: Kernel, query: Query) -> set[int] | None:
    """Return the learnings that the filters of a query let through, None when there are no filters."""
    if query.category is None and query.status is None and query.file is None and not query.include_stale:
        return None
    store = LearningStore(kernel.database)
    chosen = Selection(category=query.category, status=query.status, stale=query.include_stale)
    found = store.numbers(chosen)
    if query.file is None:
        return found
    anchors, anchored = kernel.one(Anchoring), store.anchored_paths()
    named = PathMatcher({path for _, path, is_glob in anchored if not is_glob})
    pattern = _pattern(query.file, named, anchors)
    present = anchors.files_matching(pattern)
    hit = {glob: anchors.matches_any(glob, present) for _, glob, is_glob in anchored if is_glob}
    files = set(named.matching(pattern))  # deleted ones too
    return found & {number for number, path, is_glob in anchored if (hit[path] if is_glob else path in files)}


def _pattern(typed: str, known: PathMatcher, anchors: Anchoring) -> str:
    """Return the glob that is meant: a path is one from where the user stands, all else a glob from the root."""
    try:
        paths = anchors.candidates(typed)
        path = anchors.existing(typed) or next((path for path in paths if path in known), None)
    except UsageError:  # `/src/*.py` is a glob, although no path of this repository
        return typed
    if path is None:
        return typed.removeprefix("./")
    return "**" if path == "." else f"/{literal(path)}"


CANDIDATES = 50
"""Learnings each ranking contributes to the fusion; more where more results are asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """Direct matches by local number: raw scores of each ranking, and what became of them, both in [0, 1].

    `fused` looks at ranks alone, `relevance` at the strength of each match too. `retrieved` are the scores of a
    plug-in, `dropped` counts by reason what it gave that means nothing. `model` is None when no vectors were looked
    at. `is_cut` says that a ranking may go on below what is here.
    """

    bm25: Mapping[int, float] = field(default_factory=dict)
    vector: Mapping[int, float] = field(default_factory=dict)
    retrieved: Mapping[int, float] = field(default_factory=dict)
    fused: Mapping[int, float] = field(default_factory=dict)
    relevance: Mapping[int, float] = field(default_factory=dict)
    dropped: Mapping[str, int] = field(default_factory=dict)
    model: str | None = None
    is_cut: bool = False

    def bm25_share(self, number: int) -> float:
        """Return a BM25 score as a share of the best one, in [0, 1]: BM25 itself has no upper bound."""
        best = max(self.bm25.values(), default=0.0)
        return self.bm25.get(number, 0.0) / best if best > 0 else 0.0

    def similarity(self, number: int) -> float:
        """Return a cosine similarity in [0, 1]; 0 for what the vectors did not find."""
        return max(0.0, min(1.0, self.vector.get(number, 0.0)))


class Matcher(Protocol):
    """Finds direct matches."""

    def __call__(self, question: Question, allowed: Collection[int] | None, *, count: int) -> Matches:
        """Return the learnings that match by themselves, of those that are allowed, at most `count` of each ranking."""


class Retrievers:
    """Hands out matchers; a plug-in is looked for only when a name is asked for that is none of the built-in ones."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._text = TextSearch(kernel.database)
        self._vectors = VectorStore(kernel.database)
        self._embedding = kernel.one(Embedding)
        self._min_similarity = float(kernel.config.get("search.min_similarity"))
        self.standard = str(kernel.config.get("search.retriever"))

    def forget(self) -> None:
        """Keep the plug-ins: what is installed does not change while a program runs."""

    def named(self, name: str | None) -> Matcher:
        """Return the retriever called `name`, the standard one for None."""
        name = self.standard if name is None else name
        if name in BUILT_IN_RETRIEVERS:
            hybrid, _ = BUILT_IN_RETRIEVERS
            return partial(self._built_in, by_meaning=name == hybrid)
        from tx_graph.context.retrievers import plugged

        return plugged(self._kernel, name)

    def _built_in(
        self, question: Question, allowed: Collection[int] | None, *, count: int, by_meaning: bool
    ) -> Matches:
        """Return the learnings that match by words, or by meaning too, of those that are allowed."""
        bm25 = dict(self._text.learnings(question.words, allowed=allowed, limit=count))
        vector: dict[int, float] = {}
        embedding, model = self._embedding, None
        is_meant = by_meaning and question.has_meaning
        if is_meant and (embedded := embedding.query_vector(question.text)):
            model, dimension = embedding.name, embedded[1].dimension
            near = self._vectors.nearest(embedded[0], model=model, dimension=dimension, allowed=allowed, limit=count)
            vector = {number: similarity for number, similarity in near if similarity >= self._min_similarity}
        rankings = {"bm25": list(bm25), "vector": list(vector)}
        strengths = {"bm25": word_strengths(bm25), "vector": meaning_strengths(vector)}
        return Matches(
            bm25=bm25,
            vector=vector,
            fused=reciprocal_rank_fusion(rankings),
            relevance=reciprocal_rank_fusion(rankings, strengths=strengths),
            model=model,
            is_cut=count in (len(bm25), len(vector)),
        )
