"""Tasks as rows. They are local: no record has them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.domain.task import Task, TaskStatus
from tx_graph.storage.database import Database
from tx_graph.storage.nodes import NodeStore
from tx_graph.storage.provenance import ProvenanceStore

TASK_COLUMNS = "t.id, t.node_id, t.title, t.created_at, t.updated_at, t.description, t.external_id, t.done_at"
"""What `task_from` reads, of tasks `t`."""


class TaskStore:
    """Reads and writes tasks."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, title: str, *, description: str, external_id: str | None, now: str) -> Task:
        """Return a new task with the next number. Needs a transaction."""
        number = int(self._database.value("SELECT coalesce(max(id), 0) + 1 FROM tasks"))
        node = NodeStore(self._database).ensure(NodeKind.TASK, [str(number)])[str(number)]
        task = Task(id=number, node=node, title=title, created_at=now, updated_at=now)
        self._database.write(
            "INSERT INTO tasks (id, node_id, title, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
            (number, node, title, now, now),
        )
        task = replace(task, description=description, external_id=external_id)
        self.save(task)
        return task

    def save(self, task: Task) -> None:
        """Write what a task says now; learnings whose records name it are derived from it. Needs a transaction."""
        self._database.write(
            """
            UPDATE tasks
            SET title = :title, description = :description, external_id = :external_id, done_at = :done_at,
                updated_at = :updated_at
            WHERE id = :id
            """,
            {
                "id": task.id,
                "title": task.title,
                "description": task.description,
                "external_id": task.external_id,
                "done_at": task.done_at,
                "updated_at": task.updated_at,
            },
        )
        if task.external_id:
            ProvenanceStore(self._database).adopt(task.node, task.external_id, at=task.updated_at)

    def by_numbers(self, numbers: Collection[int]) -> list[Task]:
        """Return the tasks with these local numbers, in that order; unknown ones are left out."""
        rows = self._database.rows(
            f"SELECT {TASK_COLUMNS} FROM tasks t WHERE t.id IN (SELECT value FROM json_each(:numbers))",
            {"numbers": json.dumps(list(numbers))},
        )
        found = {row[0]: task_from(row) for row in rows}
        return [found[number] for number in numbers if number in found]

    def by_external_id(self, name: str) -> Task | None:
        """Return the task that a tracker calls so, in upper or lower case; None when there is none."""
        row = self._database.row(f"SELECT {TASK_COLUMNS} FROM tasks t WHERE t.external_id = :name", {"name": name})
        return None if row is None else task_from(row)

    def listed(self, status: TaskStatus | None, *, limit: int) -> list[Task]:
        """Return the newest tasks of a status, of any when it is None."""
        rows = self._database.rows(
            f"""
            SELECT {TASK_COLUMNS}
            FROM tasks t
            WHERE :status IS NULL OR (t.done_at IS NOT NULL) = (:status = 'done')
            ORDER BY t.id DESC
            LIMIT :limit
            """,
            {"status": status, "limit": limit},
        )
        return [task_from(row) for row in rows]

    def touching(self, learnings: Collection[NodeId], *, limit: int) -> list[Task]:
        """Return the open tasks from which these learnings are derived, or in whose runs they were, newest first."""
        rows = self._database.rows(
            f"""
            WITH near (node) AS (SELECT value FROM json_each(:learnings))
            SELECT {TASK_COLUMNS}
            FROM tasks t
            WHERE t.done_at IS NULL AND (
                t.node_id IN (
                    SELECT target
                    FROM learning_edges
                    WHERE source IN (SELECT node FROM near) AND edge_type = 'DERIVED_FROM' AND invalidated_at IS NULL
                )
                OR t.id IN (
                    SELECT r.task
                    FROM run_learnings s
                    JOIN runs r ON r.id = s.run
                    WHERE s.learning IN (SELECT node FROM near)
                )
                OR t.id IN (
                    SELECT r.task
                    FROM learning_edges e
                    JOIN runs r ON r.node_id = e.target
                    WHERE e.source IN (SELECT node FROM near) AND e.edge_type IN ('DERIVED_FROM', 'USED_IN_RUN')
                      AND e.invalidated_at IS NULL
                )
            )
            ORDER BY t.id DESC
            LIMIT :limit
            """,
            {"learnings": json.dumps(list(learnings)), "limit": limit},
        )
        return [task_from(row) for row in rows]


def task_from(row: Sequence[Any]) -> Task:
    """Return the task in a row of TASK_COLUMNS."""
    return Task(
        id=row[0],
        node=row[1],
        title=row[2],
        created_at=row[3],
        updated_at=row[4],
        description=row[5],
        external_id=row[6],
        done_at=row[7],
    )
