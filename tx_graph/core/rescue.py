"""Databases that another takes the place of: damaged, of an older shape, or those of another repository."""

from __future__ import annotations

import os
import random
import time
from contextlib import closing, suppress
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.core.migrations import migrate, migrations, version_of
from tx_graph.core.place import DIRECTORY
from tx_graph.core.sqlite import binding

if TYPE_CHECKING:
    from tx_graph.core.sqlite import Connection


_MAGIC = b"SQLite format 3\0"
_NOT_CARRIED = tuple(
    "learnings_vocabulary vector_index_state code_chunks code_words chunked_files file_cards file_cards_fts "
    "card_vectors journal".split()
)
"""The words of the text index, for which sqlite-vec indexes exist, and pieces of files: these are made again. What the
journal says is taken in anew."""


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
            location = f"{path.resolve().as_uri()}?mode=rw"
            with closing(binding().module.connect(location, isolation_level=None, uri=True, timeout=0.1)) as source:
                source.execute("PRAGMA locking_mode = EXCLUSIVE")  # until it is closed
                source.execute("PRAGMA journal_mode = DELETE")  # folds the log into the file; fails beside others
                source.execute("BEGIN EXCLUSIVE")
                if path.stat().st_ino == before and has_older_shape(source):
                    _replace(path, source)
        except binding().module.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(random.uniform(0.01, 0.05))  # noqa: S311 - so that of two that wait one goes first
        else:
            return


def move_aside(path: Path) -> Path:
    """Give a damaged database another name, and return that: the next one is made of the records and the journal."""
    kept = _free_name(path, ".damaged")
    try:
        with suppress(FileNotFoundError):
            path.with_name(f"{path.name}-wal").rename(kept.with_name(f"{kept.name}-wal"))
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)  # SQLite makes it again
        path.rename(kept)
    except OSError as error:
        raise StorageError(f"{path} cannot be moved aside: {error.strerror}.") from error
    return kept


def _free_name(path: Path, suffix: str) -> Path:
    """Return a name that no file has, or this one, as a process left it that was killed in `_replace`."""
    names = chain([f"{path.name}{suffix}"], (f"{path.name}{suffix}{number}" for number in count(2)))
    return next(one for name in names if not (one := path.with_name(name)).exists() or one.samefile(path))


def _replace(path: Path, source: Connection) -> None:
    """Let a database with the rows of `source`, the one at `path`, take its place; the old file is kept."""
    fresh, kept = path.with_name(f"{path.name}-new"), _free_name(path, "-older")
    for companion in ("", "-journal", "-wal", "-shm"):
        fresh.with_name(fresh.name + companion).unlink(missing_ok=True)
    with closing(binding().module.connect(fresh, isolation_level=None)) as target:
        migrate(target, migrations()[:1])
        target.execute("BEGIN IMMEDIATE")
        losses = _carry(target, source)
        target.execute("COMMIT")
        migrate(target, migrations()[1:])
        target.executemany("INSERT INTO losses (kept, what) VALUES (?, ?)", [(str(kept), what) for what in losses])
        target.execute("PRAGMA journal_mode = WAL")
    if os.name == "nt":
        source.close()  # an open file cannot be replaced there
    if not kept.exists():
        try:
            os.link(path, kept)
        except OSError:
            path.rename(kept)  # where there are no hard links: not in one step
    fresh.replace(path)


def _carry(target: Connection, source: Connection) -> list[str]:
    """Fill the tables of the first version; return sentences about what did not come."""
    # What triggers would do the rows that come bear already.
    triggers = target.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    for name, _ in triggers:
        target.execute(f"DROP TRIGGER {name}")
    there, today, lacking = _shape_of(source), _shape_of(target), list[str]()
    for table, columns in today.items():
        shared = [column for column in columns if column in there.get(table, ())]
        if not shared:
            continue
        values = dict.fromkeys(shared, "?")
        if table == "records":
            values.setdefault("kind", "'learnings'")  # the only ones there were
        target.execute(f"DELETE FROM {table}")
        target.executemany(
            f"INSERT OR IGNORE INTO {table} ({', '.join(values)}) VALUES ({', '.join(values.values())})",
            source.execute(f"SELECT {', '.join(shared)} FROM {table}"),
        )
        if lost := _count(source, table) - _count(target, table):
            lacking.append(f"{table}: {lost:,} of its rows could not be carried over.")
    for table in there.keys() - today.keys():
        if number := _count(source, table):
            lacking.append(f"{table}: there is no such table any more; its {number:,} rows stay where they are.")
    for table in ("records", "files", "documents"):  # what is compared with the working tree is read again
        target.execute(f"UPDATE {table} SET mtime_ns = -1, content_hash = ''")
    for _, sql in triggers:
        target.execute(sql)
    return lacking


def remove_dangling(connection: Connection) -> dict[str, int]:
    """Remove what refers to missing rows: the reference where it may be empty, else the row; return rows by table.

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


def _count(connection: Connection, table: str) -> int:
    return int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])


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
