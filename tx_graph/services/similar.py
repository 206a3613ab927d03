"""Finds learnings that say much the same, and ties them by SIMILAR_TO edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import nlargest

from tx_graph.analysis.identifiers import content_words
from tx_graph.domain.learning import StoredLearning
from tx_graph.errors import UsageError
from tx_graph.ports import Clock, Progress, no_progress
from tx_graph.retrieval.overlap import overlapping
from tx_graph.services.stamps import iso
from tx_graph.storage.analyses import AnalysisRun, AnalysisStore
from tx_graph.storage.database import Database
from tx_graph.storage.learnings import LearningStore
from tx_graph.storage.similarities import Matrix, SimilarEdge, SimilarityStore

ANALYSIS = "similar"
"""What the analysis is called where it is told when each last ran."""
SAME_MEANING, SAME_WORDS = 0.9, 0.6
"""From where on two learnings are near-duplicates: by the cosine of their vectors, and by the Jaccard index of their
words. A sentence that says another one in other words has a cosine of about .9 and shares about two words in three."""
_MOST_EACH = 10
"""Edges that one learning may have of its own accord: the most alike. A thousand copies need no million edges."""
_BLOCK = 512
"""Rows compared at a time: 20 MB of cosines with 10,000 others."""

Pair = tuple[int, int, float]
"""Two learnings, the smaller number first, and how alike they are, in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPair:
    """Two learnings that say much the same, the older number first; `basis` is `cosine` or `words`."""

    first: StoredLearning
    second: StoredLearning
    weight: float
    basis: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarReport:
    """The pairs that were found, most alike first, and how many learnings were compared by what."""

    pairs: tuple[SimilarPair, ...]
    by_vectors: int
    by_words: int
    same_meaning: float
    same_words: float


class Similar:
    """Compares every learning that answers show with every other."""

    def __init__(
        self,
        *,
        database: Database,
        similarities: SimilarityStore,
        learnings: LearningStore,
        analyses: AnalysisStore,
        model: str,
        clock: Clock,
    ) -> None:
        self._database = database
        self._similarities = similarities
        self._learnings = learnings
        self._analyses = analyses
        self._model = model
        self._clock = clock

    def analyse(self, threshold: float | None = None, *, progress: Progress = no_progress) -> SimilarReport:
        """Replace all SIMILAR_TO edges by what is found now; return them.

        `threshold` is the least cosine, and the least share of words where one of two has no vector; None stands for
        a standard of each.

        Raises:
            UsageError: The threshold is not above 0 and at most 1.
        """
        same_meaning, same_words = (SAME_MEANING, SAME_WORDS) if threshold is None else (threshold, threshold)
        if not 0 < same_meaning <= 1:
            raise UsageError(f"The threshold must be above 0 and at most 1, not {same_meaning:g}.")
        rows = self._similarities.shown_contents()
        matrices = self._similarities.matrices(model=self._model) if self._similarities.has_any(self._model) else []
        embedded = {number for matrix in matrices for number in matrix.numbers}
        wordless = {number for number, _, _ in rows} - embedded
        words = {number: content_words(content) for number, _, content in rows} if wordless else {}
        alike = {
            "cosine": _capped(_near(matrices, same_meaning, len(rows), progress)),
            "words": _capped(overlapping(words, threshold=same_words, among=wordless)),
        }
        self._save(alike, {number: node for number, node, _ in rows})
        return SimilarReport(
            pairs=self._pairs(alike),
            by_vectors=len(embedded),
            by_words=len(wordless),
            same_meaning=same_meaning,
            same_words=same_words,
        )

    def _save(self, alike: Mapping[str, Sequence[Pair]], nodes: Mapping[int, int]) -> None:
        edges = [
            SimilarEdge(min(nodes[one], nodes[other]), max(nodes[one], nodes[other]), weight, basis)
            for basis, pairs in alike.items()
            for one, other, weight in pairs
        ]
        now = iso(self._clock.now())
        with self._database.transaction():
            self._similarities.replace(edges, now=now)
            self._analyses.record(AnalysisRun(name=ANALYSIS, finished_at=now))

    def _pairs(self, alike: Mapping[str, Sequence[Pair]]) -> tuple[SimilarPair, ...]:
        numbers = {number for pairs in alike.values() for one, other, _ in pairs for number in (one, other)}
        stored = {one.id: one for one in self._learnings.by_numbers(sorted(numbers))}
        found = [
            SimilarPair(first=stored[one], second=stored[other], weight=weight, basis=basis)
            for basis, pairs in alike.items()
            for one, other, weight in pairs
        ]
        return tuple(sorted(found, key=lambda pair: (-pair.weight, pair.first.id, pair.second.id)))


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


_ROUNDING = 1e-6
"""What float32 may be off: a threshold of 1 means the same vector."""


def _capped(pairs: Iterable[Pair]) -> list[Pair]:
    """Return each pair once, as far as it is among the most alike of one of its two."""
    weights = {(one, other): weight for one, other, weight in pairs}
    by_learning: dict[int, list[tuple[float, int, int]]] = defaultdict(list)
    for (one, other), weight in weights.items():
        for number in (one, other):
            by_learning[number].append((weight, -one, -other))
    kept = {(-one, -other) for found in by_learning.values() for _, one, other in nlargest(_MOST_EACH, found)}
    return [(one, other, weights[one, other]) for one, other in sorted(kept)]
