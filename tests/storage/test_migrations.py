"""Migrations happen wholly or not at all, and once."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.isolation import ROOT
from tx_graph.errors import StorageError
from tx_graph.storage.database import Database
from tx_graph.storage.migrations import (
    Migration,
    migrate,
    migration_directory,
    read_migrations,
    statements_of,
    version_of,
)
from tx_graph.storage.sqlite import LATEST_VERSION, binding

if TYPE_CHECKING:
    from tx_graph.storage.sqlite import Connection


@pytest.fixture
def connection() -> Iterator[Connection]:
    opened = binding().module.connect(":memory:", isolation_level=None)
    yield opened
    opened.close()


def tables(connection: Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_master ORDER BY name")]


def test_the_latest_version_is_that_of_the_last_file() -> None:
    migrations = read_migrations(migration_directory())
    assert [migration.version for migration in migrations] == list(range(1, LATEST_VERSION + 1))


def test_a_new_database_is_at_the_latest_version(database: Database) -> None:
    assert version_of(database.connection) == LATEST_VERSION
    assert database.value("PRAGMA journal_mode") == "wal"
    assert database.value("PRAGMA foreign_keys") == 1


def test_a_failing_migration_leaves_no_trace(connection: Connection) -> None:
    good = Migration(version=1, name="0001_good", sql="CREATE TABLE a (x);")
    bad = Migration(version=2, name="0002_bad", sql="CREATE TABLE b (x);\nINSERT INTO a VALUES (1);\nSELECT nothing;")
    with pytest.raises(binding().module.OperationalError):
        migrate(connection, [good, bad])
    assert (version_of(connection), tables(connection)) == (1, ["a"])
    assert connection.execute("SELECT count(*) FROM a").fetchone() == (0,)
    assert not connection.in_transaction


def test_a_migration_that_was_applied_is_not_applied_again(connection: Connection) -> None:
    migration = Migration(version=1, name="0001_once", sql="CREATE TABLE a (x);")
    migrate(connection, [migration])
    migrate(connection, [migration])
    assert tables(connection) == ["a"]


def test_a_script_is_split_into_its_statements() -> None:
    script = """\
-- A comment; with a semicolon.
CREATE TABLE a (x TEXT DEFAULT ';');  -- one
CREATE TRIGGER t AFTER INSERT ON a BEGIN
    DELETE FROM a WHERE x = ';';
    SELECT 1;
END;
INSERT INTO a VALUES ('
;
')"""
    statements = [re.sub(r"\s*--.*", "", statement).strip() for statement in statements_of(script)]
    assert [statement.split()[:2] for statement in statements] == [
        ["CREATE", "TABLE"],
        ["CREATE", "TRIGGER"],
        ["INSERT", "INTO"],
    ]


def test_the_statements_of_a_migration_add_up_to_its_text() -> None:
    for migration in read_migrations(migration_directory()):
        assert "".join(statements_of(migration.sql)) == migration.sql


def test_a_missing_file_is_not_counted_as_a_migration(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("")
    (tmp_path / "0001_first.sql").write_text("SELECT 1;")
    assert [migration.name for migration in read_migrations(tmp_path)] == ["0001_first"]


OPEN = """
import sys, time
from pathlib import Path
from tx_graph.storage.database import Database
from tx_graph.storage import migrations
applied = []
apply = migrations._apply
def counted(connection, migration):
    apply(connection, migration)
    applied.append(migration.version)
migrations._apply = counted
print("ready", flush=True)
sys.stdin.readline()
with Database.open(Path(sys.argv[1])) as database:
    assert database.value("SELECT count(*) FROM learnings") == 0
print(len(applied))
"""


@pytest.mark.parametrize("attempt", range(5))
def test_of_processes_that_open_a_new_database_at_once_one_migrates(tmp_path: Path, attempt: int) -> None:
    path = tmp_path / f"graph-{attempt}.db"
    children = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN, path],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for child in children:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
    results = [child.communicate("go\n") for child in children]
    assert [errors for _, errors in results] == ["", "", ""]
    assert sorted(int(count) for count, _ in results) == [0, 0, LATEST_VERSION]


def test_an_installation_without_migrations_says_so(tmp_path: Path) -> None:
    package = tmp_path / "tx_graph"
    for room in ("", "storage", "domain"):
        (package / room).mkdir()
        for module in (ROOT / "tx_graph" / room).glob("*.py"):
            (package / room / module.name).write_bytes(module.read_bytes())
    code = "from tx_graph.storage.migrations import migration_directory; migration_directory()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert StorageError.__name__ in done.stderr
    assert "missing from this installation" in done.stderr
