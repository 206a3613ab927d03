"""Chunks of documents get vectors like learnings do, in batches of which finished ones stay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fakes import WordEmbedder
from tests.shelf import Shelf
from tests.support import Project
from tx_graph.core.database import Database
from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.ports import Progress, no_progress
from tx_graph.vectors.embedding import CaughtUp


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch, embedder=WordEmbedder())


class Breaking(WordEmbedder):
    """Is interrupted at the second batch."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error
        self._batches = 0

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> list[bytes]:
        self._batches += 1
        if self._batches == 2:
            raise self._error
        return super().embed(texts)


def shelve(project: Project, path: str = "docs/a.md", *, sections: int) -> None:
    project.open().close()
    with Database.open(project.root / ".tx" / "graph.db") as database:
        Shelf(database).document(path, {f"s{number}": f"text {number}" for number in range(sections)})


def test_chunks_get_the_vectors_they_lack_once(project: Project) -> None:
    shelve(project, sections=3)
    with project.open() as workspace:
        assert workspace.embedding.lacking("chunks") == 3
        assert workspace.embedding.embed_lacking("chunks") == 3
        assert workspace.embedding.embed_lacking("chunks") == 0
        assert workspace.embedding.lacking("chunks") == 0
        assert workspace.embedding.lacking() == 0
    shelve(project, "docs/b.md", sections=2)
    with project.open() as workspace:
        assert workspace.embedding.embed_lacking("chunks") == 2


def test_another_model_embeds_all_of_them_again(project: Project) -> None:
    shelve(project, sections=3)
    with project.open() as workspace:
        workspace.embedding.embed_lacking("chunks")
    project.embedder = WordEmbedder(model="new", dimension=8)
    with project.open() as workspace:
        assert workspace.embedding.asked("text", "chunks") is None
        assert workspace.embedding.embed_lacking("chunks") == 3
        assert workspace.embedding.asked("text", "chunks") is not None


def test_an_interrupted_run_keeps_what_is_done(project: Project) -> None:
    shelve(project, sections=300)
    project.embedder = Breaking(KeyboardInterrupt())
    with project.open() as workspace, pytest.raises(KeyboardInterrupt):
        workspace.embedding.embed_lacking("chunks")
    project.embedder = WordEmbedder()
    seen: list[tuple[int, int | None]] = []
    with project.open() as workspace:
        assert (
            workspace.embedding.embed_lacking("chunks", progress=lambda done, total: seen.append((done, total))) == 44
        )
    assert seen == [(44, 44)]


def test_catching_up_tells_of_a_failure(project: Project) -> None:
    shelve(project, sections=300)
    project.embedder = Breaking(ModelError("The model broke."))
    with project.open() as workspace:
        done = workspace.embedding.catch_up("chunks")
    assert done == CaughtUp(embedded=256, problem="Not all pieces of documents have a vector: The model broke.")


def test_catching_up_leaves_more_than_a_few_to_be_asked_for(project: Project) -> None:
    shelve(project, sections=5)
    with project.open() as workspace:
        left = workspace.embedding.catch_up("chunks", most=4)
        assert left.embedded == 0
        assert left.problem == "5 pieces of documents have no vector yet: run 'tx doc:ingest' to embed them."
        assert workspace.embedding.catch_up("chunks", most=5) == CaughtUp(embedded=5)


def test_without_a_model_nothing_is_embedded_and_catching_up_is_silent(project: Project) -> None:
    shelve(project, sections=2)
    project.embedder = None
    with project.open() as workspace:
        assert workspace.embedding.catch_up("chunks", most=1) == CaughtUp()
        with pytest.raises(UsageError):
            workspace.embedding.embed_lacking("chunks")
