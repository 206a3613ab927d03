"""What can be read of a damaged database comes over; what cannot is told, and nothing that was not there comes up."""

from __future__ import annotations

import random
import sqlite3
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from tests.core.test_migrations import content, fixture_database, lacking
from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.core.rescue import is_database, remove_dangling, renew_damaged

PAGE = 4096
EVENTS = 3_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database of today with every table filled, and so many events that they take hundreds of pages."""
    path = fixture_database("version-1", tmp_path)
    with Database.open(path) as database, database.transaction():
        database.write_many(
            "INSERT INTO telemetry_events (transcript, line, at, kind, text) VALUES (1, ?, '2026-11-20', 'agent', ?)",
            ((line, f"event {line:05} " + "word " * 60) for line in range(10, 10 + EVENTS)),
        )
        database.write_many(
            "INSERT INTO nodes (kind, key) VALUES ('commit', ?)", ((f"{number:040}",) for number in range(1_000))
        )
        database.write(
            "INSERT INTO learning_edges (source, target, edge_type, created_at, description) "
            "SELECT 1, id, 'LINKS_TO', '2026-11-20', key FROM nodes WHERE kind = 'commit'"
        )
    return path


def overwrite(path: Path, *pages: int) -> None:
    """Fill pages, counted from 0, with noise."""
    data = bytearray(path.read_bytes())
    for page in pages:
        data[page * PAGE : (page + 1) * PAGE] = random.Random(page).randbytes(PAGE)
    path.write_bytes(bytes(data))


def page_of(path: Path, text: bytes) -> int:
    return path.read_bytes().index(text) // PAGE


def rows_of(found: dict[str, list[dict[str, object]]], table: str) -> int:
    return len(found[table])


def test_a_page_in_the_middle_of_a_table_costs_its_own_rows_alone(path: Path) -> None:
    before = content(path)
    overwrite(path, page_of(path, b"event 01500 "))
    renewal = renew_damaged(path)
    after = content(path)
    lost = {table for table, _ in lacking(before, after)}
    assert lost == {"telemetry_events"}
    assert 0 < rows_of(before, "telemetry_events") - rows_of(after, "telemetry_events") < 20
    (sentence,) = renewal.losses
    assert sentence.startswith("telemetry_events: ")
    assert renewal.kept == path.with_name("graph.db.damaged")
    with Database.open(path) as database:
        assert database.rows("SELECT kept, what FROM losses") == [(str(renewal.kept), sentence)]


def test_votes_and_what_was_shown_outlive_a_hole_in_the_nodes(path: Path) -> None:
    before = content(path)
    overwrite(path, page_of(path, b"ADR-1") if b"ADR-1" in path.read_bytes() else 2, page_of(path, b"%040d" % 500))
    renew_damaged(path)
    after = content(path)
    for table in ("tasks", "runs", "run_learnings", "telemetry_events", "transcripts", "invalidation_log"):
        assert lacking({table: before[table]}, after) == [], table


def test_what_is_derived_is_left_out_when_a_part_of_it_is_lost(path: Path) -> None:
    before = content(path)
    with closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'symbols'").fetchone()
    overwrite(path, root - 1)
    renewal = renew_damaged(path)
    after = content(path)
    assert (after["symbols"], after["files"], after["analyses"]) == ([], [], [])
    local = {table: before[table] for table in ("learnings", "tasks", "runs", "run_learnings", "telemetry_events")}
    assert lacking(local, after) == []
    assert ["tx sync" in sentence for sentence in renewal.losses] == [True]


@pytest.mark.parametrize("share", [0.95, 0.6, 0.3])
def test_a_truncated_file_gives_what_it_still_has(path: Path, share: float) -> None:
    before = content(path)
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])
    renewal = renew_damaged(path)
    after = content(path)
    assert rows_of(after, "telemetry_events") > EVENTS * (share - 0.4)
    assert renewal.losses
    made_up = lacking({"telemetry_events": after["telemetry_events"]}, before)
    assert made_up == []


@pytest.mark.parametrize("seed", range(12))
def test_wherever_the_damage_is_nothing_is_made_up_and_the_new_database_is_sound(path: Path, seed: int) -> None:
    before = content(path)
    pages = path.stat().st_size // PAGE
    overwrite(path, *random.Random(seed).sample(range(1, pages), 1 + seed))
    renewal = renew_damaged(path)
    after = content(path)
    for table in ("tasks", "learnings", "run_learnings", "telemetry_events", "transcripts", "invalidation_log"):
        come = [{**row, "present": 1} if "present" in row else row for row in after[table]]
        assert lacking({table: come}, before) == [], table
        if not renewal.losses:
            assert len(after[table]) == len(before[table])
    with Database.open(path) as database:
        with database.transaction():
            remove_dangling(database.connection)
        assert database.rows("PRAGMA quick_check") == [("ok",)]
        assert database.rows("PRAGMA foreign_key_check") == []


def test_a_run_that_is_lost_leaves_its_number_to_what_it_left(path: Path) -> None:
    with Database.open(path) as database:
        database.write("PRAGMA foreign_keys = OFF")
        database.write("DELETE FROM runs WHERE id = (SELECT run FROM transcripts)")
        run = database.value("SELECT run FROM transcripts")
    renew_damaged(path)
    with Database.open(path) as database:
        assert database.value("SELECT count(*) FROM telemetry_events") > EVENTS
        assert database.value("SELECT count(*) FROM runs WHERE id = ?", (run,)) == 1


def test_of_a_file_that_is_no_database_nothing_comes_over(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    kept = []
    for name in ("graph.db.damaged", "graph.db.damaged2"):
        path.write_bytes(b"no database " * 1_000)
        path.with_name("graph.db-wal").write_bytes(b"its log")
        renewal = renew_damaged(path)
        kept.append(renewal.kept.name)
        assert renewal.losses == ["Nothing in it could be read."]
        assert path.with_name(f"{name}-wal").read_bytes() == b"its log"
        assert renewal.kept.read_bytes().startswith(b"no database")
        with Database.open(path) as database:
            assert database.value("SELECT count(*) FROM nodes") == 0
    assert kept == ["graph.db.damaged", "graph.db.damaged2"]
    assert Counter(file.name for file in tmp_path.glob("*-new*")) == Counter()


def test_a_database_is_told_from_other_files(tmp_path: Path) -> None:
    Database.open(tmp_path / "graph.db").close()
    (tmp_path / "notes.txt").write_text("notes")
    assert [is_database(tmp_path / name) for name in ("graph.db", "notes.txt")] == [True, False]
    with pytest.raises(StorageError, match="cannot be read"):
        is_database(tmp_path / "missing")
