"""Finds learnings that say much the same, and ties them by SIMILAR_TO edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from heapq import nlargest
from typing import Annotated, ClassVar

from tx_graph.core.arguments import Arg
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import UsageError
from tx_graph.core.identifiers import content_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.shape import Answer
from tx_graph.graph.diversify import overlapping
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore
from tx_graph.learnings.similarity_store import Matrix, SimilarEdge, SimilarityStore
from tx_graph.records.learning import StoredLearning
from tx_graph.records.learning_store import LearningStore
from tx_graph.vectors.embedding import Embedding
from tx_graph.vectors.store import VectorStore

SAME_MEANING, SAME_WORDS = 0.9, 0.6
"""From where on two learnings are near-duplicates: by the cosine of their vectors, and by the Jaccard index of their
words. A sentence that says another one in other words has a cosine of about .9 and shares about two words in three."""
_MOST_EACH = 10
"""Edges that one learning may have of its own accord: the most alike. A thousand copies need no million edges."""
_BLOCK = 512  # rows compared at a time: 20 MB of cosines with 10,000 others

Pair = tuple[int, int, float]
"""Two learnings, the smaller number first, and how alike they are, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPair:
    """Two learnings that say much the same, the older number first; `basis` is `cosine` or `words`."""

    JSON: ClassVar = "weight basis learnings=both"

    first: StoredLearning
    second: StoredLearning
    weight: float
    basis: str

    @property
    def both(self) -> tuple[StoredLearning, StoredLearning]:
        """The two of them."""
        return self.first, self.second


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarReport(Answer):
    """The pairs that were found, most alike first, and how many learnings were compared by what."""

    pairs: tuple[SimilarPair, ...]
    by_vectors: int
    by_words: int
    same_meaning: float
    same_words: float

    JSON: ClassVar = (
        "edges compared.by_vectors=by_vectors compared.by_words=by_words threshold.cosine=same_meaning "
        "threshold.words=same_words pairs"
    )

    @property
    def edges(self) -> int:
        """How many pairs were found, each an edge now."""
        return len(self.pairs)


class Similar:
    """Compares every learning that answers show with every other."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def analyze_similar(
        self,
        threshold: Annotated[
            float | None,
            Arg(
                "F",
                f"How alike, above 0 and up to 1; by default {SAME_MEANING:g} by meaning, {SAME_WORDS:g} by words.",
                flag="--threshold",
            ),
        ] = None,
        *,
        progress: Progress = no_progress,
    ) -> SimilarReport:
        """Find learnings that say much the same, and tie them by SIMILAR_TO edges, which replace those of the last time.

        Learnings are compared by their vectors (cosine), and where one of two has none by the words that they share
        (Jaccard). Merge what is a duplicate: its anchors, keywords and links come together in one learning.

        Example:
          tx graph:analyze-similar
          tx graph:analyze-similar --threshold 0.8 --json
        """  # noqa: E501 - the summary is one line of the help text
        same_meaning, same_words = (SAME_MEANING, SAME_WORDS) if threshold is None else (threshold, threshold)
        if not 0 < same_meaning <= 1:
            raise UsageError(f"The threshold must be above 0 and at most 1, not {same_meaning:g}.")
        store, model = SimilarityStore(self._kernel.database), self._kernel.one(Embedding).name
        rows = store.shown_contents()
        matrices = store.matrices(model=model) if VectorStore(self._kernel.database).any_of(model) else []
        embedded = {number for matrix in matrices for number in matrix.numbers}
        wordless = {number for number, _, _ in rows} - embedded
        words = {number: content_words(content) for number, _, content in rows} if wordless else {}
        found = {
            "cosine": _capped(_near(matrices, same_meaning, len(rows), progress)),
            "words": _capped(overlapping(words, threshold=same_words, among=wordless)),
        }
        alike = [(basis, *pair) for basis, pairs in found.items() for pair in pairs]
        nodes = {number: node for number, node, _ in rows}
        edges = [
            SimilarEdge(min(nodes[one], nodes[other]), max(nodes[one], nodes[other]), weight, basis)
            for basis, one, other, weight in alike
        ]
        now = self._kernel.now()
        with self._kernel.database.transaction():
            store.replace(edges, now=now)
            AnalysisStore(self._kernel.database).record(AnalysisRun(name="similar", finished_at=now))
        numbers = {number for _, one, other, _ in alike for number in (one, other)}
        stored = {one.id: one for one in LearningStore(self._kernel.database).by_numbers(sorted(numbers))}
        pairs = [
            SimilarPair(first=stored[one], second=stored[other], weight=weight, basis=basis)
            for basis, one, other, weight in alike
        ]
        return SimilarReport(
            pairs=tuple(sorted(pairs, key=lambda pair: (-pair.weight, pair.first.id, pair.second.id))),
            by_vectors=len(embedded),
            by_words=len(wordless),
            same_meaning=same_meaning,
            same_words=same_words,
        )


def _near(matrices: Iterable[Matrix], threshold: float, total: int, progress: Progress) -> Iterator[Pair]:
    """Yield the pairs of vectors that are near enough, of each learning no more than its nearest."""
    import numpy as np

    for matrix in matrices:
        numbers, vectors = np.asarray(matrix.numbers), matrix.vectors
        most = min(_MOST_EACH, len(numbers) - 1)
        for start in range(0, len(numbers), _BLOCK):
            cosines = vectors[start : start + _BLOCK] @ vectors.T
            places = np.arange(len(cosines))
            cosines[places, places + start] = -1.0  # itself
            nearest = np.argpartition(-cosines, max(0, most - 1), axis=1)[:, :most]
            values = np.take_along_axis(cosines, nearest, axis=1)
            rows, ranks = np.nonzero(values >= threshold - _ROUNDING)
            ends = zip(numbers[rows + start], numbers[nearest[rows, ranks]], values[rows, ranks], strict=True)
            for one, other, cosine in ends:
                yield int(min(one, other)), int(max(one, other)), min(1.0, float(cosine))
            progress(min(start + _BLOCK, len(numbers)), total)


_ROUNDING = 1e-6  # what float32 may be off: a threshold of 1 means the same vector


def _capped(pairs: Iterable[Pair]) -> list[Pair]:
    """Return each pair once, as far as it is among the most alike of one of its two."""
    weights = {(one, other): weight for one, other, weight in pairs}
    by_learning: dict[int, list[tuple[float, int, int]]] = defaultdict(list)
    for (one, other), weight in weights.items():
        for number in (one, other):
            by_learning[number].append((weight, -one, -other))
    kept = {(-one, -other) for found in by_learning.values() for _, one, other in nlargest(_MOST_EACH, found)}
    return [(one, other, weights[one, other]) for one, other in sorted(kept)]
