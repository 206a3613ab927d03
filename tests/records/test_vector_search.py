"""Vectors of one model are compared with each other and with no others; those of chunks like those of learnings."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.fakes import WordEmbedder, learning, normalised
from tests.shelf import Shelf
from tx_graph.core.database import Database
from tx_graph.core.errors import StorageError
from tx_graph.documents.chunk_store import ChunkStore
from tx_graph.records.learning import Status
from tx_graph.records.learning_store import LearningStore
from tx_graph.vectors.store import CHUNKS, VectorStatus, VectorStore

MODEL = "words"
TOPICS = ("rotate signing keys", "salt every password", "compare tokens slowly", "rotate logs")


@pytest.fixture(params=["sqlite-vec", "numpy"])
def searched(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Database]:
    """A database that is searched by sqlite-vec where it loads, and by numpy."""
    with Database.open(tmp_path / "graph.db") as opened:
        if request.param == "numpy":
            opened.has_vectors = False
        elif not opened.has_vectors:
            pytest.skip(f"sqlite-vec does not load here (installed: {find_spec('sqlite_vec') is not None})")
        yield opened


@pytest.fixture
def database(searched: Database) -> Database:
    """A database with four learnings."""
    with searched.transaction():
        for content in TOPICS:
            LearningStore(searched).save(learning(content), record="r.md", now="")
    return searched


def embed(database: Database, *numbers: int, model: str = MODEL, dimension: int = 64) -> None:
    embedder = WordEmbedder(model=model, dimension=dimension)
    rows = [(number, TOPICS[number - 1], embedder.embed([TOPICS[number - 1]])[0]) for number in numbers]
    with database.transaction():
        VectorStore(database).save(rows, model=model, dimension=dimension)


def nearest(
    database: Database, text: str, *, model: str = MODEL, dimension: int = 64, allowed: set[int] | None = None
) -> list[int]:
    vector = WordEmbedder(dimension=dimension).embed([text])[0]
    found = VectorStore(database).nearest(vector, model=model, dimension=dimension, allowed=allowed, limit=10)
    scores = [score for _, score in found]
    assert scores == sorted(scores, reverse=True)
    assert all(-1.0001 <= score <= 1.0001 for score in scores)
    return [number for number, _ in found]


def test_the_nearest_come_first_with_their_cosine_similarity(database: Database) -> None:
    assert (nearest(database, "keys"), VectorStore(database).any_of(MODEL)) == ([], False)
    embed(database, 1, 2, 3, 4)
    vector = WordEmbedder().embed(["rotate signing keys"])[0]
    (first, second, *_) = VectorStore(database).nearest(vector, model=MODEL, dimension=64, allowed=None, limit=10)
    assert (first[0], second[0]) == (1, 4)
    assert first[1] == pytest.approx(1.0, abs=1e-6)
    assert second[1] == pytest.approx(1 / 6**0.5, abs=1e-6)
    assert nearest(database, "rotate logs", allowed={1, 2}) == [1, 2]
    assert nearest(database, "rotate logs", allowed=set()) == []
    assert nearest(database, "unrelated") == [1, 2, 3, 4], "equally near ones come in the order of their numbers"


def test_withheld_learnings_are_near_only_when_allowed(database: Database) -> None:
    embed(database, 1, 2, 3, 4)
    with database.transaction():
        store = LearningStore(database)
        store.save(learning(TOPICS[0], status=Status.RETRACTED), record="r.md", now="")
        store.save(learning(TOPICS[3], removed_at="2026-12-01T00:00:00Z"), record="r.md", now="")
        store.mark_absent([learning(TOPICS[1]).uid])
    assert nearest(database, "rotate") == [3]
    vector = WordEmbedder().embed(["rotate"])[0]
    assert len(VectorStore(database).nearest(vector, model=MODEL, dimension=64, allowed=None, limit=1)) == 1
    assert nearest(database, "rotate", allowed={1}) == [1]


def test_models_and_dimensions_are_never_mixed(database: Database) -> None:
    embed(database, 1)
    embed(database, 2, dimension=8)
    embed(database, 3, model="other")
    assert [nearest(database, "rotate"), nearest(database, "rotate", dimension=8)] == [[1], [2]]
    assert [nearest(database, "rotate", model="other"), nearest(database, "rotate", dimension=16)] == [[3], []]
    assert [number for number, _ in VectorStore(database).lacking(MODEL)] == [3, 4]
    assert VectorStore(database).status() == [
        VectorStatus(model="other", dimension=64, count=1),
        VectorStatus(model=MODEL, dimension=8, count=1),
        VectorStatus(model=MODEL, dimension=64, count=1),
    ]


def test_embedding_again_replaces_and_takes_only_vectors_of_its_length(database: Database) -> None:
    embed(database, 1)
    store, again = VectorStore(database), normalised([1.0] * 64)
    with pytest.raises(StorageError), database.transaction():
        store.save([(1, TOPICS[0], b"1234")], model=MODEL, dimension=64)
    with database.transaction():
        store.save([(1, TOPICS[0], again)], model=MODEL, dimension=64)
    found = store.nearest(again, model=MODEL, dimension=64, allowed=None, limit=5)
    assert [(number, round(score, 5)) for number, score in found] == [(1, 1.0)]


def test_changing_the_model_of_every_learning_leaves_none_of_the_old(database: Database) -> None:
    embed(database, 1, 2, 3, 4)
    embed(database, 1, 2, 3, 4, model="other", dimension=8)
    assert nearest(database, "rotate") == []
    assert nearest(database, "rotate logs", model="other", dimension=8)[0] == 4
    embed(database, 1, 2)
    assert nearest(database, "rotate logs", model="other", dimension=8) == [4, 3]


def test_a_vector_goes_when_the_content_does(database: Database) -> None:
    embed(database, 1, 2)
    with database.transaction():
        same = learning(TOPICS[0], keywords=("new",))
        LearningStore(database).save(same, record="r.md", now="")
        changed = learning("now about something else", uid=learning(TOPICS[1]).uid)
        LearningStore(database).save(changed, record="r.md", now="")
    assert nearest(database, "salt every password") == [1]
    assert VectorStore(database).lacking_count(MODEL) == 3


def test_absent_learnings_lack_nothing_and_count_nowhere(database: Database) -> None:
    embed(database, 1)
    with database.transaction():
        LearningStore(database).mark_absent([learning(TOPICS[0]).uid, learning(TOPICS[1]).uid])
    store = VectorStore(database)
    assert store.status() == []
    assert [number for number, _ in store.lacking(MODEL)] == [3, 4]
    assert [number for number, _ in store.all_contents()] == [3, 4]


def test_what_was_written_without_sqlite_vec_is_found_with_it(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with Database.open(path) as database:
        if not database.has_vectors:
            pytest.skip("sqlite-vec does not load here")
        with database.transaction():
            for content in TOPICS:
                LearningStore(database).save(learning(content), record="r.md", now="")
        embed(database, 1, 2)
    with Database.open(path) as plain:
        plain.has_vectors = False
        embed(plain, 3, 4)
        with plain.transaction():
            changed = learning("changed", uid=learning(TOPICS[0]).uid)
            LearningStore(plain).save(changed, record="r.md", now="")
        expected = nearest(plain, "rotate logs")
    with Database.open(path) as database:
        assert nearest(database, "rotate logs") == expected == [4, 2, 3]
        embed(database, 2)
        assert nearest(database, "rotate logs") == expected
        assert database.value("SELECT count(*) FROM learning_vector_index") == 3


def test_more_neighbours_than_the_index_can_give_are_found_all_the_same(tmp_path: Path) -> None:
    with Database.open(tmp_path / "graph.db") as database:
        with database.transaction():
            LearningStore(database).save(learning(TOPICS[0]), record="r.md", now="")
        embed(database, 1)
        vector = WordEmbedder().embed(["keys"])[0]
        found = VectorStore(database).nearest(vector, model=MODEL, dimension=64, allowed=None, limit=10_000)
        assert [number for number, _ in found] == [1]
        found = VectorStore(database).nearest(vector, model=MODEL, dimension=64, allowed={1}, limit=10_000)
        assert [number for number, _ in found] == [1]


@pytest.fixture
def shelf(searched: Database) -> Shelf:
    """A document of three sections."""
    texts = {"keys": "rotate signing keys", "salt": "salt every password", "logs": "rotate logs"}
    Shelf(searched).document("docs/a.md", texts, title="Guide")
    return Shelf(searched)


def vectors(shelf: Shelf) -> VectorStore:
    return VectorStore(shelf.database, CHUNKS)


def embed_chunks(shelf: Shelf, *numbers: int) -> None:
    rows = dict(vectors(shelf).lacking(MODEL))
    made = [(number, rows[number], WordEmbedder().embed([rows[number]])[0]) for number in numbers]
    with shelf.database.transaction():
        vectors(shelf).save(made, model=MODEL, dimension=64)


def nearest_chunks(shelf: Shelf, text: str, *, allowed: set[int] | None = None) -> list[int]:
    vector = WordEmbedder().embed([text])[0]
    found = vectors(shelf).nearest(vector, model=MODEL, dimension=64, allowed=allowed, limit=10)
    return [number for number, _ in found]


def test_what_is_embedded_are_the_titles_above_a_chunk_and_its_text_and_the_nearest_come_first(shelf: Shelf) -> None:
    assert vectors(shelf).lacking(MODEL)[0] == (1, "Guide › keys\nrotate signing keys")
    embed_chunks(shelf, 1, 3)
    vector = WordEmbedder().embed(["rotate signing keys"])[0]
    [(number, cosine)] = vectors(shelf).nearest(vector, model=MODEL, dimension=64, allowed=[2, 3], limit=2)
    assert (number, round(cosine, 6)) == (3, round(1 / 3, 6))
    embed_chunks(shelf, 2)
    assert nearest_chunks(shelf, "rotate signing keys") == [1, 3, 2]
    assert nearest_chunks(shelf, "rotate", allowed={2, 3}) == [3, 2]
    assert vectors(shelf).lacking_count(MODEL) == 0
    assert vectors(shelf).status() == [VectorStatus(model=MODEL, dimension=64, count=3)]


def test_forgotten_chunks_are_found_no_more(shelf: Shelf) -> None:
    embed_chunks(shelf, 1, 2, 3)
    with shelf.database.transaction():
        vectors(shelf).forget([1, 2])
        ChunkStore(shelf.database).remove([1, 2])
    assert nearest_chunks(shelf, "rotate") == [3]
    shelf.document("docs/b.md", {"new": "salt again"})
    assert nearest_chunks(shelf, "salt") == [3]
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
    assert nearest_chunks(shelf, "rotate") == [1, 2]
    assert vectors(shelf).lacking(MODEL) == [(3, "new\ncompare tokens slowly")]


def test_learnings_and_chunks_keep_to_themselves(shelf: Shelf) -> None:
    with shelf.database.transaction():
        LearningStore(shelf.database).save(learning("rotate keys"), record="r.md", now="")
        vector = WordEmbedder(dimension=8).embed(["rotate keys"])[0]
        VectorStore(shelf.database).save([(1, "rotate keys", vector)], model=MODEL, dimension=8)
    embed_chunks(shelf, 1, 2)
    found = VectorStore(shelf.database).nearest(vector, model=MODEL, dimension=8, allowed=None, limit=10)
    assert [number for number, _ in found] == [1]
    assert nearest_chunks(shelf, "rotate") == [1, 2]
    assert VectorStore(shelf.database).lacking_count(MODEL) == 0
    assert vectors(shelf).lacking_count(MODEL) == 1


def test_what_was_forgotten_without_sqlite_vec_is_not_found_with_it(tmp_path: Path) -> None:
    path = tmp_path / "graph.db"
    with Database.open(path) as database:
        if not database.has_vectors:
            pytest.skip("sqlite-vec does not load here")
        Shelf(database).document("docs/a.md", {"keys": "rotate signing keys", "logs": "rotate logs"})
        embed_chunks(Shelf(database), 1, 2)
    with Database.open(path) as plain:
        plain.has_vectors = False
        with plain.transaction():
            VectorStore(plain, CHUNKS).forget([1])
            ChunkStore(plain).remove([1])
    with Database.open(path) as database:
        assert nearest_chunks(Shelf(database), "rotate") == [2]
