"""Looks for better weights of the walk: on the older samples, judged on the newer ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import stdev
from typing import NamedTuple

from tx_graph.analysis.replay.bootstrap import Gain, Interval, Resamples, gain, mean, mean_interval
from tx_graph.analysis.replay.measures import Outcome
from tx_graph.analysis.replay.sampling import Case
from tx_graph.retrieval.weights import Weights
from tx_graph.services.file_ranking.values import Method
from tx_graph.services.replay.asking import Answers, States, Way, answers_of, joined, scores
from tx_graph.services.replay.values import DECISIVE, Tuning, changes

_MOST_STEPS = 4
"""Numbers that are changed together at most: each further one rests on less and fits the samples more."""


class Tuned(NamedTuple):
    """What tuning found.

    `answers` are those of the ways that were asked for, on all cases; `newer` has those of the walk on the newer
    half, with the weights in force and with the `best`. So many weights were `tried`.
    """

    answers: Answers
    newer: Answers
    best: Weights
    tried: int


class Tuner:
    """Tries one change at a time, then the best changes together. `current` are the weights in force."""

    def __init__(self, current: Weights) -> None:
        self._current = current
        self._singly = [*map(_walk, _distinct([current, *current.candidates()]))]

    def tuned(
        self,
        states: States,
        halves: tuple[Sequence[Case], Sequence[Case]],
        ways: Sequence[Way],
        *,
        tick: Callable[[], None],
    ) -> Tuned:
        """Return the weights that do best on the older half, beside those in force on the newer one."""
        older, newer = halves
        singly = answers_of(states, older, [*ways, *self._singly], tick=tick)
        gains = self._gains(singly, self._singly)
        pairs = [*map(_walk, self._together(gains))]
        together = answers_of(states, older, pairs, tick=tick) if pairs else {}
        gains |= self._gains({**singly, **together}, pairs)
        best = max(gains, key=lambda weights: gains[weights])  # of equals the first: the weights in force
        last = answers_of(states, newer, [*ways, *map(_walk, _distinct([self._current, best]))], tick=tick)
        return Tuned(joined({way: singly[way] for way in ways}, last), last, best, len(gains))

    def _gains(self, answers: Answers, ways: Sequence[Way]) -> dict[Weights, float]:
        """Return what each of the weights surely gains over those in force."""
        base = _per_case(answers[_walk(self._current)].values())
        return {
            way.weights: _sure_gain(_per_case(answers[way].values()), base) for way in ways if way.weights is not None
        }

    def _together(self, gains: Mapping[Weights, float]) -> list[Weights]:
        """Return the best changes taken together: the best two, the best three and so on, each of another number."""
        best: dict[str, float] = {}
        for weights in sorted(gains, key=lambda weights: -gains[weights]):
            if gains[weights] > 0:
                for name, value in changes(self._current, weights).items():
                    best.setdefault(name, value)
        named = list(best.items())
        return [replace(self._current, **dict(named[:count])) for count in range(2, min(len(named), _MOST_STEPS) + 1)]


def judged(current: Weights, tuned: Tuned, samples: Resamples, *, tuned_on: int) -> Tuning:
    """Return how the weights that were found do beside those in force, on cases that they were not chosen by."""
    before, after = tuned.newer[_walk(current)], tuned.newer[_walk(tuned.best)]
    recall = {variant: _beside(before[variant], after[variant], samples) for variant in before}
    return Tuning(
        before=current,
        after=tuned.best,
        tried=tuned.tried,
        tuned_on=tuned_on,
        judged_on=len(samples[0]),
        recall=recall,
        overall=gain(_per_case(after.values()), _per_case(before.values()), samples),
    )


def _beside(before: Sequence[Outcome], after: Sequence[Outcome], samples: Resamples) -> tuple[Interval, Interval, Gain]:
    old, new = scores(before, DECISIVE), scores(after, DECISIVE)
    return mean_interval(old, samples), mean_interval(new, samples), gain(new, old, samples)


def _walk(weights: Weights | None) -> Way:
    return Way(method=Method.SPREAD, weights=weights)


def _sure_gain(scored: Sequence[float], base: Sequence[float]) -> float:
    """Return by how much more the first scores on average, less one standard error, 0 where they are the same.

    The best of many is partly the luckiest; what helps many commits a little goes before what helps a few much.
    """
    gains = [one - other for one, other in zip(scored, base, strict=True)]
    return mean(gains) - stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else mean(gains)


def _per_case(variants: Iterable[Sequence[Outcome]]) -> list[float]:
    """Return what each case scores on average over its variants."""
    columns = [scores(outcomes, DECISIVE) for outcomes in variants]
    return [mean(column) for column in zip(*columns, strict=True)]


def _distinct(many: Iterable[Weights]) -> list[Weights]:
    return list(dict.fromkeys(many))
