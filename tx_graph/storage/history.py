"""The commits of git's history as rows: compact, and added to in memory until they are saved in one step."""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from struct import pack, unpack
from typing import NamedTuple

from tx_graph.domain.cochange import Commit
from tx_graph.storage.database import Database

MOST_PATHS = 1_000
"""Paths of a commit that are kept. What touches more is left out of every count that does not insist on it, and
one import of a large tree would take more room than all other commits."""
_WIDE = ("",) * (MOST_PATHS + 1)
"""Stands for the paths of a commit that had too many to keep: too many to count, too."""
_NUMBER_SIZE = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryState:
    """Where the history that was read ends, and with which eyes it was read.

    `shape` is a digest of what cuts off or replaces parts of it, see `codebase.lineage`.
    """

    head: str
    shape: str
    with_renames: bool


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
        for row in self._rows[:]:
            yield Commit(
                sha=row.sha.hex() if row.sha else "",
                time=row.time,
                paths=_WIDE if row.paths is None else _named(row.paths, names),
                renames=_paired(row.renames, names) if row.renames else (),
            )

    def recording(self, commits: Iterable[Commit]) -> Iterator[Commit]:
        """Yield the commits, and remember them."""
        for commit in commits:
            self._rows.append(self._row(commit))
            yield commit

    def new_paths(self) -> list[str]:
        """Return the paths that the database lacks, in the order of their numbers."""
        return list(self._numbers)[self._stored_paths :]

    def new_rows(self) -> list[_Row]:
        """Return the commits that the database lacks."""
        return self._rows[self._stored_rows :]

    def detached(self) -> Ledger:
        """Return the same commits as if the database knew none of them."""
        detached = Ledger(stored=None, paths=self._numbers, rows=self._rows)
        detached._stored_paths = detached._stored_rows = 0
        return detached

    def _row(self, commit: Commit) -> _Row:
        renames = [path for pair in commit.renames for path in pair]
        return _Row(
            time=commit.time,
            paths=self._packed(commit.paths) if len(commit.paths) <= MOST_PATHS else None,
            renames=self._packed(renames) if renames else None,
            sha=bytes.fromhex(commit.sha) if commit.sha else None,
        )

    def _packed(self, paths: Collection[str]) -> bytes:
        return pack(f"<{len(paths)}I", *map(self._numbers.__getitem__, paths))


class _Numbers(dict[str, int]):
    """Gives each new path the next number."""

    def __missing__(self, path: str) -> int:
        number = self[path] = len(self)
        return number


class HistoryStore:
    """Keeps the commits that were read."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def state(self) -> HistoryState | None:
        """Return where the history that was read ends; None when none was."""
        row = self._database.row("SELECT head, shape, with_renames FROM history")
        return HistoryState(head=row[0], shape=row[1], with_renames=bool(row[2])) if row else None

    def load(self) -> Ledger:
        """Return all commits that were read."""
        batches = self._database.rows("SELECT paths FROM history_paths ORDER BY id")
        rows = self._database.rows("SELECT time, paths, renames, sha FROM history_commits ORDER BY id")
        paths = chain.from_iterable(_unfolded(batch) for (batch,) in batches)
        return Ledger(stored=self.state(), paths=paths, rows=map(_Row._make, rows))

    def save(self, ledger: Ledger, state: HistoryState) -> None:
        """Make `ledger`, read up to `state`, what is known of history. Needs a transaction."""
        if ledger.stored is None or ledger.stored != self.state():  # or another process has added to it meanwhile
            self.clear()
            ledger = ledger.detached()
        if paths := ledger.new_paths():
            self._database.write("INSERT INTO history_paths (paths) VALUES (?)", (_folded(paths),))
        self._database.write_many(
            "INSERT INTO history_commits (time, paths, renames, sha) VALUES (?, ?, ?, ?)", ledger.new_rows()
        )
        self._database.write(
            "INSERT OR REPLACE INTO history (id, head, shape, with_renames) VALUES (1, ?, ?, ?)",
            (state.head, state.shape, state.with_renames),
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


def _named(packed: bytes, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(names.__getitem__, unpack(f"<{len(packed) // _NUMBER_SIZE}I", packed)))


def _paired(packed: bytes, names: Sequence[str]) -> tuple[tuple[str, str], ...]:
    by_turns = iter(_named(packed, names))
    return tuple(zip(by_turns, by_turns, strict=True))


def _folded(paths: Iterable[str]) -> bytes:
    """Names that are no Unicode go through: they are bytes to git, and here."""
    return zlib.compress("\0".join(paths).encode("utf-8", "surrogateescape"), level=1)


def _unfolded(batch: bytes) -> list[str]:
    return zlib.decompress(batch).decode("utf-8", "surrogateescape").split("\0")
