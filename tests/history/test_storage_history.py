"""Commits that were read are kept small, and come back as they were."""

from __future__ import annotations

from tx_graph.core.database import Database
from tx_graph.history.cochange import Commit
from tx_graph.history.commit_store import MOST_PATHS, HistoryState, HistoryStore, Ledger

STATE = HistoryState(head="ab" * 20, shape="as it is", with_renames=True)
LATER = HistoryState(head="cd" * 20, shape="as it is", with_renames=True)

FIRST = Commit(sha="01" * 20, time=1_700_000_000, paths=("b.py", "ünï.py", "caf\udce9", "a\n\t.py"))
SECOND = Commit(sha="02" * 20, time=-5, paths=("c.py",), renames=(("b.py", "c.py"),))
EMPTY = Commit(sha="03" * 20, time=2**40, paths=())


def record(store: HistoryStore, *commits: Commit, state: HistoryState = STATE, database: Database) -> None:
    ledger = store.load()
    list(ledger.recording(commits))
    with database.transaction():
        store.save(ledger, state)


def test_what_is_recorded_comes_back(database: Database) -> None:
    store = HistoryStore(database)
    record(store, FIRST, SECOND, EMPTY, database=database)
    assert list(store.load().commits()) == [FIRST, SECOND, EMPTY]
    assert store.state() == STATE


def test_what_is_new_is_added(database: Database) -> None:
    store = HistoryStore(database)
    record(store, FIRST, database=database)
    record(store, SECOND, state=LATER, database=database)
    assert list(store.load().commits()) == [FIRST, SECOND]
    assert store.state() == LATER


def test_a_new_ledger_takes_the_place_of_the_old(database: Database) -> None:
    store = HistoryStore(database)
    record(store, FIRST, database=database)
    fresh = Ledger(stored=None)
    list(fresh.recording([SECOND]))
    with database.transaction():
        store.save(fresh, LATER)
    assert list(store.load().commits()) == [SECOND]


def test_two_processes_that_read_the_same_commit_keep_it_once(database: Database) -> None:
    store = HistoryStore(database)
    record(store, FIRST, database=database)
    one, other = store.load(), store.load()
    for ledger in (one, other):
        list(ledger.recording([SECOND]))
        with database.transaction():
            store.save(ledger, LATER)
    assert list(store.load().commits()) == [FIRST, SECOND]


def test_a_commit_of_many_paths_stays_too_large_and_keeps_its_renames(database: Database) -> None:
    store = HistoryStore(database)
    wide = Commit(
        sha="04" * 20, time=0, paths=tuple(f"{number}" for number in range(MOST_PATHS + 1)), renames=(("a", "b"),)
    )
    record(store, wide, FIRST, database=database)
    found, _ = store.load().commits()
    assert len(found.paths) == MOST_PATHS + 1
    assert found.renames == wide.renames
    assert store.counts(max_files=MOST_PATHS) == (2, 1)
    assert store.counts(max_files=3) == (2, 2)


def test_nothing_read_is_nothing_known(database: Database) -> None:
    store = HistoryStore(database)
    assert store.state() is None
    assert list(store.load().commits()) == []
    assert store.counts(max_files=1) == (0, 0)
