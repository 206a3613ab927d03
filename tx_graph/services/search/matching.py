"""Direct matches: the learnings that the words and the meaning of a question find by themselves."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tx_graph.retrieval.fusion import reciprocal_rank_fusion
from tx_graph.retrieval.scoring import meaning_strengths, word_strengths
from tx_graph.services.embedding import Embedding
from tx_graph.services.search.question import Question
from tx_graph.storage.text_search import TextSearch
from tx_graph.storage.vector_search import VectorStore

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
        """Return the learnings that match by themselves, of those that are allowed, at most `count` of each ranking.

        Raises:
            ModelError: What it needs, a model or a plug-in, cannot be loaded or fails.
        """


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
        """Return the learnings that match by words or by meaning, of those that are allowed.

        Raises:
            ModelError: The model is installed but cannot be loaded.
        """
        bm25 = dict(self._text.learnings(question.words, allowed=allowed, limit=count))
        embedded = self._embedding.query_vector(question.text) if question.has_meaning else None
        vector: dict[int, float] = {}
        if embedded is not None:
            nearest = self._vectors.nearest(
                embedded[0],
                model=self._embedding.name,
                dimension=embedded[1].dimension,
                allowed=allowed,
                limit=count,
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
