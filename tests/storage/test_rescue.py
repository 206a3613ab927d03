"""A damaged database is moved aside whole, and what was set aside before stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from tx_graph.errors import StorageError
from tx_graph.storage.database import Database
from tx_graph.storage.rescue import is_database, set_aside


def test_the_log_goes_with_its_database(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    for suffix in ("", "-wal", "-shm"):
        path.with_name(f"graph.db{suffix}").write_text(suffix)
    assert set_aside(path) == tmp_path / "graph.db.damaged"
    path.write_text("again")
    assert set_aside(path) == tmp_path / "graph.db.damaged2"
    assert {file.name: file.read_text() for file in tmp_path.iterdir()} == {
        "graph.db.damaged": "",
        "graph.db.damaged-wal": "-wal",
        "graph.db.damaged-shm": "-shm",
        "graph.db.damaged2": "again",
    }


def test_a_database_is_told_from_other_files(tmp_path: Path) -> None:
    Database.open(tmp_path / "graph.db").close()
    (tmp_path / "notes.txt").write_text("notes")
    assert [is_database(tmp_path / name) for name in ("graph.db", "notes.txt")] == [True, False]
    with pytest.raises(StorageError, match="cannot be read"):
        is_database(tmp_path / "missing")
