"""The replay room: how well files would have been ranked before the commits of this repository's own history."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import count
from random import Random
from statistics import stdev
from typing import ClassVar, NamedTuple, Protocol

from tx_graph.context.ranking_evidence import Method
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.ports import Clock, Progress, no_progress
from tx_graph.core.repository import GitRepository
from tx_graph.core.settings import Weights
from tx_graph.core.shape import Answer
from tx_graph.history.commits import oldest_time, read_changesets
from tx_graph.history.sampling import (
    LEAST_PATHS,
    LEAST_TARGETS,
    MOST_PATHS,
    Case,
    Chance,
    Gain,
    Interval,
    Measure,
    Outcome,
    Question,
    Resamples,
    Variant,
    cases_of,
    gain,
    halves,
    mean,
    mean_interval,
    outcome_of,
    qualifying,
    resamples,
)

BASELINE = Method.SUM
"""What methods are measured against: the best that words alone do."""
DECISIVE = Measure.RECALL_AT_10
"""The measure by which methods are compared and weights are chosen."""
MOST_SAMPLES = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayRequest:
    """What to replay: how many commits, drawn by which seed, made since when, ranked by which methods.

    With `signals` the ranking is asked without each of its kinds of evidence, too, and with `tune` with other weights.
    """

    samples: int = 100
    seed: int = 0
    since: str | None = None
    methods: tuple[Method, ...] = tuple(Method)
    signals: bool = False
    tune: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.samples <= MOST_SAMPLES:
            raise UsageError(f"The number of samples must be from 1 to {MOST_SAMPLES:,}, not {self.samples:,}.")
        if not self.methods:
            raise UsageError("No method is named.", hint=f"Name some of: {', '.join(Method)}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How one method did in one variant: averages over all samples."""

    JSON: ClassVar = (
        "variant method recall_at_5=measures.recall_at_5.value recall_at_10=measures.recall_at_10.value "
        "mrr=measures.mrr.value intervals.recall_at_5=measures.recall_at_5.ends "
        "intervals.recall_at_10=measures.recall_at_10.ends intervals.mrr=measures.mrr.ends"
    )

    variant: Variant
    method: Method
    measures: Mapping[Measure, Interval]


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """How much better a method is than the baseline in one variant, by recall@10."""

    JSON: ClassVar = "variant method over measure *gain"

    variant: Variant
    method: Method
    gain: Gain
    over: Method = BASELINE
    measure: Measure = DECISIVE


@dataclass(frozen=True, slots=True, kw_only=True)
class Worth:
    """How much better the ranking is with a kind of evidence than without it in one variant."""

    JSON: ClassVar = "variant signal recall_at_10=recall mrr"

    variant: Variant
    signal: str
    recall: Gain
    mrr: Gain


def changes(before: Weights, after: Weights) -> dict[str, float]:
    """Return the numbers of `after` that differ, by name."""
    old = before.as_dict()
    return {name: value for name, value in after.as_dict().items() if value != old[name]}


@dataclass(frozen=True, slots=True, kw_only=True)
class Retried:
    """recall@10 of the weights in force and of those found, in one variant, and the gain."""

    JSON: ClassVar = "variant before after *gain"

    variant: Variant
    before: Interval
    after: Interval
    gain: Gain


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """The best weights found on the older samples, and how they do on the newer ones, which they were not chosen by.

    `before` are the weights in force, `recall` has recall@10 of both on the newer samples. `written` names the file
    that those found were stored in; it is empty where they were not.
    """

    JSON: ClassVar = "before after tried tuned_on judged_on recall_at_10=recall better=is_better written_to~=written"

    before: Weights
    after: Weights
    tried: int
    tuned_on: int
    judged_on: int
    recall: tuple[Retried, ...]
    overall: Gain
    written: str = ""

    @property
    def is_better(self) -> bool:
        """Whether the weights found beat those in force where they were not chosen."""
        return self.after != self.before and self.overall.points.value > 0

    @property
    def changes(self) -> dict[str, float]:
        """The numbers that differ, by name."""
        return changes(self.before, self.after)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayReport(Answer):
    """What a replay found.

    `commits` with a parent were looked at, `qualified` of them could be replayed, `cases` were. `is_shallow` says
    that history is cut off, `is_workspace` that the repository has a `.tx`. `worth` has the kinds of evidence that
    change anything.
    """

    JSON: ClassVar = (
        "sampled=cases.# qualified commits seed shallow=is_shallow results=rows gains=comparisons signals=worth tuning "
        "cases"
    )

    seed: int
    commits: int
    qualified: int
    is_shallow: bool
    is_workspace: bool
    cases: tuple[Case, ...]
    rows: tuple[Row, ...]
    comparisons: tuple[Comparison, ...]
    worth: tuple[Worth, ...] = ()
    tuning: Tuning | None = None

    def row(self, variant: Variant, method: Method) -> Row | None:
        """Return how a method did, None where it was not asked."""
        return next((one for one in self.rows if (one.variant, one.method) == (variant, method)), None)


RANKED = 10
"""Files that are asked for: what a person reads. A first target beyond counts as none for the reciprocal rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to answer: a method, and the weights of the ranking where they are not those in force."""

    method: Method
    weights: Weights | None = None


class State(Protocol):
    """The repository as it was at one commit, with everything that is known of it by then."""

    def rank(self, question: Question, way: Way, *, limit: int) -> Sequence[str]:
        """Return the files that the question is about, best first."""


class States(Protocol):
    """The repository's past, one state after the other."""

    def at(self, commit: str) -> AbstractContextManager[State]:
        """Return the state at a commit, open until the next one is asked for."""


OpenStates = Callable[[], AbstractContextManager[States]]
"""Makes room for the past, and takes it away again."""

Answers = Mapping[Way, Mapping[Variant, Sequence[Outcome]]]
"""What came of each way in each variant, one outcome for each case, in their order."""


def answers_of(states: States, cases: Iterable[Case], ways: Sequence[Way], *, tick: Callable[[], None]) -> Answers:
    """Return what comes of asking each case in all variants and ways; `tick` is called after each case.

    A case is asked at the parent of its commit: nothing of the commit, or of anything that is no ancestor of it, is
    there to be found.
    """
    answers: dict[Way, dict[Variant, list[Outcome]]] = {way: defaultdict(list) for way in ways}
    for case in cases:
        with states.at(case.changeset.parent) as state:
            for question in case.questions:
                for way in answers:
                    ranking = state.rank(question, way, limit=RANKED + len(question.open_files))
                    counted = [path for path in ranking if path not in question.open_files]
                    outcome = outcome_of(counted[:RANKED], targets=question.targets)
                    answers[way][question.variant].append(outcome)
        tick()
    return answers


def _scores(outcomes: Iterable[Outcome], measure: Measure = DECISIVE) -> list[float]:
    return [measure.of(outcome) for outcome in outcomes]


def _per_case(variants: Iterable[Sequence[Outcome]]) -> list[float]:
    return [mean(column) for column in zip(*map(_scores, variants), strict=True)]


_MOST_STEPS = 4  # numbers that are changed together at most: each further one rests on less and fits the samples more


class Tuned(NamedTuple):
    """What tuning found.

    `answers` are those of the ways that were asked for, on all cases; `newer` has those of the ranking on the
    newer half, with the weights in force and with the `best`. So many weights were `tried`.
    """

    answers: Answers
    newer: Answers
    best: Weights
    tried: int


def tuned(
    current: Weights,
    states: States,
    halves: tuple[Sequence[Case], Sequence[Case]],
    ways: Sequence[Way],
    *,
    tick: Callable[[], None],
) -> Tuned:
    """Return the weights that do best on the older half, beside those in force, `current`, on the newer one.

    One change is tried at a time, then the best ones together: the best two, the best three and so on, each of another
    number.
    """
    older, newer = halves
    singly = [_ranking(weights) for weights in dict.fromkeys([current, *current.candidates()])]
    answers = answers_of(states, older, [*ways, *singly], tick=tick)
    base = _per_case(answers[_ranking(current)].values())

    def gains_of(those: Sequence[Way]) -> dict[Weights, float]:
        return {way.weights: sure_gain(_per_case(answers[way].values()), base) for way in those if way.weights}

    gains = gains_of(singly)
    best: dict[str, float] = {}
    for weights in sorted(gains, key=lambda weights: -gains[weights]):
        if gains[weights] > 0:
            for name, value in changes(current, weights).items():
                best.setdefault(name, value)
    steps = [dict(list(best.items())[:count]) for count in range(2, min(len(best), _MOST_STEPS) + 1)]
    together = [_ranking(replace(current, **step)) for step in steps]
    answers = {**answers, **(answers_of(states, older, together, tick=tick) if together else {})}
    gains |= gains_of(together)
    winner = max(gains, key=lambda weights: gains[weights])  # of equals the first: the weights in force
    last = answers_of(states, newer, [*ways, *map(_ranking, dict.fromkeys([current, winner]))], tick=tick)
    asked = {
        way: {variant: [*outcomes, *last[way][variant]] for variant, outcomes in answers[way].items()} for way in ways
    }
    return Tuned(asked, last, winner, len(gains))


def _ranking(weights: Weights | None) -> Way:
    return Way(method=Method.RANKING, weights=weights)


def sure_gain(scored: Sequence[float], base: Sequence[float]) -> float:
    """Return by how much more the first scores on average, less one standard error, 0 where they are the same.

    The best of many is partly the luckiest; what helps many commits a little goes before what helps a few much.
    """
    gains = [one - other for one, other in zip(scored, base, strict=True)]
    return mean(gains) - stdev(gains) / len(gains) ** 0.5 if len(gains) > 1 else mean(gains)


_LEAST_TO_TUNE = 4  # samples without which there are no two halves with more than one sample each


class Replay:
    """Replays the history of a repository. `weights` are those in force; `is_workspace` says whether it has a `.tx`."""

    def __init__(
        self, *, repository: GitRepository, open_states: OpenStates, weights: Weights, is_workspace: bool, clock: Clock
    ) -> None:
        self._repository = repository
        self._open_states = open_states
        self._weights = weights
        self._is_workspace = is_workspace
        self._clock = clock

    def run(self, request: ReplayRequest, *, progress: Progress = no_progress) -> ReplayReport:
        """Return how well each method ranks files, over a sample of the commits reachable from HEAD."""
        history = list(read_changesets(self._repository))
        since = oldest_time(request.since, now=self._clock.now()) if request.since is not None else 0
        qualified = qualifying(history, since=since)
        if not qualified:
            limits = f"{LEAST_PATHS} to {MOST_PATHS} paths, at least {LEAST_TARGETS} of them files that existed before"
            since_then = f" since {request.since}" if request.since is not None else ""
            raise RepositoryError(
                f"The history is too thin to be replayed: no commit qualifies{since_then}.",
                hint=f"A commit qualifies that is no merge, not among the first fifth, and changed {limits}.",
            )
        cases = cases_of(
            qualified,
            count=request.samples,
            chance=_chance(request.seed),
            chance_of=lambda sha: _chance(f"{request.seed}:{sha}"),
        )
        if request.tune and len(cases) < _LEAST_TO_TUNE:
            raise RepositoryError(
                f"The history is too thin to tune weights on one half of it: {len(cases)} commits are replayed.",
                hint=f"At least {_LEAST_TO_TUNE} are needed.",
            )
        ways, older, newer = [Way(method=method) for method in request.methods], list[Case](), list[Case]()
        without: dict[str, Way] = {}
        if request.signals:
            names = [name for name, value in self._weights.as_dict().items() if value]
            without = {name: _ranking(replace(self._weights, **{name: 0.0})) for name in names}
            ways += without.values()
        total, done = len(cases), count(1)
        if request.tune:
            older, newer = map(list, halves(cases))
            total += len(older)

        def tick() -> None:
            progress(next(done), total)

        tuning = None
        with self._open_states() as states:
            if request.tune:
                found = tuned(self._weights, states, (older, newer), ways, tick=tick)
                answers = found.answers
                tuning = self._judged(found, resamples(len(newer), chance=_chance(request.seed)), tuned_on=len(older))
            else:
                answers = answers_of(states, cases, ways, tick=tick)
        samples = resamples(len(cases), chance=_chance(request.seed))
        base, ranked = answers.get(Way(method=BASELINE), {}), answers.get(Way(method=Method.RANKING), {})

        def worth(variant: Variant, way: Way, measure: Measure) -> Gain:
            return gain(_scores(ranked[variant], measure), _scores(answers[way][variant], measure), samples)

        return ReplayReport(
            seed=request.seed,
            commits=len(history),
            qualified=len(qualified),
            is_shallow=self._repository.is_shallow(),
            is_workspace=self._is_workspace,
            cases=tuple(cases),
            rows=tuple(
                Row(
                    variant=variant,
                    method=way.method,
                    measures={measure: mean_interval(_scores(by[variant], measure), samples) for measure in Measure},
                )
                for variant in Variant
                for way, by in answers.items()
                if way.weights is None
            ),
            comparisons=tuple(
                Comparison(
                    variant=variant,
                    method=way.method,
                    gain=gain(_scores(by[variant]), _scores(base[variant]), samples),
                )
                for variant in base
                for way, by in answers.items()
                if way.method is not BASELINE and way.weights is None
            ),
            worth=tuple(
                Worth(
                    variant=variant,
                    signal=name,
                    recall=worth(variant, way, DECISIVE),
                    mrr=worth(variant, way, Measure.MRR),
                )
                for variant in ranked
                for name, way in without.items()
                if answers[way][variant] != ranked[variant]
            ),
            tuning=tuning,
        )

    def _judged(self, found: Tuned, samples: Resamples, *, tuned_on: int) -> Tuning:
        """Return how the weights that were found do beside those in force, on cases that they were not chosen by."""
        before, after = found.newer[_ranking(self._weights)], found.newer[_ranking(found.best)]
        recall = []
        for variant in before:
            old, new = _scores(before[variant]), _scores(after[variant])
            recall.append(
                Retried(
                    variant=variant,
                    before=mean_interval(old, samples),
                    after=mean_interval(new, samples),
                    gain=gain(new, old, samples),
                )
            )
        return Tuning(
            before=self._weights,
            after=found.best,
            tried=found.tried,
            tuned_on=tuned_on,
            judged_on=len(samples[0]),
            recall=tuple(recall),
            overall=gain(_per_case(after.values()), _per_case(before.values()), samples),
        )


def _chance(seed: int | str) -> Chance:
    return Random(seed).randrange  # noqa: S311 - samples, not secrets
