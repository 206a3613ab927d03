"""Asks the repository, as it was before each sampled commit, which files the commit is about to change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from tx_graph.analysis.replay.measures import Measure, Outcome, outcome_of
from tx_graph.analysis.replay.sampling import Case, Question, Variant
from tx_graph.retrieval.weights import Weights
from tx_graph.services.file_ranking.values import Method

RANKED = 10
"""Files that are asked for: what a person reads. A first target beyond counts as none for the reciprocal rank."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to answer: a method, and the weights of its walk where they are not those in force."""

    method: Method
    weights: Weights | None = None


class State(Protocol):
    """The repository as it was at one commit, with everything that is known of it by then."""

    def rank(self, question: Question, way: Way, *, limit: int) -> Sequence[str]:
        """Return the files that the question is about, best first."""


class States(Protocol):
    """The repository's past, one state after the other."""

    def at(self, commit: str) -> AbstractContextManager[State]:
        """Return the state at a commit, open until the next one is asked for.

        Raises:
            RepositoryError: Git fails.
        """


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
                for way in ways:
                    answers[way][question.variant].append(_outcome(state, question, way))
        tick()
    return answers


def joined(first: Answers, second: Answers) -> Answers:
    """Return the outcomes of the cases of both, for the ways that both have."""
    return {
        way: {variant: [*outcomes, *second[way][variant]] for variant, outcomes in by_variant.items()}
        for way, by_variant in first.items()
        if way in second
    }


def scores(outcomes: Iterable[Outcome], measure: Measure) -> list[float]:
    """Return what each answer scores."""
    return [measure.of(outcome) for outcome in outcomes]


def _outcome(state: State, question: Question, way: Way) -> Outcome:
    ranking = state.rank(question, way, limit=RANKED + len(question.open_files))
    counted = [path for path in ranking if path not in question.open_files]
    return outcome_of(counted[:RANKED], targets=question.targets)
