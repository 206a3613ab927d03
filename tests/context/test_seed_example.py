"""The main job, as the seed documents tell it (PRD-016): a file's relatives bring their learnings along."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes import WordEmbedder
from tests.support import Project
from tx_graph.context.search import SearchResult
from tx_graph.graph.edges import EdgeType
from tx_graph.history.cochanges import CoChangeRequest

AUTH, CRYPTO, MIDDLEWARE = "src/services/auth-service.ts", "src/utils/crypto.ts", "src/middleware/jwt-middleware.ts"
EXPIRY = "Always validate JWT expiry before processing"
CONSTANT_TIME = "Use constant-time comparison for token signatures"
BCRYPT = "bcrypt cost factor should be at least 12"
LIFETIME = "Set short token lifetime (15min) for access tokens"


def build(project: Project) -> None:
    """Make a history in which five commits touch one of the two files and four of them both: Jaccard 0.8."""
    project.write(AUTH, 'import { hash } from "../utils/crypto";\nexport class AuthService {}\n')
    project.write(CRYPTO, "export function hash() {}\n")
    project.git.commit()
    for _ in range(3):
        project.git.commit(AUTH, MIDDLEWARE)
    project.git.commit(AUTH, MIDDLEWARE)
    with project.open() as workspace:
        workspace.indexing.run()
        workspace.cochanges.run(CoChangeRequest())


def learn(project: Project) -> None:
    project.add(EXPIRY, AUTH)
    project.add(CONSTANT_TIME, AUTH)
    project.add(BCRYPT, CRYPTO)
    project.add(LIFETIME, MIDDLEWARE)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(tmp_path, monkeypatch)
    build(project)
    return project


def by_content(results: tuple[SearchResult, ...]) -> dict[str, SearchResult]:
    return {result.stored.learning.content: result for result in results}


def assert_is_the_example(found: dict[str, SearchResult]) -> None:
    assert found.keys() == {EXPIRY, CONSTANT_TIME, BCRYPT, LIFETIME}
    for content in (EXPIRY, CONSTANT_TIME):
        assert (found[content].hops, found[content].source_edge) == (0, None)
        assert found[content].path == (found[content].stored.ref,)
    seed = max(found[EXPIRY].relevance, found[CONSTANT_TIME].relevance)
    for content, edge, weight, place in (
        (BCRYPT, EdgeType.IMPORTS, 1.0, CRYPTO),
        (LIFETIME, EdgeType.CO_CHANGES_WITH, 0.8, MIDDLEWARE),
    ):
        result = found[content]
        assert result.path == (AUTH, place, result.stored.ref)
        assert [step.type for step in result.steps] == [edge, EdgeType.ANCHORED_TO]
        assert result.steps[0].weight == pytest.approx(weight)
        assert result.source_edge == EdgeType.ANCHORED_TO
        assert result.relevance == pytest.approx(seed * weight * 0.7 * 0.7)


def test_the_history_gives_a_correlation_of_exactly_four_fifths(project: Project) -> None:
    with project.open() as workspace:
        hood = workspace.graph.neighbors(AUTH, depth=1, edge_types=[EdgeType.CO_CHANGES_WITH])
    [partner] = hood.neighbors
    assert partner.ref == MIDDLEWARE
    assert partner.steps[0].weight == 0.8


def test_all_four_learnings_answer_by_words_alone(project: Project) -> None:
    learn(project)
    answer = project.search("authentication", expand=True)
    assert_is_the_example(by_content(answer.results))
    assert answer.stats.model is None
    assert answer.results[0].relevance == 1.0
    assert [result.stored.id for result in answer.results] == [1, 2, 3, 4]


def test_all_four_learnings_answer_with_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    embedder = WordEmbedder(synonyms={"jwt": "authentication", "signatures": "authentication"})
    (tmp_path / "vectors").mkdir()
    project = Project(tmp_path / "vectors", monkeypatch, embedder=embedder)
    build(project)
    learn(project)
    answer = project.search("authentication", expand=True)
    assert answer.stats.model == "words"
    assert (answer.stats.vector, answer.stats.lacking_vectors) == (2, 0)
    assert_is_the_example(by_content(answer.results))


def test_without_expansion_only_the_direct_matches_answer(project: Project) -> None:
    learn(project)
    assert set(project.contents("authentication")) == {EXPIRY, CONSTANT_TIME}


@pytest.mark.parametrize("question", ["auth-service.ts", AUTH, f"what must I know about {AUTH}?"])
def test_asking_about_a_file_finds_what_its_partners_know(project: Project, question: str) -> None:
    project.add(LIFETIME, MIDDLEWARE)
    [result] = project.search(question, expand=True).results
    assert result.path == (AUTH, MIDDLEWARE, "learning:1")
    assert [step.type for step in result.steps] == [EdgeType.CO_CHANGES_WITH, EdgeType.ANCHORED_TO]
    assert result.seed_reason == "named by the query"
    assert result.relevance == pytest.approx(0.8 * 0.7 * 0.7)
