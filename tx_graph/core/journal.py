"""The journal: what no record has and nothing can be derived from, beside the database, so that this may be deleted.

A line is what one transaction left of the rows that it touched, `{"tasks": [[7, "task:7", …]], "-runs": [[9]]}`: those
that are there, and after a `-` the keys of those that went. Reading a line twice does no harm. It is on the disk before
the transaction is committed, so a database that lacks the end of it takes that in. The first line says which tx wrote
it and what the columns are; nodes go by kind and key, `file:src/a.py`, so that it holds for every database.
"""

from __future__ import annotations

import json
import os
import re
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tx_graph.core.dataclass import dataclass, field, replace
from tx_graph.core.errors import StorageError

if TYPE_CHECKING:
    from tx_graph.core.database import Database

VERSION = 1
"""Of the format; a table or a column more makes another one, for a tx that does not know it would lose it."""
_TAIL = 256  # bytes by which the end of a journal is known again
_SLACK = 1_000_000  # bytes that a journal may be longer than twice what it last began with, until it is written anew
_ROWS = 1_000  # rows of one line where all of them are written
_IGNORE = "*\n"  # of the directory's own .gitignore: that of a workspace may be older than the directory

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting:
    """A table of which rows, or some columns, cannot be derived.

    `key` and `kept` are its columns, those in `nodes` refer to nodes. Rows that are not `only` so need not be kept.
    `given` is what else a row has when it comes before what it is derived from: SQL by column. Of one that `follows` a
    record, only rows that are there are brought up to date.
    """

    name: str
    key: tuple[str, ...]
    kept: tuple[str, ...]
    nodes: frozenset[str]
    only: str = "1"
    given: Mapping[str, str] = field(default_factory=dict)
    follows: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """All columns of a row, in their order."""
        return (*self.key, *self.kept)

    def selected(self) -> str:
        """Return the columns of a row `t` as SQL, with nodes by kind and key."""
        return ", ".join(
            f"(SELECT kind || ':' || key FROM nodes WHERE id = t.{one})" if one in self.nodes else f"t.{one}"
            for one in self.columns
        )

    def writing(self) -> str:
        """Return the statement that writes a row."""
        changed = [one for one in self.kept if one not in self.given]
        if self.follows:
            return f"UPDATE {self.name} SET {', '.join(f'{one} = :{one}' for one in changed)} WHERE {self.is_row}"
        values = {one: f":{one}" for one in self.columns} | dict(self.given)
        return f"""
            INSERT INTO {self.name} ({", ".join(values)}) VALUES ({", ".join(values.values())})
            ON CONFLICT ({", ".join(self.key)}) DO UPDATE SET {", ".join(f"{one} = excluded.{one}" for one in changed)}
        """

    @property
    def is_row(self) -> str:
        """The condition of the row with a key."""
        return " AND ".join(f"{one} = :{one}" for one in self.key)


def _table(name: str, columns: str, **others: Any) -> Lasting:
    """Return a table: a `*` stands before the columns of its key, a `:` before those that refer to nodes."""
    words = columns.split()
    plain = {word: word.lstrip("*:") for word in words}
    key = tuple(plain[word] for word in words if word.startswith("*"))
    kept = tuple(plain[word] for word in words if not word.startswith("*"))
    nodes = frozenset(plain[word] for word in words if ":" in word)
    return Lasting(name=name, key=key, kept=kept, nodes=nodes, **others)


LASTING = (
    _table(
        "learnings",
        "*uid id :node_id updated_at usage_count helpful_score last_used_at",
        given={
            "content": "''",
            "status": "'active'",
            "confidence": "1",
            "source_type": "'manual'",
            "created_at": ":updated_at",
            "record": "''",
            "present": "0",
        },
    ),
    _table(
        "facts",
        """*uid id :subject :object subject_name object_name predicate value relation confidence status source
        source_ref source_print created_at valid_until superseded_by access_count last_accessed_at record present
        private""",
        given={"record": "NULL", "present": "iif(:record IS NULL, :present, 0)"},
    ),
    _table("tasks", "*id :node_id title description external_id created_at updated_at done_at"),
    _table("runs", "*id :node_id task agent started_at outcome finished_at transcript_bytes transcript"),
    _table("run_learnings", "*run *:learning position score shown_at times"),
    _table(
        "transcripts",
        """*id path format run session cwd size mtime_ns read_bytes read_hash lines unknown malformed redacted
        ingested_at""",
    ),
    _table("telemetry_events", "*id transcript line at kind tool call failed paths text"),
    _table(
        "invalidation_log",
        """*id :learning anchor_type anchor_value at event detected_by old_status new_status drift reason detail
        commit_sha old_place new_place old_hash new_hash anchor""",
    ),
    _table("link_log", "*id :source :target relation weight at event detected_by"),
    _table(
        "learning_edges",
        "*:source *:target *edge_type *relation weight description metadata created_at invalidated_at",
    ),
    _table(
        "extracted_edges",
        "*:source *:target *relation *origin weight description source_hash target_hash",
        only="{row}.origin <> 'vectors'",
    ),
    _table(
        "file_anchors",
        "*:learning *anchor_type *anchor_value status drift reason found_at found_lines",
        only="""{row}.invalidated_at IS NULL AND
            ({row}.status <> 'valid' OR {row}.drift IS NOT NULL OR {row}.found_at IS NOT NULL)""",
        follows=True,
    ),
)
"""What outlives the database, referred to before what refers to it. All other tables are made again from records,
files and history, and so are the columns that are not named here."""
_TABLES = {table.name: table for table in LASTING}


_NUMBERED = ("learnings", "facts")  # known by their uids, whatever their numbers
_FREED = (
    "DELETE FROM learning_vectors",
    "UPDATE vector_index_state SET stale = 1 WHERE subject = 'learnings'",
    "DELETE FROM learnings_fts",
    "UPDATE learnings SET id = -id",
    "UPDATE facts SET id = -id",
    # All of them are read again, under their new numbers.
    "UPDATE records SET mtime_ns = -1, content_hash = '' WHERE kind = 'learnings'",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """The first line of a journal: its name, how often it was written anew, and the columns of each table."""

    name: str
    generation: int
    columns: Mapping[str, Sequence[str]] = field(
        default_factory=lambda: {table.name: table.columns for table in LASTING}
    )

    @classmethod
    def read(cls, line: bytes, path: Path) -> Head | None:
        """Return what a first line says, None if it is none; that of a newer tx is refused."""
        try:
            said = json.loads(line)
            version, name, generation, columns = (said[key] for key in ("tx", "name", "generation", "columns"))
            known = all(table in _TABLES and {*names} <= {*_TABLES[table].columns} for table, names in columns.items())
        except (ValueError, TypeError, KeyError, AttributeError):
            return None
        if not known or not isinstance(version, int) or version > VERSION:
            raise StorageError(f"{path} was written by a newer tx.", hint="Upgrade tx; nothing was touched.")
        return cls(name=str(name), generation=int(generation), columns=columns)

    def line(self) -> bytes:
        """Return it as text."""
        return _line({"tx": VERSION, "name": self.name, "generation": self.generation, "columns": dict(self.columns)})

    def rows(self, line: bytes) -> Iterator[tuple[Lasting, list[Row], bool]]:
        """Return the tables that a later line speaks of, with rows, and whether these went; else raise ValueError."""
        said = json.loads(line)
        if not isinstance(said, dict):
            raise ValueError("it is no object")  # noqa: TRY004 - as what is no JSON does
        for name, rows in said.items():
            table, is_gone = _TABLES.get(name.removeprefix("-")), name.startswith("-")
            if table is None or not isinstance(rows, list):
                raise ValueError(f"there is no table {name}")
            columns = table.key if is_gone else self.columns[table.name]
            if any(not isinstance(row, list) or len(row) != len(columns) for row in rows):
                raise ValueError(f"a row of {name} does not have {len(columns)} columns")
            yield table, [dict.fromkeys(table.columns) | dict(zip(columns, row, strict=True)) for row in rows], is_gone


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """How far a database has the journal; `base` is its size when it was last written anew."""

    name: str
    generation: int
    size: int
    tail: int
    base: int


class Journal:
    """The journal of an open database. `follow` is called when rows came that others are derived from.

    `notices` are sentences about what was wrong with it.
    """

    def __init__(self, database: Database, path: Path, *, follow: Callable[[], None]) -> None:
        self._database = database
        self.path = path
        self.notices: list[str] = []
        self._follow = follow
        self._fresh = path.with_name(f"{path.name}-new")
        self._touched: dict[str, set[tuple[Any, ...]]] = defaultdict(set)
        self._watches = False
        self._file: FileIO | None = None
        self._length: int | None = None  # before this transaction wrote to it
        self._is_new = False  # nothing of it is there yet
        self._current: tuple[str, int] | None = None  # the journal whose head is known to have the columns of today
        self._has_fresh = False  # one that takes its place waits for the commit
        self._late: list[tuple[Lasting, list[Row]]] = []

    def is_behind(self) -> bool:
        """Whether the database lacks what the journal says, or what it says cannot be told."""
        if not self.path.exists() or not self.path.stat().st_size:
            return False
        place = self._place()
        return place is None or not _ends(self.path, place)

    def begin(self) -> None:
        """Keep others from writing until `release`, and take in what the database lacks. Needs a transaction."""
        self._touched.clear()
        place = self._place()
        if self._database.is_temporary:
            if place is None and self.path.exists():
                self._catch_up(place)
            return
        try:
            self._open()
            if place and not _ends(self.path, place) and _ends(self._fresh, place):
                self._fresh.replace(self.path)  # its process was killed before it did so
                self._open()
            if place is None or not _ends(self.path, place):
                self._catch_up(place)
            self._watch()
        except OSError as error:
            raise StorageError(f"{self.path} cannot be written: {error.strerror}.") from error

    def end(self) -> None:
        """Write what the transaction under way left of the rows that it touched, just before it is committed."""
        changes = {} if self._file is None or self._is_new else self._changes()
        if self._file is None or not (self._is_new or changes):
            return
        place = self._place() or _Place(name=os.urandom(8).hex(), generation=0, size=0, tail=0, base=0)
        line = _line(changes)
        size = place.size + len(line)
        try:
            if self._is_new or size > 2 * place.base + _SLACK or self._has_other_columns(place):
                self._has_fresh = True
                place = self._write_anew(Head(name=place.name, generation=place.generation + 1))
            else:
                self._length = place.size
                rest = memoryview(line)
                while rest:
                    rest = rest[self._file.write(rest) :]
                os.fsync(self._file.fileno())
                place = replace(place, size=size, tail=_tail(self.path, size))
        except OSError as error:
            raise StorageError(f"{self.path} cannot be written: {error.strerror}.") from error
        self._settle_at(place)

    def undo(self) -> None:
        """Take back what was written of a transaction that cannot be committed."""
        if self._has_fresh:
            self._fresh.unlink(missing_ok=True)
        if self._length is not None:
            os.truncate(self.path, self._length)

    def release(self) -> None:
        """Let others write, once the transaction is over."""
        if self._file is None:
            return
        if os.name == "nt":
            self._file.close()  # an open file cannot be replaced there
        if self._has_fresh:
            with suppress(OSError):  # if it cannot be done now, the next one does it
                self._fresh.replace(self.path)
        self._file.close()
        self._file, self._length, self._has_fresh, self._is_new = None, None, False, False

    def _has_other_columns(self, place: _Place) -> bool:
        """Whether the journal is of an older tx, whose tables had other columns; its head is read once."""
        if self._current != (place.name, place.generation):
            with self.path.open("rb") as stream:
                head = Head.read(stream.readline(), self.path)
            if head is None or any([*table.columns] != [*head.columns.get(table.name, ())] for table in LASTING):
                return True
            self._current = (place.name, place.generation)
        return False

    def _open(self) -> None:
        """Open the file that has the name, and have it alone."""
        if not self.path.parent.exists():
            self.path.parent.mkdir()
            (self.path.parent / ".gitignore").write_text(_IGNORE, encoding="utf-8")
        while True:
            if self._file:
                self._file.close()
            self._file = self.path.open("ab", buffering=0)
            _lock(self._file)
            with suppress(FileNotFoundError):  # it was written anew meanwhile
                if os.path.samestat(os.fstat(self._file.fileno()), self.path.stat()):
                    return

    def _catch_up(self, place: _Place | None) -> None:
        """Take in what the database lacks; a journal that is not its own makes room for one of what it has."""
        with self.path.open("rb") as stream:
            first = stream.readline()
            head, size = (Head.read(first, self.path) if first.endswith(b"\n") else None), self.path.stat().st_size
            is_same = place and head and (head.name, head.generation) == (place.name, place.generation)
            start = place.size if is_same and place else len(first)
            is_ours = head and (
                place is None
                or (head.name == place.name and head.generation > place.generation)
                or (is_same and size >= place.size and _tail(self.path, place.size) == place.tail)
            )
            if not head or not is_ours:
                self._is_new = True
                if size and self._file:
                    kept = _free_name(self.path)
                    self.path.rename(kept)
                    self._open()
                    self.notices.append(f"{self.path} was not of this database, which counts: it is {kept.name} now")
                return
            stream.seek(start)
            end = start + self._replay(head, stream)
        if end < size:
            self.notices.append(f"{self.path} ended within a line, as when a command is killed; that was dropped")
            if self._file:
                os.truncate(self.path, end)
        base = place.base if is_same and place else end
        self._settle_at(
            _Place(name=head.name, generation=head.generation, size=end, tail=_tail(self.path, end), base=base)
        )
        self._touched.clear()  # what was taken in stands in the journal
        self._watch()
        self.settle()
        if any(self._database.rows(f"PRAGMA foreign_key_check({table.name})") for table in LASTING):
            from tx_graph.core.rescue import remove_dangling

            gone = remove_dangling(self._database.connection)
            self.notices.append(f"{self.path} has rows about what it does not have: {sum(gone.values())} were left out")

    def settle(self) -> None:
        """Have derived what rests on rows that came, then write those that follow from it. Needs a transaction."""
        for name in _NUMBERED:
            for (number,) in self._database.rows(f"SELECT id FROM {name} WHERE id < 0 ORDER BY id DESC"):
                free = f"(SELECT max(0, max(id)) + 1 FROM {name})"
                self._database.write(f"UPDATE {name} SET id = {free} WHERE id = ?", (number,))
        self._follow()
        for table, rows in self._late:
            self._database.write_many(table.writing(), self.with_nodes(table, rows))
        self._late.clear()
        self._database.write(
            """
            UPDATE learning_edges
            SET invalidated_at = strftime('%Y-%m-%dT%H:%M:%SZ', 'now')
            WHERE invalidated_at IS NULL AND source IN (SELECT node_id FROM learnings WHERE present = 0)
            """
        )

    def _replay(self, head: Head, lines: Iterable[bytes]) -> int:
        """Take in whole lines; return how many bytes these are."""
        taken = 0
        self._database.write("PRAGMA defer_foreign_keys = ON")
        for line in lines:
            if not line.endswith(b"\n"):
                break
            taken += len(line)
            try:
                for table, rows, are_gone in head.rows(line):
                    self._remove_rows(table, rows) if are_gone else self.write_rows(table, rows)
            except (ValueError, TypeError, StorageError) as error:
                if isinstance(error, StorageError) and not re.search("constraint|mismatch", error.message):
                    raise
                self.notices.append(f"{self.path} has a line that cannot be read, and is skipped: {error}")
        return taken

    def write_rows(self, table: Lasting, rows: list[Row]) -> None:
        """Write rows as a line has them. Needs a transaction, and `settle` behind it."""
        if table.name in _NUMBERED and self._database.row(
            f"""
            SELECT 1 FROM json_each(:rows) r JOIN {table.name} t ON t.id = json_extract(r.value, '$[1]')
            WHERE t.uid <> json_extract(r.value, '$[0]')
            """,
            {"rows": json.dumps([(row["uid"], row["id"]) for row in rows])},
        ):
            self.free_numbers()
        self._database.write_many(table.writing(), self.with_nodes(table, rows))
        if table.follows:
            self._late.append((table, rows))

    def free_numbers(self) -> None:
        """Let no learning or fact have its number any more; `settle` gives one to those that get none otherwise."""
        for statement in _FREED:
            self._database.write(statement)

    def _remove_rows(self, table: Lasting, rows: list[Row]) -> None:
        gone = {tuple(row[one] for one in table.key) for row in rows}
        for late, waiting in self._late:
            waiting[:] = [row for row in waiting if late is not table or tuple(row[o] for o in table.key) not in gone]
        if not table.follows:
            self._database.write_many(f"DELETE FROM {table.name} WHERE {table.is_row}", self.with_nodes(table, rows))

    def with_nodes(self, table: Lasting, rows: Iterable[Row]) -> list[Row]:
        """Return rows with the nodes that they name, which are made where there are none."""
        rows = list(rows)
        names = sorted({str(row[one]) for row in rows for one in table.nodes if row[one] is not None})
        pairs = json.dumps([name.split(":", 1) for name in names])
        every = "json_extract(value, '$[0]') AS kind, json_extract(value, '$[1]') AS key FROM json_each(:pairs)"
        self._database.write(f"INSERT OR IGNORE INTO nodes (kind, key) SELECT {every}", {"pairs": pairs})
        known = dict(
            self._database.rows(
                f"SELECT n.kind || ':' || n.key, n.id FROM (SELECT {every}) o JOIN nodes n USING (kind, key)",
                {"pairs": pairs},
            )
        )
        return [row | {one: known.get(row[one]) for one in table.nodes} for row in rows]

    def _write_anew(self, head: Head) -> _Place:
        """Write a journal of all rows there are now, which takes the place of this one once that is committed."""
        size, tail = 0, b""
        with self._fresh.open("wb") as stream:
            for line in (head.line(), *(line for _, _, line in snapshot(self._database))):
                stream.write(line)
                size, tail = size + len(line), (tail + line)[-_TAIL:]
            stream.flush()
            os.fsync(stream.fileno())
        return _Place(name=head.name, generation=head.generation, size=size, tail=zlib.crc32(tail), base=size)

    def _watch(self) -> None:
        """Have every change of a lasting row noted, as long as the connection lasts."""
        if self._watches:
            return
        connection = self._database.connection
        connection.create_function("tx_touched", -1, lambda table, *key: self._touched[table].add(key))
        for table in LASTING:
            old, new = (", ".join(f"{row}.{one}" for one in table.columns) for row in ("old", "new"))
            for event, row, when in (
                ("INSERT", "new", table.only.format(row="new")),
                ("DELETE", "old", table.only.format(row="old")),
                (f"UPDATE OF {', '.join(table.columns)}", "new", f"({old}) IS NOT ({new})"),
            ):
                keys = ", ".join(f"{row}.{one}" for one in table.key)
                connection.execute(
                    f"""
                    CREATE TEMP TRIGGER journal_{event[:6]}_{table.name} AFTER {event} ON main.{table.name} WHEN {when}
                    BEGIN SELECT tx_touched('{table.name}', {keys}); END
                    """
                )
        # Sections get other names, and what was said of them goes by these.
        connection.execute(
            f"""
            CREATE TEMP TRIGGER journal_names AFTER UPDATE OF key ON main.nodes
            BEGIN
                SELECT tx_touched('extracted_edges', {", ".join(_TABLES["extracted_edges"].key)})
                FROM extracted_edges
                WHERE (source = new.id OR target = new.id) AND origin <> 'vectors';
            END
            """
        )
        self._watches = True

    def _changes(self) -> dict[str, list[Any]]:
        """Return what became of the rows that were touched, by table; of those that went their keys."""
        found: dict[str, list[Any]] = {}
        for table in LASTING:
            keys = [dict(zip(table.key, key, strict=True)) for key in sorted(self._touched.get(table.name, ()))]
            same = " AND ".join(f"t.{one} = json_extract(k.value, '$.{one}')" for one in table.key)
            rows = self._database.rows(
                f"""
                SELECT {table.selected()}
                FROM json_each(:keys) k CROSS JOIN {table.name} t ON {same}
                WHERE {table.only.format(row="t")}
                """,
                {"keys": json.dumps(keys)},
            )
            if rows:
                found[table.name] = rows
            if len(rows) < len(keys):
                nodes = {node for key in keys for one, node in key.items() if one in table.nodes}
                names = dict(
                    self._database.rows(
                        "SELECT id, kind || ':' || key FROM nodes WHERE id IN (SELECT value FROM json_each(?))",
                        (json.dumps([*nodes]),),
                    )
                )
                named = {tuple(names.get(v) if one in table.nodes else v for one, v in key.items()) for key in keys}
                # What went with its node can be named no more, and is nothing without it.
                found[f"-{table.name}"] = sorted(
                    key for key in named - {row[: len(table.key)] for row in rows} if None not in key
                )
        return found

    def _place(self) -> _Place | None:
        row = self._database.row("SELECT name, generation, size, tail, base FROM journal")
        return row and _Place(**dict(zip(("name", "generation", "size", "tail", "base"), row, strict=True)))

    def _settle_at(self, place: _Place) -> None:
        self._database.write(
            "INSERT OR REPLACE INTO journal (id, name, generation, size, tail, base) VALUES (1, ?, ?, ?, ?, ?)",
            (place.name, place.generation, place.size, place.tail, place.base),
        )


def snapshot(database: Database) -> Iterator[tuple[str, int, bytes]]:
    """Return all lasting rows as lines of a journal, without the first one: table, number of rows and line."""
    for table in LASTING:
        rows = database.connection.execute(
            f"SELECT {table.selected()} FROM {table.name} t WHERE {table.only.format(row='t')}"
        )
        while found := rows.fetchmany(_ROWS):
            yield table.name, len(found), _line({table.name: found})


def _line(said: Mapping[str, Any]) -> bytes:
    return json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _tail(path: Path, size: int) -> int:
    """Return what tells the end of the first `size` bytes of a file."""
    with path.open("rb") as stream:
        stream.seek(max(0, size - _TAIL))
        return zlib.crc32(stream.read(min(size, _TAIL)))


def _ends(path: Path, place: _Place) -> bool:
    """Whether a file ends where a database has it."""
    try:
        return path.stat().st_size == place.size and _tail(path, place.size) == place.tail
    except FileNotFoundError:
        return False


def _free_name(path: Path) -> Path:
    number = 1
    while (free := path.with_name(f"{path.stem}-{number}{path.suffix}")).exists():
        number += 1
    return free


def _lock(file: FileIO) -> None:
    """Wait until nobody else has the file. On Windows the database's own lock is enough: it cannot be replaced."""
    with suppress(ImportError):
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX)
