"""Chunks of documents have vectors like learnings: none is mixed up with theirs, and none outlives its text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes import WordEmbedder, learning
from tests.shelf import Shelf
from tx_graph.core.database import Database
from tx_graph.documents.chunk_store import ChunkStore
from tx_graph.records.learning_store import LearningStore
from tx_graph.vectors.store import CHUNKS, VectorStatus, VectorStore

MODEL = "words"


@pytest.fixture(params=["sqlite-vec", "numpy"])
def shelf(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Shelf]:
    """A document of three sections, searched by sqlite-vec where it loads, and by numpy."""
    with Database.open(tmp_path / "graph.db") as opened:
        if request.param == "numpy":
            opened.has_vectors = False
        elif not opened.has_vectors:
            pytest.skip("sqlite-vec does not load here")
        shelf = Shelf(opened)
        texts = {"keys": "rotate signing keys", "salt": "salt every password", "logs": "rotate logs"}
        shelf.document("docs/a.md", texts, title="Guide")
        yield shelf


def vectors(shelf: Shelf) -> VectorStore:
    return VectorStore(shelf.database, CHUNKS)


def embed(shelf: Shelf, *numbers: int) -> None:
    rows = dict(vectors(shelf).lacking(MODEL))
    made = [(number, rows[number], WordEmbedder().embed([rows[number]])[0]) for number in numbers]
    with shelf.database.transaction():
        vectors(shelf).save(made, model=MODEL, dimension=64)


def nearest(shelf: Shelf, text: str, *, allowed: set[int] | None = None) -> list[int]:
    vector = WordEmbedder().embed([text])[0]
    found = vectors(shelf).nearest(vector, model=MODEL, dimension=64, allowed=allowed, limit=10)
    return [number for number, _ in found]


def test_what_is_embedded_are_the_titles_above_a_chunk_and_its_text_and_the_nearest_come_first(shelf: Shelf) -> None:
    assert vectors(shelf).lacking(MODEL)[0] == (1, "Guide › keys\nrotate signing keys")
    embed(shelf, 1, 3)
    vector = WordEmbedder().embed(["rotate signing keys"])[0]
    [(number, cosine)] = vectors(shelf).nearest(vector, model=MODEL, dimension=64, allowed=[2, 3], limit=2)
    assert (number, round(cosine, 6)) == (3, round(1 / 3, 6))
    embed(shelf, 2)
    assert nearest(shelf, "rotate signing keys") == [1, 3, 2]
    assert nearest(shelf, "rotate", allowed={2, 3}) == [3, 2]
    assert vectors(shelf).lacking_count(MODEL) == 0
    assert vectors(shelf).status() == [VectorStatus(model=MODEL, dimension=64, count=3)]


def test_forgotten_chunks_are_found_no_more(shelf: Shelf) -> None:
    embed(shelf, 1, 2, 3)
    with shelf.database.transaction():
        vectors(shelf).forget([1, 2])
        ChunkStore(shelf.database).remove([1, 2])
    assert nearest(shelf, "rotate") == [3]
    shelf.document("docs/b.md", {"new": "salt again"})
    assert nearest(shelf, "salt") == [3]
    assert [number for number, _ in vectors(shelf).lacking(MODEL)] == [4]


def test_a_number_given_out_again_does_not_get_the_vector_of_the_old_text(shelf: Shelf) -> None:
    """Another process may ingest while this one embeds."""
    pending = vectors(shelf).lacking(MODEL)
    with shelf.database.transaction():
        ChunkStore(shelf.database).remove([3])
    shelf.document("docs/b.md", {"new": "compare tokens slowly"})
    made = [(number, text, WordEmbedder().embed([text])[0]) for number, text in pending]
    with shelf.database.transaction():
        vectors(shelf).save(made, model=MODEL, dimension=64)
    assert nearest(shelf, "rotate") == [1, 2]
    assert vectors(shelf).lacking(MODEL) == [(3, "new\ncompare tokens slowly")]


def test_learnings_and_chunks_keep_to_themselves(shelf: Shelf) -> None:
    with shelf.database.transaction():
        LearningStore(shelf.database).save(learning("rotate keys"), record="r.md", now="")
        vector = WordEmbedder(dimension=8).embed(["rotate keys"])[0]
        VectorStore(shelf.database).save([(1, "rotate keys", vector)], model=MODEL, dimension=8)
    embed(shelf, 1, 2)
    found = VectorStore(shelf.database).nearest(vector, model=MODEL, dimension=8, allowed=None, limit=10)
    assert [number for number, _ in found] == [1]
    assert nearest(shelf, "rotate") == [1, 2]
    assert VectorStore(shelf.database).lacking_count(MODEL) == 0
    assert vectors(shelf).lacking_count(MODEL) == 1


def test_what_was_forgotten_without_sqlite_vec_is_not_found_with_it(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with Database.open(path) as database:
        if not database.has_vectors:
            pytest.skip("sqlite-vec does not load here")
        Shelf(database).document("docs/a.md", {"keys": "rotate signing keys", "logs": "rotate logs"})
        embed(Shelf(database), 1, 2)
    with Database.open(path) as plain:
        plain.has_vectors = False
        with plain.transaction():
            VectorStore(plain, CHUNKS).forget([1])
            ChunkStore(plain).remove([1])
    with Database.open(path) as database:
        assert nearest(Shelf(database), "rotate") == [2]
