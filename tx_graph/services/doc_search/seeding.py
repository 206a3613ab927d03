"""Seeds: the sections that answer a question by themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import nlargest

from tx_graph.domain.edges import NodeId
from tx_graph.errors import ModelError
from tx_graph.retrieval.fusion import weighted_rank_fusion
from tx_graph.retrieval.scoring import word_strengths
from tx_graph.services.doc_search.values import DocQuery
from tx_graph.services.embedding import NO_EMBEDDER, Embedding
from tx_graph.storage.chunk_search import ChunkSearch
from tx_graph.storage.vector_search import VectorStore

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
