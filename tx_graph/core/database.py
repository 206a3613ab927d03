"""The database of a workspace, and lesser ones that may be thrown away; SQLite's errors in words."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from tx_graph.core.errors import StorageError
from tx_graph.core.sqlite import APPLICATION_ID, LATEST_VERSION, binding, load_vector_extension

if TYPE_CHECKING:
    from tx_graph.core.journal import Journal
    from tx_graph.core.sqlite import Connection


Parameters = Mapping[str, Any] | Sequence[Any]

LOCK_TIMEOUT = 60.0
"""Seconds to wait for another process's write before saying that the database is locked."""
_A_MOMENT = 20  # milliseconds for which what need not be written waits for another process
_CACHE_KILOBYTES = 8_000
"""Four times SQLite's own choice: a search touches pages all over the tables of a large graph (5% of its time)."""
_IDENTITY = """
    SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
        (SELECT root FROM workspace)
"""
"""Whose database it is, and of which version: one question, because every command asks it."""
_REBUILD = (
    "'tx doctor --fix' moves it aside and builds another one from the records and the journal, then run 'tx sync'; "
    "the learnings are safe in .tx/learnings/."
)


class DamagedDatabase(StorageError):
    """What lies at its path cannot be read as a database of tx, and no statement can mend it."""


class Locked(StorageError):
    """Another process is writing, and went on for longer than was waited."""


class Unreachable(StorageError):
    """There is no database that can be read, and none can be made: the place cannot be written."""


class Database:
    """A connection in autocommit mode; writes go through `transaction()`.

    `read_only` says that the file or its directory cannot be written: reading works, and what would
    only refresh the index is left out. `is_temporary` says that it lies in memory, in the place of such a file.
    `owner` is the root that it belongs to, None where it is new. What is written while it has a `journal` outlives it.
    """

    def __init__(self, connection: Connection, path: Path, *, read_only: bool, is_temporary: bool = False) -> None:
        self._connection = connection
        self.path = path
        self.read_only = read_only
        self.is_temporary = is_temporary
        self.has_vectors = load_vector_extension(connection)
        self.owner: str | None = None
        self.journal: Journal | None = None
        self._companions = ExitStack()
        self._file: tuple[int, int] | None = None
        self._log: tuple[int, int] | None = None
        self._written: tuple[int, int] | None = None

    @classmethod
    def open(cls, path: Path, *, timeout: float = LOCK_TIMEOUT) -> Self:
        """Open the database at `path`, creating or migrating it where needed."""
        with explained(path):
            connection, read_only = _connect(path, timeout)
            database = cls(connection, path, read_only=read_only)
            try:
                is_older = database._prepare(timeout)
                database._file = _file_at(path)  # not before: SQLite makes a new file when it first needs one
                database._log = _file_at(path.with_name(f"{path.name}-wal"))
            except BaseException:
                connection.close()
                raise
            if is_older:
                from tx_graph.core.rescue import renew_older

                connection.close()
                renew_older(path, timeout)
                return cls.open(path, timeout=timeout)
            return database

    @classmethod
    def in_memory(cls, path: Path) -> Self:
        """Return a new, empty database that vanishes when it is closed, in the place of the one at `path`."""
        with explained(path):
            connection = binding().module.connect(":memory:", isolation_level=None, check_same_thread=False)
            database = cls(connection, path, read_only=False, is_temporary=True)
            database._prepare(timeout=0)
            return database

    def freeze(self) -> None:
        """Refuse writes from here on, as a file that cannot be written does."""
        self._connection.execute("PRAGMA query_only = ON")
        self.read_only = True

    def _prepare(self, timeout: float) -> bool:
        """Configure the connection and migrate; return True where another database has to take its place first."""
        self._connection.execute("PRAGMA foreign_keys = ON")
        # It may have come with a clone: what its views and triggers name is not to be more than tables.
        self._connection.execute("PRAGMA trusted_schema = OFF")
        if not self.read_only:
            self._connection.execute("PRAGMA synchronous = NORMAL")
        with suppress(binding().module.OperationalError):  # it has no such table: it is new, or not one of tx
            mark, version, self.owner = self._connection.execute(_IDENTITY).fetchone()
            if (mark, version) == (APPLICATION_ID, LATEST_VERSION):
                return False
        from tx_graph.core.migrations import is_foreign, migrate, migration_directory, migrations, version_of

        if is_foreign(self._connection):
            raise StorageError(
                f"{self.path} is a database, but not one of tx; nothing was written to it.",
                hint="Move it away, or choose another file with TX_DB.",
            )
        version = version_of(self._connection)
        migration_directory()  # without it every database would look like one of a newer tx
        if version > LATEST_VERSION:
            raise StorageError(
                f"{self.path} was made by a newer tx (schema {version}, this one knows {LATEST_VERSION}).",
                hint="Upgrade tx; nothing was touched.",
            )
        if self.read_only:
            if version < LATEST_VERSION:
                raise Unreachable(f"{self.path} needs an upgrade of its schema and cannot be written.")
            return False
        if version < LATEST_VERSION:
            from tx_graph.core.rescue import has_older_shape

            if has_older_shape(self._connection):
                return True
            deadline = time.monotonic() + timeout
            while True:  # switching to WAL does not honour the busy timeout
                try:
                    self._connection.execute("PRAGMA journal_mode = WAL")
                    break
                except binding().module.OperationalError as error:
                    if "locked" not in str(error) or time.monotonic() > deadline:
                        raise
                    time.sleep(0.02)
            migrate(self._connection, migrations())
        return False

    def expect_much_reading(self) -> None:
        """Keep more pages in memory: what searches and walks calls this, and what writes one row does not."""
        self._connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")

    def is_replaced(self) -> bool:
        """Whether another file, another repository's database or nothing is where it was opened."""
        if self._file != _file_at(self.path):
            return True
        found = self.path.stat() if self._file and self.owner else None
        if found is None or self._written == (found.st_size, found.st_mtime_ns):
            return False
        # Somebody may have copied another database over this one, past SQLite, whose log would hide most of it.
        self._written = found.st_size, found.st_mtime_ns
        from tx_graph.core.rescue import foreign_owner

        with suppress(binding().module.Error):  # it is new, and what it has stands in the log alone
            beside = binding().module.connect(f"{self.path.resolve().as_uri()}?mode=ro&immutable=1", uri=True)
            try:
                return bool(foreign_owner(beside, Path(self.owner or "")))
            finally:
                beside.close()
        return False

    def has_other_schema(self) -> bool:
        """Whether another version of tx changed the schema since."""
        from tx_graph.core.migrations import version_of

        return version_of(self._connection) != LATEST_VERSION

    def abandon(self) -> None:
        """Close a database that was replaced, and drop its log, which SQLite would take for that of the new one."""
        log = self.path.with_name(f"{self.path.name}-wal")
        is_ours = self._log is not None and self._log == _file_at(log)
        if is_ours:
            with suppress(OSError):
                os.truncate(log, 0)  # else closing would write what it has into a file that was overwritten
        with suppress(binding().module.Error):
            self._connection.close()
        if is_ours and self._log == _file_at(log):
            for file in (log, self.path.with_name(f"{self.path.name}-shm")):
                with suppress(OSError):
                    file.unlink()

    @property
    def connection(self) -> Connection:
        """The DB-API connection, for stores and for sqlite-utils."""
        return self._connection

    def rows(self, sql: str, parameters: Parameters = ()) -> list[Any]:
        """Return all rows of a query, as tuples."""
        try:
            return self._connection.execute(sql, parameters).fetchall()
        except binding().module.Error as error:
            raise explanation(error, self.path) from error

    def row(self, sql: str, parameters: Parameters = ()) -> Any | None:
        """Return the first row of a query, None where it has none."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def value(self, sql: str, parameters: Parameters = ()) -> Any:
        """Return the first column of the first row of a query, None where it has none."""
        found = self.rows(sql, parameters)
        return found[0][0] if found else None

    def write(self, sql: str, parameters: Parameters = ()) -> int:
        """Run a statement inside a transaction; return how many rows it changed."""
        try:
            return self._connection.execute(sql, parameters).rowcount
        except binding().module.Error as error:
            raise explanation(error, self.path) from error

    def write_many(self, sql: str, parameters: Iterable[Parameters]) -> None:
        """Run a statement once for each of `parameters` inside a transaction."""
        try:
            self._connection.executemany(sql, parameters)
        except binding().module.Error as error:
            raise explanation(error, self.path) from error

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """One write transaction, taken at once (BEGIN IMMEDIATE); inside another it is part of that one."""
        if self._connection.in_transaction:
            yield
            return
        self.write("BEGIN IMMEDIATE")
        journal, is_committed = self.journal, False
        try:
            if journal:
                journal.begin()
            with ExitStack() as self._companions:
                yield
                if journal:
                    journal.end()
                self.write("COMMIT")
                is_committed = True
        except BaseException:
            if journal and not is_committed:
                journal.undo()
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
            raise
        finally:
            if journal:
                journal.release()

    @contextmanager
    def steady(self) -> Iterator[None]:
        """See the database as it is when this begins, whatever others write while it lasts; nothing is written here."""
        self._connection.execute("BEGIN")
        try:
            yield
        finally:
            self._connection.execute("ROLLBACK")

    @contextmanager
    def impatient(self) -> Iterator[None]:
        """Wait for another process's write no longer than a moment, as long as this lasts."""
        patience = int(self.value("PRAGMA busy_timeout"))
        self._connection.execute(f"PRAGMA busy_timeout = {_A_MOMENT:d}")
        try:
            yield
        finally:
            self._connection.execute(f"PRAGMA busy_timeout = {patience:d}")

    def join(self, companion: AbstractContextManager[None]) -> None:
        """Enter a context that ends with the transaction under way, and fails where that one cannot be committed."""
        self._companions.enter_context(companion)

    def close(self) -> None:
        """Close the connection; the last one to close folds the write-ahead log into the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Store:
    """Keeps one kind of rows in the open database."""

    def __init__(self, database: Database) -> None:
        self._database = database


def _connect(path: Path, timeout: float) -> tuple[Connection, bool]:
    """Return a connection and whether it is read-only."""
    module = binding().module
    options: dict[str, Any] = {"timeout": timeout, "isolation_level": None, "uri": True, "check_same_thread": False}
    location = Path(os.path.realpath(path)).as_uri()
    if all(os.access(one, os.W_OK) for one in (path if path.exists() else path.parent, path.parent)):
        return module.connect(location, **options), False
    if not path.exists():
        unwritable = Unreachable if path.parent.is_dir() else StorageError
        raise unwritable(f"{path} cannot be created: {path.parent} is missing or not writable.")
    # A write-ahead log needs a shared-memory file beside the database; `immutable` does without.
    log, index = (path.with_name(f"{path.name}{suffix}") for suffix in ("-wal", "-shm"))
    has_log = log.exists() and log.stat().st_size > 0
    if has_log and not index.exists():
        raise Unreachable(f"{path} has a log that cannot be read where nothing can be written.")
    immutable = "" if has_log else "&immutable=1"
    return module.connect(f"{location}?mode=ro{immutable}", **options), True


def _file_at(path: Path) -> tuple[int, int] | None:
    """Return what tells one file from another that takes its name."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn SQLite's errors into one clear sentence about the database at `path`."""
    try:
        yield
    except binding().module.Error as error:
        raise explanation(error, path) from error
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror or error}.") from error


def explanation(error: Exception, path: Path) -> StorageError:
    """Return SQLite's error as a StorageError that says what to do."""
    text = str(error)
    for fragment, sentence in _DAMAGES:
        if fragment in text:
            return DamagedDatabase(sentence.format(path=path), hint=_REBUILD)
    for fragment, sentence, hint in _EXPLANATIONS:
        if fragment in text:
            return (Locked if fragment == "locked" else StorageError)(sentence.format(path=path), hint=hint)
    return StorageError(f"{path}: SQLite says '{text}'.", hint="Run 'tx doctor'.")


_DAMAGES = (
    ("not a database", "{path} is not a SQLite database, or is damaged."),
    ("image is malformed", "{path} is damaged."),
    ("malformed database schema", "{path} is damaged."),
    ("no such table", "{path} is damaged: a table is missing."),
    ("no such column", "{path} is damaged: a column is missing."),
)
_EXPLANATIONS = (
    ("locked", "{path} is locked by another process.", "Wait for that process to finish, then try again."),
    ("readonly", "{path} cannot be written.", "Check the permissions of the file and its directory."),
    ("disk is full", "The disk is full: {path} cannot grow.", "Free some space; nothing that was saved is lost."),
    ("unable to open", "{path} cannot be opened.", "Check that the directory exists and that you may write there."),
    ("disk I/O error", "{path}: the disk failed to read or write.", "Check the disk and its free space."),
)


def connected(path: Path, *, pragmas: Sequence[str], schema: str, timeout: float) -> Connection:
    """Return a connection to a database with this schema, one statement; `timeout` is in seconds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    statements = (*(f"PRAGMA {pragma}" for pragma in pragmas), schema)
    try:
        return _opened(path, statements, timeout)
    except binding().module.OperationalError:  # locked, read-only, no space
        raise
    except binding().module.Error:
        for file in path.parent.glob(f"{path.name}*"):  # a log that was left would be taken for the new one's
            file.unlink()
        return _opened(path, statements, timeout)


def _opened(path: Path, statements: Sequence[str], timeout: float) -> Connection:
    connection: Connection = binding().module.connect(
        path, timeout=timeout, isolation_level=None, check_same_thread=False
    )
    try:
        for statement in statements:
            connection.execute(statement)
    except BaseException:
        connection.close()
        raise
    return connection
