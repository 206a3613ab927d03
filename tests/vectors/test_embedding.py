"""Learnings and chunks of documents get vectors of one model at a time, and search compares no others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fakes import WordEmbedder
from tests.shelf import Shelf
from tests.support import Project
from tx_graph.context.search import Query, SearchAnswer
from tx_graph.core.database import Database
from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.ports import Progress, no_progress
from tx_graph.vectors.embedding import CaughtUp, EmbeddingStatus
from tx_graph.vectors.store import VectorStatus

SYNONYMS = {"automobile": "car"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


class Breaking(WordEmbedder):
    """Fails, or is interrupted, at the second batch."""

    def __init__(self, error: BaseException) -> None:
        super().__init__()
        self._error = error
        self._batches = 0

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> list[bytes]:
        self._batches += 1
        if self._batches == 2:
            raise self._error
        return super().embed(texts)


def without_model(project: Project, *contents: str) -> None:
    """Add learnings while there is no model."""
    embedder, project.embedder = project.embedder, None
    for content in contents:
        project.add(content)
    project.embedder = embedder


def shelve(project: Project, path: str = "docs/a.md", *, sections: int) -> None:
    """Add a document of so many sections, each of one chunk."""
    project.open().close()
    with Database.open(project.root / ".tx" / "graph.db") as database:
        Shelf(database).document(path, {f"s{number}": f"text {number}" for number in range(sections)})


def embed(project: Project, *, again: bool = False) -> int:
    with project.open() as workspace:
        return workspace.embedding.embed_lacking(again=again)


def status(project: Project) -> EmbeddingStatus:
    with project.open() as workspace:
        return workspace.embedding.status()


def vector_scores(answer: SearchAnswer) -> dict[int, float]:
    return {result.stored.id: result.vector for result in answer.results if result.vector}


def test_what_lacks_a_vector_gets_one_once(project: Project) -> None:
    without_model(project, "The car", "A boat")
    project.embedder = WordEmbedder()
    assert status(project).lacking == 2
    assert embed(project) == 2
    assert embed(project) == 0
    assert embed(project, again=True) == 2
    assert status(project) == EmbeddingStatus(
        model="words", installed=True, lacking=0, stored=(VectorStatus(model="words", dimension=64, count=2),)
    )


def test_a_learning_whose_content_changed_lacks_its_vector_until_embedded_again(project: Project) -> None:
    project.embedder = WordEmbedder()
    project.add("The car")
    assert vector_scores(project.search("car")) == {1: pytest.approx(1.0)}
    project.embedder = None
    with project.open() as workspace:
        workspace.learnings.edit("1", content="A boat")
    project.embedder = WordEmbedder()
    assert status(project).lacking == 1
    assert project.search("car").results == ()
    assert embed(project) == 1
    assert vector_scores(project.search("boat")) == {1: pytest.approx(1.0)}


def test_vectors_of_two_models_are_never_compared(project: Project) -> None:
    project.embedder = WordEmbedder(model="old", synonyms=SYNONYMS)
    project.add("An automobile")
    project.embedder = WordEmbedder(model="new", synonyms=SYNONYMS)
    assert status(project).lacking == 1
    assert project.search("car").results == ()
    assert project.search("car").stats.model is None
    project.add("Another automobile")
    answer = project.search("car")
    assert vector_scores(answer) == {2: pytest.approx(0.5**0.5)}
    assert (answer.stats.model, answer.stats.lacking_vectors) == ("new", 1)
    project.embedder = WordEmbedder(model="old", synonyms=SYNONYMS)
    assert vector_scores(project.search("car")) == {1: pytest.approx(1.0)}  # what is left of the old one
    project.embedder = WordEmbedder(model="new", synonyms=SYNONYMS)
    assert embed(project) == 1
    assert set(vector_scores(project.search("car"))) == {1, 2}
    assert status(project).stored == (VectorStatus(model="new", dimension=64, count=2),)


def test_vectors_of_another_dimension_are_left_out_and_counted_apart(project: Project) -> None:
    project.embedder = WordEmbedder(synonyms=SYNONYMS)
    project.add("An automobile")
    project.embedder = WordEmbedder(dimension=16, synonyms=SYNONYMS)
    assert project.search("car").results == ()
    project.add("Another automobile")
    assert set(vector_scores(project.search("car"))) == {2}
    assert {(one.dimension, one.count) for one in status(project).stored} == {(64, 1), (16, 1)}
    assert embed(project, again=True) == 2
    assert set(vector_scores(project.search("car"))) == {1, 2}


def test_chunks_get_the_vectors_they_lack_once_and_those_of_another_model_anew(project: Project) -> None:
    shelve(project, sections=3)
    project.embedder = WordEmbedder()
    with project.open() as workspace:
        assert (workspace.embedding.lacking("chunks"), workspace.embedding.lacking()) == (3, 0)
        assert workspace.embedding.embed_lacking("chunks") == 3
        assert workspace.embedding.embed_lacking("chunks") == 0
        assert workspace.embedding.lacking("chunks") == 0
    shelve(project, "docs/b.md", sections=2)
    with project.open() as workspace:
        assert workspace.embedding.embed_lacking("chunks") == 2
    project.embedder = WordEmbedder(model="new", dimension=8)
    with project.open() as workspace:
        assert workspace.embedding.asked("text", "chunks") is None
        assert workspace.embedding.embed_lacking("chunks") == 5
        assert workspace.embedding.asked("text", "chunks") is not None


@pytest.mark.parametrize("error", [KeyboardInterrupt(), ModelError("The model broke.")])
def test_a_run_that_ends_early_keeps_what_is_done_and_progress_counts(project: Project, error: BaseException) -> None:
    shelve(project, sections=300)
    project.embedder = Breaking(error)
    with project.open() as workspace, pytest.raises(type(error)):
        workspace.embedding.embed_lacking("chunks")
    project.embedder = WordEmbedder()
    seen: list[tuple[int, int | None]] = []
    with project.open() as workspace:
        done = workspace.embedding.embed_lacking("chunks", progress=lambda done, total: seen.append((done, total)))
    assert (done, seen) == (44, [(44, 44)])


def test_catching_up_embeds_what_came_without_a_vector(project: Project) -> None:
    without_model(project, "The car", "A boat")
    with project.open() as workspace:
        assert workspace.embedding.catch_up() == CaughtUp()  # without a model it does nothing, and says nothing
    project.embedder = WordEmbedder()
    with project.open() as workspace:
        assert workspace.embedding.catch_up() == CaughtUp(embedded=2)
        assert workspace.embedding.catch_up() == CaughtUp(embedded=0)


def test_catching_up_tells_of_a_failure_and_counts_what_was_done(project: Project) -> None:
    project.add_all(f"Imported {number}" for number in range(300))
    shelve(project, sections=300)
    for sort, called in (("learnings", "learnings"), ("chunks", "pieces of documents")):
        project.embedder = Breaking(ModelError("The model broke."))
        with project.open() as workspace:
            done = workspace.embedding.catch_up(sort)  # type: ignore[arg-type]
        assert done == CaughtUp(embedded=256, problem=f"Not all {called} have a vector: The model broke.")


def test_catching_up_leaves_more_than_a_few_to_be_asked_for(project: Project) -> None:
    shelve(project, sections=5)
    with project.open() as workspace:
        assert workspace.embedding.catch_up("chunks", most=1) == CaughtUp()
    project.embedder = WordEmbedder()
    with project.open() as workspace:
        left = workspace.embedding.catch_up("chunks", most=4)
        assert left.embedded == 0
        assert left.problem == "5 pieces of documents have no vector yet: run 'tx sync'."
        assert workspace.embedding.catch_up("chunks", most=5) == CaughtUp(embedded=5)


def test_what_is_withheld_is_not_found_by_its_vector(project: Project) -> None:
    project.embedder = WordEmbedder(synonyms=SYNONYMS)
    for number in range(5):
        project.add(f"An automobile {number}")
    with project.open() as workspace:
        for number in range(1, 5):
            workspace.learnings.remove(str(number))
    answer = project.search("", Query(text="car", limit=1))
    assert set(vector_scores(answer)) == {5}


def test_a_text_without_any_word_has_no_direction(project: Project) -> None:
    project.embedder = WordEmbedder()
    project.add("The car")
    assert project.search("---").results == ()


def test_embedding_that_is_turned_off_is_a_usage_error(project: Project) -> None:
    project.add("The car")
    with pytest.raises(UsageError, match="turned off"):
        embed(project)
    assert status(project).installed is False


def test_a_model_that_is_not_here_is_named(project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    project.configure()
    without_model(project, "The car")
    with pytest.raises(ModelError, match="not installed"):
        embed(project)
    assert project.contents("car") == ["The car"]
