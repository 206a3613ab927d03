"""Runs as rows: what was shown in them, and the votes on it. They are local: no record has them."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from typing import Any

from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.domain.run import Outcome, Run, Use
from tx_graph.domain.task import Task
from tx_graph.storage.database import Database
from tx_graph.storage.nodes import NodeStore
from tx_graph.storage.tasks import TASK_COLUMNS, task_from

_COLUMNS = f"""
    r.id, r.node_id, r.started_at, r.agent, r.outcome, r.finished_at, r.transcript_bytes, {TASK_COLUMNS}
"""
_OF_TASK = 7
"""Where the task's columns begin."""


class RunStore:
    """Reads and writes runs, with what they had of learnings."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def add(self, *, task: Task | None, agent: str | None, now: str) -> Run:
        """Return a new run with the next number. Needs a transaction."""
        number = int(self._database.value("SELECT coalesce(max(id), 0) + 1 FROM runs"))
        node = NodeStore(self._database).ensure(NodeKind.RUN, [str(number)])[str(number)]
        self._database.write(
            "INSERT INTO runs (id, node_id, task, agent, started_at) VALUES (?, ?, ?, ?, ?)",
            (number, node, task.id if task else None, agent, now),
        )
        return Run(id=number, node=node, started_at=now, task=task, agent=agent)

    def reach(self, number: int, at: str) -> None:
        """Say that a run that nobody ended went on at least until a time. Needs a transaction."""
        self._database.write(
            """
            UPDATE runs
            SET finished_at = max(coalesce(finished_at, :at), :at, started_at)
            WHERE id = :number AND outcome IS NULL
            """,
            {"number": number, "at": at},
        )

    def finish(self, number: int, outcome: Outcome, *, transcript: str | None, now: str) -> None:
        """Say how a run ended; without a transcript, the one it has stays. Needs a transaction."""
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
        row = self._database.row(
            f"SELECT {_COLUMNS} FROM runs r LEFT JOIN tasks t ON t.id = r.task WHERE r.id = ?", (number,)
        )
        return None if row is None else _run_from(row)

    def listed(self, *, task: int | None = None, limit: int) -> list[Run]:
        """Return the newest runs, only those for a task if one is given."""
        rows = self._database.rows(
            f"""
            SELECT {_COLUMNS}
            FROM runs r
            LEFT JOIN tasks t ON t.id = r.task
            WHERE :task IS NULL OR r.task = :task
            ORDER BY r.id DESC
            LIMIT :limit
            """,
            {"task": task, "limit": limit},
        )
        return [_run_from(row) for row in rows]

    def touching(self, learnings: Collection[NodeId], *, limit: int) -> list[Run]:
        """Return the newest runs in which any of these learnings was shown, judged or made."""
        rows = self._database.rows(
            f"""
            WITH near (node) AS (SELECT value FROM json_each(:learnings))
            SELECT {_COLUMNS}
            FROM runs r
            LEFT JOIN tasks t ON t.id = r.task
            WHERE r.id IN (SELECT run FROM run_learnings WHERE learning IN (SELECT node FROM near))
               OR r.node_id IN (
                    SELECT target
                    FROM learning_edges
                    WHERE source IN (SELECT node FROM near) AND edge_type IN ('DERIVED_FROM', 'USED_IN_RUN')
                      AND invalidated_at IS NULL
               )
            ORDER BY r.id DESC
            LIMIT :limit
            """,
            {"learnings": json.dumps(list(learnings)), "limit": limit},
        )
        return [_run_from(row) for row in rows]

    def show(self, run: int, shown: Sequence[tuple[NodeId, float]], *, now: str) -> int:
        """Record learnings with their scores as shown, best first; return how many were new to the run.

        One that was shown before keeps its first position and score, and is counted once more. Needs a transaction.
        """
        before = self._count_shown(run)
        self._database.write_many(
            """
            INSERT INTO run_learnings (run, learning, position, score, shown_at)
            VALUES (?, ?, ?, ?, ?)
            ON CONFLICT (run, learning) DO UPDATE SET times = times + 1
            """,
            ((run, learning, position, score, now) for position, (learning, score) in enumerate(shown, start=1)),
        )
        return self._count_shown(run) - before

    def _count_shown(self, run: int) -> int:
        return int(self._database.value("SELECT count(*) FROM run_learnings WHERE run = ?", (run,)))

    def vote(self, run: Run, use: Use, *, helpful: bool, now: str) -> None:
        """Write a vote on a learning; it replaces the one there was. Needs a transaction."""
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
                "metadata": json.dumps({"position": use.position, "helpful": helpful}),
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
        return [
            Use(
                run=run,
                learning=learning,
                position=position,
                score=score,
                times=times,
                helpful=None if weight is None else weight > 0,
            )
            for run, learning, position, score, times, weight in rows
        ]


def _run_from(row: Sequence[Any]) -> Run:
    return Run(
        id=row[0],
        node=row[1],
        started_at=row[2],
        agent=row[3],
        outcome=Outcome(row[4]) if row[4] else None,
        finished_at=row[5],
        transcript_bytes=row[6],
        task=task_from(row[_OF_TASK:]) if row[_OF_TASK] is not None else None,
    )
