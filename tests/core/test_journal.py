"""What cannot be derived stands in the journal, once and wholly, and goes from there into any new database."""

from __future__ import annotations

import json
import multiprocessing
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tx_graph.core import journal as journal_module
from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.core.journal import LASTING, Journal


def opened(directory: Path) -> Database:
    """Open the database of a directory, with what its journal says."""
    database = Database.open(directory / "graph.db")
    database.journal = Journal(database, directory / "local" / "journal.jsonl", follow=lambda: None)
    if database.journal.is_behind():
        with database.transaction():
            pass
    return database


def add(database: Database, title: str) -> None:
    with database.transaction():
        database.write("INSERT INTO nodes (kind, key) SELECT 'task', coalesce(max(id), 0) + 1 FROM tasks")
        database.write(
            "INSERT INTO tasks (node_id, title, created_at, updated_at) SELECT max(id), ?, '', '' FROM nodes", (title,)
        )


def tasks(database: Database) -> dict[int, str]:
    return dict(database.rows("SELECT id, title FROM tasks"))


def delete(directory: Path) -> None:
    for file in directory.glob("graph.db*"):
        file.unlink()


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    return tmp_path / "local" / "journal.jsonl"


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Database]:
    """A database with two tasks."""
    with opened(tmp_path) as database:
        add(database, "one")
        add(database, "two")
        yield database


def test_each_table_is_one_of_the_schema_with_its_key_and_columns(database: Database) -> None:
    for table in LASTING:
        columns = database.rows('SELECT name, pk, "notnull", dflt_value FROM pragma_table_info(?)', (table.name,))
        assert {*table.columns} <= {name for name, *_ in columns}
        needed = {name for name, pk, is_needed, default in columns if is_needed and default is None and not pk}
        assert table.follows or needed <= {*table.columns, *table.given}, table.name


def test_rows_that_change_and_go_do_so_in_a_new_database(two: Database, tmp_path: Path) -> None:
    with two.transaction():
        two.write("UPDATE tasks SET title = 'three' WHERE id = 2")
        two.write("INSERT INTO runs (node_id, started_at) SELECT max(id), '' FROM nodes")
    with two.transaction():
        two.write("DELETE FROM runs")
    two.close()
    delete(tmp_path)
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "one", 2: "three"}
        assert again.value("SELECT count(*) FROM runs") == 0
        add(again, "four")
        assert max(tasks(again)) == 3


def test_what_changes_nothing_writes_nothing(two: Database, journal: Path) -> None:
    before = journal.read_bytes()
    with two.transaction():
        two.write("UPDATE tasks SET title = title")
        two.write("INSERT INTO analyses (name, finished_at) VALUES ('index', '')")
    assert journal.read_bytes() == before


def test_what_is_not_committed_is_not_in_the_journal(two: Database, journal: Path, tmp_path: Path) -> None:
    before = journal.read_bytes()

    with pytest.raises(StorageError, match="FOREIGN KEY"), two.transaction():  # noqa: PT012 - it ends in a commit
        two.write("PRAGMA defer_foreign_keys = ON")
        two.write("UPDATE tasks SET title = 'never'")
        two.write("INSERT INTO runs (node_id, started_at) VALUES (77, '')")
    assert journal.read_bytes() == before
    assert tasks(two) == {1: "one", 2: "two"}


@pytest.mark.parametrize("size", [journal_module._SLACK, -(10**9)], ids=["a line", "all anew"])
def test_a_process_that_ends_before_the_commit_has_done_all_or_nothing(
    two: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(journal_module, "_SLACK", size)
    kept = [(path, path.read_bytes()) for path in tmp_path.glob("graph.db*")]
    with two.transaction():
        two.write("UPDATE tasks SET title = 'three' WHERE id = 2")
    # The database is as if the commit had not reached the disk, the journal is as it was written.
    two.close()
    for path, data in kept:
        path.write_bytes(data)
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "one", 2: "three"}
        assert again.journal
        assert again.journal.notices == []


def test_one_that_is_to_be_replaced_when_the_process_ends_is_replaced_by_the_next(
    two: Database, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "_SLACK", -(10**9))
    before = journal.read_bytes()
    with two.transaction():
        two.write("UPDATE tasks SET title = 'three' WHERE id = 2")
    journal.rename(journal.with_name("journal.jsonl-new"))
    journal.write_bytes(before)  # as it is between the commit and the renaming
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "one", 2: "three"}
        assert again.journal
        assert again.journal.notices == []
    assert [path.name for path in journal.parent.glob("journal*")] == ["journal.jsonl"]


@pytest.mark.parametrize("torn", [b'{"tasks":[[3,"task', b'{"tasks":[[3,"task:3","x","",null,"","",null]]}'])
def test_a_torn_last_line_is_dropped_and_said(two: Database, journal: Path, tmp_path: Path, torn: bytes) -> None:
    two.close()
    with journal.open("ab") as stream:
        stream.write(torn)
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "one", 2: "two"}
        assert again.journal
        assert [notice for notice in again.journal.notices if "within a line" in notice]
        add(again, "three")
    delete(tmp_path)
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "one", 2: "two", 3: "three"}
        assert again.journal
        assert again.journal.notices == []


_DAMAGES = (
    "nonsense",
    "[]",
    '{"wishes":[[1]]}',
    '{"tasks":[[9]]}',
    '{"tasks":[{}]}',
    '{"runs":[[9,"run:9",77,null,"",null,null,null,null]]}',
    '{"tasks":[[9,"nothing","x","",null,"","",null]]}',
    '{"tasks":[[9,["task"],"x","",null,"","",null]]}',
    '{"tasks":[["x","task:9","x","",null,"","",null]]}',
)


@pytest.mark.parametrize("damage", _DAMAGES)
def test_a_line_that_cannot_be_read_costs_itself_alone(
    two: Database, journal: Path, tmp_path: Path, damage: str
) -> None:
    two.close()
    lines = journal.read_bytes().splitlines(keepends=True)
    journal.write_bytes(b"".join([*lines[:-1], damage.encode() + b"\n", lines[-1]]))
    delete(tmp_path)
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "one", 2: "two"}
        assert again.rows("PRAGMA foreign_key_check") == []
        assert again.journal
        assert len(again.journal.notices) == 1


@pytest.mark.parametrize(
    "change", [{"tx": journal_module.VERSION + 1}, {"columns": {"wishes": ["id"]}}, {"columns": {"tasks": ["wish"]}}]
)
def test_a_journal_of_a_newer_version_is_not_misread(
    two: Database, journal: Path, tmp_path: Path, change: dict[str, object]
) -> None:
    two.close()
    delete(tmp_path)
    first, *rest = journal.read_text().splitlines(keepends=True)
    text = json.dumps(json.loads(first) | change) + "\n" + "".join(rest)
    journal.write_text(text)
    with pytest.raises(StorageError, match="written by a newer tx"):
        opened(tmp_path)
    assert journal.read_text() == text


def test_an_older_workspace_gets_its_journal_at_the_first_write(tmp_path: Path) -> None:
    with Database.open(tmp_path / "graph.db") as database:
        add(database, "from before")
    with opened(tmp_path) as database, database.transaction():
        database.write("INSERT INTO analyses (name, finished_at) VALUES ('index', '')")
    delete(tmp_path)
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "from before"}


def test_a_database_of_yesterday_catches_up(two: Database, tmp_path: Path) -> None:
    two.close()
    yesterday = (tmp_path / "graph.db").read_bytes()
    with opened(tmp_path) as database:
        add(database, "three")
    delete(tmp_path)
    (tmp_path / "graph.db").write_bytes(yesterday)
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "one", 2: "two", 3: "three"}


@pytest.mark.parametrize("which", ["another's", "shorter", "no journal"])
def test_a_database_that_knows_more_counts_and_the_other_journal_is_kept(
    two: Database, journal: Path, tmp_path: Path, which: str
) -> None:
    if which == "another's":
        (tmp_path / "other").mkdir()
        with opened(tmp_path / "other") as other:
            add(other, "elsewhere")
        other_journal = (tmp_path / "other" / "local" / "journal.jsonl").read_bytes()
    else:
        lines = journal.read_bytes().splitlines(keepends=True)
        other_journal = b"".join(lines[:-1]) if which == "shorter" else b"no journal\n"
    two.close()
    journal.write_bytes(other_journal)
    with opened(tmp_path) as database:
        assert tasks(database) == {1: "one", 2: "two"}
        assert database.journal
        assert ["journal-1.jsonl" in notice for notice in database.journal.notices] == [True]
    assert journal.with_name("journal-1.jsonl").read_bytes() == other_journal
    delete(tmp_path)
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "one", 2: "two"}


def test_its_size_is_bounded_by_what_there_is_to_say(
    two: Database, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(journal_module, "_SLACK", 5_000)
    sizes = []
    for number in range(300):
        with two.transaction():
            two.write("UPDATE tasks SET title = ? WHERE id = 2", (f"title {number}",))
        sizes.append(journal.stat().st_size)
    assert max(sizes) < 2 * 3_000 + 5_000
    two.close()
    delete(tmp_path)
    with opened(tmp_path) as again:
        assert tasks(again) == {1: "one", 2: "title 299"}


def test_one_in_memory_has_what_it_says_and_writes_nothing(two: Database, journal: Path, tmp_path: Path) -> None:
    two.close()
    before = journal.read_bytes()
    with Database.in_memory(tmp_path / "graph.db") as database:
        database.journal = Journal(database, journal, follow=lambda: None)
        add(database, "three")
        assert tasks(database) == {1: "one", 2: "two", 3: "three"}
    assert journal.read_bytes() == before


def adding(directory: Path, name: str) -> None:
    for number in range(20):
        if number % 7 == 3:
            delete(directory)
        with suppress(StorageError), opened(directory) as database:  # SQLite may stumble over a file that goes
            add(database, f"{name} {number}")
            with (directory / name).open("a") as stream:
                stream.write(f"{name} {number}\n")


def test_several_may_write_and_delete_the_database_at_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("fork")
    children = [context.Process(target=adding, args=(tmp_path, name)) for name in ("a", "b", "c")]
    for child in children:
        child.start()
    for child in children:
        child.join()
    assert [child.exitcode for child in children] == [0, 0, 0]
    delete(tmp_path)
    with opened(tmp_path) as database:
        acknowledged = [line for name in "abc" for line in (tmp_path / name).read_text().splitlines()]
        assert len(acknowledged) > 20
        assert Counter(acknowledged) <= Counter(tasks(database).values())
