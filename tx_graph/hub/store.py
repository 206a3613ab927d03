"""The connection to a hub: its address, its schema, and what goes wrong on the way there, in words."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import TxError, UsageError
from tx_graph.core.migrations import migration_directory, read_migrations

if TYPE_CHECKING:
    from psycopg import Connection

    from tx_graph.core.kernel import Kernel

VARIABLE = "TX_HUB"
"""Environment variable with the address of the hub."""
SETTING = "hub.url"
OLDEST = 15
"""The first version of PostgreSQL that has what rights need: views that ask for those of their reader."""
_CONNECT_SECONDS = 5
_SET = "tx config set hub.url postgresql://HOST/DATABASE"
_PASSWORDS = "Passwords stand in ~/.pgpass, PGPASSWORD or a service file (see docs/hub.md)."


class HubError(TxError, status=8, code="hub"):
    """A hub cannot be reached, is none, or refuses."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where a hub is: what libpq is given, and how people call it, without any password."""

    conninfo: str
    shown: str


def is_named(kernel: Kernel) -> bool:
    """Whether the environment or the settings name a hub."""
    return bool(os.environ.get(VARIABLE) or kernel.config.get(SETTING))


def address_of(kernel: Kernel) -> Address:
    """Return the address of the hub that this workspace uses.

    Raises a UsageError where none is named, where it means nothing, and where the settings hold a password.
    """
    if given := os.environ.get(VARIABLE, ""):
        return read_address(given)
    if configured := str(kernel.config.get(SETTING)):
        return read_address(configured, is_committed=True)
    raise UsageError("No hub is named.", hint=f"Set {VARIABLE} to its address, or run: {_SET}")


def read_address(text: str, *, is_committed: bool = False) -> Address:
    """Return the address that a URL or a connection string of libpq says; what it leaves out, libpq's environment says.

    A server on another machine has to prove who it is, unless the address itself says how far to trust it.
    """
    psycopg = _psycopg()
    try:
        parts: dict[str, Any] = psycopg.conninfo.conninfo_to_dict(text)
    except psycopg.ProgrammingError:
        raise UsageError(
            "The address of the hub means nothing to PostgreSQL.",
            hint="It looks like postgresql://USER@HOST:5432/DATABASE.",
        ) from None
    if is_committed and "password" in parts:
        raise UsageError("The setting hub.url holds a password, which git would carry.", hint=_PASSWORDS)
    host = str(parts.get("host") or parts.get("hostaddr") or os.environ.get("PGHOST", ""))
    is_local = not host or host.startswith(("/", "@")) or host in ("localhost", "127.0.0.1", "::1")
    if not is_local and "service" not in parts and "sslmode" not in parts and "PGSSLMODE" not in os.environ:
        parts |= {"sslmode": "verify-full"} | ({} if "sslrootcert" in parts else {"sslrootcert": "system"})
    parts.setdefault("connect_timeout", _CONNECT_SECONDS)
    parts.setdefault("tcp_user_timeout", 1000 * _CONNECT_SECONDS)  # or a lost network is noticed after minutes
    parts.setdefault("application_name", "tx")
    database = parts.get("dbname") or os.environ.get("PGDATABASE", "")
    name = parts.get("service") or "/".join(filter(None, [host or "this machine", database]))
    return Address(conninfo=psycopg.conninfo.make_conninfo(**parts), shown=str(name))


class Hub:
    """An open hub. Close it, or use it as a context manager."""

    def __init__(self, address: Address) -> None:
        """Connect; raise HubError where that cannot be done."""
        self.address = address
        self._is_known = False  # that there is a hub
        psycopg = _psycopg()
        with self._explained():
            self._connection: Connection[Any] = psycopg.connect(address.conninfo, autocommit=True)
        if (version := self._connection.info.server_version // 10_000) < OLDEST:
            self.close()
            raise HubError(
                f"The server of the hub at {address.shown} is PostgreSQL {version}; it has to be {OLDEST} or newer.",
                hint="Upgrade it, or name another one.",
            )

    def prepared(self) -> Self:
        """Return itself, once it is known to be a hub of this version; else close it, and raise HubError."""
        try:
            self._check_version(self.version())
        except BaseException:
            self.close()
            raise
        return self

    def reading(self, *, timeout: str = "0", sought: int = 0) -> Self:
        """Return itself in a transaction that reads one state of the hub; else close it, and raise HubError.

        One round trip does it all, and says whether a connection that was kept still answers. A statement that takes
        longer than `timeout` is given up; each index of vectors keeps `sought` in sight.
        """
        try:
            try:
                with self._explained():
                    cursor = self._connection.execute(_READING.format(timeout=timeout, sought=sought))
                    cursor.nextset()
                    ((version, self.has_vectors, *_),) = cursor.fetchall()
            except HubError:
                if not self._connection.broken:
                    self._connection.rollback()
                    self._check_version(self.version())
                raise
            self._check_version(version)
        except BaseException:
            self.close()
            raise
        return self

    def end(self) -> None:
        """End the transaction that `reading` began."""
        with self._explained():
            self._connection.commit()

    def _check_version(self, version: int) -> None:
        if version == 0:
            raise HubError(
                f"There is no hub at {self.address.shown}.", hint="Its owner makes one there with 'tx hub:init'."
            )
        latest = read_migrations(migration_directory() / "hub")[-1].version
        if version > latest:
            raise HubError(
                f"The hub at {self.address.shown} was made by a newer tx (schema {version}, this one knows {latest}).",
                hint="Upgrade tx; nothing was touched.",
            )
        if version < latest:
            raise HubError(
                f"The hub at {self.address.shown} is of an older tx (schema {version}, this one needs {latest}).",
                hint="Its owner upgrades it with 'tx hub:init'; nothing was touched.",
            )

    def version(self) -> int:
        """Return the version of the schema, 0 where there is none; raise HubError where the schema is another's."""
        if self._is_known:
            return int(self.rows("SELECT version FROM tx.hub")[0][0])
        owner, marked = self.rows("SELECT to_regnamespace('tx')::text, to_regclass('tx.hub')::text")[0]
        if owner is None:
            return 0
        if marked is None and self.may_see():
            raise HubError(
                f"The database {self.address.shown} has a schema 'tx' that is not of a hub; nothing was written to it.",
                hint="Name another database.",
            )
        version = int(self.rows("SELECT version FROM tx.hub")[0][0])
        self._is_known = True
        return version

    def may_see(self) -> bool:
        """Whether the user may look into the schema at all."""
        return bool(self.rows("SELECT has_schema_privilege('tx', 'USAGE')")[0][0])

    @cached_property
    def has_vectors(self) -> bool:
        """Whether the hub keeps vectors, as it was when this was first asked."""
        return bool(self.rows("SELECT has_vectors FROM tx.hub")[0][0])

    def rows(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return all rows of a query."""
        with self._explained():
            return self._connection.execute(sql, parameters or None).fetchall()

    def write(self, sql: str, parameters: Mapping[str, Any] | Sequence[Any] = ()) -> int:
        """Run a statement; return how many rows it changed."""
        with self._explained():
            return self._connection.execute(sql, parameters or None).rowcount

    def copy(self, table: str, rows: Iterator[Sequence[Any]], types: Sequence[str]) -> None:
        """Send rows into a table by COPY, in PostgreSQL's binary form."""
        statement = f"COPY {table} FROM STDIN (FORMAT BINARY)"
        with self._explained(), self._connection.cursor() as cursor, cursor.copy(statement) as copy:
            copy.set_types(types)
            for row in rows:
                copy.write_row(row)

    @contextmanager
    def transaction(self, *, is_reading: bool = False) -> Iterator[None]:
        """One transaction; one that is only reading sees the same state of the hub in all its statements."""
        with self._explained():
            self._connection.read_only = is_reading or None
            self._connection.isolation_level = _psycopg().IsolationLevel.REPEATABLE_READ if is_reading else None
            with self._connection.transaction():
                yield

    def migrate(self) -> bool:
        """Bring the schema up to date, vectors included where the server has the extension; return whether it wrote."""
        with self.transaction():
            self.write("SELECT pg_advisory_xact_lock(hashtext('tx hub'))")
            before = self.version()
            if before == 0:
                self.write("CREATE SCHEMA tx")
                self.write("CREATE SCHEMA tx_parts")
            newer = [one for one in read_migrations(migration_directory() / "hub") if one.version > before]
            for migration in newer:
                self.write(migration.sql)
                self.write(
                    "INSERT INTO tx.hub (id, version, has_vectors) VALUES (1, %(version)s, false) "
                    "ON CONFLICT (id) DO UPDATE SET version = excluded.version",
                    {"version": migration.version},
                )
        return self._add_vectors() or bool(newer)

    def _add_vectors(self) -> bool:
        if self.has_vectors or not self.rows("SELECT FROM pg_available_extensions WHERE name = 'vector'"):
            return False
        psycopg = _psycopg()
        try:
            self._connection.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except psycopg.errors.InsufficientPrivilege:
            return False
        with self.transaction():
            self.write((migration_directory() / "hub" / "vectors.sql").read_text(encoding="utf-8"))
        del self.has_vectors
        return True

    @contextmanager
    def _explained(self) -> Iterator[None]:
        psycopg = _psycopg()
        try:
            yield
        except psycopg.Error as error:
            raise _explanation(error, self.address) from error

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _psycopg() -> Any:
    try:
        import psycopg
        import psycopg.conninfo
    except ImportError:
        raise UsageError(
            "The hub needs the extra 'hub', which is not installed.", hint="Install it: pip install 'tx-graph[hub]'"
        ) from None
    return psycopg


# Compiling a statement takes longer than all of it: the planner takes many partitions for much work. A search of
# vectors goes on where what it found is filtered out: pgvector 0.8 does.
_READING = """
BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;
SELECT
    version, has_vectors, set_config('jit', 'off', true), set_config('statement_timeout', '{timeout}', true),
    CASE WHEN has_vectors AND {sought} > 0 THEN (
        SELECT
            set_config('hnsw.ef_search', '{sought}', true) || CASE
                WHEN string_to_array(extversion, '.')::integer[] >= '{{0,8}}'
                THEN set_config('hnsw.iterative_scan', 'relaxed_order', true)
            END
        FROM pg_extension
        WHERE extname = 'vector'
    ) END
FROM tx.hub
"""

_REFUSED = ("28000", "28P01")
_RIGHTS = "42501"
_NO_DATABASE = "3D000"


def _explanation(error: Any, address: Address) -> HubError:
    """Return PostgreSQL's error as a sentence; what a server says never holds a password."""
    said = " ".join(str(error).split())
    state = error.sqlstate or next((code for code in (*_REFUSED, _NO_DATABASE) if _says(code, said)), None)
    if state in _REFUSED:
        return HubError(f"The hub at {address.shown} refuses this user or password.", hint=_PASSWORDS)
    if state == _NO_DATABASE:
        return HubError(
            f"There is no such database at {address.shown}.", hint="Make it with 'createdb', or name another."
        )
    if state == _RIGHTS:
        return HubError(
            f"The hub at {address.shown} gives you no right to do this.",
            hint="'tx hub:rights' shows yours; the hub's owner grants others with 'tx hub:grant'.",
        )
    if error.sqlstate is None or str(error.sqlstate).startswith(("08", "57P")):
        return HubError(f"The hub at {address.shown} cannot be reached: {said}", hint=f"Is {VARIABLE} right?")
    return HubError(f"The hub at {address.shown} fails: {said}", hint="Nothing was changed.")


def _says(code: str, said: str) -> bool:
    """Whether an error that came before there was a connection, and so has no code, says this."""
    words = {"28P01": "password authentication failed", "28000": "no password supplied", _NO_DATABASE: "does not exist"}
    return words[code] in said
