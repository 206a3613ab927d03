"""Replays a repository's own history: what would have been answered before each of a sample of its commits."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from tx_graph.analysis.replay.bootstrap import Resamples, gain, mean_interval, resamples
from tx_graph.analysis.replay.chance import Chance
from tx_graph.analysis.replay.measures import Measure
from tx_graph.analysis.replay.sampling import (
    LEAST_PATHS,
    LEAST_TARGETS,
    MOST_PATHS,
    Case,
    Variant,
    cases_of,
    halves,
    qualifying,
)
from tx_graph.codebase.changesets import read_changesets
from tx_graph.codebase.history import oldest_time
from tx_graph.codebase.repository import GitRepository
from tx_graph.domain.changeset import Changeset
from tx_graph.errors import RepositoryError
from tx_graph.ports import Clock, Progress, no_progress
from tx_graph.retrieval.weights import Weights
from tx_graph.services.file_ranking.values import Method
from tx_graph.services.replay.asking import Answers, OpenStates, States, Way, answers_of, scores
from tx_graph.services.replay.tuning import Tuner, judged
from tx_graph.services.replay.values import BASELINE, DECISIVE, Comparison, ReplayReport, ReplayRequest, Row, Tuning

_LEAST_TO_TUNE = 4
"""Samples without which there are no two halves with more than one sample each."""


class _Found(NamedTuple):
    answers: Answers
    tuning: Tuning | None = None


class Replay:
    """Replays the history of a repository. `weights` are those in force; `is_workspace` says whether it has a `.tx`."""

    def __init__(
        self,
        *,
        repository: GitRepository,
        open_states: OpenStates,
        weights: Weights,
        is_workspace: bool,
        clock: Clock,
    ) -> None:
        self._repository = repository
        self._open_states = open_states
        self._weights = weights
        self._is_workspace = is_workspace
        self._clock = clock

    def run(self, request: ReplayRequest, *, progress: Progress = no_progress) -> ReplayReport:
        """Return how well each method ranks files, over a sample of the commits reachable from HEAD.

        Raises:
            UsageError: `since` cannot be understood.
            RepositoryError: Git fails, or no commit can be replayed.
        """
        history = list(read_changesets(self._repository))
        qualified = self._qualifying(history, request)
        cases = cases_of(qualified, count=request.samples, chance=_chance(request), chance_of=_chances(request))
        ticks = _Ticks(progress)
        with self._open_states() as states:
            found = self._asked(states, cases, request, ticks)
        samples = resamples(len(cases), chance=_chance(request))
        return ReplayReport(
            seed=request.seed,
            commits=len(history),
            qualified=len(qualified),
            is_shallow=self._repository.is_shallow(),
            is_workspace=self._is_workspace,
            cases=tuple(cases),
            rows=tuple(_rows(found.answers, samples)),
            comparisons=tuple(_comparisons(found.answers, samples)),
            tuning=found.tuning,
        )

    def _qualifying(self, history: Sequence[Changeset], request: ReplayRequest) -> list[Changeset]:
        since = oldest_time(request.since, now=self._clock.now()) if request.since is not None else 0
        qualified = qualifying(history, since=since)
        if not qualified:
            limits = f"{LEAST_PATHS} to {MOST_PATHS} paths, at least {LEAST_TARGETS} of them files that existed before"
            since_then = f" since {request.since}" if request.since is not None else ""
            raise RepositoryError(
                f"The history is too thin to be replayed: no commit qualifies{since_then}.",
                hint=f"A commit qualifies that is no merge, not among the first fifth, and changed {limits}.",
            )
        return qualified

    def _asked(self, states: States, cases: Sequence[Case], request: ReplayRequest, ticks: _Ticks) -> _Found:
        ways = [Way(method=method) for method in request.methods]
        if not request.tune:
            ticks.total = len(cases)
            return _Found(answers_of(states, cases, ways, tick=ticks))
        if len(cases) < _LEAST_TO_TUNE:
            raise RepositoryError(
                f"The history is too thin to tune weights on one half of it: {len(cases)} commits are replayed.",
                hint=f"At least {_LEAST_TO_TUNE} are needed.",
            )
        older, newer = halves(cases)
        ticks.total = 2 * len(older) + len(newer)
        tuned = Tuner(self._weights).tuned(states, (older, newer), ways, tick=ticks)
        samples = resamples(len(newer), chance=_chance(request))
        return _Found(tuned.answers, judged(self._weights, tuned, samples, tuned_on=len(older)))


class _Ticks:
    """Counts cases for whoever waits."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._done = 0
        self.total = 0

    def __call__(self) -> None:
        self._done += 1
        self._progress(self._done, self.total)


def _rows(answers: Answers, samples: Resamples) -> list[Row]:
    return [
        Row(
            variant=variant,
            method=way.method,
            measures={measure: mean_interval(scores(by[variant], measure), samples) for measure in Measure},
        )
        for variant in Variant
        for way, by in answers.items()
    ]


def _comparisons(answers: Answers, samples: Resamples) -> list[Comparison]:
    """Return what each signal is worth, where the baseline was asked too."""
    base = answers.get(Way(method=BASELINE), {})
    return [
        Comparison(
            variant=variant,
            method=way.method,
            gain=gain(scores(by[variant], DECISIVE), scores(base[variant], DECISIVE), samples),
        )
        for variant in base
        for way, by in answers.items()
        if way.method not in (Method.BM25, BASELINE)
    ]


def _chance(request: ReplayRequest) -> Chance:
    return Random(request.seed).randrange  # noqa: S311 - samples, not secrets


def _chances(request: ReplayRequest) -> Callable[[str], Chance]:
    return lambda sha: Random(f"{request.seed}:{sha}").randrange  # noqa: S311 - samples, not secrets
