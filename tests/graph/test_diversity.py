"""Answers that do not say the same again and again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scripts.opened import open_workspace
from tests.fakes import FixedClock, WordEmbedder
from tests.support import Project
from tx_graph.context.search import Query, SearchAnswer
from tx_graph.core.errors import UsageError
from tx_graph.graph.diversify import Candidate
from tx_graph.learnings.learnings import Draft
from tx_graph.workspace import prepare

WORDED = "Rotate signing keys every single week without exception"
COPIES = [WORDED, f"{WORDED} please", f"{WORDED} today", f"{WORDED} again"]
OTHERS = ["Keys live in the vault and nowhere else", "Lost keys are revoked at once by the duty officer"]


@pytest.fixture(params=[False, True], ids=["words", "vectors"])
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Project:
    project = Project(tmp_path, monkeypatch, embedder=WordEmbedder() if request.param else None)
    for content in (*COPIES, *OTHERS):
        project.add(content)
    return project


def ask(project: Project, text: str = "rotate keys week", **options: Any) -> SearchAnswer:  # noqa: ANN401
    return project.search("", Query(text=text, **options))


def contents(answer: SearchAnswer) -> list[str]:
    return [result.stored.learning.content for result in answer.results]


def test_copies_give_way_to_what_says_something_else(project: Project) -> None:
    alike = contents(ask(project, limit=3, diversity=0.0))
    assert set(alike) <= set(COPIES)
    answer = ask(project, limit=3, diversity=0.5)
    first, *rest = contents(answer)
    assert first == alike[0]
    assert set(rest) == set(OTHERS)


def test_relevance_stays_what_it_was_and_places_are_told(project: Project) -> None:
    by_relevance = ask(project, diversity=0.0)
    arranged = ask(project, diversity=0.5)
    scores = {result.stored.id: result.relevance for result in by_relevance.results}
    places = {result.stored.id: result.position for result in by_relevance.results}
    assert {result.stored.id: result.relevance for result in arranged.results} == scores
    assert {result.stored.id: result.relevance_position for result in arranged.results} == places
    assert [result.position for result in arranged.results] == [1, 2, 3, 4, 5, 6]
    last = arranged.results[-1]
    assert last.stored.learning.content in COPIES
    assert last.similarity > 0.8
    assert last.similar_to in {result.stored.ref for result in arranged.results[:-1]}
    assert (arranged.results[0].similar_to, arranged.results[0].similarity) == (None, 0.0)


def test_without_diversity_nothing_is_compared(project: Project) -> None:
    answer = ask(project, diversity=0.0)
    assert [result.position for result in answer.results] == [r.relevance_position for r in answer.results]
    assert {result.similar_to for result in answer.results} == {None}


@pytest.mark.parametrize("diversity", [-0.1, 1.1, float("nan")])
def test_diversity_is_a_share(project: Project, diversity: float) -> None:
    with pytest.raises(UsageError, match="diversity"):
        ask(project, diversity=diversity)


def test_one_without_a_vector_is_compared_by_its_words(project: Project) -> None:
    project.embedder = None
    project.add(f"{WORDED} indeed")
    project.embedder = WordEmbedder()
    answer = ask(project, limit=7, diversity=0.5)
    [late] = [result for result in answer.results if result.stored.id == 7]
    assert late.similarity == pytest.approx(8 / 9)


def test_results_of_a_search_can_be_arranged_anew(project: Project) -> None:
    with project.open() as workspace:
        found = workspace.search.run(Query(text="rotate keys week", diversity=0.0)).results
        candidates = [Candidate(one.stored.id, one.relevance, one.stored.learning.category) for one in found]
        chosen = workspace.search.diversified(candidates, limit=3, diversity=0.5)
    contents = {one.stored.id: one.stored.learning.content for one in found}
    assert {contents[one.candidate.id] for one in chosen[1:]} == set(OTHERS)


def test_two_of_a_category_are_enough_for_the_first_five(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path, monkeypatch)
    for number, name in enumerate(["zebra", "yak", "xerus", "okapi", "gnu", "emu"]):
        project.add(f"token {name}", category="noise" if number < 4 else None)
    answer = project.search("token")
    found = [result.stored.learning.category for result in answer.results]
    assert found[:5].count("noise") == 3  # there are no more than two others
    assert found[:4].count("noise") == 2


def test_a_stale_result_is_weighed_before_it_is_arranged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path, monkeypatch)
    file = project.write("a.py", "one\n")
    project.add("xerus and yak", "a.py")
    project.add("xerus and gnu")
    file.write_text("two\n", encoding="utf-8")
    first, second = project.search("xerus").results
    assert (first.stored.id, second.stored.id) == (2, 1)
    assert second.is_stale
    assert second.relevance < first.relevance


@settings(
    max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)
@given(
    votes=st.lists(st.integers(0, 30), min_size=3, max_size=3), helpful=st.lists(st.booleans(), min_size=3, max_size=3)
)
def test_feedback_buries_no_clearly_better_match(
    tmp_path_factory: pytest.TempPathFactory, votes: list[int], helpful: list[bool]
) -> None:
    root = tmp_path_factory.mktemp("votes")
    prepare(root)
    with open_workspace(root, clock=FixedClock(), embedder=WordEmbedder()) as workspace:
        for content in ("rotate the signing keys", "rotate crops in a large field of wheat", "signing a long lease"):
            workspace.learnings.add_draft(Draft(content=content))
        for number, (count, was_helpful) in enumerate(zip(votes, helpful, strict=True), start=1):
            for _ in range(count):
                workspace.learnings.helpful(str(number), score=float(was_helpful))
        first, *_ = workspace.search.run(Query(text="rotate signing keys")).results
    assert first.stored.id == 1
