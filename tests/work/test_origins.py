"""Where learnings come from: records that name a task or a commit lead to it, whichever came first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.fakes import learning, uid_of
from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.learning import SourceType
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.origin_store import ProvenanceStore
from tx_graph.work.store import TaskStore
from tx_graph.work.values import Task

NOW = "2026-11-20T12:00:00Z"


def add(database: Database, title: str = "Repair", *, name: str | None = None) -> Task:
    with database.transaction():
        return TaskStore(database).add(title, description="", external_id=name, now=NOW)


def derived(database: Database, task: Task) -> list[str]:
    found = ProvenanceStore(database).derived([task.node])
    return sorted(key for _, key in NodeStore(database).describe(found).values())


def save(database: Database, number: int, *, kind: SourceType = SourceType.TASK, ref: str = "GH-1") -> None:
    one = learning(f"Learning {number}", number=number, source_type=kind, source_ref=ref)
    with database.transaction():
        LearningStore(database).save(one, record=f"{number}.md", now=NOW)


def test_two_tasks_never_share_an_external_id(database: Database) -> None:
    task = add(database, "One", name="GH-1")
    assert NodeStore(database).describe([task.node]) == {task.node: (NodeKind.TASK, "1")}
    with pytest.raises(StorageError):
        add(database, "Two", name="gh-1")
    assert TaskStore(database).listed(None, limit=9) == [task]


def test_a_record_that_names_a_task_leads_to_it_whichever_came_first(database: Database) -> None:
    save(database, 1, ref="gh-1")
    task = add(database, name="GH-1")
    save(database, 2)
    assert derived(database, task) == sorted([uid_of(1), uid_of(2)])


def test_a_task_that_gets_its_name_later_gets_its_learnings_too(database: Database) -> None:
    save(database, 1)
    task = add(database)
    assert derived(database, task) == []
    with database.transaction():
        TaskStore(database).save(replace(task, external_id="GH-1"))
    assert derived(database, task) == [uid_of(1)]


def test_a_local_number_in_a_record_from_elsewhere_names_no_task_here(database: Database) -> None:
    task = add(database)
    save(database, 1, ref="task:1")
    save(database, 2, kind=SourceType.DOCUMENT, ref="task:1")
    assert derived(database, task) == []


@pytest.mark.parametrize("length", [40, 64])
def test_a_record_that_names_a_commit_leads_to_it(database: Database, length: int) -> None:
    sha = "ab" * (length // 2)
    save(database, 1, kind=SourceType.COMMIT, ref=f"commit:{sha}")
    commit = NodeStore(database).find(NodeKind.COMMIT, [sha])[sha]
    learnings = ProvenanceStore(database).derived([commit])
    assert list(NodeStore(database).describe(learnings).values()) == [(NodeKind.LEARNING, uid_of(1))]


@pytest.mark.parametrize("ref", ["commit:abcdef1", "abcdef1", f"commit:{'AB' * 20}", ""])
def test_what_is_no_whole_hash_names_no_commit(database: Database, ref: str) -> None:
    save(database, 1, kind=SourceType.COMMIT, ref=ref)
    assert database.value("SELECT count(*) FROM nodes WHERE kind = 'commit'") == 0


def test_edges_go_with_an_absent_learning_and_come_back_with_it(database: Database) -> None:
    task, other = add(database, name="GH-1"), add(database, "Other")
    save(database, 1)
    with database.transaction():
        node = NodeStore(database).find(NodeKind.LEARNING, [uid_of(1)])[uid_of(1)]
        ProvenanceStore(database).derive(node, other.node, at=NOW)
        LearningStore(database).mark_absent([uid_of(1)])
    assert derived(database, task) == derived(database, other) == []
    assert database.value("SELECT count(*) FROM learning_edges WHERE invalidated_at IS NOT NULL") == 2
    save(database, 1)
    assert derived(database, task) == derived(database, other) == [uid_of(1)]
