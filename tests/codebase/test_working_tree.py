"""Reading files that were just listed: as they are, and never through a symbolic link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tx_graph.codebase.working_tree import WorkingTree


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


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_a_file_that_became_a_pipe_does_not_block(tree: WorkingTree) -> None:
    os.mkfifo(tree.root / "a.py")
    assert not tree.read_listed("a.py")
