"""Local history between machines: all that no record has, as one file of the form of a journal."""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from tx_graph.core.arguments import Arg, Reads
from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass
from tx_graph.core.destination import destination, replacing
from tx_graph.core.errors import StorageError, UsageError
from tx_graph.core.journal import LASTING, Head, Journal, Lasting, Row, snapshot
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer

_LONGEST_HEAD = 100_000
_SAME: Mapping[str, tuple[str, ...]] = {
    "tasks": ("created_at", "title"),
    "runs": ("started_at", "agent", "task"),
    "transcripts": ("path",),
    "invalidation_log": ("learning", "anchor_type", "anchor_value", "at", "event"),
    "link_log": ("source", "target", "relation", "at", "event"),
}
"""By what a row is known again whose number may be another one there; all others are known by their keys."""
_REFERS = {
    ("runs", "task"): "tasks",
    ("run_learnings", "run"): "runs",
    ("transcripts", "run"): "runs",
    ("telemetry_events", "transcript"): "transcripts",
}
"""Columns that hold numbers of rows elsewhere."""
_LATER = {
    "tasks": "(updated_at, done_at IS NOT NULL) < (:updated_at, :done_at IS NOT NULL)",
    "runs": ":finished_at > ifnull(finished_at, '')",
}
"""When a row that is known says less than the one that comes."""
_USE = {
    "learnings": ("usage_count", "helpful_score", "last_used_at"),
    "facts": ("access_count", "last_accessed_at"),
}
"""What is counted of what records and documents have otherwise."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported(Answer):
    """How many rows of each kind were written, to which file."""

    file: str
    rows: dict[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Answer):
    """How many rows of each kind came, how many were known, and how many got another number than they had."""

    added: dict[str, int]
    known: dict[str, int]
    renumbered: int


def export(
    kernel: Kernel, file: Annotated[str, Arg("FILE", "Where to write it; only an earlier export there is replaced.")]
) -> Exported:
    """Write all that records do not have to a file: tasks, runs, votes, use, logs, transcripts, and every number.

    Records travel with git; this is the rest. 'tx import' takes it in on another machine. Transcripts are in it,
    without what may be a secret.

    Example:
      tx export memory.jsonl
    """
    journal = kernel.database.journal

    def is_export(path: Path) -> bool:
        with path.open("rb") as stream:
            head = Head.read(stream.readline(_LONGEST_HEAD), path)
        return bool(head) and not (journal and journal.path.exists() and path.samefile(journal.path))

    rows: Counter[str] = Counter()
    with replacing(destination(kernel, file, command="tx export", is_own=is_export)) as stream:
        stream.write(Head(name=os.urandom(8).hex(), generation=0).line())
        for table, found, line in snapshot(kernel.database):
            stream.write(line)
            rows[table] += found
    return Exported(file=file, rows=dict(rows))


def import_(
    kernel: Kernel, file: Annotated[str, Arg("FILE", "What 'tx export' wrote; '-' reads stdin.", reads=Reads.FILE)]
) -> Imported:
    """Take in what 'tx export' wrote on another machine: all of it or nothing.

    In a clone where nothing was said yet, everything gets the numbers that it had. Elsewhere what is there stays as it
    is, what comes gets another number where its own is taken, and of the use of a learning the greater count stays.
    Importing twice adds nothing.

    Example:
      tx import memory.jsonl
    """
    rows: dict[str, list[Row]] = defaultdict(list)
    first, *lines = file.encode().splitlines(keepends=True) or [b""]
    head = Head.read(first, Path("The file"))
    if head is None:
        raise UsageError("This is not a file that 'tx export' wrote; nothing was imported.")
    for number, line in enumerate(lines, start=2):
        try:
            for table, found, are_gone in head.rows(line):
                kept = rows[table.name]
                if are_gone:  # it may also be a journal
                    gone = {tuple(row[one] for one in table.key) for row in found}
                    kept[:] = [row for row in kept if tuple(row[one] for one in table.key) not in gone]
                else:
                    kept += found
        except (ValueError, TypeError) as error:
            raise UsageError(f"Line {number} cannot be read: {error}; nothing was imported.") from None
    journal = kernel.database.journal
    assert journal is not None  # noqa: S101 - a workspace that is opened by a command has one
    try:
        with kernel.database.transaction():
            kernel.database.write("PRAGMA defer_foreign_keys = ON")
            return _Import(kernel.database, journal).run(rows)
    except StorageError as error:
        if "constraint" not in error.message and "mismatch" not in error.message:
            raise
        raise UsageError(f"The file contradicts itself or the schema: {error.message} Nothing was imported.") from error


class _Import:
    """One import, in a transaction: what became of each number."""

    def __init__(self, database: Database, journal: Journal) -> None:
        self._database = database
        self._journal = journal
        self._numbers: dict[tuple[str, Any], int] = {}
        self._read: set[int] = set()
        said = [f"EXISTS (SELECT 1 FROM {table})" for table in _SAME]
        said += [f"EXISTS (SELECT 1 FROM {table} WHERE {columns[0]} > 0)" for table, columns in _USE.items()]
        self._is_new = not database.value(f"SELECT {' OR '.join(said)}")

    def run(self, rows: Mapping[str, list[Row]]) -> Imported:
        """Take in the rows, those first that others refer to."""
        if self._is_new:
            self._journal.free_numbers()
        counts = {True: Counter[str](), False: Counter[str]()}
        for table in LASTING:
            for row in rows.get(table.name, ()):
                counts[self._take_in(table, row)][table.name] += 1
        self._journal.settle()
        renumbered = sum(old != new for (_, old), new in self._numbers.items())
        return Imported(added=dict(counts[True]), known=dict(counts[False]), renumbered=renumbered)

    def _take_in(self, table: Lasting, came: Row) -> bool:
        """Write a row unless it is known; return whether it was written."""
        name, old, row = table.name, came.get("id"), self._translated(table, came)
        if name == "telemetry_events" and row["transcript"] in self._read:
            return False  # they came with it then
        there = self._there(table, row, old)
        if "id" in row:
            row["id"] = self._numbers[name, old] = self._number(name, old, there)
        if name in _LATER:
            row["node_id"] = f"{name.removesuffix('s')}:{row['id']}"
        if there is None or self._is_later(name, row):
            self._journal.write_rows(table, [row])
        elif name in _USE:
            first, *_ = use = _USE[name]
            seen = ", updated_at = :updated_at" if self._is_new and "updated_at" in row else ""
            self._database.write(f"UPDATE {name} SET id = :id{seen} WHERE uid = :uid", row)
            said = ", ".join(f"{one} = :{one}" for one in use)
            self._database.write(f"UPDATE {name} SET {said} WHERE uid = :uid AND {first} < :{first}", row)
        elif name == "transcripts":
            self._read.add(there)
        return there is None

    def _translated(self, table: Lasting, came: Row) -> Row:
        """Return a row with the numbers here of what it refers to, also where they are keys of nodes."""
        row = dict(came)
        for one, value in came.items():
            if of := _REFERS.get((table.name, one)):
                row[one] = self._numbers.get((of, value), value)
            elif one in table.nodes and value is not None:
                kind, _, key = str(value).partition(":")
                if kind in ("task", "run") and key.isdecimal():
                    row[one] = f"{kind}:{self._numbers.get((f'{kind}s', int(key)), key)}"
        return row

    def _there(self, table: Lasting, row: Row, old: int | None) -> int | None:
        """Return the number of the same row as it is here, 0 where its kind has none; None if it is not here."""
        (resolved,) = self._journal.with_nodes(table, [row])
        same = " AND ".join(f"{one} IS :{one}" for one in _SAME.get(table.name, table.key))
        if table.follows:  # what nobody found yet is not there
            same += f" AND {table.only.format(row=table.name)}"
        number = "id" if "id" in row else "0"
        found = [one for (one,) in self._database.rows(f"SELECT {number} FROM {table.name} WHERE {same}", resolved)]
        if table.name in _LATER:  # of two that began in the same second each is taken once
            given = {new for (of, _), new in self._numbers.items() if of == table.name}
            found = [one for one in found if one not in given]
        return old if old in found else next(iter(found), None)

    def _number(self, table: str, old: int | None, there: int | None) -> int:
        """Return the number that a row is to have here."""
        if there is not None:
            return old if old is not None and self._is_new and table in _USE else there
        is_taken = self._database.row(f"SELECT 1 FROM {table} WHERE id = ?", (old,))
        if old is not None and not is_taken:
            return old
        return int(self._database.value(f"SELECT max(0, ifnull(max(id), 0)) + 1 FROM {table}"))

    def _is_later(self, table: str, row: Row) -> bool:
        """Whether a row that is known here says more than it did."""
        later = _LATER.get(table)
        return bool(later and self._database.row(f"SELECT 1 FROM {table} WHERE id = :id AND ({later})", row))
