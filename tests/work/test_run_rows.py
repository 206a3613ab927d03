"""Runs as rows: first positions stay, one vote for each learning and run."""

from __future__ import annotations

import json

import pytest

from tests.fakes import learning, uid_of
from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.origin_store import ProvenanceStore
from tx_graph.work.store import RunStore, TaskStore
from tx_graph.work.values import Outcome, Run, Task, Use

NOW = "2026-11-20T12:00:00Z"
LATER = "2026-11-20T13:00:00Z"


@pytest.fixture
def nodes(database: Database) -> list[NodeId]:
    """Three learnings."""
    with database.transaction():
        for number in (1, 2, 3):
            LearningStore(database).save(learning(f"{number}", number=number), record=f"{number}.md", now=NOW)
    found = NodeStore(database).find(NodeKind.LEARNING, [uid_of(number) for number in (1, 2, 3)])
    return [found[uid_of(number)] for number in (1, 2, 3)]


def start(database: Database, *, task: Task | None = None) -> Run:
    with database.transaction():
        return RunStore(database).add(task=task, agent="tester", now=NOW)


def show(database: Database, run: Run, *shown: tuple[NodeId, float], now: str = NOW) -> int:
    with database.transaction():
        return RunStore(database).show(run.id, shown, now=now)


def vote(database: Database, run: Run, node: NodeId, *, helpful: bool) -> None:
    with database.transaction():
        RunStore(database).vote(run, Use(run=run.id, learning=node), helpful=helpful, now=NOW)


def test_a_run_comes_back_with_its_task(database: Database) -> None:
    with database.transaction():
        task = TaskStore(database).add("Repair", description="", external_id="GH-1", now=NOW)
    run = start(database, task=task)
    assert RunStore(database).by_number(run.id) == run
    assert RunStore(database).by_number(99) is None
    assert NodeStore(database).describe([run.node]) == {run.node: (NodeKind.RUN, "1")}


def test_runs_are_listed_newest_first_also_of_one_task(database: Database) -> None:
    with database.transaction():
        task = TaskStore(database).add("Repair", description="", external_id=None, now=NOW)
    first, second, third = start(database, task=task), start(database), start(database, task=task)
    assert RunStore(database).listed(limit=2) == [third, second]
    assert RunStore(database).listed(task=task.id, limit=9) == [third, first]


def test_a_finish_without_a_transcript_leaves_the_one_there_is(database: Database) -> None:
    run, store = start(database), RunStore(database)
    assert store.transcript(run.id) is None
    with database.transaction():
        store.finish(run.id, Outcome.FAILED, transcript="ü\n", now=NOW)
        store.finish(run.id, Outcome.SUCCEEDED, transcript=None, now=LATER)
    found = store.by_number(run.id)
    assert found is not None
    assert (found.outcome, found.finished_at, found.transcript_bytes) == (Outcome.SUCCEEDED, LATER, 3)
    assert store.transcript(run.id) == "ü\n"


def test_positions_count_from_one_and_the_first_showing_stays(database: Database, nodes: list[NodeId]) -> None:
    one, two, three = nodes
    run = start(database)
    assert show(database, run, (two, 0.9), (one, 0.5)) == 2
    assert show(database, run, (one, 1.0), (three, 0.8), now=LATER) == 1
    assert RunStore(database).uses([run.id]) == [
        Use(run=run.id, learning=two, position=1, score=0.9, times=1),
        Use(run=run.id, learning=one, position=2, score=0.5, times=2),
        Use(run=run.id, learning=three, position=2, score=0.8, times=1),
    ]


def test_a_score_outside_the_unit_interval_is_refused(database: Database, nodes: list[NodeId]) -> None:
    with pytest.raises(StorageError):
        show(database, start(database), (nodes[0], 1.5))


def test_a_vote_is_an_edge_and_a_later_one_replaces_it(database: Database, nodes: list[NodeId]) -> None:
    run = start(database)
    for helpful in (True, False):
        vote(database, run, nodes[0], helpful=helpful)
        [(source, target, weight, metadata)] = database.rows(
            "SELECT source, target, weight, metadata FROM learning_edges WHERE edge_type = 'USED_IN_RUN'"
        )
        assert (source, target, weight) == (nodes[0], run.node, float(helpful))
        assert json.loads(metadata) == {"position": None, "helpful": helpful}
        assert RunStore(database).uses([run.id]) == [Use(run=run.id, learning=nodes[0], helpful=helpful)]


def test_votes_of_an_absent_learning_wait_for_its_record(database: Database, nodes: list[NodeId]) -> None:
    run = start(database)
    vote(database, run, nodes[0], helpful=True)
    with database.transaction():
        LearningStore(database).mark_absent([uid_of(1)])
    assert RunStore(database).uses([run.id]) == []
    with database.transaction():
        LearningStore(database).save(learning("1", number=1), record="1.md", now=LATER)
    assert RunStore(database).uses([run.id]) == [Use(run=run.id, learning=nodes[0], helpful=True)]


def test_a_run_is_touched_by_what_was_shown_judged_or_made_in_it(database: Database, nodes: list[NodeId]) -> None:
    shown, judged, made, apart = (start(database) for _ in range(4))
    show(database, shown, (nodes[0], 1.0))
    vote(database, judged, nodes[0], helpful=False)
    with database.transaction():
        ProvenanceStore(database).derive(nodes[0], made.node, at=NOW)
    show(database, apart, (nodes[1], 1.0))
    store = RunStore(database)
    assert store.touching([nodes[0]], limit=9) == [made, judged, shown]
    assert store.touching([nodes[0]], limit=1) == [made]
    assert store.touching([], limit=9) == []
