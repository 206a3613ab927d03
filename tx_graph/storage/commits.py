"""Commits as evidence: what their messages say, and which files they touched."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import NamedTuple

from tx_graph.analysis.identifiers import searchable
from tx_graph.domain.commit_message import CommitMessage
from tx_graph.domain.edges import NodeId
from tx_graph.domain.labels import is_unicode
from tx_graph.storage.database import Database
from tx_graph.storage.shared_words import telling_match

CommitId = int
"""Local number of a commit; later commits have greater ones."""

MOST_FILES = 100
"""Files of a commit that is kept: one that touches more says too little about each of them."""
_BODY_SHARE = 0.4
"""What a word in the body of a message counts beside one in its subject."""
_BODY_READ = 4000
"""Characters of a body that are searched: what goes on longer is a list or a log."""
_COMMON = 5_000
"""Commits that may share a word of the question: to score more takes tens of ms, and such a word tells none apart."""
_AMONG = "IN (SELECT value FROM json_each(:nodes))"


class CommitIndexState(NamedTuple):
    """Where the history that was read ends, and what cut it off (see `codebase.lineage`)."""

    head: str
    shape: str


class CommitBrief(NamedTuple):
    """A commit as an answer names it."""

    sha: str
    time: int
    subject: str


class Touch(NamedTuple):
    """A commit touched a file: its time in seconds since the epoch, and how many files it touched in all."""

    file: NodeId
    commit: CommitId
    time: int
    files: int


class CommitStore:
    """Keeps the commits that HEAD builds on."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def state(self) -> CommitIndexState | None:
        """Return up to where history was read; None when it was not."""
        row = self._database.row("SELECT head, shape FROM commit_index")
        return CommitIndexState(*row) if row else None

    def remember(self, state: CommitIndexState) -> None:
        """Note up to where history has been read. Needs a transaction."""
        self._database.write("INSERT OR REPLACE INTO commit_index (id, head, shape) VALUES (1, ?, ?)", state)

    def count(self) -> int:
        """Return how many commits are kept."""
        return int(self._database.value("SELECT count(*) FROM commits"))

    def add(self, commits: Iterable[CommitMessage]) -> None:
        """Keep commits, each later than those before it. Needs a transaction."""
        following = int(self._database.value("SELECT coalesce(max(id), 0) + 1 FROM commits"))
        numbered = [
            (number, one)
            for number, one in enumerate((one for one in commits if 0 < len(one.paths) <= MOST_FILES), following)
        ]
        self._database.write_many(
            "INSERT INTO commits (id, sha, time, subject, files) VALUES (?, ?, ?, ?, ?)",
            ((number, one.sha, one.time, one.subject, len(one.paths)) for number, one in numbered),
        )
        self._database.write_many(
            "INSERT INTO commits_fts (rowid, subject, body) VALUES (?, ?, ?)",
            ((number, searchable(one.subject), searchable(one.body[:_BODY_READ])) for number, one in numbered),
        )
        ids = self._path_ids({path for _, one in numbered for path in one.paths})
        self._database.write_many(
            "INSERT OR IGNORE INTO commit_files (path, commit_id) VALUES (?, ?)",
            ((ids[path], number) for number, one in numbered for path in one.paths if path in ids),
        )

    def _path_ids(self, paths: Collection[str]) -> dict[str, int]:
        named = sorted(filter(is_unicode, paths))
        self._database.write_many("INSERT OR IGNORE INTO commit_paths (path) VALUES (?)", ((path,) for path in named))
        rows = self._database.rows(
            "SELECT path, id FROM commit_paths WHERE path IN (SELECT value FROM json_each(?))", (json.dumps(named),)
        )
        return dict(rows)

    def remove(self, shas: Collection[str]) -> None:
        """Forget commits that HEAD no longer builds on. Needs a transaction."""
        rows = self._database.rows(
            "SELECT id FROM commits WHERE sha IN (SELECT value FROM json_each(?))", (json.dumps(list(shas)),)
        )
        for table, column in (("commit_files", "commit_id"), ("commits_fts", "rowid"), ("commits", "id")):
            self._database.write_many(f"DELETE FROM {table} WHERE {column} = ?", rows)

    def clear(self) -> None:
        """Forget all commits. Needs a transaction."""
        for table in ("commit_index", "commit_files", "commits_fts", "commits", "commit_paths"):
            self._database.write(f"DELETE FROM {table}")

    def search(self, text: str, *, limit: int) -> list[tuple[CommitId, float]]:
        """Return (commit, BM25 score > 0) of the commits whose message has a telling word of the text, best first."""
        match = telling_match(self._database, "commits_fts", text, most=_COMMON)
        if not match:
            return []
        return self._database.rows(
            f"""
            SELECT rowid, -bm25(commits_fts, 1.0, {_BODY_SHARE}) AS score
            FROM commits_fts
            WHERE commits_fts MATCH :match
            ORDER BY score DESC, rowid DESC
            LIMIT :limit
            """,
            {"match": match, "limit": limit},
        )

    def touched_by(self, commits: Collection[CommitId]) -> dict[CommitId, list[Touch]]:
        """Return which files that are indexed now these commits touched, for each that touched any."""
        rows = self._database.rows(
            f"""
            SELECT f.node_id, c.id, c.time, c.files
            FROM commits c
            JOIN commit_files t ON t.commit_id = c.id
            JOIN commit_paths p ON p.id = t.path
            JOIN files f ON f.path = p.path
            WHERE c.id {_AMONG}
            ORDER BY c.id, f.node_id
            """,
            {"nodes": json.dumps(list(commits))},
        )
        touched: dict[CommitId, list[Touch]] = {}
        for touch in map(Touch._make, rows):
            touched.setdefault(touch.commit, []).append(touch)
        return touched

    def touching(self, files: Collection[NodeId], *, most: int) -> list[tuple[NodeId, CommitId, int]]:
        """Return (file, commit, its time) of the last commits, at most so many for each, that touched these files.

        Plain tuples: one walk reads thousands of them.
        """
        return self._database.rows(
            f"""
            SELECT f.node_id, c.id, c.time
            FROM files f
            JOIN commit_paths p ON p.path = f.path
            JOIN commit_files t ON t.path = p.id AND t.commit_id >= coalesce((
                SELECT commit_id FROM commit_files WHERE path = p.id ORDER BY commit_id DESC LIMIT 1 OFFSET :most - 1
            ), 0)
            JOIN commits c ON c.id = t.commit_id
            WHERE f.node_id {_AMONG}
            ORDER BY f.node_id, c.id DESC
            """,
            {"nodes": json.dumps(list(files)), "most": most},
        )

    def briefs(self, commits: Collection[CommitId]) -> dict[CommitId, CommitBrief]:
        """Return how to name each of these commits."""
        rows = self._database.rows(
            f"SELECT id, sha, time, subject FROM commits WHERE id {_AMONG}", {"nodes": json.dumps(list(commits))}
        )
        return {number: CommitBrief(sha, time, subject) for number, sha, time, subject in rows}
