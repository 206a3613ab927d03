"""What a replay is asked for, and what it found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tx_graph.analysis.replay.bootstrap import Gain, Interval
from tx_graph.analysis.replay.measures import Measure
from tx_graph.analysis.replay.sampling import Case, Variant
from tx_graph.errors import UsageError
from tx_graph.retrieval.weights import Weights
from tx_graph.services.file_ranking.values import Method

BASELINE = Method.FUSION
"""What the signals of the graph are measured against: the best that search alone does."""
DECISIVE = Measure.RECALL_AT_10
"""The measure by which methods are compared and weights are chosen."""
MOST_SAMPLES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest:
    """What to replay: how many commits, drawn by which seed, made since when, ranked by which methods.

    `tune` looks for better weights of the walk, too.
    """

    samples: int = 100
    seed: int = 0
    since: str | None = None
    methods: tuple[Method, ...] = tuple(Method)
    tune: bool = False

    def __post_init__(self) -> None:
        """Raise UsageError for what cannot be asked."""
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise UsageError(f"The number of samples must be from 1 to {MOST_SAMPLES:,}, not {self.samples:,}.")
        if not self.methods:
            raise UsageError("No method is named.", hint=f"Name some of: {', '.join(Method)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How one method did in one variant: averages over all samples."""

    variant: Variant
    method: Method
    measures: Mapping[Measure, Interval]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the signals that a method adds to plain fusion are worth in one variant, by recall@10."""

    variant: Variant
    method: Method
    gain: Gain


def changes(before: Weights, after: Weights) -> dict[str, float]:
    """Return the numbers of `after` that differ, by name."""
    old = before.as_dict()
    return {name: value for name, value in after.as_dict().items() if value != old[name]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The best weights found on the older samples, and how they do on the newer ones, which they were not chosen by.

    `before` are the weights in force, `recall` has recall@10 of both on the newer samples, by variant: before, after
    and the gain.
    """

    before: Weights
    after: Weights
    tried: int
    tuned_on: int
    judged_on: int
    recall: Mapping[Variant, tuple[Interval, Interval, Gain]]
    overall: Gain

    @property
    def is_better(self) -> bool:
        """Whether the weights found beat those in force where they were not chosen."""
        return self.after != self.before and self.overall.points.value > 0

    @property
    def changes(self) -> dict[str, float]:
        """The numbers that differ, by name."""
        return changes(self.before, self.after)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport:
    """What a replay found.

    `commits` with a parent were looked at, `qualified` of them could be replayed, `cases` were. `is_shallow` says
    that history is cut off, `is_workspace` that the repository has a `.tx`.
    """

    seed: int
    commits: int
    qualified: int
    is_shallow: bool
    is_workspace: bool
    cases: tuple[Case, ...]
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]
    tuning: Tuning | None = None

    def row(self, variant: Variant, method: Method) -> Row | None:
        """Return how a method did, None where it was not asked."""
        return next((one for one in self.rows if (one.variant, one.method) == (variant, method)), None)
