"""Relations between documents: which sections are near each other, and what becomes of the pairs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.llm.fixtures import Serve
from tests.core.llm.openai_server import MODEL, Answer
from tests.documents.extracting.writings import Writings, edge, ids_in, saying
from tests.fakes import WordEmbedder
from tx_graph.core.errors import ModelError, ModelUnusable
from tx_graph.documents.chunk_store import SectionMatrix
from tx_graph.documents.documents import Documents
from tx_graph.documents.extracting import near_pairs
from tx_graph.documents.relations import CrossLinked, CrossLinkOptions

TOKENS = "## Tokens\n\nbearer tokens expire quickly\n"
SESSIONS = "## Sessions\n\nbearer tokens expire slowly\n"
PAINT = "## Paint\n\nblue walls dry overnight\n"


@pytest.fixture
def writings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Writings:
    return Writings(tmp_path, monkeypatch, embedder=WordEmbedder(dimension=256))


def embedded(writings: Writings, **documents: str) -> None:
    writings.ingest(**documents)
    with writings.open() as workspace:
        workspace.embedding.embed_lacking("chunks")


def linked(writings: Writings, options: CrossLinkOptions | None = None) -> CrossLinked:
    with writings.open() as workspace:
        return workspace.kernel.one(Documents).link_similar(options)


def asked(writings: Writings, options: CrossLinkOptions | None = None, *, model: str | None = MODEL) -> CrossLinked:
    with writings.open() as workspace:
        return workspace.kernel.one(Documents).link(options, model=model)


def test_without_a_model_near_sections_of_other_documents_are_similar_by_their_cosine(writings: Writings) -> None:
    embedded(writings, a=TOKENS + PAINT, b=SESSIONS, c=PAINT)
    done = linked(writings)
    edges = {(source, relation, target, origin) for source, relation, target, _, _, origin in writings.edges()}
    assert edges == {
        ("docs/a.md#tokens", "similar_to", "docs/b.md#sessions", "vectors"),
        ("docs/a.md#paint", "similar_to", "docs/c.md#paint", "vectors"),
    }
    weights = {source: weight for source, _, _, weight, *_ in writings.edges()}
    assert weights["docs/a.md#paint"] == pytest.approx(1)
    assert 0.5 <= weights["docs/a.md#tokens"] < 1
    assert (done.pairs, done.sections, done.extracted.edges) == (2, 4, 2)


def test_what_vectors_say_of_all_documents_takes_the_place_of_what_they_said(writings: Writings) -> None:
    embedded(writings, a=TOKENS + PAINT, b=SESSIONS, c=PAINT)
    linked(writings)
    linked(writings, CrossLinkOptions(threshold=0.99))
    assert {source for source, *_ in writings.edges()} == {"docs/a.md#paint"}


def test_some_documents_can_be_linked_to_all_others(writings: Writings) -> None:
    embedded(writings, a=TOKENS + PAINT, b=SESSIONS, c=PAINT)
    linked(writings, CrossLinkOptions(documents=("docs/b.md",)))
    assert {source for source, *_ in writings.edges()} == {"docs/a.md#tokens"}


def test_a_model_sees_both_ends_of_every_pair_and_says_how_they_are_related(writings: Writings, serve: Serve) -> None:
    def answering(question: str, number: int) -> Answer:
        return saying([edge("docs/b.md#sessions", "docs/a.md#tokens", weight=0.9)])

    server = serve(answering)
    embedded(writings, a=TOKENS + PAINT, b=SESSIONS, c=PAINT)
    done = asked(writings, CrossLinkOptions(size=2))
    assert {frozenset(ids_in(question)) for question in server.questions} == {
        frozenset({"docs/a.md#tokens", "docs/b.md#sessions"}),
        frozenset({"docs/a.md#paint", "docs/c.md#paint"}),
    }
    assert writings.edges() == {("docs/b.md#sessions", "depends_on", "docs/a.md#tokens", 0.9, "so", MODEL)}
    assert (done.extracted.batches, done.extracted.edges) == (2, 1)
    assert asked(writings, CrossLinkOptions(size=2)).extracted.cached == 2


def test_without_vectors_nothing_can_be_near(writings: Writings) -> None:
    writings.ingest(a=TOKENS, b=SESSIONS)
    with pytest.raises(ModelError, match="No section has a vector of words") as refused:
        linked(writings)
    assert "'tx sync'" in refused.value.hint


def test_without_a_model_to_ask_nothing_is_asked(writings: Writings, llm_home: Path) -> None:
    embedded(writings, a=TOKENS, b=SESSIONS)
    with pytest.raises(ModelUnusable):
        asked(writings, model=None)


def brute_force(matrix: SectionMatrix, threshold: float, most: int) -> set[tuple[int, int]]:
    """Return the pairs by comparing every piece with every other one."""
    document = dict(zip(matrix.sections, matrix.documents, strict=True))
    found = set()
    for one, its in document.items():
        near = [
            (cosine, other)
            for other, others in document.items()
            if others != its and (cosine := best_cosine(matrix, one, other)) >= threshold
        ]
        ranked = sorted(near, key=lambda pair: (-pair[0], list(document).index(pair[1])))
        found |= {(min(one, other), max(one, other)) for _, other in ranked[:most]}
    return found


def best_cosine(matrix: SectionMatrix, one: int, other: int) -> float:
    rows = [[row for row, section in enumerate(matrix.sections) if section == end] for end in (one, other)]
    return float((matrix.vectors[rows[0]] @ matrix.vectors[rows[1]].T).max())


@given(
    pieces=st.lists(st.tuples(st.integers(1, 3), st.integers(0, 2)), min_size=1, max_size=12),
    threshold=st.floats(0.1, 0.9),
    most=st.integers(1, 4),
    seed=st.integers(0, 1000),
)
def test_sections_are_near_by_nearest_pieces(
    pieces: list[tuple[int, int]], threshold: float, most: int, seed: int
) -> None:
    sections = [node for node, (count, _) in enumerate(pieces) for _ in range(count)]
    documents = [document for count, document in pieces for _ in range(count)]
    vectors = np.random.default_rng(seed).normal(size=(len(sections), 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    matrix = SectionMatrix(sections=sections, documents=documents, vectors=vectors)
    found = near_pairs([matrix], threshold=threshold, most=most, among=None)
    assert {(pair.source, pair.target) for pair in found} == brute_force(matrix, threshold, most)
    assert all(pair.cosine == pytest.approx(best_cosine(matrix, pair.source, pair.target), abs=1e-5) for pair in found)
