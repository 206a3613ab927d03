"""Reading files: as they are, those that were just listed never through a symbolic link, and none from outside."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from tx_graph.core.working_tree import UNTRUSTED, WorkingTree, trusted_mtime


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    (tmp_path / "repo" / "src").mkdir(parents=True)
    return WorkingTree(tmp_path / "repo", cwd=tmp_path)


def test_a_listed_file_is_read_byte_for_byte(tree: WorkingTree) -> None:
    data = bytes(range(256)) * 1000 + b"\r\n\x1a"
    (tree.root / "src" / "a\nb.bin").write_bytes(data)
    assert tree.read_listed("src/a\nb.bin") == tree.read("src/a\nb.bin") == data


def test_what_is_no_file_any_more_is_not_read(tree: WorkingTree) -> None:
    assert tree.read_listed("gone.py") is None
    assert tree.read_listed("src") is None
    assert tree.read_listed("src/gone.py/deeper") is None


def test_a_file_that_became_a_symlink_is_not_followed(tree: WorkingTree) -> None:
    (tree.root.parent / "secret.py").write_text("import os\n", encoding="utf-8")
    (tree.root / "a.py").symlink_to(tree.root.parent / "secret.py")
    assert tree.read_listed("a.py") is None


def test_a_link_to_a_file_of_the_repository_is_read(tree: WorkingTree) -> None:
    (tree.root / "src" / "a.py").write_text("import os\n", encoding="utf-8")
    (tree.root / "link.py").symlink_to("src/a.py")
    (tree.root / "linked").symlink_to("src")
    assert tree.read("link.py") == tree.read("linked/a.py") == b"import os\n"


def test_nothing_outside_the_repository_is_read(tree: WorkingTree) -> None:
    (tree.root.parent / "secret.py").write_text("import os\n", encoding="utf-8")
    (tree.root / "a.py").symlink_to(tree.root.parent / "secret.py")
    (tree.root / "out").symlink_to(tree.root.parent)
    outside = ("a.py", "out/secret.py", "../secret.py", "src/../../secret.py", "out/../secret.py", "..")
    assert [tree.read(path) for path in outside] == [None] * len(outside)


def test_a_directory_that_became_a_link_to_outside_is_not_followed(tree: WorkingTree) -> None:
    (tree.root / "src" / "a.py").write_text("mine\n", encoding="utf-8")
    assert tree.read("src/a.py") == b"mine\n"
    (tree.root / "src").rename(tree.root / "before")
    (tree.root.parent / "other").mkdir()
    (tree.root.parent / "other" / "a.py").write_text("theirs\n", encoding="utf-8")
    (tree.root / "src").symlink_to(tree.root.parent / "other")
    assert tree.read("src/a.py") is None


def test_what_is_no_regular_file_has_no_bytes(tree: WorkingTree) -> None:
    assert [tree.read(path) for path in ("", "src", "src/", "gone.py", "gone/a.py", "a\0b", "a\ud800b")] == [None] * 7


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_file_that_became_a_pipe_is_none_and_does_not_block(tree: WorkingTree) -> None:
    os.mkfifo(tree.root / "a.py")
    assert not tree.read_listed("a.py")
    assert tree.read("a.py") is None


def test_the_time_of_a_file_proves_nothing_until_it_is_past() -> None:
    assert trusted_mtime(time.time_ns()) == UNTRUSTED
    yesterday = time.time_ns() - 86_400 * 10**9 + 1
    assert trusted_mtime(yesterday) == yesterday
