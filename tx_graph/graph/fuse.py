"""Scores made into one: sums of scaled scores, what words count for what stands beside them, age and votes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from heapq import nlargest
from typing import TypeVar

Item = TypeVar("Item", bound=Hashable)

RRF_K = 60
"""The constant of Cormack, Clarke and Büttcher (SIGIR 2009): how little the first ranks differ."""


def reciprocal_rank_fusion(rankings: Mapping[str, Sequence[Item]]) -> dict[Item, float]:
    """Return each item's fused score in (0, 1]: 1 for what is first in every active ranking.

    A ranking that is empty is not active: it neither helps nor harms.
    """
    active = [ranking for ranking in rankings.values() if ranking]
    scores: dict[Item, float] = defaultdict(float)
    for ranking in active:
        for rank, item in enumerate(ranking, start=1):
            scores[item] += (RRF_K + 1) / (RRF_K + rank) / len(active)
    return dict(scores)


def score_sum(found: Mapping[str, Mapping[Item, float]], shares: Mapping[str, float]) -> dict[Item, float]:
    """Return the mean of each item's scores by these shares; a score outside [0, 1] counts as the nearest within.

    A share of the question's words and a cosine say by themselves how strong a match is. What found nothing, or has no
    share, does not count: it neither helps nor harms.
    """
    active = {name: shares[name] for name, scores in found.items() if scores and shares[name] > 0}
    scores: dict[Item, float] = defaultdict(float)
    for name, share in active.items():
        for item, score in found[name].items():
            scores[item] += max(0.0, min(1.0, score)) * share / sum(active.values())
    return dict(scores)


WORDS_SHARE = 0.5
"""What words count where there is meaning too. On four of LoCoMo's ten conversations more of it is better (.6), on
commits of three repositories as learnings less of it (.45)."""


RECENCY_HALF_LIFE = timedelta(days=90)
"""A learning of three months ago counts half as recent as one of today."""
FEEDBACK_SPAN = 0.2
"""Between a learning that never helped and one that always did, relevance differs by this share."""
ASKING_SHARE = 0.95
"""What is left of the relevance of a learning that ends with a question mark: what asks seldom answers."""
STALE_SHARE = 0.8
"""What is left of the relevance of a learning whose code has changed since: it ranks below what holds and matches
about as well, and still above what hardly matches."""


def recency(created_at: datetime, *, now: datetime, half_life: timedelta = RECENCY_HALF_LIFE) -> float:
    """Return a score in (0, 1] that halves once every half-life; the future counts as now."""
    return _halved((now - created_at) / half_life)


def commit_recency(time: int, *, now: float, half_life: float) -> float:
    """Return the same of a commit. Times are seconds, since the epoch: a ranking asks for thousands."""
    return _halved((now - time) / half_life)


def _halved(half_lives: float) -> float:
    return float(0.5 ** max(half_lives, 0.0))


def feedback(*, helpful: float, used: int) -> float:
    """Return the Bayesian average (helpful + 1) / (used + 2) in (0, 1); 0.5 before any use (PRD-016)."""
    return (helpful + 1) / (used + 2)


def boosted(relevance: float, *, feedback_score: float) -> float:
    """Return relevance in [0, 1], mildly raised or lowered by feedback; 0.5 leaves it as it is."""
    return min(1.0, relevance * (1 + FEEDBACK_SPAN * (feedback_score - 0.5)))


BESIDE = 0.7
"""What a word counts for what stands one further on in the same source; two further on that of that, and so on."""
REACH = 4
"""How far off a word still counts: .7⁴ is a quarter."""


def beside(words: Sequence[Mapping[int, float]], places: Mapping[int, int]) -> tuple[dict[int, float], dict[int, int]]:
    """Return the share of a question that each item has by its words and what stands beside it, and beside what it is.

    `words` has the score of each word of the question by the items that have it; a share lies in [0, 1], and is 1 for
    what has every word as well as any other item has it. `places` the place of each item that
    stands in a sequence; sequences are more than `REACH` places apart. A word counts where it counts most: the same one
    said again says nothing new, and another one does. The second answer has the items of which more than half is from
    others, and which of these gave the most.
    """
    items = {place: item for item, place in places.items()}
    steps = [(step, BESIDE ** abs(step)) for step in sorted(range(-REACH, REACH + 1), key=abs)]
    totals: dict[int, float] = defaultdict(float)
    given: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
    for having in words:
        best: dict[int, tuple[float, int]] = {}
        for item, score in having.items():
            place = places.get(item)
            if place is None:
                totals[item] += score
                continue
            for step, share in steps:
                other = items.get(place + step)
                if other is not None and score * share > best.get(other, _NOTHING)[0]:
                    best[other] = (score * share, item)
        for item, (score, giver) in best.items():
            totals[item] += score
            given[item][giver] += score
    most = {item: max(givers, key=lambda one: (givers[one], -one)) for item, givers in given.items()}
    others = {item: giver for item, giver in most.items() if given[item].get(item, 0.0) < totals[item] / 2}
    whole = sum(max(having.values()) for having in words if having)
    return {item: min(1.0, score / whole) if whole > 0 else 1.0 for item, score in totals.items()}, others


_NOTHING = (0.0, 0)


def places(items: Iterable[tuple[int, *tuple[object, ...]]]) -> dict[int, int]:
    """Return the place of each item of these, which stand in order, with what says of which sequence each is."""
    found, last, place = {}, None, 0
    for item, *sequence in items:
        place += 1 if sequence == last else REACH + 1
        found[item], last = place, sequence
    return found


_STRONGEST = 200  # items with what stands beside them; to look beside ten thousand takes 30 ms and moves no answer


def strongest(words: Sequence[Mapping[int, float]]) -> list[int]:
    """Return the items that have most of a question by themselves, given the score of each of its words by item."""
    totals: dict[int, float] = defaultdict(float)
    for having in words:
        for item, score in having.items():
            totals[item] += score
    return nlargest(_STRONGEST, totals, key=lambda item: (totals[item], -item))


def near(places: Mapping[int, int], items: Iterable[int]) -> dict[int, int]:
    """Return the places of these items and of what stands beside them, within `REACH`."""
    standing = {places[item] for item in items if item in places}
    around = {place + step for place in standing for step in range(-REACH, REACH + 1)}
    return {item: place for item, place in places.items() if place in around}
