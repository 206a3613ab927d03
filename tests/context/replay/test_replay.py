"""What a replay asks, counts and says; the past is made up here, history is real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from tests.context.replay.past import CURRENT, FakeStates, write_history
from tests.fakes import FixedClock
from tests.git_sandbox import GitSandbox
from tx_graph.context.ranking_evidence import Method
from tx_graph.context.replay import Replay, ReplayRequest, Way
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.repository import GitRepository
from tx_graph.core.settings import Weights
from tx_graph.faces.cli.render import bench
from tx_graph.history.sampling import Effect, Measure, Question, Variant


@pytest.fixture
def commits(git: GitSandbox) -> list[str]:
    return write_history(git)


@pytest.fixture
def states() -> FakeStates:
    return FakeStates()


def replayed(git: GitSandbox, states: FakeStates, weights: Weights = CURRENT) -> Replay:
    return Replay(
        repository=GitRepository(git.root),
        open_states=states.opened,
        weights=weights,
        is_workspace=True,
        clock=FixedClock(),
    )


@pytest.fixture
def replay(git: GitSandbox, commits: list[str], states: FakeStates) -> Replay:
    return replayed(git, states)


def test_each_sampled_commit_is_asked_about_at_its_parent_oldest_first_and_counted(
    commits: list[str], replay: Replay, states: FakeStates
) -> None:
    report = replay.run(ReplayRequest())
    assert states.visited == [case.changeset.parent for case in report.cases] == commits[3:-1]
    assert states.closed == 1
    late = replay.run(ReplayRequest(since="2024-01-16T00:00:00Z"))
    assert [case.changeset.sha for case in late.cases] == commits[15:]
    seen: list[tuple[int, int | None]] = []
    few = replay.run(ReplayRequest(samples=3), progress=lambda done, total: seen.append((done, total)))
    assert (len(few.cases), few.commits, few.qualified, few.is_shallow) == (
        3,
        len(commits) - 1,
        len(commits) - 4,
        False,
    )
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_every_method_is_measured_in_both_variants_and_held_against_the_plain_sum(replay: Replay) -> None:
    report = replay.run(ReplayRequest())
    rows = {(row.variant, row.method): row.measures[Measure.RECALL_AT_10].value for row in report.rows}
    assert list(rows) == [(variant, method) for variant in Variant for method in Method]
    assert [rows[Variant.WORDS, method] for method in (Method.BM25, Method.SUM, Method.IMPORTS)] == [0, 0.5, 1]
    found = {(one.variant, one.method): one.gain for one in report.comparisons}
    assert {method for _, method in found} == {*Method} - {Method.SUM}
    helps = found[Variant.WORDS, Method.IMPORTS]
    assert (helps.effect, helps.relative and helps.relative.value) == (Effect.HELPS, 1.0)
    assert found[Variant.WORDS, Method.RANKING].effect is Effect.UNCLEAR
    assert found[Variant.OPEN_FILE, Method.IMPORTS].relative is None
    alone = replay.run(ReplayRequest(methods=(Method.RANKING,)))
    assert (alone.comparisons, [row.method for row in alone.rows]) == ((), [Method.RANKING, Method.RANKING])


def test_a_signal_is_worth_what_the_ranking_loses_without_it(
    git: GitSandbox, commits: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    report = replayed(git, FakeStates(NeedsNames()), Weights()).run(
        ReplayRequest(methods=(Method.RANKING,), signals=True)
    )
    assert {one.signal for one in report.worth} == {"names"}
    assert {one.recall.points.value for one in report.worth} == {1.0}
    bench.report(report)
    told = capsys.readouterr().out.splitlines()[-2:]
    assert [line.split()[:4] for line in told] == [["names", "from", "words", "helps"], ["names", "with", "an", "open"]]
    assert told[0].endswith("+1.000 [+1.00, +1.00]  +1.000 [+1.00, +1.00]")
    signals = report.to_dict()["signals"]
    assert [(one["variant"], one["signal"]) for one in signals] == [("words", "names"), ("open_file", "names")]
    assert [row.method for row in report.rows] == [Method.RANKING, Method.RANKING]


class NeedsNames:
    """Finds everything as long as names count."""

    def rank(self, question: Question, way: Way, *, limit: int) -> Sequence[str]:
        return question.targets if way.weights is None or way.weights.names else []


def test_a_replay_depends_on_its_seed_alone(replay: Replay) -> None:
    first, again, other = (replay.run(ReplayRequest(samples=6, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first.cases != other.cases


@pytest.mark.parametrize(
    ("asked", "error", "said"),
    [
        ({"since": "when it was green"}, UsageError, "as a date"),
        ({"since": "2030-01-01"}, RepositoryError, "no commit qualifies since 2030-01-01"),
        ({"samples": 3, "tune": True}, RepositoryError, "too thin to tune"),
        *(({"samples": samples}, UsageError, "number of samples") for samples in (0, -1, 100_001)),
    ],
    ids=str,
)
def test_what_cannot_be_replayed_is_refused_before_anything_is_made(
    replay: Replay, states: FakeStates, asked: dict[str, Any], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        replay.run(ReplayRequest(**asked))
    assert (states.visited, states.closed) == ([], 0)


@pytest.mark.parametrize("files", [(), ("a",)])
def test_a_history_without_work_in_it_is_too_thin(git: GitSandbox, states: FakeStates, files: tuple[str, ...]) -> None:
    if files:
        git.commit(*files)
    with pytest.raises(RepositoryError, match="too thin to be replayed: no commit qualifies"):
        replayed(git, states).run(ReplayRequest())


def test_the_place_is_taken_away_when_something_fails(replay: Replay, states: FakeStates) -> None:
    def interrupt(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replay.run(ReplayRequest(), progress=interrupt)
    assert states.closed == 1


def test_weights_are_found_on_the_older_half_and_judged_on_the_newer_one_and_methods_on_all(
    replay: Replay, states: FakeStates
) -> None:
    plain = replay.run(ReplayRequest())
    states.visited.clear()
    report = replay.run(ReplayRequest(tune=True))
    assert (plain.rows, plain.cases) == (report.rows, report.cases)
    tuning = report.tuning
    assert tuning is not None
    assert tuning.changes == {"words": 1.0}
    assert (tuning.tuned_on, tuning.judged_on) == (6, 7)
    words = tuning.recall[0]
    assert (words.variant, words.before.value, words.after.value) == (Variant.WORDS, 0.5, 1.0)
    assert words.gain.effect is Effect.HELPS
    assert tuning.is_better
    assert states.visited == [case.changeset.parent for case in report.cases]


def test_weights_that_cannot_be_bettered_stay(git: GitSandbox, commits: list[str], states: FakeStates) -> None:
    tuning = replayed(git, states, Weights(words=3.0)).run(ReplayRequest(tune=True)).tuning
    assert tuning is not None
    assert tuning.after == tuning.before
    assert not tuning.is_better
