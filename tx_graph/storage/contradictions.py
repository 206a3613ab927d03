"""Facts that contradict each other: several live answers to what takes one."""

from __future__ import annotations

import json
from collections.abc import Collection

from tx_graph.domain.fact import StoredFact
from tx_graph.storage.database import Database


class Contradictions:
    """Finds them among facts about some entities, in one question."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def among(self, facts: Collection[StoredFact], *, single_valued: Collection[str]) -> set[int]:
        """Return the numbers of those live facts whose predicate takes one value, and of which another says else."""
        asked = [one for one in facts if one.fact.is_live and one.fact.predicate in single_valued]
        pairs = self._pairs(asked) if asked else set()
        return {one.id for one in asked if (one.subject, one.fact.predicate) in pairs}

    def _pairs(self, facts: Collection[StoredFact]) -> set[tuple[int, str]]:
        rows = self._database.rows(
            """
            SELECT subject, predicate
            FROM facts
            WHERE subject IN (SELECT value FROM json_each(:subjects))
              AND predicate IN (SELECT value FROM json_each(:predicates))
              AND present = 1 AND status IN ('staged', 'confirmed')
            GROUP BY subject, predicate
            HAVING count(DISTINCT iif(object IS NULL, 'value:' || value, 'object:' || object)) > 1
            """,
            {
                "subjects": json.dumps([one.subject for one in facts]),
                "predicates": json.dumps([one.fact.predicate for one in facts]),
            },
        )
        return {(subject, predicate) for subject, predicate in rows}
