"""A text that was embedded in one clone is not embedded again in another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.core.ports import Progress, Vector, no_progress
from tx_graph.vectors import models
from tx_graph.vectors.embedding import Embedding


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that the model was given."""
    texts: list[str] = []

    class Noting(WordEmbedder):
        def embed(self, given: Sequence[str], *, progress: Progress = no_progress) -> list[Vector]:
            texts.extend(given)
            return super().embed(given, progress=progress)

    monkeypatch.setenv(models.CACHE_VARIABLE, str(tmp_path / "cache" / "vectors.db"))
    monkeypatch.setattr(models, "is_installed", lambda _: True)
    monkeypatch.setattr(models, "require_installed", lambda _: None)
    monkeypatch.setattr(models, "open_embedder", lambda *_, **__: Noting())
    return texts


def embedded(directory: Path, monkeypatch: pytest.MonkeyPatch, *contents: str, again: bool = False) -> list[bytes]:
    """Return the vectors of learnings in a repository of its own."""
    directory.mkdir()
    project = Project(directory, monkeypatch)
    for content in contents:
        project.add(content)
    project.configure()
    with project.open() as workspace:
        workspace.kernel.one(Embedding).embed_lacking(again=again)
        rows = workspace.kernel.database.rows("SELECT vector FROM learning_vectors ORDER BY learning_id")
    return [vector for (vector,) in rows]


def test_another_clone_asks_only_for_what_is_new(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str]
) -> None:
    one = embedded(tmp_path / "one", monkeypatch, "Tokens end", "Keys rotate")
    assert asked == ["Tokens end", "Keys rotate"]
    other = embedded(tmp_path / "other", monkeypatch, "Keys rotate", "Logs are kept")
    assert asked[2:] == ["Logs are kept"]
    assert other[0] == one[1]


def test_who_wants_all_again_asks_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str]) -> None:
    embedded(tmp_path / "one", monkeypatch, "Tokens end")
    embedded(tmp_path / "other", monkeypatch, "Tokens end", again=True)
    assert asked == ["Tokens end"] * 2


@pytest.mark.parametrize("damage", [b"no database", None])
def test_without_a_cache_that_can_be_used_everything_is_embedded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, asked: list[str], damage: bytes | None
) -> None:
    cache = tmp_path / "cache" / "vectors.db"
    if damage is None:
        monkeypatch.setenv(models.CACHE_VARIABLE, "none")
    else:
        cache.parent.mkdir()
        cache.write_bytes(damage)
    assert len(embedded(tmp_path / "one", monkeypatch, "Tokens end")) == 1
    assert asked == ["Tokens end"]
    assert cache.exists() is (damage is not None)
