"""What was told is remembered for a while, by one of several at once, and losing it costs nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from pathlib import Path

import pytest

from tx_graph.context import told_store as told
from tx_graph.context.told_store import ToldStore

TODAY = date(2026, 11, 21)


def test_what_was_told_to_one_session_at_one_place_is_known_there_alone(tmp_path: Path) -> None:
    store = ToldStore(tmp_path / "tx/told.db", today=TODAY)
    assert store.told("a-session", "x.py") == frozenset()
    assert not store.path.exists()
    assert store.keep("a-session", "x.py", ["one"])
    assert not store.keep("a-session", "x.py", ["one"]), "again is nothing new"
    assert store.keep("a-session", "x.py", ["one", "two"]), "unless something is"
    assert store.told("a-session", "x.py") == {"one", "two"}
    assert store.told("b", "x.py") == store.told("a-session", "y.py") == frozenset()
    assert b"a-session" not in store.path.read_bytes()


def test_of_many_at_once_one_tells(tmp_path: Path) -> None:
    stores = [ToldStore(tmp_path / "told.db", today=TODAY) for _ in range(8)]
    stores[0].keep("z", "", ["made"])
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda store: store.keep("a", "", ["one"]), stores)).count(True) == 1


def test_sessions_are_forgotten_on_request_and_when_they_are_old(tmp_path: Path) -> None:
    for session, age in (("a", 8), ("b", 7), ("c", 0), ("d", 0)):
        store = ToldStore(tmp_path / "told.db", today=TODAY - timedelta(days=age))
        store.forget(session)
        store.keep(session, "", ["one"])
    store.forget("c")
    assert [session for session in "abcd" if store.told(session, "")] == ["b", "d"]


def test_it_does_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(told, "_MOST_ROWS", 10)
    store = ToldStore(tmp_path / "told.db", today=TODAY)
    for number in range(25):
        store.keep("a", str(number), ["one"])
    assert sum(len(store.told("a", str(number))) for number in range(25)) <= 10


def test_what_cannot_be_kept_counts_as_not_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = ToldStore(tmp_path / "file/told.db", today=TODAY)
    assert store.keep("a", "", ["one"])
    assert store.keep("a", "", ["one"])
    assert store.told("a", "") == frozenset()
