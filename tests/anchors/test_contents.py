"""What a file holds is known from its stamp where that proves it, and read where it does not."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from scripts.opened import Workspace
from tx_graph.anchors.fingerprints import content_hash
from tx_graph.anchors.sources import Contents, Sources, SourceText
from tx_graph.anchors.sources import sources as sources_of
from tx_graph.anchors.store import AnchoredFileStore
from tx_graph.core.working_tree import WorkingTree

_TRUSTED_AFTER = 0.06
"""Seconds after a change from which a stamp proves something; see `core.working_tree`."""


class _Reading(Sources):
    """Tells what was read."""

    def __init__(self, tree: WorkingTree) -> None:
        super().__init__(tree)
        self.paths: list[str] = []

    def get(self, path: str) -> SourceText | None:
        self.paths.append(path)
        return super().get(path)


@pytest.fixture
def file(workspace: Workspace) -> Path:
    file = workspace.root / "a.py"
    file.write_text("one\n", encoding="utf-8")
    return file


@pytest.fixture
def sources(workspace: Workspace, file: Path) -> _Reading:
    reading = _Reading(workspace.kernel.checkout.tree)
    workspace.kernel._made[sources_of] = reading
    return reading


@pytest.fixture
def contents(workspace: Workspace, sources: _Reading) -> Contents:
    return Contents(workspace.kernel)


def looked_at(contents: Contents, sources: _Reading) -> str | None:
    """Look anew, as each question does."""
    sources.forget()
    contents.look(["a.py"])
    return contents.of("a.py")


def test_a_file_is_read_once_while_its_stamp_stays(contents: Contents, sources: _Reading) -> None:
    time.sleep(_TRUSTED_AFTER)
    assert [looked_at(contents, sources) for _ in range(3)] == [content_hash("one")] * 3
    assert sources.paths == ["a.py"]


def test_a_stamp_too_young_proves_nothing(contents: Contents, sources: _Reading, file: Path) -> None:
    for text in ("two\n", "six\n"):
        file.write_text(text, encoding="utf-8")
        assert looked_at(contents, sources) == content_hash(text.strip())


def test_a_file_that_is_gone_has_no_content_until_it_is_back(contents: Contents, sources: _Reading, file: Path) -> None:
    time.sleep(_TRUSTED_AFTER)
    looked_at(contents, sources)
    file.unlink()
    assert looked_at(contents, sources) is None
    file.write_text("two\n", encoding="utf-8")
    assert looked_at(contents, sources) == content_hash("two")


def test_what_this_process_alone_saw_is_news_to_verification(
    contents: Contents, sources: _Reading, workspace: Workspace
) -> None:
    time.sleep(_TRUSTED_AFTER)
    for _ in range(2):
        looked_at(contents, sources)
        assert contents.has_news
    database = workspace.kernel.database
    with database.transaction():
        AnchoredFileStore(database).save(contents.seen())
    looked_at(contents, sources)
    assert not contents.has_news
    assert sources.paths == ["a.py"]
