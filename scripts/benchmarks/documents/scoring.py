"""How good a list of results is: recall of the sections that answer, and the place of the first of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from tx_graph.history.sampling import Gain, Interval, Resamples, gain, mean_interval, resamples

FIRST = 5
"""Results that are asked for and count: about what somebody reads."""
_PART = "~"
"""Before the number of a part of a long section."""
_SEED = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """How one question was answered: recall@5 and the reciprocal rank, both in [0, 1]."""

    recall: float
    reciprocal_rank: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """Averages over questions, with the gain in recall over another way of asking the same ones."""

    count: int
    recall: Interval
    reciprocal_rank: Interval
    gain: Gain | None = None


def score(results: Sequence[str], answers: Collection[str]) -> Score:
    """Return how well references, best first, answer a question.

    A part of a section counts as that section, and takes a place of its own.
    """
    sections = [_section_of(ref) for ref in results[:FIRST]]
    places = [place for place, section in enumerate(sections, start=1) if section in answers]
    return Score(
        recall=len(set(sections).intersection(answers)) / len(answers),
        reciprocal_rank=1 / places[0] if places else 0.0,
    )


def summary(scores: Sequence[Score], baseline: Sequence[Score] | None = None) -> Summary:
    """Return the averages of at least one score with their 95 % intervals, and the paired gain over a baseline."""
    samples = _samples(len(scores))
    recalls = [one.recall for one in scores]
    return Summary(
        count=len(scores),
        recall=mean_interval(recalls, samples),
        reciprocal_rank=mean_interval([one.reciprocal_rank for one in scores], samples),
        gain=None if baseline is None else gain(recalls, [one.recall for one in baseline], samples),
    )


def _section_of(ref: str) -> str:
    section, mark, part = ref.rpartition(_PART)
    return section if mark and part.isdecimal() else ref


def _samples(size: int) -> Resamples:
    """Return the same resamples each time, so that all ways of asking are compared on the same ones."""
    return resamples(size, chance=Random(_SEED).randrange)  # noqa: S311 - samples, not secrets
