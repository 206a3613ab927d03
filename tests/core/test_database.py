"""What can go wrong with a database file ends in one clear sentence, and nothing is lost."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.isolation import READ_ONLY, ROOT, TINY, in_namespace
from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.core.sqlite import LATEST_VERSION
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind


def add_nodes(database: Database, *keys: str) -> None:
    with database.transaction():
        NodeStore(database).ensure(NodeKind.FILE, keys)


def node_keys(database: Database) -> list[str]:
    return [key for (key,) in database.rows("SELECT key FROM nodes ORDER BY key")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A closed database with two nodes."""
    path = tmp_path / "graph.db"
    with Database.open(path) as database:
        add_nodes(database, "a.py", "b.py")
    return path


def refusal(act: Callable[[], object]) -> StorageError:
    """Return the error that `act` ends in: one sentence, with the status of storage."""
    with pytest.raises(StorageError) as caught:
        act()
    assert caught.value.status == 5
    assert "\n" not in caught.value.message
    assert caught.value.message.endswith(".")
    return caught.value


def opened_and_read(path: Path) -> list[str]:
    with Database.open(path, timeout=0.1) as database:
        return node_keys(database)


def test_a_path_with_characters_that_mean_something_in_an_address_is_opened(tmp_path: Path) -> None:
    directory = tmp_path / "50% of #1? ünïcode & spaces"
    directory.mkdir()
    with Database.open(directory / "graph.db") as database:
        add_nodes(database, "a.py")
    assert opened_and_read(directory / "graph.db") == ["a.py"]
    assert sorted(file.name for file in directory.iterdir()) == ["graph.db"]


def test_a_database_of_a_newer_version_is_left_alone(path: Path) -> None:
    with Database.open(path) as database:
        database.write(f"PRAGMA user_version = {LATEST_VERSION + 1}")
    before = path.read_bytes()
    error = refusal(lambda: opened_and_read(path))
    assert "newer tx" in error.message
    assert "pgrade tx" in error.hint
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_named_and_kept(path: Path) -> None:
    path.write_bytes(b"This is a text, and has been one for more than sixteen bytes. " * 100)
    before = path.read_bytes()
    error = refusal(lambda: opened_and_read(path))
    assert str(path) in error.message
    assert "not a SQLite database" in error.message
    assert "tx sync" in error.hint
    assert path.read_bytes() == before


@pytest.mark.parametrize("kept", [100, 4096, 20_000])
def test_a_truncated_database_is_said_to_be_damaged(path: Path, kept: int) -> None:
    path.write_bytes(path.read_bytes()[:kept])
    error = refusal(lambda: opened_and_read(path))
    assert "damaged" in error.message
    assert ".tx/learnings/" in error.hint


def test_an_empty_file_becomes_a_database(path: Path) -> None:
    path.write_bytes(b"")
    assert opened_and_read(path) == []


@pytest.mark.parametrize(("place", "message"), [(".", "cannot be opened"), ("none/graph.db", "cannot be created")])
def test_a_directory_in_its_place_or_none_for_it_is_refused(tmp_path: Path, place: str, message: str) -> None:
    assert message in refusal(lambda: opened_and_read(tmp_path / place)).message


def test_a_database_that_another_process_writes_can_be_read(path: Path) -> None:
    with Database.open(path) as writer, writer.transaction():
        NodeStore(writer).ensure(NodeKind.FILE, ["c.py"])
        assert opened_and_read(path) == ["a.py", "b.py"]


def test_writing_to_a_locked_database_gives_up_after_the_timeout(path: Path) -> None:
    with Database.open(path) as writer, Database.open(path, timeout=0.05) as second:
        with writer.transaction():
            error = refusal(lambda: add_nodes(second, "d.py"))
            add_nodes(writer, "c.py")
        assert "locked by another process" in error.message
        add_nodes(second, "d.py")
        assert node_keys(second) == ["a.py", "b.py", "c.py", "d.py"]


def test_a_new_database_that_is_locked_gives_up_after_the_timeout(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    path.write_bytes(b"")
    with hold_lock(path):
        assert "locked" in refusal(lambda: opened_and_read(path)).message
    assert opened_and_read(path) == []


@contextmanager
def hold_lock(path: Path) -> Iterator[None]:
    """Let another process hold the write lock of a database that is not in WAL mode yet."""
    code = (
        "import sys; from tx_graph.core.sqlite import binding\n"
        "c = binding().module.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN EXCLUSIVE')\n"
        "print('locked', flush=True); sys.stdin.readline(); c.close()"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", code, path], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "locked\n"
    try:
        yield
    finally:
        child.communicate("\n")


def test_a_full_database_says_so_and_keeps_what_it_has(path: Path) -> None:
    with Database.open(path) as database:
        pages = database.value("PRAGMA page_count")
        database.rows(f"PRAGMA max_page_count = {pages}")
        error = refusal(lambda: add_nodes(database, *(f"{'long/' * 100}{number}.py" for number in range(2_000))))
        assert "disk is full" in error.message
        assert not database.connection.in_transaction
        assert node_keys(database) == ["a.py", "b.py"]
        database.rows(f"PRAGMA max_page_count = {pages + 1_000}")
        add_nodes(database, "c.py")
    assert opened_and_read(path) == ["a.py", "b.py", "c.py"]


def test_a_transaction_that_fails_is_undone(path: Path) -> None:
    with Database.open(path) as database:

        def fail_half_way() -> None:
            with database.transaction():
                add_nodes(database, "c.py")
                raise KeyError

        with pytest.raises(KeyError):
            fail_half_way()
        assert node_keys(database) == ["a.py", "b.py"]


def test_what_joined_a_transaction_ends_after_its_commit(path: Path) -> None:
    with Database.open(path) as database, Database.open(path) as other:
        seen: list[list[str]] = []

        @contextmanager
        def companion() -> Iterator[None]:
            yield
            seen.append(node_keys(other))

        with database.transaction():
            database.join(companion())
            add_nodes(database, "c.py")
        assert seen == [["a.py", "b.py", "c.py"]]


def test_what_joined_a_transaction_fails_when_the_commit_does(path: Path) -> None:
    with Database.open(path) as database:
        seen: list[str] = []

        @contextmanager
        def companion() -> Iterator[None]:
            try:
                yield
            except StorageError as error:
                seen.append(error.message)
                raise

        def fail_at_commit() -> None:
            with database.transaction():
                database.join(companion())
                database.write("PRAGMA defer_foreign_keys = ON")
                database.write("INSERT INTO files (node_id, path, size, mtime_ns) VALUES (999, 'x', 0, 0)")

        assert "FOREIGN KEY" in refusal(fail_at_commit).message
        assert len(seen) == 1
        assert database.rows("SELECT * FROM files") == []
        assert not database.connection.in_transaction


def test_a_read_only_file_system_can_be_read_and_says_that_it_cannot_be_written(path: Path) -> None:
    code = """
with Database.open(directory / "graph.db") as database:
    print(json.dumps({"read_only": database.read_only, "keys": keys(database),
                      "error": refusal(lambda: write(database, "c.py"))}))
"""
    found = in_namespace(READ_ONLY, code, path.parent)
    assert (found["read_only"], found["keys"]) == (True, ["a.py", "b.py"])
    assert found["error"] == [5, f"{path} cannot be written.", "Check the permissions of the file and its directory."]


REFUSAL = 'print(json.dumps({"error": refusal(lambda: Database.open(directory / "graph.db"))}))'


def test_a_database_cannot_be_made_on_a_read_only_file_system(tmp_path: Path) -> None:
    error = in_namespace(READ_ONLY, REFUSAL, tmp_path)["error"]
    assert error == [5, f"{tmp_path / 'graph.db'} cannot be created: {tmp_path} is missing or not writable.", ""]


def test_an_old_database_on_a_read_only_file_system_asks_for_its_upgrade(path: Path) -> None:
    with Database.open(path) as database:
        database.write("PRAGMA user_version = 0")
    error = in_namespace(READ_ONLY, REFUSAL, path.parent)["error"]
    assert error == [5, f"{path} needs an upgrade of its schema and cannot be written.", ""]


def test_a_full_disk_says_so_and_loses_nothing(tmp_path: Path) -> None:
    code = """
database = Database.open(directory / "graph.db")
write(database, "a.py", "b.py")
filler = fill_disk()
error = refusal(lambda: write(database, *(f"{'long/' * 100}{number}" for number in range(500))))
during = keys(database)
filler.unlink()
write(database, "c.py")
database.close()
with Database.open(directory / "graph.db") as database:
    print(json.dumps({"error": error, "during": during, "after": keys(database),
                      "check": database.value("PRAGMA integrity_check")}))
"""
    found = in_namespace(TINY, code, tmp_path)
    assert found["error"] == [
        5,
        f"The disk is full: {tmp_path / 'graph.db'} cannot grow.",
        "Free some space; nothing that was saved is lost.",
    ]
    assert (found["during"], found["after"], found["check"]) == (["a.py", "b.py"], ["a.py", "b.py", "c.py"], "ok")


def test_a_database_cannot_be_made_on_a_full_disk_and_says_so_at_once(tmp_path: Path) -> None:
    code = """
filler = fill_disk()
error = refusal(lambda: Database.open(directory / "graph.db"))
filler.unlink()
with Database.open(directory / "graph.db") as database:
    print(json.dumps({"error": error, "keys": keys(database)}))
"""
    found = in_namespace(TINY, code, tmp_path)
    assert isinstance(found["error"], list)
    assert found["error"][0] == 5
    assert "full" in found["error"][1]
    assert found["keys"] == []


LEAVE_LOG = """
import os, signal, sys
from pathlib import Path
from tx_graph.core.database import Database
database = Database.open(Path(sys.argv[1]))
database.write("INSERT INTO nodes (kind, key) VALUES ('file', 'c.py')")
os.kill(os.getpid(), signal.SIGKILL)
"""


def leave_log(path: Path) -> None:
    """Let a process write and be killed before what it wrote is moved from the log into the database."""
    subprocess.run([sys.executable, "-c", LEAVE_LOG, path], cwd=ROOT, check=False, capture_output=True)
    assert path.with_name("graph.db-wal").stat().st_size


def test_what_a_killed_process_wrote_is_there(path: Path) -> None:
    leave_log(path)
    assert opened_and_read(path) == ["a.py", "b.py", "c.py"]
    assert not path.with_name("graph.db-wal").exists()


def test_a_database_deleted_without_its_log_starts_anew(path: Path) -> None:
    leave_log(path)
    path.unlink()
    assert opened_and_read(path) == []


def test_a_log_on_a_read_only_file_system_is_read(path: Path) -> None:
    leave_log(path)
    code = """
with Database.open(directory / "graph.db") as database:
    print(json.dumps({"keys": keys(database)}))
"""
    assert in_namespace(READ_ONLY, code, path.parent)["keys"] == ["a.py", "b.py", "c.py"]
