"""What was read before is found again by its content; whatever is wrong with the cache, it only costs time."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from tx_graph.core.content_cache import ContentCache

TODAY = date(2026, 3, 1)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tx" / "readings.db"


@pytest.fixture
def cache(path: Path) -> Iterator[ContentCache]:
    cache = opened(path)
    yield cache
    cache.close()


def opened(path: Path, *, readers: str = "1", today: date = TODAY, most_bytes: int = 1250) -> ContentCache:
    return ContentCache(path, made_by=readers, today=today, most_bytes=most_bytes)


def test_what_was_kept_is_found_again(cache: ContentCache, path: Path) -> None:
    cache.keep([("a", b"1"), ("b", b"2")])
    other = opened(path)
    assert other.get(["a", "b", "c"]) == {"a": b"1", "b": b"2"}
    other.close()


def test_other_readers_read_for_themselves(cache: ContentCache, path: Path) -> None:
    cache.keep([("a", b"1")])
    newer = opened(path, readers="2")
    assert newer.get(["a"]) == {}
    newer.keep([("a", b"new")])
    assert (newer.get(["a"]), cache.get(["a"])) == ({"a": b"new"}, {"a": b"1"})
    newer.close()


def test_beyond_the_limit_the_days_longest_unused_go_first(path: Path) -> None:
    for age, content in ((3, "oldest"), (2, "old"), (1, "used again")):
        day = opened(path, today=TODAY - timedelta(days=age))
        day.keep([(content, b"x" * 400)])
        day.close()
    today = opened(path)
    today.keep([], used=["oldest"])
    today.keep([("new", b"x" * 100)])
    assert set(today.get(["oldest", "old", "used again", "new"])) == {"oldest", "used again", "new"}
    today.close()


def test_what_was_used_today_stays_whatever_it_weighs(cache: ContentCache) -> None:
    cache.keep([("a", b"x" * 5000)])
    cache.keep([("b", b"x" * 5000)])
    assert set(cache.get(["a", "b"])) == {"a", "b"}


def test_a_damaged_cache_is_made_anew(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"this is no database" * 100)
    cache = opened(path)
    cache.keep([("a", b"1")])
    assert cache.get(["a"]) == {"a": b"1"}
    cache.close()


def test_a_cache_that_cannot_be_there_is_empty(tmp_path: Path) -> None:
    (tmp_path / "tx").write_text("a file where the directory should be")
    cache = opened(tmp_path / "tx" / "readings.db")
    cache.keep([("a", b"1")])
    assert cache.get(["a"]) == {}
    cache.close()


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_directory_means_no_cache(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    assert opened(tmp_path / "tx" / "readings.db").get(["a"]) == {}
