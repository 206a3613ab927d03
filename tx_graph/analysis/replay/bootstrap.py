"""How sure an average is: percentile bootstrap intervals (Efron 1979), paired where two methods are compared.

The same resamples serve all methods, so that a commit that is hard for both does not count as a difference.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from tx_graph.analysis.replay.chance import Chance

RESAMPLES = 1_000
"""Enough for the ends of a 95 % interval to be stable in the second digit."""
_OUTSIDE = 0.025
"""The share of resamples beyond either end of a 95 % interval."""

Resamples = Sequence[Sequence[int]]
"""Places of values, drawn with repetition: each resample is as long as the list of values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A value, and the interval that holds it with 95 % confidence."""

    value: float
    low: float
    high: float


class Effect(StrEnum):
    """What a signal does to the results, as far as the sample can tell."""

    HELPS = "helps"
    HURTS = "hurts"
    UNCLEAR = "no clear difference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """How much better one method is than another: in points, and relative to it where that one finds anything."""

    points: Interval
    relative: Interval | None

    @property
    def effect(self) -> Effect:
        """Whether the difference is clear: its interval lies on one side of zero."""
        if self.points.low > 0:
            return Effect.HELPS
        return Effect.HURTS if self.points.high < 0 else Effect.UNCLEAR


def resamples(size: int, *, chance: Chance, count: int = RESAMPLES) -> Resamples:
    """Return `count` resamples of `size` values."""
    return [[chance(size) for _ in range(size)] for _ in range(count)]


def mean(values: Sequence[float]) -> float:
    """Return the average of at least one value."""
    return sum(values) / len(values)


def mean_interval(values: Sequence[float], samples: Resamples) -> Interval:
    """Return the average of the values with its interval."""
    return _interval(mean(values), _means(values, samples))


def gain(values: Sequence[float], baseline: Sequence[float], samples: Resamples) -> Gain:
    """Return how much better `values` are than `baseline` on average, pair by pair."""
    differences = [value - other for value, other in zip(values, baseline, strict=True)]
    points = mean_interval(differences, samples)
    base = mean(baseline)
    if not base:
        return Gain(points=points, relative=None)
    pairs = zip(_means(values, samples), _means(baseline, samples), strict=True)
    ratios = [value / other - 1 for value, other in pairs if other]
    return Gain(points=points, relative=_interval(mean(values) / base - 1, ratios))


def _means(values: Sequence[float], samples: Resamples) -> list[float]:
    at = values.__getitem__
    return [sum(map(at, places)) / len(places) for places in samples]


def _interval(value: float, estimates: Sequence[float]) -> Interval:
    """Cut the same number of estimates off either end; the value itself is always inside."""
    ordered = sorted(estimates)
    cut = int(len(ordered) * _OUTSIDE)
    return Interval(value=value, low=min(value, ordered[cut]), high=max(value, ordered[-1 - cut]))
