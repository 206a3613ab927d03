"""The commits of git's history as rows: compact, and added to in memory until they are saved in one step."""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable, Iterator
from itertools import chain
from struct import pack, unpack
from typing import NamedTuple

from tx_graph.core.database import Store
from tx_graph.core.identifiers import searchable
from tx_graph.core.labels import is_unicode
from tx_graph.graph.edges import NodeId
from tx_graph.graph.word_store import best_rows
from tx_graph.history.cochange import Commit
from tx_graph.history.commits import CommitMessage

CommitId = int
"""Local number of a commit; later commits have greater ones."""

MOST_FILES = 100
"""Files of a commit that is kept: one that touches more says too little about each of them."""
_BODY_SHARE = 0.4  # what a word in the body of a message counts beside one in its subject
_BODY_READ = 4000  # characters of a body that are searched: what goes on longer is a list or a log
_COMMON = 5_000
"""Commits that may share a word of the question: to score more takes tens of ms, and such a word tells none apart."""
_AMONG = "IN (SELECT value FROM json_each(:nodes))"


class HistoryState(NamedTuple):
    """Where the history that was read ends, and with which eyes it was read.

    `shape` is a digest of what cuts off or replaces parts of it, see `core.revisions`.
    """

    head: str
    shape: str
    with_renames: bool = True


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


class CommitStore(Store):
    """Keeps the commits that HEAD builds on."""

    def state(self) -> HistoryState | None:
        """Return up to where history was read; None when it was not."""
        row = self._database.row("SELECT head, shape, with_renames FROM commit_index")
        return HistoryState(row[0], row[1], bool(row[2])) if row else None

    def remember(self, state: HistoryState) -> None:
        """Note up to where history has been read. Needs a transaction."""
        self._database.write("INSERT OR REPLACE INTO commit_index VALUES (1, ?, ?, ?)", state)

    def count(self) -> int:
        """Return how many commits are kept."""
        return int(self._database.value("SELECT count(*) FROM commits"))

    def add(self, commits: Iterable[CommitMessage]) -> None:
        """Keep commits, each later than those before it. Needs a transaction."""
        commits = list(commits)
        self._database.write_many(
            "INSERT INTO file_moves (sha, old, new) VALUES (?, ?, ?)",
            ((one.sha, *pair) for one in commits for pair in one.renames if all(map(is_unicode, pair))),
        )
        following = int(self._database.value("SELECT coalesce(max(id), 0) + 1 FROM commits"))
        numbered = list(enumerate((one for one in commits if 0 < len(one.paths) <= MOST_FILES), following))
        self._database.write_many(
            "INSERT INTO commits (id, sha, time, subject, files) VALUES (?, ?, ?, ?, ?)",
            ((number, one.sha, one.time, one.subject, len(one.paths)) for number, one in numbered),
        )
        self._database.write_many(
            "INSERT INTO commits_fts (rowid, subject, body) VALUES (?, ?, ?)",
            ((number, searchable(one.subject), searchable(one.body[:_BODY_READ])) for number, one in numbered),
        )
        named = sorted(filter(is_unicode, {path for _, one in numbered for path in one.paths}))
        self._database.write_many("INSERT OR IGNORE INTO commit_paths (path) VALUES (?)", ((path,) for path in named))
        rows = self._database.rows(
            "SELECT path, id FROM commit_paths WHERE path IN (SELECT value FROM json_each(?))", (json.dumps(named),)
        )
        ids: dict[str, int] = dict(rows)
        self._database.write_many(
            "INSERT OR IGNORE INTO commit_files (path, commit_id) VALUES (?, ?)",
            ((ids[path], number) for number, one in numbered for path in one.paths if path in ids),
        )

    def remove(self, shas: Collection[str]) -> None:
        """Forget commits that HEAD no longer builds on. Needs a transaction."""
        rows = self._database.rows(
            "SELECT id FROM commits WHERE sha IN (SELECT value FROM json_each(?))", (json.dumps(list(shas)),)
        )
        for table, column in (("commit_files", "commit_id"), ("commits_fts", "rowid"), ("commits", "id")):
            self._database.write_many(f"DELETE FROM {table} WHERE {column} = ?", rows)
        self._database.write_many("DELETE FROM file_moves WHERE sha = ?", ((sha,) for sha in shas))

    def clear(self) -> None:
        """Forget all commits. Needs a transaction."""
        for table in ("commit_index", "commit_files", "commits_fts", "commits", "commit_paths"):
            self._database.write(f"DELETE FROM {table}")
        self._database.write("DELETE FROM file_moves WHERE sha IS NOT NULL")

    def follow_moves(self) -> None:
        """Give each path that is no more the one under which its file is now, as far as moves tell.

        The last move of a path counts. One that was seen before it was committed is forgotten where its file is gone.
        """
        moves: list[tuple[str, str]] = self._database.rows(
            "SELECT old, new FROM file_moves ORDER BY sha IS NULL DESC, id DESC"
        )
        known = self.moved()
        if not moves and not known:
            return
        named = json.dumps([path for pair in moves for path in pair])
        among = "WHERE path IN (SELECT value FROM json_each(?))"
        alive, touched = (
            {path for (path,) in self._database.rows(f"SELECT path FROM {table} {among}", (named,))}
            for table in ("files", "commit_paths")
        )
        present: dict[str, str] = {}
        for old, new in moves:
            if old not in alive and (now := new if new in alive else present.get(new)):
                present.setdefault(old, now)
        present = {old: now for old, now in present.items() if old in touched}
        if present != known:
            with self._database.transaction():
                self._database.write("DELETE FROM file_moves WHERE sha IS NULL AND new NOT IN (SELECT path FROM files)")
                self._database.write("UPDATE commit_paths SET present = NULL WHERE present IS NOT NULL")
                self._database.write_many(
                    "UPDATE commit_paths SET present = ? WHERE path = ?", ((now, old) for old, now in present.items())
                )

    def moved(self) -> dict[str, str]:
        """Return the present path of each that is no more, as far as moves tell."""
        return dict(self._database.rows("SELECT path, present FROM commit_paths WHERE present IS NOT NULL"))

    def search(self, text: str, *, limit: int) -> list[tuple[CommitId, float]]:
        """Return (commit, BM25 score > 0) of the commits whose message has a telling word of the text, best first."""
        weights = (1.0, _BODY_SHARE)
        return best_rows(
            self._database, "commits_fts", text, most=_COMMON, limit=limit, weights=weights, is_newest_first=True
        )

    def touched_by(self, commits: Collection[CommitId]) -> dict[CommitId, list[Touch]]:
        """Return which files that are indexed now these commits touched, for each that touched any."""
        rows = self._database.rows(
            f"""
            SELECT DISTINCT f.node_id, c.id, c.time, c.files
            FROM commits c
            JOIN commit_files t ON t.commit_id = c.id
            JOIN commit_paths p ON p.id = t.path
            JOIN files f ON f.path = coalesce(p.present, p.path)
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
        """Return (file, commit, its time) of the last commits, at most so many for each name, that touched these files.

        Plain tuples: one walk reads thousands of them.
        """
        return self._database.rows(
            f"""
            SELECT DISTINCT f.node_id, c.id, c.time
            FROM files f
            JOIN commit_paths p ON p.path = f.path OR p.present = f.path
            JOIN commit_files t ON t.path = p.id AND t.commit_id >= coalesce((
                SELECT commit_id FROM commit_files WHERE path = p.id ORDER BY commit_id DESC LIMIT 1 OFFSET :most - 1
            ), 0)
            JOIN commits c ON c.id = t.commit_id
            WHERE f.node_id {_AMONG}
            ORDER BY f.node_id, c.id DESC
            """,
            {"nodes": json.dumps(list(files)), "most": most},
        )

    def last_touched(self, count: int) -> dict[CommitId, list[Touch]]:
        """Return which files that are indexed now the last commits, so many of them, touched."""
        rows = self._database.rows("SELECT id FROM commits ORDER BY id DESC LIMIT ?", (count,))
        return self.touched_by([number for (number,) in rows])

    def counts(self, files: Collection[NodeId]) -> dict[NodeId, int]:
        """Return how many commits touched each of these files, for each that any did."""
        rows = self._database.rows(
            f"""
            SELECT f.node_id, count(DISTINCT t.commit_id)
            FROM files f
            JOIN commit_paths p ON p.path = f.path OR p.present = f.path
            JOIN commit_files t ON t.path = p.id
            WHERE f.node_id {_AMONG}
            GROUP BY f.node_id
            """,
            {"nodes": json.dumps(list(files))},
        )
        return dict(rows)

    def briefs(self, commits: Collection[CommitId]) -> dict[CommitId, CommitBrief]:
        """Return how to name each of these commits."""
        rows = self._database.rows(
            f"SELECT id, sha, time, subject FROM commits WHERE id {_AMONG}", {"nodes": json.dumps(list(commits))}
        )
        return {number: CommitBrief(sha, time, subject) for number, sha, time, subject in rows}


MOST_PATHS = 1_000
"""Paths of a commit that are kept. What touches more is left out of every count that does not insist on it, and
one import of a large tree would take more room than all other commits."""
_WIDE = ("",) * (MOST_PATHS + 1)  # stands for the paths of a commit that had too many to keep: too many to count, too
_NUMBER_SIZE = 4


class _Row(NamedTuple):
    time: int
    paths: bytes | None
    renames: bytes | None
    sha: bytes | None


class Ledger:
    """Commits in memory, each path held once. Those from the database come first, in the order they were added."""

    def __init__(self, *, stored: HistoryState | None, paths: Iterable[str] = (), rows: Iterable[_Row] = ()) -> None:
        self.stored = stored
        self._numbers = _Numbers((path, number) for number, path in enumerate(paths))
        self._rows = list(rows)
        self._stored_paths, self._stored_rows = len(self._numbers), len(self._rows)

    def commits(self) -> Iterator[Commit]:
        """Yield the commits that are known by now. A path is the same object each time."""
        names = list(self._numbers)

        def named(packed: bytes | None) -> tuple[str, ...]:
            packed = packed or b""
            return tuple(map(names.__getitem__, unpack(f"<{len(packed) // _NUMBER_SIZE}I", packed)))

        for row in self._rows[:]:
            sha, by_turns = row.sha.hex() if row.sha else "", iter(named(row.renames))
            paths, renames = _WIDE if row.paths is None else named(row.paths), zip(by_turns, by_turns, strict=True)
            yield Commit(sha=sha, time=row.time, paths=paths, renames=tuple(renames))

    def recording(self, commits: Iterable[Commit]) -> Iterator[Commit]:
        """Yield the commits, and remember them."""

        def packed(paths: Collection[str]) -> bytes:
            return pack(f"<{len(paths)}I", *map(self._numbers.__getitem__, paths))

        for commit in commits:
            renames = [path for pair in commit.renames for path in pair]
            row = _Row(
                time=commit.time,
                paths=packed(commit.paths) if len(commit.paths) <= MOST_PATHS else None,
                renames=packed(renames) if renames else None,
                sha=bytes.fromhex(commit.sha) if commit.sha else None,
            )
            self._rows.append(row)
            yield commit

    def lacking(self, *, is_known: bool) -> tuple[list[str], list[_Row]]:
        """Return the paths, in the order of their numbers, and the commits that a database lacks.

        It knows what was loaded, or, where that is not what it holds, nothing.
        """
        paths, rows = (self._stored_paths, self._stored_rows) if is_known else (0, 0)
        return list(self._numbers)[paths:], self._rows[rows:]


class _Numbers(dict[str, int]):
    """Gives each new path the next number."""

    def __missing__(self, path: str) -> int:
        number = self[path] = len(self)
        return number


class HistoryStore(Store):
    """Keeps the commits that were read."""

    def state(self) -> HistoryState | None:
        """Return where the history that was read ends; None when none was."""
        row = self._database.row("SELECT head, shape, with_renames FROM history")
        return HistoryState(row[0], row[1], bool(row[2])) if row else None

    def load(self) -> Ledger:
        """Return all commits that were read."""
        batches = self._database.rows("SELECT paths FROM history_paths ORDER BY id")
        rows = self._database.rows("SELECT time, paths, renames, sha FROM history_commits ORDER BY id")
        # Names that are no Unicode go through: they are bytes to git, and here.
        texts = (zlib.decompress(batch).decode("utf-8", "surrogateescape") for (batch,) in batches)
        paths = chain.from_iterable(text.split("\0") for text in texts)
        return Ledger(stored=self.state(), paths=paths, rows=map(_Row._make, rows))

    def save(self, ledger: Ledger, state: HistoryState) -> None:
        """Make `ledger`, read up to `state`, what is known of history. Needs a transaction."""
        is_known = ledger.stored is not None and ledger.stored == self.state()
        if not is_known:  # or another process has added to it meanwhile
            self.clear()
        paths, rows = ledger.lacking(is_known=is_known)
        if paths:
            folded = zlib.compress("\0".join(paths).encode("utf-8", "surrogateescape"), level=1)
            self._database.write("INSERT INTO history_paths (paths) VALUES (?)", (folded,))
        self._database.write_many("INSERT INTO history_commits (time, paths, renames, sha) VALUES (?, ?, ?, ?)", rows)
        self._database.write(
            "INSERT OR REPLACE INTO history (id, head, shape, with_renames) VALUES (1, ?, ?, ?)", state
        )

    def clear(self) -> None:
        """Forget all commits. Needs a transaction."""
        for table in ("history", "history_paths", "history_commits"):
            self._database.write(f"DELETE FROM {table}")

    def counts(self, *, max_files: int) -> tuple[int, int]:
        """Return how many commits there are, and how many of them touched more files than that."""
        return self._database.row(
            """
            SELECT count(*), count(*) FILTER (WHERE paths IS NULL OR length(paths) > :most)
            FROM history_commits
            """,
            {"most": max_files * _NUMBER_SIZE},
        ) or (0, 0)
