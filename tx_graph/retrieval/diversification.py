"""Maximal marginal relevance: answers that are relevant and do not say the same again and again. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

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
