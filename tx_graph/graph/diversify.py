"""Sets that overlap: every pair whose Jaccard index reaches a threshold, without comparing each two. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

RELEVANCE_SHARE = 0.7
"""The λ of Carbonell and Goldstein (SIGIR 1998) as PRD-016 sets it: how much relevance counts beside novelty."""
FIRST_PAGE = 5
"""Places that people and agents surely read, so that no category may fill them alone (PRD-016)."""
MOST_OF_A_CATEGORY = 2
"""Results of one category among those."""
ALTERNATIVE_SHARE = 0.25
"""What an alternative must have of the relevance of what it displaces: variety is no reason to show noise."""

Similarity = Callable[[int, int], float]
"""Says how alike two candidates are, by their ids, in [0, 1]."""


class Candidate(NamedTuple):
    """Something that may be shown: its relevance in [0, 1], and its category if it has one."""

    id: int
    relevance: float
    category: str | None = None


class Choice(NamedTuple):
    """A candidate in its place: its place by relevance alone, counted from 1, and what above it is most like it.

    `like` is that candidate's id and `similarity` in [0, 1] how alike they are; None and 0 for the first.
    """

    candidate: Candidate
    rank: int
    like: int | None = None
    similarity: float = 0.0

    def marginal(self, lam: float) -> float:
        """The marginal relevance λ · relevance − (1 − λ) · similarity to the most similar one above."""
        return lam * self.candidate.relevance - (1 - lam) * self.similarity


def diversify(
    candidates: Collection[Candidate], *, limit: int, similarity: Similarity, lam: float = RELEVANCE_SHARE
) -> list[Choice]:
    """Return at most `limit` candidates, each the one of highest marginal relevance to those before it.

    The first is always the most relevant one. Among the first five at most two have the same category, as long as
    there are others worth showing; candidates without a category are in none. Ties go to the more relevant one,
    then to the one given first.
    """
    by_relevance = sorted(candidates, key=lambda one: -one.relevance)
    remaining = [Choice(one, rank) for rank, one in enumerate(by_relevance, start=1)]
    chosen: list[Choice] = []
    while remaining and len(chosen) < limit:
        best = max(_worth_a_place(remaining, chosen), key=lambda one: one.marginal(lam))  # of equals the first
        chosen.append(best)
        remaining = [_beside(one, best.candidate.id, similarity) for one in remaining if one is not best]
    return chosen


def _worth_a_place(remaining: Sequence[Choice], chosen: Sequence[Choice]) -> Sequence[Choice]:
    """Return the candidates that may come next: not of a category that has its share of the first page."""
    if len(chosen) >= FIRST_PAGE:
        return remaining
    counts = Counter(one.candidate.category for one in chosen if one.candidate.category is not None)
    full = {category for category, count in counts.items() if count >= MOST_OF_A_CATEGORY}
    displaced = [one.candidate.relevance for one in remaining if one.candidate.category in full]
    least = ALTERNATIVE_SHARE * max(displaced, default=0.0)
    free = [one for one in remaining if one.candidate.category not in full and one.candidate.relevance >= least]
    return free or remaining


def _beside(one: Choice, other: int, similarity: Similarity) -> Choice:
    """Return a candidate as it stands once `other` has been chosen."""
    alike = min(1.0, similarity(one.candidate.id, other))
    if alike <= one.similarity and one.like is not None:
        return one
    return Choice(one.candidate, one.rank, other, max(0.0, alike))


Word = TypeVar("Word", bound=Hashable)
_ROUNDING = 1e-9


def overlap(one: frozenset[Word], other: frozenset[Word]) -> float:
    """Return the Jaccard index of two sets, in [0, 1]; 0 when both are empty."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def overlapping(
    sets: Mapping[int, frozenset[Word]], *, threshold: float, among: Collection[int] | None = None
) -> Iterator[tuple[int, int, float]]:
    """Yield (smaller id, larger id, Jaccard index) of every pair whose index is at least `threshold`, in (0, 1].

    `among`, if given, must hold one of the two. Two sets that overlap so much share one of their rarest words (prefix
    filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006), so only those that do are compared.
    """
    frequency = Counter(word for words in sets.values() for word in words)
    rarity = {
        word: place for place, word in enumerate(sorted(frequency, key=lambda word: (frequency[word], str(word))))
    }
    having: dict[Word, list[int]] = defaultdict(list)
    for id_ in sorted(sets):
        prefix = _prefix(sorted(sets[id_], key=rarity.__getitem__), threshold)
        for other in sorted({other for word in prefix for other in having[word]}):
            if among is None or id_ in among or other in among:
                index = overlap(sets[id_], sets[other])
                if index >= threshold:
                    yield other, id_, index
        for word in prefix:
            having[word].append(id_)


def _prefix(words: Sequence[Word], threshold: float) -> Sequence[Word]:
    """Return the rarest words, of which a set that overlaps with this one so much must have at least one."""
    return words[: len(words) - math.ceil(threshold * len(words) - _ROUNDING) + 1] if words else words
