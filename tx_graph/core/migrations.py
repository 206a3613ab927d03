"""Numbered, forward-only migrations; each happens wholly or not at all."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import StorageError
from tx_graph.core.sqlite import APPLICATION_ID, MIGRATIONS, binding

if TYPE_CHECKING:
    from tx_graph.core.sqlite import Connection


_NAME = re.compile(r"(\d{4})_\w+\.sql")
_UNMARKED = {"nodes", "learnings", "learning_edges", "file_anchors", "records"}
"""Tables by which a database of the first days is known, which bears no mark."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Migration:
    """One step of the schema: after it the database is at `version`."""

    version: int
    name: str
    sql: str


def migration_directory() -> Path:
    """Return where the SQL files are."""
    if MIGRATIONS is None:
        raise StorageError("The migrations are missing from this installation.", hint="Reinstall tx-graph.")
    return MIGRATIONS


def read_migrations(directory: Path) -> list[Migration]:
    """Return the migrations in `directory`, in order."""
    files = [(match, path) for path in sorted(directory.iterdir()) if (match := _NAME.fullmatch(path.name))]
    return [
        Migration(version=int(match[1]), name=path.stem, sql=path.read_text(encoding="utf-8")) for match, path in files
    ]


def migrations() -> list[Migration]:
    """Return the migrations of this tx, in order."""
    return read_migrations(migration_directory())


def version_of(connection: Connection) -> int:
    """Return the version the database is at; 0 when it is new."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_foreign(connection: Connection) -> bool:
    """Whether the database is another program's: it has content, and does not bear tx's mark."""
    if _mark_of(connection) == APPLICATION_ID:
        return False
    connection.execute("BEGIN")  # so that another process does not fill a new database between the questions
    try:
        mark = _mark_of(connection)
        names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    finally:
        connection.execute("COMMIT")
    return mark != APPLICATION_ID and not (mark == 0 and (not names or names >= _UNMARKED))


def _mark_of(connection: Connection) -> int:
    return int(connection.execute("PRAGMA application_id").fetchone()[0])


def migrate(connection: Connection, migrations: Sequence[Migration]) -> None:
    """Bring the database up to the last of `migrations`.

    A second process that opens the same new database waits for the first, then finds nothing to do.
    """
    for migration in migrations:
        connection.execute("BEGIN IMMEDIATE")
        try:
            if version_of(connection) < migration.version:
                for statement in statements_of(migration.sql):
                    connection.execute(statement)
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID:d}")
                connection.execute(f"PRAGMA user_version = {migration.version:d}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def statements_of(sql: str) -> Iterator[str]:
    """Return the statements of a script one by one: `executescript` would commit the transaction around them."""
    pending = ""
    for line in sql.splitlines(keepends=True):
        pending += line
        if binding().module.complete_statement(pending):
            yield pending
            pending = ""
    if pending.strip():
        yield pending
