"""Migrations happen wholly or not at all, and once."""

from __future__ import annotations

import gzip
import hashlib
import random
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.isolation import ROOT
from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.core.migrations import Migration, migrate, migration_directory, read_migrations, statements_of, version_of
from tx_graph.core.sqlite import LATEST_VERSION, binding

if TYPE_CHECKING:
    from tx_graph.core.sqlite import Connection

DATABASES = ROOT / "fixtures" / "databases"
OLDER = sorted(path.name.removesuffix(".db.gz") for path in DATABASES.glob("older-*"))
"""Databases that tx made at commits when the first migration was still being changed."""
PUBLISHED = {
    "0001_initial": "d1ffa50c81d17535f492459479eb9d180de1f5598af1e25856adfdd6608dba0d",
    "0002_losses": "e567a826c0090e1d585001abbd7fecc09d099b18582eecbc691f089fd285b6bf",
    "0003_when_anchors_were_taken": "97993260e515ff9007eda373739670b2ba6771e18cb900a1eb1468aeb64f1f5a",
    "0004_the_first_answer": "46dabe2fad2b2cb5cfb66fe8a0598ed2aa239f8607d60bd9f341272e5bb9ec6b",
    "0005_every_day": "7bc432d079e3c2a397cd498c211fd4d6133ed5940387d326c67c4699b944410b",
    "0006_knowledge": "5a4ee61edea13a7b4e6a9b752784195dd8ff8099a9ae2be9ffadb85f2247958c",
    "0007_uses": "f05b032fe940c9735ca54f9ca4110f5ac0498a4d1d56435b311b4ee96f4ca6d5",
    "0008_where_facts_are_said": "34f011fc6f2d9944ad13797a674cab1150fe207765022d89d5edece9554c498c",
    "0009_fallbacks": "3d464148c0562bba1f83ae776164cf53ad62411887fbddab491e5bdfd86b3ca7",
}
"""SHA-256 of each published migration. A line is added with a migration, and none is ever changed."""
DROPPED = ("file_words", "worded_files")
"""Tables that a later version did without: what they had is read again from the working tree."""
ADDED = {"losses", "file_moves", "code_chunks", "chunked_files", "file_cards", "card_vectors"}
FIFTH = {"journal", "link_log", "votes"}
SIXTH = {"facts_fts", "fact_vectors", "recollections"}
SEVENTH = {"file_uses", "used_names"}
"""By later migrations: one that is killed may have come up to any of them."""


@pytest.fixture
def connection() -> Iterator[Connection]:
    opened = binding().module.connect(":memory:", isolation_level=None)
    yield opened
    opened.close()


def fixture_database(name: str, directory: Path) -> Path:
    """Return a copy of one of the databases that earlier versions of tx made."""
    path = directory / "graph.db"
    path.write_bytes(gzip.decompress((DATABASES / f"{name}.db.gz").read_bytes()))
    return path


def content(path: Path) -> dict[str, list[dict[str, object]]]:
    """Return the rows of every table but those of virtual tables' own, by column, without what is read anew."""
    # Not by way of Database: it would migrate. The log of one that was killed is read as well.
    with closing(binding().module.connect(path)) as connection:
        names = connection.execute(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite_%' "
            "AND (type = 'table' OR name LIKE '%_fts') AND name NOT LIKE '%_vector_index%'"
        ).fetchall()
        found: dict[str, list[dict[str, object]]] = {}
        for (name,) in names:
            cursor = connection.execute(f"SELECT * FROM {name}")
            columns = [column for column, *_ in cursor.description]
            found[name] = [dict(zip(columns, row, strict=True)) for row in cursor]
    for table in ("records", "files", "documents"):
        for row in found.get(table, ()):
            row.update(mtime_ns=-1, content_hash="")
    for table in ("vector_index_state", *DROPPED):
        found.pop(table, None)
    return found


def lacking(
    before: dict[str, list[dict[str, object]]], after: dict[str, list[dict[str, object]]]
) -> list[tuple[str, dict[str, object]]]:
    """Return the rows that are not there afterwards, with at least the columns that they had."""
    missing: list[tuple[str, dict[str, object]]] = []
    for table, rows in before.items():
        there = {tuple((name, one.get(name)) for name in rows[0]) for one in after[table]} if rows else set()
        missing += [(table, row) for row in rows if tuple(row.items()) not in there]
    return missing


def tables(connection: Connection) -> list[str]:
    return [name for (name,) in connection.execute("SELECT name FROM sqlite_master ORDER BY name")]


def test_the_latest_version_is_that_of_the_last_file() -> None:
    migrations = read_migrations(migration_directory())
    assert [migration.version for migration in migrations] == list(range(1, LATEST_VERSION + 1))


def test_published_migrations_are_frozen() -> None:
    digests = {
        migration.name: hashlib.sha256(migration.sql.encode()).hexdigest()
        for migration in read_migrations(migration_directory())
    }
    assert digests == PUBLISHED


def test_a_database_of_version_1_with_every_table_filled_opens_with_everything_in_it(tmp_path: Path) -> None:
    path = fixture_database("version-1", tmp_path)
    before = content(path)
    with Database.open(tmp_path / "new.db") as new:
        every = {row[0] for row in new.rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert [table for table in before if not before[table]] == []
    shadows = {
        name for name in every if re.search(r"(_fts|file_words|code_words)(_|$)|_vocabulary|vector_index_state", name)
    }
    assert every - shadows - set(before) == (ADDED | FIFTH | SIXTH | SEVENTH) - {"facts_fts"}
    with Database.open(path) as database:
        assert version_of(database.connection) == LATEST_VERSION
        assert database.value("SELECT count(*) FROM graph_edges") > 20
        assert database.rows("PRAGMA foreign_key_check") == []
        assert database.rows("SELECT what FROM losses") == []
    assert lacking(before, content(path)) == []
    assert [file.name for file in tmp_path.glob("graph.db*")] == ["graph.db"]


@pytest.mark.parametrize("name", OLDER)
def test_a_database_of_an_older_shape_is_carried_over_and_kept(tmp_path: Path, name: str) -> None:
    path = fixture_database(name, tmp_path)
    before = content(path)
    with Database.open(path) as database:
        assert version_of(database.connection) == LATEST_VERSION
        assert database.rows("PRAGMA quick_check") == [("ok",)]
        assert database.rows("PRAGMA foreign_key_check") == []
        assert database.rows("SELECT what FROM losses") == []
        assert database.value("SELECT count(*) FROM learnings_fts WHERE learnings_fts MATCH 'constant'") == 1
        with Database.open(tmp_path / "new.db") as new:
            schema = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
            assert database.rows(schema) == new.rows(schema)
    assert lacking(before, content(path)) == []
    assert lacking(before, content(path.with_name("graph.db-older"))) == []
    assert sorted(file.name for file in tmp_path.glob("graph.db*")) == ["graph.db", "graph.db-older"]


def test_what_an_older_database_has_that_no_table_takes_is_told(tmp_path: Path) -> None:
    path = fixture_database(OLDER[0], tmp_path)
    with closing(binding().module.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TABLE wishes (wish)")
        connection.execute("INSERT INTO wishes VALUES ('more')")
    with Database.open(path) as database:
        ((kept, what),) = database.rows("SELECT kept, what FROM losses")
    assert kept == f"{path}-older"
    assert "wishes" in what


def test_a_database_of_an_older_shape_that_somebody_reads_is_waited_for(tmp_path: Path) -> None:
    path = fixture_database(OLDER[0], tmp_path)
    before = content(path)
    with closing(binding().module.connect(path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM learnings").fetchall()
        with pytest.raises(StorageError, match="locked by another process"):
            Database.open(path, timeout=0.2)
    assert content(path) == before
    Database.open(path).close()
    assert lacking(before, content(path)) == []


OPEN_WHEN_TOLD = """
import sys
from pathlib import Path
from tx_graph.core.database import Database
from tx_graph.core import rescue
print("ready", flush=True)
sys.stdin.readline()
Database.open(Path(sys.argv[1])).close()
"""


def opening(path: Path) -> subprocess.Popen[str]:
    """Start a process that opens a database as soon as it is sent a line."""
    child = subprocess.Popen(
        [sys.executable, "-c", OPEN_WHEN_TOLD, path], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "ready\n"
    return child


@pytest.mark.parametrize("name", ["version-1", OLDER[0]])
def test_a_migration_that_is_killed_leaves_the_old_database_or_the_new_one(tmp_path: Path, name: str) -> None:
    path = fixture_database(name, tmp_path)
    original = path.read_bytes()
    before = content(path)
    chance = random.Random(17)
    for _ in range(16):
        child = opening(path)
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
        time.sleep(chance.uniform(0, 0.06))
        child.kill()
        child.communicate()
        left = content(path)
        assert lacking(before, left) == []
        new = content_of_new(tmp_path)
        assert set(left) in (
            {*before},
            {*before, "losses"},
            new - SEVENTH - SIXTH - FIFTH,
            new - SEVENTH - SIXTH,
            new - SEVENTH,
            new,
        )
        Database.open(path).close()
        assert lacking(before, content(path)) == []
        assert not path.with_name("graph.db-new").exists()
        for file in tmp_path.glob("graph.db*"):
            file.unlink()
        path.write_bytes(original)


def content_of_new(directory: Path) -> set[str]:
    with Database.open(directory / "new.db") as database:
        return set(content(database.path))


def test_of_processes_that_open_an_older_database_at_once_one_carries_it_over(tmp_path: Path) -> None:
    path = fixture_database(OLDER[0], tmp_path)
    before = content(path)
    children = [opening(path) for _ in range(3)]
    for child in children:
        assert child.stdin is not None
        child.stdin.write("go\n")
        child.stdin.flush()
    assert [child.wait() for child in children] == [0, 0, 0]
    for child in children:
        child.communicate()
    assert lacking(before, content(path)) == []
    # What SQLite itself keeps beside an open database may outlast it by a moment; nothing else may.
    left = {file.name for file in tmp_path.glob("graph.db*")} - {"graph.db-shm", "graph.db-wal"}
    assert left == {"graph.db", "graph.db-older"}


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
from tx_graph.core.database import Database
from tx_graph.core import migrations
applied = []
statements_of = migrations.statements_of
def counted(sql):
    applied.append(sql)
    return statements_of(sql)
migrations.statements_of = counted
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
    for room in ("", "core"):
        (package / room).mkdir()
        for module in (ROOT / "tx_graph" / room).glob("*.py"):
            (package / room / module.name).write_bytes(module.read_bytes())
    code = "from tx_graph.core.migrations import migration_directory; migration_directory()"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert StorageError.__name__ in done.stderr
    assert "missing from this installation" in done.stderr
