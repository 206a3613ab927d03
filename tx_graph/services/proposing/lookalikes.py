"""Lookalikes: learnings that say much the same as a text, by vectors where there are any, and by words."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from tx_graph.analysis.identifiers import content_words
from tx_graph.analysis.proposals.sameness import may_be_same
from tx_graph.domain.learning import StoredLearning
from tx_graph.errors import ModelError
from tx_graph.retrieval.overlap import overlap
from tx_graph.services.embedding import Embedding
from tx_graph.services.similar import SAME_MEANING, SAME_WORDS
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.vector_search import VectorStore

_MOST_COMPARED = 5
"""Nearest by meaning that are looked at: the words of the first may speak against it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lookalike:
    """A learning that says much the same; `basis` is `cosine` or `words`, and `weight` in (0, 1] is by that."""

    stored: StoredLearning
    weight: float
    basis: str


class Lookalikes:
    """Compares texts with the learnings there are when the first one is compared."""

    def __init__(self, *, learnings: LearningStore, vectors: VectorStore, embedding: Embedding) -> None:
        self._learnings = learnings
        self._vectors = vectors
        self._embedding = embedding

    def of(self, text: str, *, among: Collection[int] | None = None) -> Lookalike | None:
        """Return the learning that is most like a text and near enough to say the same; None where there is none.

        `among` are the local numbers of those that count; without it, all do, also those that were removed.
        """
        allowed = self._texts.keys() if among is None else self._texts.keys() & set(among)
        found = [*self._by_meaning(text, allowed), *self._by_words(text, allowed)]
        same = [one for one in found if may_be_same(text, self._texts[one[1]])]
        if not same:
            return None
        weight, number, basis = max(same, key=lambda one: (one[0], -one[1]))
        return Lookalike(stored=self._learnings.by_numbers([number])[0], weight=weight, basis=basis)

    @cached_property
    def _texts(self) -> dict[int, str]:
        return {number: content for number, _, content in self._learnings.labels()}

    @cached_property
    def _words(self) -> dict[int, frozenset[str]]:
        return {number: content_words(content) for number, content in self._texts.items()}

    def _by_meaning(self, text: str, allowed: Collection[int]) -> list[tuple[float, int, str]]:
        try:
            asked = self._embedding.query_vector(text) if allowed else None
        except ModelError:  # a model that does not load is no reason to forget the words
            return []
        if asked is None:
            return []
        vector, embedder = asked
        nearest = self._vectors.nearest(
            vector, model=embedder.model, dimension=embedder.dimension, allowed=allowed, limit=_MOST_COMPARED
        )
        return [(min(1.0, cosine), number, "cosine") for number, cosine in nearest if cosine >= SAME_MEANING]

    def _by_words(self, text: str, allowed: Collection[int]) -> list[tuple[float, int, str]]:
        words = content_words(text)
        alike = ((overlap(words, self._words[number]), number) for number in allowed)
        return [(weight, number, "words") for weight, number in alike if weight >= SAME_WORDS]
