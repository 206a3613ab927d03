"""Which commits are replayed, and what each of them asks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from enum import StrEnum
from typing import ClassVar, TypeVar

from tx_graph.core.dataclass import dataclass
from tx_graph.history.commits import Changeset

Item = TypeVar("Item")

Chance = Callable[[int], int]
"""Returns a whole number from 0 up to, but not including, the one it is given; all are equally likely."""


def drawn(items: Sequence[Item], count: int, chance: Chance) -> list[Item]:
    """Return at most `count` of the items, none twice, in the order in which they are given."""
    places = list(range(len(items)))
    for place in range(min(count, len(places))):
        other = place + chance(len(places) - place)
        places[place], places[other] = places[other], places[place]
    return [items[place] for place in sorted(places[:count])]


RESAMPLES = 1_000
"""Enough for the ends of a 95 % interval to be stable in the second digit."""
_OUTSIDE = 0.025  # the share of resamples beyond either end of a 95 % interval
_DIGITS = 6

Resamples = Sequence[Sequence[int]]
"""Places of values, drawn with repetition: each resample is as long as the list of values."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """A value, and the interval that holds it with 95 % confidence, with six digits each."""

    value: float
    low: float
    high: float

    @property
    def ends(self) -> tuple[float, float]:
        """Where the interval begins and ends."""
        return self.low, self.high


class Effect(StrEnum):
    """What a signal does to the results, as far as the sample can tell."""

    HELPS = "helps"
    HURTS = "hurts"
    UNCLEAR = "no clear difference"


@dataclass(frozen=True, slots=True, kw_only=True)
class Gain:
    """How much better one method is than another: in points, and relative to it where that one finds anything."""

    JSON: ClassVar = "effect=word points relative"

    points: Interval
    relative: Interval | None

    @property
    def effect(self) -> Effect:
        """Whether the difference is clear: its interval lies on one side of zero."""
        if self.points.low > 0:
            return Effect.HELPS
        return Effect.HURTS if self.points.high < 0 else Effect.UNCLEAR

    @property
    def word(self) -> str:
        """The same in one word."""
        return self.effect.name.lower()


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
    ends = (value, min(value, ordered[cut]), max(value, ordered[-1 - cut]))
    return Interval(**{name: round(one, _DIGITS) for name, one in zip(("value", "low", "high"), ends, strict=True)})


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
        if self is Measure.MRR:  # 1 divided by the place of the first target; 0 when none was ranked
            return 1 / outcome.places[0] if outcome.places else 0.0
        at = 5 if self is Measure.RECALL_AT_5 else 10
        return sum(1 for place in outcome.places if place <= at) / outcome.targets


def outcome_of(ranking: Sequence[str], *, targets: Collection[str], given: Collection[str] = ()) -> Outcome:
    """Return where the targets stand in a ranking without repetitions; files that were given take no place in it."""
    counted = [path for path in dict.fromkeys(ranking) if path not in given]
    wanted = set(targets)
    places = tuple(place for place, path in enumerate(counted, start=1) if path in wanted)
    return Outcome(places=places, targets=len(wanted))


LEAST_PATHS, MOST_PATHS = 2, 10
"""Paths of a commit that is replayed: one alone asks nothing with a file open, many are no piece of work."""
LEAST_TARGETS = 2
"""Files that must have existed before: one to be open, and one to be found."""
_TO_LEARN_FROM = 5  # the first fifth of history is never replayed, so that there is something to learn from


class Variant(StrEnum):
    """What is known when a question is asked."""

    WORDS = "words"
    OPEN_FILE = "open_file"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is asked in one variant of a replayed commit: its words, the files that are open, and those to be found."""

    variant: Variant
    text: str
    open_files: tuple[str, ...]
    targets: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One commit to replay, and the file that is open in the variant with an open file."""

    JSON: ClassVar = (
        "commit=changeset.sha parent=changeset.parent query=changeset.subject targets=changeset.existing open_file"
    )

    changeset: Changeset
    open_file: str

    @property
    def questions(self) -> tuple[Question, ...]:
        """One question for each variant; the open file is given, so it is nothing to be found."""
        subject, files = self.changeset.subject, self.changeset.existing
        others = tuple(path for path in files if path != self.open_file)
        return (
            Question(variant=Variant.WORDS, text=subject, open_files=(), targets=files),
            Question(variant=Variant.OPEN_FILE, text=subject, open_files=(self.open_file,), targets=others),
        )


def qualifying(history: Sequence[Changeset], *, since: int = 0) -> list[Changeset]:
    """Return the commits that can be replayed, in the order of `history`, which goes from old to new.

    `since` leaves out those that were made before, in seconds since the epoch; what came before is still there to
    learn from.
    """
    later = history[len(history) // _TO_LEARN_FROM :]
    return [
        one
        for one in later
        if one.time >= since
        and LEAST_PATHS <= one.paths <= MOST_PATHS
        and len(one.existing) >= LEAST_TARGETS
        and one.subject.strip()
    ]


def cases_of(
    changesets: Sequence[Changeset], *, count: int, chance: Chance, chance_of: Callable[[str], Chance]
) -> list[Case]:
    """Return at most `count` cases drawn from the commits, in their order.

    `chance_of` gives a commit its own chance, so that the file that is open in it does not depend on the others.
    """
    return [
        Case(changeset=one, open_file=one.existing[chance_of(one.sha)(len(one.existing))])
        for one in drawn(changesets, count, chance)
    ]


def halves(cases: Sequence[Case]) -> tuple[Sequence[Case], Sequence[Case]]:
    """Return the older half and the newer one: what was found in the past is judged by what came after."""
    middle = len(cases) // 2
    return cases[:middle], cases[middle:]
