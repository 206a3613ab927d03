"""Co-changes as rows."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tx_graph.core.database import Database
from tx_graph.graph.edge_store import DegreeStore
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochange import CoChange, Partner


class CoChangeStore:
    """Keeps which files change together."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._nodes = NodeStore(database)

    def replace_all(self, pairs: Sequence[CoChange], touched: Mapping[str, int] | None = None) -> None:
        """Make `pairs` the only ones, and `touched` the number of commits of each file. Needs a transaction."""
        touched = touched or {}
        nodes = self._nodes.ensure(
            NodeKind.FILE, {*touched, *(path for pair in pairs for path in (pair.file_a, pair.file_b))}
        )
        self._database.write("DELETE FROM file_commits")
        self._database.write_many(
            "INSERT INTO file_commits (file, commits) VALUES (?, ?)",
            sorted((nodes[path], commits) for path, commits in touched.items()),
        )
        self._database.write("DELETE FROM file_cochanges")
        rows = [(nodes[p.file_a], nodes[p.file_b], p.score, p.shared, p.commits_a, p.commits_b) for p in pairs]
        # In the order of the primary key each row goes to the end of the table, which halves the time.
        self._database.write_many("INSERT INTO file_cochanges VALUES (?, ?, ?, ?, ?, ?)", sorted(rows))
        DegreeStore(self._database).recount()

    def partners_of(
        self, files: Collection[str], *, min_confidence: float = 0.0, min_support: int = 0
    ) -> dict[str, list[Partner]]:
        """Return the partners of each of the files that has any, most often changed together first.

        `min_confidence` is how often a partner must have changed when the file did, in [0, 1], `min_support` in how
        many commits. Files that the last index did not find are left out.
        """
        found: dict[str, list[Partner]] = defaultdict(list)
        asked = {"files": json.dumps(list(files)), "confidence": min_confidence, "support": min_support}
        for file, *row in self._database.rows(_PARTNERS, asked):
            found[file].append(_partner(row))
        return dict(found)

    def strongest(
        self, files: Collection[str], *, min_confidence: float, min_support: int, limit: int
    ) -> list[tuple[str, Partner]]:
        """Return (file, partner) for at most `limit` of the partners that are none of these files, surest first.

        A file that everything changes with has thousands; only the best of them are named.
        """
        asked = {"files": json.dumps(list(files)), "confidence": min_confidence, "support": min_support, "limit": limit}
        return [(file, _partner(row)) for file, *row in self._database.rows(_STRONGEST, asked)]

    def commits_of(self, files: Collection[str]) -> dict[str, int]:
        """Return how many of the counted commits touched each of the files; those that none touched are left out."""
        rows = self._database.rows(
            """
            SELECT n.key, f.commits
            FROM file_commits f
            JOIN nodes n ON n.id = f.file
            WHERE n.kind = 'file' AND n.key IN (SELECT value FROM json_each(:files))
            """,
            {"files": json.dumps(list(files))},
        )
        return dict(rows)

    def pairs(self, *, limit: int | None = None) -> Iterator[CoChange]:
        """Yield the pairs, best score first. Files that the last index did not find are left out."""
        names = ("file_a", "file_b", "score", "shared", "commits_a", "commits_b")
        for row in self._database.rows(_PAIRS, {"limit": -1 if limit is None else limit}):
            yield CoChange(**dict(zip(names, row, strict=True)))

    def count(self) -> int:
        """Return how many pairs there are."""
        return int(self._database.value("SELECT count(*) FROM file_cochanges"))

    def count_files(self) -> int:
        """Return how many files of HEAD the counted commits touched."""
        return int(self._database.value("SELECT count(*) FROM file_commits"))


def _partner(row: Sequence[Any]) -> Partner:
    return Partner(**dict(zip(("path", "shared", "commits", "score"), row, strict=True)))


_PRESENT = "NOT IN (SELECT node_id FROM gone_files)"
_PAIRED = """
    SELECT file_a AS file, file_b AS partner, commit_count AS shared, commits_a AS commits, correlation_score AS score
    FROM file_cochanges
    UNION ALL
    SELECT file_b, file_a, commit_count, commits_b, correlation_score
    FROM file_cochanges
"""
"""Each pair seen from both ends."""

_PARTNERS = f"""
    SELECT own.key, other.key AS partner, pair.shared AS shared, pair.commits, pair.score AS score
    FROM nodes own
    JOIN ({_PAIRED}) pair ON pair.file = own.id
    JOIN nodes other ON other.id = pair.partner
    WHERE own.kind = 'file' AND own.key IN (SELECT value FROM json_each(:files))
      AND pair.shared >= :support AND 1.0 * pair.shared / pair.commits >= :confidence
      AND pair.partner {_PRESENT}
    ORDER BY own.key, shared DESC, score DESC, partner
"""

_STRONGEST = f"""
    WITH own AS MATERIALIZED (
        SELECT id, key FROM nodes WHERE kind = 'file' AND key IN (SELECT value FROM json_each(:files))
    ),
    pair AS MATERIALIZED (
        SELECT own.key AS file, partner, shared, commits, score, 1.0 * shared / commits AS confidence
        FROM own
        JOIN ({_PAIRED}) paired ON paired.file = own.id
        WHERE shared >= :support AND 1.0 * shared / commits >= :confidence
          AND partner NOT IN (SELECT id FROM own) AND partner {_PRESENT}
    ),
    place AS MATERIALIZED (
        SELECT confidence, shared
        FROM pair
        ORDER BY confidence DESC, shared DESC
        LIMIT 1 OFFSET :limit - 1
    )
    SELECT pair.file, other.key AS path, pair.shared, pair.commits, pair.score
    FROM pair
    JOIN nodes other ON other.id = pair.partner
    WHERE (pair.confidence, pair.shared) >= (SELECT confidence, shared FROM place)
       OR NOT EXISTS (SELECT 1 FROM place)
    ORDER BY pair.confidence DESC, pair.shared DESC, path, pair.file
    LIMIT :limit
"""

_PAIRS = f"""
    SELECT a.key AS a, b.key AS b, c.correlation_score AS score, c.commit_count AS shared, c.commits_a, c.commits_b
    FROM file_cochanges c
    JOIN nodes a ON a.id = c.file_a
    JOIN nodes b ON b.id = c.file_b
    WHERE c.file_a {_PRESENT} AND c.file_b {_PRESENT}
    ORDER BY score DESC, shared DESC, a, b
    LIMIT :limit
"""
