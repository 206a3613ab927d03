"""What a replay asks, counts and says; the past is made up here, history is real."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.context.replay.past import CURRENT, FakeStates, write_history
from tests.fakes import FixedClock
from tests.git_sandbox import GitSandbox
from tx_graph.context.ranking_evidence import Method
from tx_graph.context.replay import Replay, ReplayReport, ReplayRequest
from tx_graph.core.errors import RepositoryError, UsageError
from tx_graph.core.repository import GitRepository
from tx_graph.history.sampling import Effect, Measure, Variant


@pytest.fixture
def git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    return GitSandbox(tmp_path / "repo", monkeypatch)


@pytest.fixture
def states() -> FakeStates:
    return FakeStates()


@pytest.fixture
def replay(git: GitSandbox, states: FakeStates) -> Replay:
    return Replay(
        repository=GitRepository(git.root),
        open_states=states.opened,
        weights=CURRENT,
        is_workspace=True,
        clock=FixedClock(),
    )


def recall(report: ReplayReport, variant: Variant, method: Method) -> float:
    row = report.row(variant, method)
    assert row is not None
    return row.measures[Measure.RECALL_AT_10].value


def test_each_sampled_commit_is_asked_about_at_its_parent_oldest_first(
    git: GitSandbox, replay: Replay, states: FakeStates
) -> None:
    commits = write_history(git)
    report = replay.run(ReplayRequest())
    parents = [case.changeset.parent for case in report.cases]
    assert states.visited == parents == commits[3:-1]
    assert states.closed == 1


def test_the_report_counts_what_it_looked_at(git: GitSandbox, replay: Replay) -> None:
    commits = write_history(git)
    report = replay.run(ReplayRequest(samples=5))
    assert len(report.cases) == 5
    assert report.commits == len(commits) - 1
    assert report.qualified == len(commits) - 4
    assert not report.is_shallow


def test_every_method_is_measured_in_both_variants(git: GitSandbox, replay: Replay) -> None:
    write_history(git)
    report = replay.run(ReplayRequest())
    assert [(row.variant, row.method) for row in report.rows] == [
        (variant, method) for variant in Variant for method in Method
    ]
    assert recall(report, Variant.WORDS, Method.BM25) == 0
    assert recall(report, Variant.WORDS, Method.FUSION) == 0.5
    assert recall(report, Variant.WORDS, Method.IMPORTS) == 1


def test_signals_are_held_against_fusion(git: GitSandbox, replay: Replay) -> None:
    write_history(git)
    found = {(one.variant, one.method): one.gain for one in replay.run(ReplayRequest()).comparisons}
    assert {method for _, method in found} == {*Method} - {Method.BM25, Method.FUSION}
    helps = found[Variant.WORDS, Method.IMPORTS]
    assert (helps.effect, helps.relative and helps.relative.value) == (Effect.HELPS, 1.0)
    assert found[Variant.WORDS, Method.SPREAD].effect is Effect.UNCLEAR
    assert found[Variant.OPEN_FILE, Method.IMPORTS].relative is None


def test_without_fusion_nothing_is_compared(git: GitSandbox, replay: Replay) -> None:
    write_history(git)
    report = replay.run(ReplayRequest(methods=(Method.SPREAD,)))
    assert report.comparisons == ()
    assert [row.method for row in report.rows] == [Method.SPREAD, Method.SPREAD]


def test_a_replay_depends_on_its_seed_alone(git: GitSandbox, replay: Replay) -> None:
    write_history(git)
    first, again, other = (replay.run(ReplayRequest(samples=6, seed=seed)) for seed in (1, 1, 2))
    assert first == again
    assert first.cases != other.cases


def test_progress_ends_with_the_last_commit(git: GitSandbox, replay: Replay) -> None:
    write_history(git)
    seen: list[tuple[int, int | None]] = []
    replay.run(ReplayRequest(samples=3), progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_only_commits_since_a_date_are_replayed(git: GitSandbox, replay: Replay) -> None:
    commits = write_history(git)
    report = replay.run(ReplayRequest(since="2024-01-16T00:00:00Z"))
    assert [case.changeset.sha for case in report.cases] == commits[15:]


def test_a_date_that_cannot_be_read_is_refused_before_anything_is_made(
    git: GitSandbox, replay: Replay, states: FakeStates
) -> None:
    write_history(git)
    with pytest.raises(UsageError, match="as a date"):
        replay.run(ReplayRequest(since="when it was green"))
    assert states.closed == 0


@pytest.mark.parametrize("files", [(), ("a",)])
def test_a_history_without_work_in_it_is_too_thin(git: GitSandbox, replay: Replay, files: tuple[str, ...]) -> None:
    if files:
        git.commit(*files)
    with pytest.raises(RepositoryError, match="too thin to be replayed: no commit qualifies"):
        replay.run(ReplayRequest())


def test_a_date_after_the_last_commit_leaves_nothing_and_is_named(git: GitSandbox, replay: Replay) -> None:
    write_history(git)
    with pytest.raises(RepositoryError, match="no commit qualifies since 2030-01-01"):
        replay.run(ReplayRequest(since="2030-01-01"))


def test_the_place_is_taken_away_when_something_fails(git: GitSandbox, replay: Replay, states: FakeStates) -> None:
    write_history(git)

    def interrupt(done: int, total: int | None) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replay.run(ReplayRequest(), progress=interrupt)
    assert states.closed == 1


@pytest.mark.parametrize("samples", [0, -1, 100_001])
def test_a_number_of_samples_that_makes_no_sense_is_refused(samples: int) -> None:
    with pytest.raises(UsageError, match="number of samples"):
        ReplayRequest(samples=samples)


def test_weights_are_found_on_the_older_half_and_judged_on_the_newer_one(
    git: GitSandbox, replay: Replay, states: FakeStates
) -> None:
    write_history(git)
    report = replay.run(ReplayRequest(tune=True))
    tuning = report.tuning
    assert tuning is not None
    assert tuning.changes == {"words": 1.0}
    assert (tuning.tuned_on, tuning.judged_on) == (6, 7)
    before, after, gained = tuning.recall[Variant.WORDS]
    assert (before.value, after.value, gained.effect) == (0.5, 1.0, Effect.HELPS)
    assert tuning.is_better
    assert states.visited == [case.changeset.parent for case in report.cases]


def test_methods_are_measured_on_all_samples_also_when_tuning(git: GitSandbox, replay: Replay) -> None:
    write_history(git)
    plain, tuned = replay.run(ReplayRequest()), replay.run(ReplayRequest(tune=True))
    assert plain.rows == tuned.rows
    assert plain.cases == tuned.cases


def test_weights_that_cannot_be_bettered_stay(git: GitSandbox, states: FakeStates) -> None:
    write_history(git)
    replay = Replay(
        repository=GitRepository(git.root),
        open_states=states.opened,
        weights=CURRENT.__class__(words=3.0),
        is_workspace=True,
        clock=FixedClock(),
    )
    tuning = replay.run(ReplayRequest(tune=True)).tuning
    assert tuning is not None
    assert tuning.after == tuning.before
    assert not tuning.is_better


def test_too_few_commits_have_no_two_halves(git: GitSandbox, replay: Replay) -> None:
    write_history(git)
    with pytest.raises(RepositoryError, match="too thin to tune"):
        replay.run(ReplayRequest(samples=3, tune=True))
