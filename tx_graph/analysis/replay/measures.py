"""How good a ranking is, held against the files that were changed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """Where a ranking had the files that were looked for.

    `places` count from 1, in ascending order; files that were not ranked have none. `targets` were looked for, at
    least one.
    """

    places: tuple[int, ...]
    targets: int


class Measure(StrEnum):
    """What is averaged over all questions; each lies in [0, 1]."""

    RECALL_AT_5 = "recall_at_5"
    RECALL_AT_10 = "recall_at_10"
    MRR = "mrr"

    def of(self, outcome: Outcome) -> float:
        """Return what one answer scores."""
        return _SCORES[self](outcome)


def outcome_of(ranking: Sequence[str], *, targets: Collection[str], given: Collection[str] = ()) -> Outcome:
    """Return where the targets stand in a ranking without repetitions; files that were given take no place in it."""
    counted = [path for path in dict.fromkeys(ranking) if path not in given]
    wanted = set(targets)
    places = tuple(place for place, path in enumerate(counted, start=1) if path in wanted)
    return Outcome(places=places, targets=len(wanted))


def recall(outcome: Outcome, *, at: int) -> float:
    """Return the share of the targets that are among the first `at` files, in [0, 1]."""
    return sum(1 for place in outcome.places if place <= at) / outcome.targets


def reciprocal_rank(outcome: Outcome) -> float:
    """Return 1 divided by the place of the first target, in [0, 1]; 0 when none was ranked."""
    return 1 / outcome.places[0] if outcome.places else 0.0


_SCORES: dict[Measure, Callable[[Outcome], float]] = {
    Measure.RECALL_AT_5: lambda outcome: recall(outcome, at=5),
    Measure.RECALL_AT_10: lambda outcome: recall(outcome, at=10),
    Measure.MRR: reciprocal_rank,
}
