"""A damaged database makes room for another one, and is kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.core.rescue import is_database, move_aside


def test_what_makes_room_is_kept_with_its_log(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    for name in ("graph.db.damaged", "graph.db.damaged2"):
        path.write_bytes(b"no database " * 1_000)
        path.with_name("graph.db-wal").write_bytes(b"its log")
        assert move_aside(path) == path.with_name(name)
        assert path.with_name(f"{name}-wal").read_bytes() == b"its log"
        assert path.with_name(name).read_bytes().startswith(b"no database")
        with Database.open(path) as database:
            assert database.value("SELECT count(*) FROM nodes") == 0


def test_a_database_is_told_from_other_files(tmp_path: Path) -> None:
    Database.open(tmp_path / "graph.db").close()
    (tmp_path / "notes.txt").write_text("notes")
    assert [is_database(tmp_path / name) for name in ("graph.db", "notes.txt")] == [True, False]
    with pytest.raises(StorageError, match="cannot be read"):
        is_database(tmp_path / "missing")
