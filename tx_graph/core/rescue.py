"""Databases that another takes the place of: damaged, of an older shape, or those of another repository."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import StorageError
from tx_graph.core.migrations import migrate, migrations, version_of
from tx_graph.core.place import DIRECTORY
from tx_graph.core.sqlite import LATEST_VERSION, binding

if TYPE_CHECKING:
    from tx_graph.core.sqlite import Connection


_MAGIC = b"SQLite format 3\0"
_LOCAL = frozenset(
    "workspace nodes learnings records learning_vectors learning_edges file_anchors invalidation_log link_log votes "
    "tasks runs run_learnings transcripts telemetry_events entity_records entities entity_aliases facts losses".split()
)
"""Tables of which every row counts. All others can be made again, but only wholly: what is there is not read twice."""
_NOT_CARRIED = tuple(
    "learnings_vocabulary vector_index_state code_chunks code_words chunked_files file_cards file_cards_fts "
    "card_vectors journal".split()
)
"""The words of the text index, for which sqlite-vec indexes exist, and pieces of files: these are made again. What the
journal says is taken in anew."""
_NODES = tuple(
    f"INSERT OR IGNORE INTO nodes (id, kind, key) SELECT node_id, '{kind}', {key} FROM {table}"
    for table, kind, key in (
        ("learnings", "learning", "uid"),
        ("tasks", "task", "id"),
        ("runs", "run", "id"),
        ("entities", "entity", "key"),
        ("files", "file", "path"),
    )
)
"""Nodes whose rows are lost, from what knows them."""
_LINEAR = 4096  # keys that are tried one by one past a place that cannot be read, before the steps grow
_SETTLE = (
    # A run whose row is lost, while its transcript and what it was shown are not.
    """
    INSERT OR IGNORE INTO nodes (kind, key)
    SELECT 'run', run FROM (SELECT run FROM transcripts UNION SELECT run FROM run_learnings)
    WHERE run NOT IN (SELECT id FROM runs)
    """,
    """
    INSERT INTO runs (id, node_id, started_at)
    SELECT r.run, n.id, min(r.at)
    FROM (SELECT run, ingested_at AS at FROM transcripts UNION ALL SELECT run, shown_at FROM run_learnings) r
    JOIN nodes n ON n.kind = 'run' AND n.key = r.run
    WHERE r.run NOT IN (SELECT id FROM runs)
    GROUP BY r.run
    """,
    # All that is compared with the working tree is read again, and what has no record there is not present.
    "UPDATE records SET mtime_ns = -1, content_hash = ''",
    "UPDATE learnings SET present = 0 WHERE record NOT IN (SELECT name FROM records WHERE kind = 'learnings')",
    "UPDATE facts SET present = 0 WHERE record NOT IN (SELECT name FROM records WHERE kind = 'facts')",
    "UPDATE entity_records SET present = 0 WHERE record NOT IN (SELECT name FROM records WHERE kind = 'entities')",
    "UPDATE files SET mtime_ns = -1, content_hash = ''",
    "UPDATE documents SET mtime_ns = -1, content_hash = ''",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewal:
    """What became of a database: where the old file is kept, how many rows came over, and what did not."""

    kept: Path
    carried: dict[str, int]
    losses: list[str]


def is_database(path: Path) -> bool:
    """Whether the file begins as a SQLite database does, damaged as it may be."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}.") from error


def has_older_shape(connection: Connection) -> bool:
    """Whether tx made the database when the first migration was still being changed: tables or columns are missing."""
    if version_of(connection) > 1 or not (there := _shape_of(connection)):
        return False
    with closing(binding().module.connect(":memory:", isolation_level=None)) as model:
        migrate(model, migrations()[:1])
        return any(set(columns) - set(there.get(table, ())) for table, columns in _shape_of(model).items())


def renew_older(path: Path, timeout: float) -> None:
    """Let a database of today's shape take the place of one of an older shape, unless another process has done so."""
    deadline = time.monotonic() + timeout
    while True:
        before = path.stat().st_ino
        try:
            with closing(_connect(path, "rw")) as source:
                source.execute("PRAGMA locking_mode = EXCLUSIVE")  # until it is closed
                source.execute("PRAGMA journal_mode = DELETE")  # folds the log into the file; fails beside others
                source.execute("BEGIN EXCLUSIVE")
                if path.stat().st_ino == before and has_older_shape(source):
                    _replace(path, source, suffix="-older")
        except binding().module.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(random.uniform(0.01, 0.05))  # noqa: S311 - so that of two that wait one goes first
        else:
            return


def renew_damaged(path: Path) -> Renewal:
    """Let a new database with all that can be read of the damaged one take its place."""
    try:
        with closing(_connect(path, "ro")) as source:
            source.execute("PRAGMA writable_schema = ON")  # bears a file that is too short, and a schema with holes
            return _replace(path, source, suffix=".damaged")
    except OSError as error:
        raise StorageError(f"{path} cannot be moved aside: {error.strerror}.") from error


def _connect(path: Path, mode: str) -> Connection:
    location = f"{path.resolve().as_uri()}?mode={mode}"
    connection: Connection = binding().module.connect(location, isolation_level=None, uri=True, timeout=0.1)
    return connection


def _replace(path: Path, source: Connection, *, suffix: str) -> Renewal:
    fresh = path.with_name(f"{path.name}-new")
    names = chain([f"{path.name}{suffix}"], (f"{path.name}{suffix}{number}" for number in count(2)))
    # The same file under both names is what a process left that was killed below.
    kept = next(one for name in names if not (one := path.with_name(name)).exists() or one.samefile(path))
    for companion in ("", "-journal", "-wal", "-shm"):
        fresh.with_name(fresh.name + companion).unlink(missing_ok=True)
    with closing(binding().module.connect(fresh, isolation_level=None)) as target:
        carried, losses = _fill(target, source)
        target.executemany("INSERT INTO losses (kept, what) VALUES (?, ?)", [(str(kept), what) for what in losses])
        target.execute("PRAGMA journal_mode = WAL")
    if os.name == "nt":
        source.close()  # an open file cannot be replaced there
    if not kept.exists():
        try:
            os.link(path, kept)
        except OSError:
            path.rename(kept)  # where there are no hard links: not in one step
    with suppress(FileNotFoundError):
        path.with_name(f"{path.name}-wal").rename(kept.with_name(f"{kept.name}-wal"))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)  # SQLite makes it again
    fresh.replace(path)
    return Renewal(kept=kept, carried=carried, losses=losses)


def _fill(target: Connection, source: Connection) -> tuple[dict[str, int], list[str]]:
    """Make the schema that `source` has, carry its rows over, then bring both up to date; return rows and losses."""
    try:
        version, there = version_of(source), _shape_of(source)
    except binding().module.DatabaseError:
        version, there = LATEST_VERSION, {}
    version = min(max(version, 1), LATEST_VERSION)
    migrate(target, migrations()[:version])
    target.execute("BEGIN IMMEDIATE")
    carried, losses = _carry(target, source, there) if there else ({}, ["Nothing in it could be read."])
    target.execute("COMMIT")
    migrate(target, migrations()[version:])
    return carried, losses


def _carry(target: Connection, source: Connection, there: dict[str, list[str]]) -> tuple[dict[str, int], list[str]]:
    """Fill the tables; return how many rows of each came, and sentences about what did not."""
    # What triggers would do the rows that come bear already.
    triggers = target.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        target.execute(f"DROP TRIGGER {name}")
    today = _shape_of(target)
    carried: dict[str, int] = {}
    lacking: dict[str, str] = {}
    for table, columns in today.items():
        shared = [column for column in columns if column in there.get(table, ())]
        if not shared:
            continue
        values = dict.fromkeys(shared, "?")
        if table == "records":
            values.setdefault("kind", "'learnings'")  # the only ones there were
        target.execute(f"DELETE FROM {table}")
        rows = _Rows(source, table, shared)
        # SQLite takes a page that the file's end cuts for one that goes on with zeros.
        whole = (row for row in rows if not any(isinstance(value, str) and value.endswith("\0") for value in row))
        target.executemany(
            f"INSERT OR IGNORE INTO {table} ({', '.join(values)}) VALUES ({', '.join(values.values())})", whole
        )
        carried[table] = _count(target, table) or 0
        if (total := _count(source, table)) is None or rows.are_damaged or total > carried[table]:
            some = "some" if total is None or total <= carried[table] else f"{total - carried[table]:,}"
            lacking[table] = f"{table}: {some} of its rows could not be carried over ({carried[table]:,} were)."
    for table in there.keys() - today.keys():
        if number := _count(source, table):
            lacking[table] = f"{table}: there is no such table any more; its {number:,} rows stay where they are."
    _settle(target, carried, lacking, is_whole=not any(table in today and table not in _LOCAL for table in lacking))
    for _, sql in triggers:
        target.execute(sql)
    return {table: number for table, number in carried.items() if number}, list(lacking.values())


def _settle(target: Connection, carried: dict[str, int], lacking: dict[str, str], *, is_whole: bool) -> None:
    """Leave out what can be made again unless it `is_whole`, and what is about rows that are lost."""
    if not is_whole:
        for table in [table for table in carried if table not in _LOCAL]:
            target.execute(f"DELETE FROM {table}")
            del carried[table]
            lacking.pop(table, None)
        lacking["index"] = (
            "Files, history and documents as they were read, and what models said of sections: run 'tx sync'."
        )
    for statement in (*_NODES, *_SETTLE):
        target.execute(statement)
    # A learning whose row is lost comes again from its record, as the same node.
    for table, number in remove_dangling(target, nodes_suffice=True).items():
        lacking[f"{table} dangling"] = f"{table}: {number:,} of its rows are about something that was lost."


def remove_dangling(connection: Connection, *, nodes_suffice: bool = False) -> dict[str, int]:
    """Remove what refers to missing rows: the reference where it may be empty, else the row; return rows by table.

    With `nodes_suffice` a row that is known by its node may be missing, as long as the node is there.
    Needs a transaction.
    """
    references = connection.execute(
        """
        SELECT t.name, f."from", f."table", f."to", c."notnull" = 0 AND c.pk = 0
        FROM sqlite_master t, pragma_foreign_key_list(t.name) f, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND c.name = f."from"
        ORDER BY t.rowid
        """
    ).fetchall()
    removed: dict[str, int] = {}
    is_settled = False
    while not is_settled:
        is_settled = True
        for table, column, parent, key, is_nullable in references:
            where = f"{column} IS NOT NULL AND {column} NOT IN (SELECT {key} FROM {parent})"  # NULL is in no table
            if nodes_suffice and key == "node_id":
                where += f" AND {column} NOT IN (SELECT id FROM nodes)"
            if is_nullable:
                connection.execute(f"UPDATE OR IGNORE {table} SET {column} = NULL WHERE {where}")
            if number := connection.execute(f"DELETE FROM {table} WHERE {where}").rowcount:
                removed[table] = removed.get(table, 0) + number
                is_settled = False
    return removed


def _shape_of(connection: Connection) -> dict[str, list[str]]:
    """Return the tables that are written to, and of each its columns; of a text index the rowid as well."""
    rows = connection.execute(
        """
        SELECT t.name, t.type, c.name
        FROM pragma_table_list t, pragma_table_xinfo(t.name) c
        WHERE t.schema = 'main' AND t.type IN ('table', 'virtual') AND c.hidden = 0
          AND t.name NOT LIKE 'sqlite_%' AND t.name NOT LIKE '%_vector_index%'
        ORDER BY t.name, c.cid
        """
    ).fetchall()
    shape: dict[str, list[str]] = {}
    for table, kind, column in rows:
        if table not in _NOT_CARRIED:
            shape.setdefault(table, ["rowid"] if kind == "virtual" else []).append(column)
    return shape


def _count(connection: Connection, table: str) -> int | None:
    try:
        return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
    except binding().module.Error:
        return None


class _Rows:
    """The rows of a table, past what cannot be read of it; `are_damaged` says whether there was such a place."""

    def __init__(self, source: Connection, table: str, columns: list[str]) -> None:
        self._source = source
        primary = source.execute(
            """
            SELECT c.name
            FROM pragma_table_list t, pragma_table_info(t.name) c
            WHERE t.name = ? AND t.wr AND c.pk > 0
            ORDER BY c.pk
            """,
            (table,),
        ).fetchall()
        self._keys = [name for (name,) in primary] or ["rowid"]
        self._select = f"SELECT {self._keys[0]}, {', '.join(columns)} FROM {table} NOT INDEXED"
        self.are_damaged = False

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        key, where = self._keys[0], ""
        at: Any = 0
        while True:
            try:
                for row in self._source.execute(f"{self._select} {where} ORDER BY {', '.join(self._keys)}"):
                    at = row[0]
                    yield row[1:]
            except binding().module.Error:
                self.are_damaged = True
            else:
                return
            # The binding looks one row ahead, so the row that was read last may be lost as well: it is asked for alone.
            step = 1
            while isinstance(at, int) and at + step < 1 << 62:
                try:
                    found = self._source.execute(f"{self._select} WHERE {key} >= {at + step:d} ORDER BY {key} LIMIT 1")
                    rows = found.fetchall()
                except binding().module.Error:
                    step += 1 if step < _LINEAR else step
                else:
                    break
            else:
                yield from self._from_the_end()
                return
            if not rows:
                return
            at = rows[0][0]
            yield rows[0][1:]
            where = f"WHERE {key} >= {at:d}"

    def _from_the_end(self) -> Iterator[tuple[Any, ...]]:
        """Yield what lies beyond a bad place of a table whose key is no number, or whose end is bad."""
        with suppress(binding().module.Error):
            for row in self._source.execute(f"{self._select} ORDER BY {' DESC, '.join(self._keys)} DESC"):
                yield row[1:]


def claim(database: Database, root: Path, *, at_home: bool) -> None:
    """Make sure that `database` is that of the repository at `root`; a new one becomes so.

    A database `at_home`, inside the repository, moves with it: there the root is only brought up to date. Where another
    repository has all of the records that it knows, and this one has none, somebody put it in the place of ours.
    """
    name = os.fsencode(root).decode("utf-8", "backslashreplace")
    owner = database.owner or _owner_of(database)
    if owner == name or (database.read_only and (at_home or owner is None)):
        return
    if owner is None or at_home:
        with database.transaction():
            owner = _owner_of(database)
            if owner is None or at_home:
                if other := foreign_owner(database.connection, root):
                    raise StorageError(
                        f"{database.path} is the database of {other}: no record that it knows is here.",
                        hint="Delete it; 'tx sync' builds this repository's own from its records and files.",
                    )
                database.write("INSERT OR REPLACE INTO workspace (id, root) VALUES (1, ?)", (name,))
                database.owner = name
                return
    if owner != name:
        raise StorageError(
            f"{database.path} belongs to {owner}, not to {name}.", hint="Unset TX_DB, or choose another file with it."
        )


def foreign_owner(connection: Connection, root: Path) -> str:
    """Return the repository that a database was taken from, by all it says; nothing if it may be that of `root`.

    It knows records, which another repository has and this one has none of: so a copy of a repository is its own.
    """
    (owner,) = connection.execute("SELECT ifnull(root, '') FROM workspace").fetchone() or ("",)
    rows = connection.execute("SELECT kind, name FROM records")
    known = [Path(DIRECTORY, str(kind), str(name)) for kind, name in rows]
    is_foreign = Path(owner) != root and not any((root / one).exists() for one in known)
    return owner if is_foreign and any((Path(owner) / one).exists() for one in known) else ""


def _owner_of(database: Database) -> str | None:
    owner = database.value("SELECT root FROM workspace")
    return None if owner is None else str(owner)
