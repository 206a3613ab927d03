"""Direct matches: the learnings that the words and the meaning of a question find by themselves."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple, Protocol

from tx_graph.anchors.taking import Anchoring
from tx_graph.anchors.verdict import Judgement, Standing
from tx_graph.context.graph import Step
from tx_graph.core.errors import ModelError, NotFound, UsageError
from tx_graph.core.globs import PathMatcher, literal
from tx_graph.core.ports import BUILT_IN_RETRIEVERS, RETRIEVER_GROUP, Corpus, CorpusText, Hit, OpenRetriever, Retriever
from tx_graph.graph.edges import Direction, EdgeType, NodeId
from tx_graph.graph.expand import ExpansionStats, Limits, Profile
from tx_graph.graph.fuse import meaning_strengths, reciprocal_rank_fusion, word_strengths
from tx_graph.graph.word_store import TextSearch
from tx_graph.records.learning import Status, StoredLearning
from tx_graph.records.learning_store import CorpusStore, Selection, SelectionStore
from tx_graph.vectors.embedding import Embedding
from tx_graph.vectors.store import VectorStore

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


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


class Filtering:
    """Answers filters before anything is ranked."""

    def __init__(self, *, selection: SelectionStore, anchoring: Anchoring) -> None:
        self._selection = selection
        self._anchoring = anchoring

    def allowed(self, query: Query) -> set[int] | None:
        """Return the learnings that the filters let through, None when there are no filters."""
        if query.category is None and query.status is None and query.file is None and not query.include_stale:
            return None
        chosen = Selection(category=query.category, status=query.status, stale=query.include_stale)
        found = self._selection.numbers(chosen)
        if query.file is None:
            return found
        return found & self._anchored_to(query.file)

    def _anchored_to(self, typed: str) -> set[int]:
        """Return the learnings anchored to a file that is meant, even a deleted one, or by a glob to one."""
        anchored = self._selection.anchored_paths()
        named = PathMatcher({path for _, path, is_glob in anchored if not is_glob})
        pattern = self._pattern(typed, named)
        present = self._anchoring.files_matching(pattern)
        hit = {glob: self._anchoring.matches_any(glob, present) for _, glob, is_glob in anchored if is_glob}
        found = set(named.matching(pattern))
        return {number for number, path, is_glob in anchored if (hit[path] if is_glob else path in found)}

    def _pattern(self, typed: str, known: PathMatcher) -> str:
        """Return the glob that is meant: a path is one from where the user stands, all else a glob from the root."""
        try:
            paths = self._anchoring.candidates(typed)
            path = self._anchoring.existing(typed) or next((path for path in paths if path in known), None)
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

    def matches(self, question: Question, allowed: Collection[int] | None, *, count: int) -> Matches:
        """Return the learnings that match by themselves, of those that are allowed, at most `count` of each ranking."""


class Words:
    """Ranks learnings by words alone."""

    def __init__(self, text: TextSearch) -> None:
        self._text = text

    def matches(self, question: Question, allowed: Collection[int] | None, *, count: int) -> Matches:
        """Return the learnings that match any word, of those that are allowed."""
        bm25 = dict(self._text.learnings(question.words, allowed=allowed, limit=count))
        return _fused(bm25, {}, model=None, is_cut=count == len(bm25))


class Hybrid:
    """Ranks learnings by words and by vectors, and fuses the two."""

    def __init__(self, *, text: TextSearch, vectors: VectorStore, embedding: Embedding, min_similarity: float) -> None:
        self._text = text
        self._vectors = vectors
        self._embedding = embedding
        self._min_similarity = min_similarity

    def matches(self, question: Question, allowed: Collection[int] | None, *, count: int) -> Matches:
        """Return the learnings that match by words or by meaning, of those that are allowed."""
        bm25 = dict(self._text.learnings(question.words, allowed=allowed, limit=count))
        embedded = self._embedding.query_vector(question.text) if question.has_meaning else None
        vector: dict[int, float] = {}
        if embedded is not None:
            nearest = self._vectors.nearest(
                embedded[0], model=self._embedding.name, dimension=embedded[1].dimension, allowed=allowed, limit=count
            )
            vector = {number: similarity for number, similarity in nearest if similarity >= self._min_similarity}
        model = self._embedding.name if embedded else None
        return _fused(bm25, vector, model=model, is_cut=count in (len(bm25), len(vector)))


def _fused(bm25: Mapping[int, float], vector: Mapping[int, float], *, model: str | None, is_cut: bool) -> Matches:
    rankings = {"bm25": list(bm25), "vector": list(vector)}
    strengths = {"bm25": word_strengths(bm25), "vector": meaning_strengths(vector)}
    return Matches(
        bm25=bm25,
        vector=vector,
        fused=reciprocal_rank_fusion(rankings),
        relevance=reciprocal_rank_fusion(rankings, strengths=strengths),
        model=model,
        is_cut=is_cut,
    )


class InstalledRetriever(NamedTuple):
    """A retriever that can be chosen: where it comes from, and why it cannot be loaded, if so."""

    name: str
    origin: str
    problem: str = ""


class Retrievers:
    """Hands out matchers; a plug-in is looked for only when a name is asked for that is none of the built-in ones."""

    def __init__(
        self,
        *,
        hybrid: Hybrid,
        words: Words,
        corpus: CorpusStore,
        selection: SelectionStore,
        standard: str,
        options: Sequence[str],
    ) -> None:
        self._built_in: Mapping[str, Matcher] = dict(zip(BUILT_IN_RETRIEVERS, (hybrid, words), strict=True))
        self._corpus = corpus
        self._selection = selection
        self.standard = standard
        self._options = options

    def named(self, name: str | None) -> Matcher:
        """Return the retriever called `name`, the standard one for None."""
        name = self.standard if name is None else name
        return self._built_in.get(name) or self._plugged(name)

    def installed(self) -> list[InstalledRetriever]:
        """Return all that can be chosen, the built-in ones first; each plug-in is loaded to see whether it can be."""
        built_in = [InstalledRetriever(name, "built in") for name in self._built_in]
        return [*built_in, *(_looked_at(name, point) for name, point in self._plug_ins.items())]

    def _plugged(self, name: str) -> Matcher:
        point = self._plug_ins.get(name)
        if point is None:
            raise NotFound(
                f"There is no retriever '{name}'.",
                hint=f"A package offers one by an entry point of the group {RETRIEVER_GROUP}.",
                candidates=[*self._built_in, *self._plug_ins],
            )

        try:
            opener = point.load()
        except Exception as error:  # whatever its modules raise, its user is to read it as one sentence
            raise failed(name, error) from error
        return Plugged(name, opener, corpus=self._corpus, selection=self._selection, options=_read(self._options))

    @cached_property
    def _plug_ins(self) -> Mapping[str, EntryPoint]:
        from importlib.metadata import entry_points

        found = sorted(entry_points(group=RETRIEVER_GROUP), key=lambda point: (point.name, point.value))
        return {point.name: point for point in reversed(found) if point.name not in self._built_in}


def _looked_at(name: str, point: EntryPoint) -> InstalledRetriever:

    package = point.dist.name if point.dist else point.value
    try:
        point.load()
    except Exception as error:  # noqa: BLE001 - a plug-in may raise anything, and the doctor is to tell it
        return InstalledRetriever(name, package, failed(name, error).message)
    return InstalledRetriever(name, package)


def _read(options: Sequence[str]) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a mapping."""
    pairs = [option.partition("=") for option in options]
    if odd := [name for name, equals, _ in pairs if not equals or not name.strip()]:
        raise UsageError(
            f"'{odd[0]}' in search.retriever_options is not of the form NAME=VALUE.", hint="See 'tx config'."
        )
    return {name.strip(): value.strip() for name, _, value in pairs}


NO_HIT = "no pair of a uid and a score"
NO_LEARNING = "no learning here has that uid"
NOT_ALLOWED = "withheld, or not what the filters ask for"
NO_SCORE = "a score that is no number from 0 to 1"
TWICE = "the same learning again"
_LONGEST_REASON = 200


class Plugged:
    """Ranks learnings as a plug-in says."""

    def __init__(
        self,
        name: str,
        open_retriever: OpenRetriever,
        *,
        corpus: CorpusStore,
        selection: SelectionStore,
        options: Mapping[str, str],
    ) -> None:
        self._name = name
        self._open = open_retriever
        self._corpus = corpus
        self._selection = selection
        self._options = options

    def matches(self, question: Question, allowed: Collection[int] | None, *, count: int) -> Matches:
        """Return what the plug-in finds, of those that are allowed; what means nothing is dropped, and counted."""
        texts = dict(self._corpus.texts())
        numbers = {text.uid: number for number, text in texts.items()}
        shown = self._selection.numbers(Selection()) if allowed is None else allowed
        uids = frozenset(texts[number].uid for number in shown if number in texts)
        dropped: Counter[str] = Counter()
        hits = self._hits(list(texts.values()), question.text, count, uids)
        scores = sound_hits(hits, known=numbers, allowed=uids, dropped=dropped)
        best = sorted(((numbers[uid], score) for uid, score in scores.items()), key=lambda one: (-one[1], one[0]))
        kept = dict(best[:count])
        return Matches(
            retrieved=kept,
            fused=reciprocal_rank_fusion({self._name: list(kept)}),
            relevance=kept,
            dropped=dict(dropped),
            is_cut=len(scores) >= count,
        )

    def _hits(self, texts: list[CorpusText], text: str, limit: int, allowed: frozenset[str]) -> list[object]:
        try:
            retriever: Retriever = self._open(Corpus(texts=texts, options=self._options))
            found: Iterable[Hit] = retriever.retrieve(text, limit=limit, allowed=allowed)
            return list(found)
        except Exception as error:  # whatever a plug-in raises, its user is to read it as one sentence
            raise failed(self._name, error) from error


def failed(name: str, error: Exception) -> ModelError:
    """Return the error that says how a plug-in failed."""
    lines = str(error).splitlines()
    what = f"{type(error).__name__}: {lines[0][:_LONGEST_REASON]}" if lines else type(error).__name__
    return ModelError(f"The retriever '{name}' failed: {what}", hint="'--retriever hybrid' does without it.")


def sound_hits(
    hits: Iterable[object], *, known: Collection[str], allowed: Collection[str], dropped: Counter[str]
) -> dict[str, float]:
    """Return the score of each learning that is hit; why others were left out is counted in `dropped`."""
    scores: dict[str, float] = {}
    for hit in hits:
        uid, score = _parts(hit)
        if problem := _problem(uid, score, scores, known, allowed):
            dropped[problem] += 1
        else:
            scores[str(uid)] = float(score)  # type: ignore[arg-type]
    return scores


def _parts(hit: object) -> tuple[object, object]:
    return tuple(hit) if isinstance(hit, tuple | list) and len(hit) == len(Hit._fields) else (None, None)


def _problem(
    uid: object, score: object, scores: Mapping[str, float], known: Collection[str], allowed: Collection[str]
) -> str:
    """Return what is wrong with a hit; nothing when it is sound."""
    if not isinstance(uid, str) or isinstance(score, bool) or not isinstance(score, Real):
        return NO_HIT
    value = float(score)
    if uid not in known:
        return NO_LEARNING
    if uid not in allowed:
        return NOT_ALLOWED
    if not math.isfinite(value) or not 0 <= value <= 1:
        return NO_SCORE
    return TWICE if uid in scores else ""
