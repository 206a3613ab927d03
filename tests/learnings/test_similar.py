"""Learnings that say much the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.context.search import Query
from tx_graph.core.errors import UsageError
from tx_graph.graph.expand import Limits
from tx_graph.learnings.similar import Similar, SimilarReport
from tx_graph.learnings.similarity_store import SimilarityStore
from tx_graph.records.learning import Status

EXPIRY = "Always validate token expiry before anything else"
AGAIN = "Always validate token expiry before anything else happens"
KEYS = "Rotate signing keys weekly"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(tmp_path, monkeypatch)


def analyse(project: Project, threshold: float | None = None) -> SimilarReport:
    with project.open() as workspace:
        return workspace.kernel.one(Similar).analyze_similar(threshold)


def pairs(report: SimilarReport) -> list[tuple[int, int, str]]:
    return [(pair.first.id, pair.second.id, pair.basis) for pair in report.pairs]


def edges(project: Project) -> int:
    with project.open() as workspace:
        return workspace.graph.stats().edges.get("SIMILAR_TO", 0)


def test_vectors_tell_near_duplicates(project: Project) -> None:
    project.embedder = WordEmbedder()
    for content in (KEYS, AGAIN, EXPIRY):
        project.add(content)
    report = analyse(project)
    assert pairs(report) == [(2, 3, "cosine")]
    assert report.pairs[0].weight == pytest.approx((7 / 8) ** 0.5, abs=1e-6)
    assert (report.by_vectors, report.by_words) == (3, 0)


@pytest.mark.parametrize("embedded", [0, 2])
def test_words_tell_where_one_of_two_vectors_lacks(project: Project, embedded: int) -> None:
    assert analyse(project).pairs == ()
    for number, content in enumerate((EXPIRY, KEYS, AGAIN)):
        project.embedder = WordEmbedder() if number < embedded else None
        project.add(content)
    project.embedder = WordEmbedder()
    report = analyse(project)
    assert pairs(report) == [(1, 3, "words")]
    assert report.pairs[0].weight == pytest.approx(7 / 8)
    assert (report.by_vectors, report.by_words) == (embedded, 3 - embedded)
    assert [len(analyse(project, threshold).pairs) for threshold in (0.875, 0.88)] == [1, 0]


@pytest.mark.parametrize("threshold", [0.0, -1.0, 1.01, float("nan")])
def test_a_threshold_out_of_range_is_an_error(project: Project, threshold: float) -> None:
    with pytest.raises(UsageError, match="threshold"):
        analyse(project, threshold)


def test_each_analysis_replaces_the_edges_of_the_last_one(project: Project) -> None:
    project.add(EXPIRY)
    project.add(AGAIN)
    assert (len(analyse(project).pairs), edges(project)) == (1, 1)
    assert (len(analyse(project).pairs), edges(project)) == (1, 1)
    with project.open() as workspace:
        workspace.learnings.edit("2", content="Something else entirely, about nothing known")
    assert (len(analyse(project).pairs), edges(project)) == (0, 0)


@pytest.mark.parametrize("status", [Status.SUPERSEDED, Status.RETRACTED])
def test_what_no_answer_shows_is_not_compared(project: Project, status: Status) -> None:
    project.add(EXPIRY)
    project.add(AGAIN, status=status)
    assert analyse(project).pairs == ()


def test_walks_follow_the_edges_both_ways(project: Project) -> None:
    project.add(AGAIN)
    project.add(EXPIRY)
    analyse(project)
    for text, end in (("happens", 2), ("before", 1)):
        answer = project.search("", Query(text=text, expansion=Limits(), diversity=0.0))
        assert end in {result.stored.id for result in answer.results}
    with project.open() as workspace:
        for ref, other in (("1", "learning:2"), ("2", "learning:1")):
            [found] = workspace.graph.neighbors(ref, depth=1).neighbors
            assert (found.ref, found.steps[0].type) == (other, "SIMILAR_TO")


@pytest.mark.parametrize("is_embedded", [False, True])
def test_a_learning_has_no_more_edges_of_its_own_than_ten(project: Project, *, is_embedded: bool) -> None:
    project.embedder = WordEmbedder() if is_embedded else None
    project.add_all(f"{EXPIRY} number {number:02}" for number in range(30))
    if is_embedded:
        with project.open() as workspace:
            workspace.embedding.embed_lacking()
    report = analyse(project, 0.7)
    assert 30 * 10 / 2 <= len(report.pairs) <= 30 * 10


def test_every_way_of_comparing_vectors_finds_the_same(project: Project) -> None:
    project.embedder = WordEmbedder()
    for content in (KEYS, AGAIN, EXPIRY, "Rotate keys", "token expiry"):
        project.add(content)
    with project.open() as workspace:
        numbers = range(1, 6)
        store, database = SimilarityStore(workspace._database), workspace._database
        here = store.cosines(numbers, model="words")
        database.has_vectors = False
        in_numpy = store.cosines(numbers, model="words")
    assert len(here) == 10
    assert in_numpy == pytest.approx(here, abs=1e-6)
