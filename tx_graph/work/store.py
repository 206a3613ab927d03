"""Tasks and runs as rows, with what was shown in runs and the votes on it. They are local: no record has them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from dataclasses import asdict, fields
from typing import TYPE_CHECKING, Any

from tx_graph.core.database import Database, Store
from tx_graph.graph.references import NodeKind
from tx_graph.work.values import Outcome, Run, Task, TaskStatus, Use

if TYPE_CHECKING:
    from tx_graph.graph.edges import NodeId


_TASK = tuple(one.name for one in fields(Task))
_RUN = tuple(one.name for one in fields(Run) if one.name != "task")
_TASK_COLUMNS = ", ".join("t.node_id" if name == "node" else f"t.{name}" for name in _TASK)
_RUN_COLUMNS = ", ".join(["r.node_id" if name == "node" else f"r.{name}" for name in _RUN] + [_TASK_COLUMNS])
_OF_TASK = len(_RUN)  # where the task's columns begin in a row of a run


class TaskStore(Store):
    """Reads and writes tasks; what writes needs a transaction."""

    def add(self, title: str, *, description: str, external_id: str | None, now: str) -> Task:
        """Return a new task with the next number."""
        number, node = _new_node(self._database, NodeKind.TASK, "tasks")
        task = Task(
            id=number,
            node=node,
            title=title,
            description=description,
            external_id=external_id,
            created_at=now,
            updated_at=now,
        )
        self._database.write(
            """
            INSERT INTO tasks (id, node_id, title, description, external_id, created_at, updated_at)
            VALUES (:id, :node, :title, :description, :external_id, :created_at, :updated_at)
            """,
            asdict(task),
        )
        self._adopt(task)
        return task

    def save(self, task: Task) -> None:
        """Write what a task says now; learnings whose records name it are derived from it."""
        self._database.write(
            """
            UPDATE tasks
            SET title = :title, description = :description, external_id = :external_id, done_at = :done_at,
                updated_at = :updated_at
            WHERE id = :id
            """,
            asdict(task),
        )
        self._adopt(task)

    def _adopt(self, task: Task) -> None:
        if task.external_id:
            from tx_graph.records.origin_store import ProvenanceStore

            ProvenanceStore(self._database).adopt(task.node, task.external_id, at=task.updated_at)

    def by_numbers(self, numbers: Collection[int]) -> list[Task]:
        """Return the tasks with these local numbers, in that order; unknown ones are left out."""
        rows = self._select("t.id IN (SELECT value FROM json_each(:numbers))", numbers=json.dumps(list(numbers)))
        found = {task.id: task for task in rows}
        return [found[number] for number in numbers if number in found]

    def by_external_id(self, name: str) -> Task | None:
        """Return the task that a tracker calls so, in upper or lower case; None when there is none."""
        return next(iter(self._select("t.external_id = :name", name=name)), None)

    def open(self, *, near: Collection[NodeId] = (), limit: int) -> list[Task]:
        """Return open tasks: those that have to do with the learnings `near`, then the newest."""
        tasks = self.touching(near, limit=limit) if near else []
        rest = self.listed(TaskStatus.OPEN, limit=limit)
        return list({task.id: task for task in (*tasks, *rest)}.values())[:limit]

    def listed(self, status: TaskStatus | None, *, limit: int) -> list[Task]:
        """Return the newest tasks of a status, of any when it is None."""
        condition = ":status IS NULL OR (t.done_at IS NOT NULL) = (:status = 'done')"
        return self._select(condition, limit=limit, status=status)

    def touching(self, learnings: Collection[NodeId], *, limit: int) -> list[Task]:
        """Return the open tasks from which these learnings are derived, or in whose runs they were, newest first."""
        return self._select(
            """
            t.done_at IS NULL AND (
                t.node_id IN (
                    SELECT target
                    FROM learning_edges
                    WHERE source IN (SELECT value FROM json_each(:near))
                      AND edge_type = 'DERIVED_FROM' AND invalidated_at IS NULL
                )
                OR t.id IN (
                    SELECT r.task
                    FROM run_learnings s
                    JOIN runs r ON r.id = s.run
                    WHERE s.learning IN (SELECT value FROM json_each(:near))
                )
                OR t.id IN (
                    SELECT r.task
                    FROM learning_edges e
                    JOIN runs r ON r.node_id = e.target
                    WHERE e.source IN (SELECT value FROM json_each(:near))
                      AND e.edge_type IN ('DERIVED_FROM', 'USED_IN_RUN') AND e.invalidated_at IS NULL
                )
            )
            """,
            limit=limit,
            near=json.dumps(list(learnings)),
        )

    def _select(self, condition: str, *, limit: int = -1, **parameters: Any) -> list[Task]:
        rows = self._database.rows(
            f"SELECT {_TASK_COLUMNS} FROM tasks t WHERE {condition} ORDER BY t.id DESC LIMIT :limit",
            {**parameters, "limit": limit},
        )
        return [_task_from(row) for row in rows]


class RunStore(Store):
    """Reads and writes runs, with what they had of learnings; what writes needs a transaction."""

    def add(self, *, task: Task | None, agent: str | None, now: str) -> Run:
        """Return a new run with the next number."""
        number, node = _new_node(self._database, NodeKind.RUN, "runs")
        self._database.write(
            "INSERT INTO runs (id, node_id, task, agent, started_at) VALUES (?, ?, ?, ?, ?)",
            (number, node, task.id if task else None, agent, now),
        )
        return Run(id=number, node=node, started_at=now, task=task, agent=agent)

    def reach(self, number: int, at: str) -> None:
        """Say that a run that nobody ended went on at least until a time."""
        self._database.write(
            """
            UPDATE runs
            SET finished_at = max(coalesce(finished_at, :at), :at, started_at)
            WHERE id = :number AND outcome IS NULL
            """,
            {"number": number, "at": at},
        )

    def finish(self, number: int, outcome: Outcome, *, transcript: str | None, now: str) -> None:
        """Say how a run ended; without a transcript, the one it has stays."""
        self._database.write(
            """
            UPDATE runs
            SET outcome = :outcome, finished_at = :now,
                transcript = coalesce(:transcript, transcript),
                transcript_bytes = coalesce(:size, transcript_bytes)
            WHERE id = :number
            """,
            {
                "number": number,
                "outcome": outcome.value,
                "now": now,
                "transcript": transcript,
                "size": None if transcript is None else len(transcript.encode()),
            },
        )

    def transcript(self, number: int) -> str | None:
        """Return the transcript of a run, None when it has none."""
        found = self._database.value("SELECT transcript FROM runs WHERE id = ?", (number,))
        return None if found is None else str(found)

    def by_number(self, number: int) -> Run | None:
        """Return the run with this local number, None when there is none."""
        return next(iter(self._select("r.id = :number", number=number)), None)

    def listed(self, *, task: int | None = None, limit: int) -> list[Run]:
        """Return the newest runs, only those for a task if one is given."""
        return self._select(":task IS NULL OR r.task = :task", limit=limit, task=task)

    def touching(self, learnings: Collection[NodeId], *, limit: int) -> list[Run]:
        """Return the newest runs in which any of these learnings was shown, judged or made."""
        return self._select(
            """
            r.id IN (SELECT run FROM run_learnings WHERE learning IN (SELECT value FROM json_each(:near)))
            OR r.node_id IN (
                SELECT target
                FROM learning_edges
                WHERE source IN (SELECT value FROM json_each(:near))
                  AND edge_type IN ('DERIVED_FROM', 'USED_IN_RUN') AND invalidated_at IS NULL
            )
            """,
            limit=limit,
            near=json.dumps(list(learnings)),
        )

    def _select(self, condition: str, *, limit: int = -1, **parameters: Any) -> list[Run]:
        rows = self._database.rows(
            f"""
            SELECT {_RUN_COLUMNS}
            FROM runs r
            LEFT JOIN tasks t ON t.id = r.task
            WHERE {condition}
            ORDER BY r.id DESC
            LIMIT :limit
            """,
            {**parameters, "limit": limit},
        )
        found = []
        for row in rows:
            told = dict(zip(_RUN, row, strict=False))
            task = _task_from(row[_OF_TASK:]) if row[_OF_TASK] is not None else None
            told |= {"outcome": Outcome(told["outcome"]) if told["outcome"] else None, "task": task}
            found.append(Run(**told))
        return found

    def show(self, run: int, shown: Sequence[tuple[NodeId, float]], *, now: str) -> None:
        """Record learnings with their scores as shown in a run, best first.

        One that was shown before keeps its first position and score, and is counted once more.
        """
        self._database.write_many(
            """
            INSERT INTO run_learnings (run, learning, position, score, shown_at)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (run, learning) DO UPDATE SET times = times + 1
            """,
            ((run, learning, position, score, now) for position, (learning, score) in enumerate(shown, start=1)),
        )

    def shared_vote(self, run: Run, use: Use) -> str | None:
        """Return the uid of the record of a vote that was given in a run, None if it has none."""
        found = self._database.value(
            """
            SELECT json_extract(metadata, '$.vote')
            FROM learning_edges
            WHERE source = ? AND target = ? AND edge_type = 'USED_IN_RUN' AND invalidated_at IS NULL
            """,
            (use.learning, run.node),
        )
        return None if found is None else str(found)

    def vote(self, run: Run, use: Use, *, helpful: bool, now: str, shared: str | None = None) -> None:
        """Write a vote on a learning, with the uid of its record if it is `shared`; it replaces the one there was."""
        self._database.write(
            """
            INSERT INTO learning_edges (source, target, edge_type, weight, metadata, created_at)
            VALUES (:learning, :run, 'USED_IN_RUN', :weight, :metadata, :now)
            ON CONFLICT (source, target, edge_type, relation)
            DO UPDATE SET weight = excluded.weight, metadata = excluded.metadata, invalidated_at = NULL
            """,
            {
                "learning": use.learning,
                "run": run.node,
                "weight": 1.0 if helpful else 0.0,
                "metadata": json.dumps(
                    {"position": use.position, "helpful": helpful} | ({"vote": shared} if shared else {})
                ),
                "now": now,
            },
        )

    def uses(self, runs: Collection[int]) -> list[Use]:
        """Return what these runs had of each learning: newest run first, in the order in which they were shown."""
        rows = self._database.rows(
            """
            WITH used (run, learning) AS (
                SELECT run, learning
                FROM run_learnings
                WHERE run IN (SELECT value FROM json_each(:runs))
                UNION
                SELECT r.id, e.source
                FROM runs r
                JOIN learning_edges e ON e.target = r.node_id
                WHERE r.id IN (SELECT value FROM json_each(:runs))
                  AND e.edge_type = 'USED_IN_RUN' AND e.invalidated_at IS NULL
            )
            SELECT u.run, u.learning, s.position, s.score, coalesce(s.times, 0), v.weight
            FROM used u
            JOIN runs r ON r.id = u.run
            LEFT JOIN run_learnings s ON s.run = u.run AND s.learning = u.learning
            LEFT JOIN learning_edges v
              ON v.source = u.learning AND v.target = r.node_id
              AND v.edge_type = 'USED_IN_RUN' AND v.invalidated_at IS NULL
            ORDER BY u.run DESC, s.position IS NULL, s.shown_at, s.position, u.learning
            """,
            {"runs": json.dumps(list(runs))},
        )
        names = [one.name for one in fields(Use)]
        return [
            Use(**dict(zip(names, [*row, None if weight is None else weight > 0], strict=True)))
            for *row, weight in rows
        ]


def _new_node(database: Database, kind: NodeKind, table: str) -> tuple[int, NodeId]:
    """Return the next number of a task or run, and the node that it gets."""
    [(node, number)] = database.rows(
        f"""
        INSERT INTO nodes (kind, key)
        SELECT :kind, coalesce(max(id), 0) + 1 FROM {table} WHERE true
        ON CONFLICT (kind, key) DO UPDATE SET key = excluded.key
        RETURNING id, key
        """,
        {"kind": kind.value},
    )
    return int(number), int(node)


def _task_from(row: Sequence[Any]) -> Task:
    return Task(**dict(zip(_TASK, row, strict=True)))
