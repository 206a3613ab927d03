"""A database is one repository's, and nobody else's file is ever written to."""

from __future__ import annotations

from pathlib import Path

import pytest

from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.core.rescue import claim
from tx_graph.core.sqlite import APPLICATION_ID, binding
from tx_graph.records.seen_store import RecordRow, RecordStore


def root_in(database: Database) -> str | None:
    root: str | None = database.value("SELECT root FROM workspace")
    return root


def test_a_new_database_bears_the_mark_of_tx(database: Database) -> None:
    assert database.value("PRAGMA application_id") == APPLICATION_ID


@pytest.mark.parametrize("version", [0, 1])
@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_another_programs_database_is_refused_and_not_written(tmp_path: Path, version: int, mode: str) -> None:
    path = tmp_path / "browser.sqlite"
    connection = binding().module.connect(str(path), isolation_level=None)
    connection.execute(f"PRAGMA journal_mode = {mode}")
    connection.execute("CREATE TABLE bookmarks (url)")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match="not one of tx; nothing was written") as caught:
        Database.open(path)
    assert "TX_DB" in caught.value.hint
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["browser.sqlite"]


def test_an_empty_database_with_another_mark_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "empty.sqlite"
    connection = binding().module.connect(str(path), isolation_level=None)
    connection.execute("PRAGMA application_id = 7")
    connection.close()
    with pytest.raises(StorageError, match="not one of tx"):
        Database.open(path)


def test_the_first_repository_owns_a_database_and_another_is_refused(database: Database) -> None:
    for _ in range(2):
        claim(database, Path("/a/b"), at_home=False)
    with pytest.raises(StorageError, match="belongs to /a/b, not to /c") as caught:
        claim(database, Path("/c"), at_home=False)
    assert "TX_DB" in caught.value.hint
    assert root_in(database) == "/a/b"


def test_a_database_at_home_moves_with_its_repository(database: Database) -> None:
    claim(database, Path("/a/b"), at_home=True)
    claim(database, Path("/moved"), at_home=True)
    assert root_in(database) == "/moved"


def test_a_database_whose_records_another_repository_has_and_this_one_lacks_is_refused(
    database: Database, tmp_path: Path
) -> None:
    one, other, copy = (tmp_path / name for name in ("one", "other", "copy"))
    for root in (one, copy):
        (root / ".tx" / "learnings").mkdir(parents=True)
        (root / ".tx" / "learnings" / "a.md").touch()
    claim(database, one, at_home=True)
    with database.transaction():
        RecordStore(database, "learnings").save([RecordRow(name="a.md", size=0, mtime_ns=0, content_hash="")])
    with pytest.raises(StorageError, match="is the database of"):
        claim(database, other, at_home=True)
    claim(database, copy, at_home=True)
    assert root_in(database) == str(copy)


def test_a_database_that_cannot_be_written_serves_at_home_and_its_owner(database: Database) -> None:
    database.freeze()
    claim(database, Path("/a/b"), at_home=False)
    assert root_in(database) is None
    claim(database, Path("/a/b"), at_home=True)


def test_a_root_that_is_no_unicode_is_told_from_others(database: Database) -> None:
    claim(database, Path("/caf\udce9"), at_home=False)
    claim(database, Path("/caf\udce9"), at_home=False)
    with pytest.raises(StorageError, match="belongs to"):
        claim(database, Path("/caf\udcea"), at_home=False)
