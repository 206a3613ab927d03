"""Finds learnings that say much the same, and ties them by SIMILAR_TO edges."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest

from tx_graph.core.database import Database
from tx_graph.core.errors import UsageError
from tx_graph.core.identifiers import content_words
from tx_graph.core.ports import Clock, Progress, no_progress
from tx_graph.core.working_tree import iso
from tx_graph.graph.diversify import overlapping
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore
from tx_graph.graph.resolving import References
from tx_graph.learnings.learnings import merged
from tx_graph.learnings.similarity_store import Matrix, SimilarEdge, SimilarityStore
from tx_graph.learnings.supersession_store import SupersessionStore
from tx_graph.records.learning import Learning, Link, Status, StoredLearning
from tx_graph.records.learning_record import canonical
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.sync import RecordSync


@dataclass(frozen=True, slots=True, kw_only=True)
class Superseded:
    """What took the place of what; `existed` when it was so before."""

    old: StoredLearning
    new: StoredLearning
    existed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Merged:
    """The learning that stays, with what it gained, and the one that it supersedes now.

    `linked` are the learnings that spoke of the other one, and now of the one that stays too; `derived` counts the
    tasks, runs and commits that the other one comes from.
    """

    kept: StoredLearning
    other: StoredLearning
    anchors: int
    keywords: int
    links: int
    derived: int
    linked: tuple[str, ...]


class Merging:
    """Merges and supersedes learnings. Counts of use and votes stay with the learning that they are about."""

    def __init__(
        self,
        *,
        database: Database,
        store: LearningStore,
        supersession: SupersessionStore,
        references: References,
        sync: RecordSync[Learning],
        clock: Clock,
    ) -> None:
        self._database = database
        self._store = store
        self._supersession = supersession
        self._references = references
        self._sync = sync
        self._clock = clock

    def supersede(self, old_ref: str, new_ref: str) -> Superseded:
        """Let a learning be superseded by another one, which answers from now on.

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are the same, one was removed, the new one answers nothing itself, or it would come to be
                superseded by itself.
        """
        with self._database.transaction():
            old, new = self._references.learning(old_ref), self._references.learning(new_ref)
            self._check(old, new)
            existed = (old.learning.status, old.learning.superseded_by) == (Status.SUPERSEDED, new.learning.uid)
            self._write(old, _superseded(old.learning, new.learning))
        return Superseded(old=self._now(old), new=new, existed=existed)

    def merge(self, keep_ref: str, other_ref: str) -> Merged:
        """Give a learning the anchors, keywords, links and origins of another one, and let it supersede that.

        For a place that both are tied to, the anchor of the learning that stays is kept. Who links to the other one
        gains a link to the one that stays.

        Raises:
            NotFound: One of them does not exist.
            UsageError: As for `supersede`.
        """
        with self._database.transaction():
            keep, other = self._references.learning(keep_ref), self._references.learning(other_ref)
            self._check(other, keep)
            self._write(keep, _union(keep.learning, other.learning))
            self._write(other, _superseded(other.learning, keep.learning))
            linked = self._lead_on(other, keep)
            derived = self._supersession.inherit(keep.node, other.node, now=iso(self._clock.now()))
        kept = self._now(keep)
        return Merged(
            kept=kept,
            other=self._now(other),
            anchors=len(kept.learning.anchors) - len(keep.learning.anchors),
            keywords=len(kept.learning.keywords) - len(keep.learning.keywords),
            links=len(set(kept.learning.links) - set(keep.learning.links)),
            derived=derived,
            linked=tuple(linked),
        )

    def _lead_on(self, other: StoredLearning, keep: StoredLearning) -> list[str]:
        """Let whoever links to the other one link to the one that stays too; return who does."""
        sources = [node for node in self._supersession.linking_to(other.node) if node not in (other.node, keep.node)]
        linked = sorted(self._store.by_nodes(sources), key=lambda one: one.id)
        for one in linked:
            further = [
                replace(link, target=keep.learning.uid)
                for link in one.learning.links
                if link.target == other.learning.uid
            ]
            self._write(one, replace(one.learning, links=_joined(one.learning.links, further)))
        return [one.ref for one in linked]

    def _check(self, old: StoredLearning, new: StoredLearning) -> None:
        """Refuse what would make no sense."""
        if old.id == new.id:
            raise UsageError(f"{old.ref} cannot take its own place: name two learnings.")
        for one in (old, new):
            if one.learning.removed_at:
                raise UsageError(
                    f"{one.ref} was removed.", hint=f"Bring it back first: tx learning:remove {one.id} --restore"
                )
        if old.learning.uid in self._chain(new.learning):
            raise UsageError(
                f"{new.ref} is itself superseded by {old.ref}.",
                hint=f"Make it active first: tx learning:edit {new.id} --status active",
            )
        if new.learning.status is not Status.ACTIVE:
            raise UsageError(
                f"{new.ref} is {new.learning.status}: what takes the place of another learning must answer itself.",
                hint=f"Name another one, or make it active: {_to_activate(new)}",
            )

    def _chain(self, learning: Learning) -> set[str]:
        """Return the uids of those that supersede a learning, one after the other."""
        chain: set[str] = set()
        following: Learning | None = learning
        while following and following.status is Status.SUPERSEDED and following.superseded_by not in (None, *chain):
            uid = str(following.superseded_by)
            chain.add(uid)
            following = next((one.learning for one in self._store.by_uid_prefix(uid)), None)
        return chain

    def _write(self, stored: StoredLearning, learning: Learning) -> None:
        if canonical(learning) != canonical(stored.learning):
            self._sync.write(learning, record=stored.record)

    def _now(self, stored: StoredLearning) -> StoredLearning:
        return self._store.by_numbers([stored.id])[0]


def _to_activate(stored: StoredLearning) -> str:
    is_staged = stored.learning.status is Status.STAGED
    return f"tx learning:promote {stored.id}" if is_staged else f"tx learning:edit {stored.id} --status active"


def _superseded(old: Learning, new: Learning) -> Learning:
    return replace(old, status=Status.SUPERSEDED, superseded_by=new.uid)


def _union(keep: Learning, other: Learning) -> Learning:
    """Return the learning that stays with what it gains; links between the two have served their time."""
    both = merged(keep, other, carried=other.anchors)
    links = _joined(keep.links, other.links)
    return replace(
        both,
        category=keep.category or other.category,
        links=tuple(link for link in links if link.target not in (keep.uid, other.uid)),
    )


def _joined(first: Sequence[Link], second: Sequence[Link]) -> tuple[Link, ...]:
    """Return all links; of two to one target that mean the same, the first one."""
    by_end = {(link.target, link.relation): link for link in [*second, *first]}
    return tuple(by_end.values())


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
