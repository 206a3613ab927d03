"""A history with something to learn from, and a past made up where only the rules around it are in question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from tests.git_sandbox import GitSandbox
from tx_graph.context.ranking_evidence import Method
from tx_graph.context.replay import State, Way
from tx_graph.core.settings import Weights
from tx_graph.history.sampling import Question, Variant

TOPICS = ("login", "cache", "index", "report")


def write_history(git: GitSandbox, *, rounds: int = 4) -> list[str]:
    """Commit to each topic's two files in turn, in words that tell the topic; return the commits' names."""
    for topic in TOPICS:
        git.write(f"src/{topic}.py", text=f"def {topic}():\n    return 0\n")
        git.write(f"tests/test_{topic}.py", text=f"from src.{topic} import {topic}\n")
    commits = [git.commit(message="Begin")]
    for number in range(rounds):
        for topic in TOPICS:
            message = f"Mend the {topic}, part {number}"
            commits.append(git.commit(f"src/{topic}.py", f"tests/test_{topic}.py", message=message))
    return commits


class FakeState:
    """Finds both files of a topic, or what the weights of the ranking let it find."""

    def rank(self, question: Question, way: Way, *, limit: int) -> Sequence[str]:
        """Without weights: `bm25` nothing, `sum` the source, all others the test as well."""
        topic = next(topic for topic in TOPICS if topic in question.text)
        both = [f"src/{topic}.py", f"tests/test_{topic}.py"]
        if way.method is Method.BM25:
            return []
        if way.method is Method.SUM:
            return both[:1] if question.variant is Variant.WORDS else []
        if way.weights is not None and way.weights.words >= 1:
            return both
        return both if way.method is not Method.RANKING else both[:1]


class FakeStates:
    """Notes which commits were gone to; at each it is `state`."""

    def __init__(self, state: State | None = None) -> None:
        self._state = state or FakeState()
        self.visited: list[str] = []
        self.closed = 0

    @contextmanager
    def opened(self) -> Iterator[FakeStates]:
        """Stand in for a replica."""
        try:
            yield self
        finally:
            self.closed += 1

    @contextmanager
    def at(self, commit: str) -> Iterator[State]:
        self.visited.append(commit)
        yield self._state


CURRENT = Weights(words=0.5)
"""Weights with which the made-up ranking misses what it finds when the words count twice as much."""
