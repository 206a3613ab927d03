"""Runs: how they end, what was shown in them, and votes that count exactly once."""

from __future__ import annotations

import json
from datetime import timedelta
from random import Random

import pytest

from scripts.opened import Workspace
from tests.support import Project
from tx_graph.core.errors import NotFound, StorageError, TxError, UsageError
from tx_graph.graph.edges import EdgeType
from tx_graph.graph.fuse import feedback
from tx_graph.learnings.learnings import Draft
from tx_graph.records.learning import SourceType, StoredLearning
from tx_graph.work.references import WorkReferences
from tx_graph.work.runs import record_shown
from tx_graph.work.store import RunStore
from tx_graph.work.values import Outcome, Run


def learning(workspace: Workspace, ref: str) -> StoredLearning:
    return workspace.learnings.get(ref)


def score(workspace: Workspace, ref: str) -> float:
    usage = learning(workspace, ref).usage
    return feedback(helpful=usage.helpful, used=usage.count)


def votes(workspace: Workspace, run: str) -> dict[int, bool | None]:
    return {one.stored.id: one.use.helpful for one in workspace.runs.show(run).used}


def run_of(workspace: Workspace, name: str = "1") -> Run:
    return workspace.kernel.one(WorkReferences).run(name)


def finish(workspace: Workspace, outcome: Outcome, transcript: str | None = None, *, again: bool = False) -> bool:
    ended = workspace.runs.finish("1", outcome, transcript=transcript, again=again)
    assert ended.run.outcome is outcome
    return ended.existed


def test_a_run_has_its_task_and_its_agent(bank: Workspace) -> None:
    task = bank.tasks.add("Repair", external_id="GH-1")
    run = bank.runs.start(task="gh-1", agent=" claude ")
    assert (run.ref, run.task, run.agent, run.is_finished) == ("run:1", task, "claude", False)
    for name in ("1", "run:1", " 1 "):
        assert run_of(bank, name) == run


@pytest.mark.parametrize("name", ["7", "run:7", "9" * 40, "last", "GH-1"])
def test_an_unknown_run_lists_the_nearest(bank: Workspace, name: str) -> None:
    bank.runs.start(task=bank.tasks.add("Repair").ref)
    with pytest.raises(NotFound, match="There is no run") as error:
        run_of(bank, name)
    assert error.value.candidates == ("1 running, for task 1 Repair",)
    with pytest.raises(NotFound, match="'task:1' is not a run"):
        run_of(bank, "task:1")


@pytest.mark.parametrize(("task", "agent"), [("7", None), (None, " "), (None, "a\nb")])
def test_a_run_that_cannot_start_leaves_nothing(bank: Workspace, task: str | None, agent: str | None) -> None:
    with pytest.raises(TxError):
        bank.runs.start(task=task, agent=agent)
    assert bank.runs.list(limit=9) == ()


def test_a_run_ends_once(bank: Workspace, project: Project) -> None:
    bank.runs.start()
    project.clock.pass_by(timedelta(minutes=5))
    assert not finish(bank, Outcome.FAILED, "what was said")
    ended = run_of(bank)
    assert (ended.finished_at, ended.transcript_bytes) == ("2026-11-20T12:05:00Z", 13)
    assert finish(bank, Outcome.FAILED)
    for outcome, transcript in ((Outcome.SUCCEEDED, None), (Outcome.FAILED, "else")):
        with pytest.raises(UsageError, match="has failed already") as error:
            finish(bank, outcome, transcript)
        assert "--again" in error.value.hint
    assert run_of(bank) == ended


def test_only_with_again_the_end_is_replaced_and_an_empty_transcript_is_none(bank: Workspace) -> None:
    bank.runs.start()
    finish(bank, Outcome.CANCELLED, "")
    assert (bank.runs.transcript("1"), run_of(bank).transcript_bytes) == (None, None)
    for outcome, given, kept in ((Outcome.FAILED, "one", "one"), (Outcome.SUCCEEDED, None, "one")):
        assert not finish(bank, outcome, given, again=True)
        assert bank.runs.transcript("1") == kept
    assert not finish(bank, Outcome.SUCCEEDED, "two", again=True)
    assert bank.runs.transcript("1") == "two"


def test_what_was_shown_keeps_its_first_position(bank: Workspace) -> None:
    one, two, three = (learning(bank, ref).node for ref in "123")
    bank.runs.start()
    record_shown(bank.kernel, "1", [(two, 0.9), (one, 0.4), (two, 0.1)])
    record_shown(bank.kernel, "run:1", [(one, 0.8), (three, 1.5)])
    record_shown(bank.kernel, "1", [])
    shown = [(one.stored.id, one.use.position, one.use.score, one.use.times) for one in bank.runs.show("1").used]
    assert shown == [(2, 1, 0.9, 1), (1, 2, 0.4, 2), (3, 2, 1.0, 1)]
    with pytest.raises(StorageError), bank.kernel.database.transaction():  # nobody stores a score beyond [0, 1]
        RunStore(bank.kernel.database).show(1, [(one, 1.5)], now="")


def test_nothing_is_shown_in_a_run_that_is_over_or_was_never_there_and_what_is_shown_is_no_vote(
    bank: Workspace,
) -> None:
    node = learning(bank, "1").node
    with pytest.raises(NotFound):
        record_shown(bank.kernel, "1", [(node, 1.0)])
    bank.runs.start()
    record_shown(bank.kernel, "1", [(node, 1.0)])
    assert (score(bank, "1"), learning(bank, "1").usage.last_used_at) == (0.5, None)
    finish(bank, Outcome.SUCCEEDED)
    with pytest.raises(UsageError, match="is finished"):
        record_shown(bank.kernel, "1", [(node, 1.0)])


def test_a_later_vote_replaces_the_one_there_was(bank: Workspace) -> None:
    bank.runs.start()
    expected = [(True, None, 2 / 3), (True, True, 2 / 3), (False, True, 1 / 3), (True, False, 2 / 3)]
    for helpful, previous, counted in expected:
        given = bank.runs.feedback("1", helpful=["1"] * helpful, unhelpful=["1"] * (not helpful))
        [vote] = given.votes
        assert (vote.helpful, vote.previous) == (helpful, previous)
        assert score(bank, "1") == counted
        assert vote.stored == learning(bank, "1")


def test_votes_with_and_without_a_run_add_up(bank: Workspace) -> None:
    bank.runs.start()
    bank.learnings.helpful("1", score=0.5)
    bank.runs.feedback("1", helpful=["1"])
    bank.learnings.helpful("1", score=1.0)
    bank.runs.feedback("1", unhelpful=["1"])
    assert score(bank, "1") == (1.5 + 1) / (3 + 2)


def test_a_vote_is_an_edge_that_knows_its_position(bank: Workspace) -> None:
    bank.runs.start()
    record_shown(bank.kernel, "1", [(learning(bank, "3").node, 0.7), (learning(bank, "1").node, 0.6)])
    given = bank.runs.feedback("1", helpful=["1", "2"], unhelpful=["3"])
    expected = [(1, True, 2), (2, True, None), (3, False, 1)]
    assert [(vote.stored.id, vote.helpful, vote.position) for vote in given.votes] == expected
    steps = {step.target: step for step in bank.graph.show("run:1").steps}
    weights = {"learning:1": 1.0, "learning:2": 1.0, "learning:3": 0.0}
    assert {ref: step.weight for ref, step in steps.items()} == weights
    assert {(step.type, step.forward) for step in steps.values()} == {(EdgeType.USED_IN_RUN, False)}
    metadata = bank._database.rows("SELECT metadata FROM learning_edges ORDER BY source")
    told = [{"position": position, "helpful": helpful} for _, helpful, position in expected]
    assert [json.loads(text) for (text,) in metadata] == told


@pytest.mark.parametrize(("helpful", "unhelpful", "error"), [
    (["1", "99"], [], NotFound), (["1"], ["2", "zzzz"], NotFound), (["1"], ["1"], UsageError),
    (["2", "1"], ["learning:1"], UsageError), ([], [], UsageError), (["src/a.py"], [], NotFound),
])  # fmt: skip
def test_feedback_counts_wholly_or_not_at_all(
    bank: Workspace, helpful: list[str], unhelpful: list[str], error: type[TxError]
) -> None:
    bank.runs.start()
    with pytest.raises(error):
        bank.runs.feedback("1", helpful=helpful, unhelpful=unhelpful)
    assert votes(bank, "1") == {}
    assert [learning(bank, ref).usage.count for ref in "123"] == [0, 0, 0]


def test_feedback_needs_a_run_and_comes_after_its_end_too_a_learning_named_twice_once(bank: Workspace) -> None:
    uid = learning(bank, "1").learning.uid
    with pytest.raises(NotFound, match="There is no run '1'"):
        bank.runs.feedback("1", helpful=["1"])
    bank.runs.start()
    finish(bank, Outcome.SUCCEEDED)
    assert len(bank.runs.feedback("1", helpful=["1", "learning:1", uid]).votes) == 1
    assert (votes(bank, "1"), learning(bank, "1").usage.count) == ({1: True}, 1)


@pytest.mark.parametrize("seed", range(5))
def test_counters_are_always_what_the_last_votes_say(bank: Workspace, seed: int) -> None:
    random = Random(seed)
    last: dict[tuple[str, str], bool] = {}
    for _ in range(3):
        bank.runs.start()
    for _ in range(30):
        run, ref, helpful = random.choice("123"), random.choice("123"), random.random() < 0.5
        bank.runs.feedback(run, helpful=[ref] * helpful, unhelpful=[ref] * (not helpful))
        last[run, ref] = helpful
    for ref in "123":
        cast = [helpful for (_, voted), helpful in last.items() if voted == ref]
        assert score(bank, ref) == feedback(helpful=sum(cast), used=len(cast))
    for run in "123":
        assert votes(bank, run) == {int(ref): helpful for (one, ref), helpful in last.items() if one == run}


def test_a_learning_from_a_run_says_so_in_its_record(bank: Workspace, project: Project) -> None:
    run = bank.runs.start()
    draft = Draft(content="Learned", source_type=SourceType.RUN, source_ref=run.ref, derived_from=run.node)
    stored = bank.learnings.add_draft(draft).stored
    record = (project.root / ".tx" / "learnings" / stored.record).read_text(encoding="utf-8")
    assert "run:1" in record
    assert [one.id for one in bank.runs.show("1").derived] == [stored.id]
    bank.learnings.remove(str(stored.id))
    assert bank.runs.show("1").derived == ()


def test_votes_leave_when_the_record_does_and_return_with_it(bank: Workspace, project: Project) -> None:
    bank.runs.start()
    bank.runs.feedback("1", helpful=["1"])
    record = project.root / ".tx" / "learnings" / learning(bank, "1").record
    text = record.read_text(encoding="utf-8")
    record.unlink()
    with project.open() as workspace:
        assert votes(workspace, "1") == {}
    record.write_text(text, encoding="utf-8")
    with project.open() as workspace:
        assert votes(workspace, "1") == {1: True}
        assert score(workspace, "1") == 2 / 3


def test_runs_that_touched_a_learning_come_newest_first(bank: Workspace) -> None:
    one, two = (learning(bank, ref).node for ref in "12")
    runs = [bank.runs.start() for _ in range(4)]
    record_shown(bank.kernel, "1", [(one, 1.0)])
    bank.runs.feedback("2", unhelpful=["1"])
    bank.learnings.add_draft(Draft(content="One", derived_from=runs[2].node))
    record_shown(bank.kernel, "4", [(two, 1.0)])
    asked = [([one], 9), ([one], 1), ([], 9)]
    found = [RunStore(bank.kernel.database).touching(nodes, limit=limit) for nodes, limit in asked]
    assert [[run.id for run in several] for several in found] == [[3, 2, 1], [3], []]


def test_runs_are_listed_by_task(bank: Workspace) -> None:
    bank.tasks.add("One", external_id="GH-1")
    bank.runs.start(task="1")
    bank.runs.start()
    assert [run.id for run in bank.runs.list(limit=9)] == [2, 1]
    assert [run.id for run in bank.runs.list(task="GH-1", limit=9)] == [1]
    with pytest.raises(NotFound):
        bank.runs.list(task="GH-2", limit=9)
    with pytest.raises(UsageError):
        bank.runs.list(limit=0)
