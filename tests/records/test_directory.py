"""Record files are whole, whatever happens while they are written."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tx_graph.core.errors import StorageError
from tx_graph.records.watch import RecordDirectory


@pytest.fixture
def directory(tmp_path: Path) -> RecordDirectory:
    return RecordDirectory(tmp_path / "learnings")


def files(directory: RecordDirectory) -> dict[str, str]:
    """Everything in the directory, hidden files too."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted(directory.path.iterdir())}


def test_a_record_is_written_and_read_back(directory: RecordDirectory) -> None:
    directory.write("a.md", "é😀\n".encode())
    assert directory.read("a.md") == "é😀\n".encode()
    assert directory.look().stats == {"a.md": directory.stat("a.md")}
    assert files(directory) == {"a.md": "é😀\n"}


def test_a_directory_that_does_not_exist_yet_is_empty(directory: RecordDirectory) -> None:
    assert directory.look().stats == {}
    assert directory.read("a.md") is None
    directory.recover()


def test_replacing_a_record_never_shows_half_of_it(directory: RecordDirectory) -> None:
    directory.write("a.md", b"old")
    with (directory.path / "a.md").open(encoding="utf-8") as reader:
        directory.write("a.md", b"new and longer")
        assert reader.read() == "old"
    assert files(directory) == {"a.md": "new and longer"}


@pytest.mark.parametrize("before", [b"old\r\n", b"\xff not UTF-8", None])
def test_a_block_that_fails_puts_back_what_was_there(directory: RecordDirectory, before: bytes | None) -> None:
    directory.path.mkdir()
    if before is not None:
        (directory.path / "a.md").write_bytes(before)

    def fail_half_way() -> None:
        with directory.written("a.md", "new"):
            assert directory.read("a.md") == b"new"
            raise KeyError

    with pytest.raises(KeyError):
        fail_half_way()
    assert directory.read("a.md") == before
    assert len(list(directory.path.iterdir())) == (before is not None)


@pytest.mark.parametrize("replacing", [[], ["b.md"]])
def test_a_batch_is_written_wholly_or_not_at_all(directory: RecordDirectory, replacing: list[str]) -> None:
    directory.write("b.md", b"old")
    if not replacing:
        with pytest.raises(StorageError, match="exists already"), directory.written_batch({"a.md": "a", "b.md": "b"}):
            pass
        assert files(directory) == {"b.md": "old"}
        (directory.path / "b.md").unlink()
    with directory.written_batch({"a.md": "a", "b.md": "b"}, replacing=replacing):
        assert files(directory) == {"a.md": "a", "b.md": "b"}
    with pytest.raises(KeyError), directory.written_batch({"b.md": "newer", "c.md": "c"}, replacing=["b.md"]):
        raise KeyError
    assert files(directory) == {"a.md": "a", "b.md": "b"}


@pytest.mark.parametrize("whole", [True, False])
def test_what_a_killed_process_left_is_finished_if_it_was_whole_and_dropped_if_not(
    directory: RecordDirectory, whole: bool
) -> None:
    batch = directory.path / ".batch-1-2"
    batch.mkdir(parents=True)
    (batch / "b.md").write_text("b")
    (directory.path / ".tmp-1-2").write_text("half")
    if whole:
        directory.write("a.md", b"a")
        (batch / "COMPLETE").touch()
    assert ".batch-1-2" in directory.look().stats, "it shows as a change"
    directory.recover()
    assert files(directory) == ({"a.md": "a", "b.md": "b"} if whole else {})


def test_only_records_are_listed(directory: RecordDirectory, tmp_path: Path) -> None:
    directory.write("a.md", b"a")
    (directory.path / "b.md").mkdir()
    for name in ("notes.txt", ".hidden.md", ".tmp-1-2"):
        (directory.path / name).write_text("")
    (tmp_path / "outside.md").write_text("secret")
    (directory.path / "link.md").symlink_to(tmp_path / "outside.md")
    if hasattr(os, "mkfifo"):
        os.mkfifo(directory.path / "pipe.md")
    if sys.platform == "linux":  # elsewhere file names are Unicode
        (directory.path / os.fsdecode(b"\xff.md")).write_text("")
    assert list(directory.look().stats) == ["a.md"]


def test_a_vanished_record_is_refused_in_words(directory: RecordDirectory) -> None:
    with pytest.raises(StorageError, match=r"cannot be read: No such file or directory\."):
        directory.stat("a.md")


def test_a_file_in_the_place_of_the_directory_is_refused_in_words(directory: RecordDirectory) -> None:
    directory.path.write_text("")
    with pytest.raises(StorageError, match="cannot be read"):
        directory.look()
    with pytest.raises(StorageError, match="cannot be written"):
        directory.write("a.md", b"a")
    with pytest.raises(StorageError, match="cannot be written"), directory.written_batch({"a.md": "a"}):
        pass


COME_AND_GO = """
import pathlib, sys
print("started", flush=True)
while True:
    paths = [pathlib.Path(sys.argv[1]) / f"{number}.md" for number in range(200)]
    for path in paths: path.touch()
    for path in paths: path.unlink()
"""


def test_records_that_come_and_go_hide_no_others(directory: RecordDirectory) -> None:
    directory.write("kept.md", b"kept")
    command = [sys.executable, "-c", COME_AND_GO, str(directory.path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        other.stdout.readline()
        try:
            assert all("kept.md" in directory.look().stats for _ in range(500))
        finally:
            other.kill()


def test_a_glance_sees_what_came_went_and_was_replaced(tmp_path: Path) -> None:
    directory = RecordDirectory(tmp_path)
    for name in ("kept.md", "replaced.md", "gone.md"):
        directory.write(name, name.encode())
    before = directory.look()
    directory.write("new.md", b"new")
    directory.write("replaced.md", b"something longer")
    (tmp_path / "gone.md").unlink()
    now, changed = directory.glance(before)
    assert changed == {"new.md", "replaced.md", "gone.md"}
    assert now == directory.look()
    assert directory.glance(now) == (now, set())


def test_a_glance_does_not_see_what_was_written_in_place(tmp_path: Path) -> None:
    directory = RecordDirectory(tmp_path)
    directory.write("a.md", b"a")
    before = directory.look()
    (tmp_path / "a.md").write_text("something longer", encoding="utf-8")
    assert directory.glance(before) == (before, set())
    assert directory.look() != before
