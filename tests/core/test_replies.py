"""What models replied is found again, by whom it was said and to which words; what is wrong with it is told."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tx_graph.core.errors import StorageError
from tx_graph.core.reply_store import ReplyStore

NOON = "2026-11-20T12:00:00Z"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "tx" / "replies.db"


@pytest.fixture
def replies(path: Path) -> Iterator[ReplyStore]:
    store = ReplyStore(path, prompt_version=1)
    yield store
    store.close()


def found(path: Path, *batches: str, model: str = "m", prompt_version: int = 1) -> dict[str, str]:
    store = ReplyStore(path, prompt_version=prompt_version)
    try:
        return store.find(batches, model=model)
    finally:
        store.close()


def test_the_last_reply_is_found_again_by_another_process_for_its_model_and_words(
    replies: ReplyStore, path: Path
) -> None:
    replies.keep([("a", "one"), ("b", "two")], model="m", now=NOON)
    assert found(path, "a", "b", "c") == {"a": "one", "b": "two"}
    assert found(path, "a", model="n") == found(path, "a", prompt_version=2) == {}
    replies.keep([("a", "two")], model="m", now=NOON)
    assert found(path, "a") == {"a": "two"}


def test_to_look_for_replies_makes_no_file(replies: ReplyStore, path: Path) -> None:
    assert replies.find(["a"], model="m") == {}
    assert not path.parent.exists()


def test_two_processes_may_keep_replies_at_once(replies: ReplyStore, path: Path) -> None:
    other = ReplyStore(path, prompt_version=1)
    for number in range(20):
        (replies, other)[number % 2].keep([(str(number), "x")], model="m", now=NOON)
    other.close()
    assert len(found(path, *map(str, range(20)))) == 20


def test_a_damaged_file_is_told_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all" * 100)
    with pytest.raises(StorageError, match=r"replies\.db, which keeps models' replies, cannot be used") as refused:
        found(path, "a")
    assert "move it away" in refused.value.hint
    assert path.read_bytes().startswith(b"no database")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions bind neither root nor Windows")
def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "git").mkdir()
    (tmp_path / "git").chmod(stat.S_IRUSR | stat.S_IXUSR)
    store = ReplyStore(tmp_path / "git" / "tx" / "replies.db", prompt_version=1)
    with pytest.raises(StorageError, match="cannot be made"):
        store.keep([("a", "one")], model="m", now=NOON)
