"""Results that do not repeat each other: how they are chosen, and in answers of a search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import combinations
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
from tx_graph.graph.diversify import (
    ALTERNATIVE_SHARE,
    FIRST_PAGE,
    MOST_OF_A_CATEGORY,
    Candidate,
    Similarity,
    diversify,
    overlap,
    overlapping,
)
from tx_graph.learnings.learnings import Draft
from tx_graph.workspace import prepare

SEEDED = [Candidate(1, 0.95), Candidate(2, 0.90), Candidate(3, 0.85)]
"""The example of PRD-016: the second says nearly what the first says, the third is on the same subject."""
LIKENESS = {(1, 2): 0.95, (1, 3): 0.6, (2, 3): 0.55}


def by_pair(pairs: Mapping[tuple[int, int], float]) -> Similarity:
    return lambda one, other: pairs.get((min(one, other), max(one, other)), 0.0)


def order(candidates: list[Candidate], *, limit: int = 10, lam: float = 0.7, **pairs: float) -> list[int]:
    likeness = {(int(name[1]), int(name[2])): value for name, value in pairs.items()}
    chosen = diversify(candidates, limit=limit, similarity=by_pair(likeness or LIKENESS), lam=lam)
    return [one.candidate.id for one in chosen]


@pytest.mark.parametrize(("lam", "expected"), [(0.5, [1, 3, 2]), (0.9, [1, 2, 3]), (1.0, [1, 2, 3])])
def test_a_near_duplicate_gives_way_unless_relevance_is_all_that_counts(lam: float, expected: list[int]) -> None:
    assert order(SEEDED, lam=lam) == expected


def test_each_choice_says_where_relevance_alone_puts_it_and_what_above_it_is_most_like_it() -> None:
    chosen = diversify(SEEDED, limit=3, similarity=by_pair(LIKENESS), lam=0.5)
    assert [(one.candidate.id, one.rank, one.like, one.similarity) for one in chosen] == [
        (1, 1, None, 0.0),
        (3, 3, 1, 0.6),
        (2, 2, 1, 0.95),
    ]


def test_ties_go_to_the_more_relevant_one_then_to_the_one_given_first() -> None:
    assert order([Candidate(5, 0.4), Candidate(4, 0.4), Candidate(3, 0.4)], p12=0.0) == [5, 4, 3]
    assert order([Candidate(1, 0.5), Candidate(2, 1.0)], lam=0.0, p12=0.0) == [2, 1]


@pytest.mark.parametrize(
    ("categories", "relevance", "expected"),
    [
        (["a", "a", "a", "a", "a", "a", "b", None, None], [0.99] * 6 + [0.5] * 3, [1, 2, 7, 8, 9, 3, 4, 5, 6]),
        ([None] * 5, [0.9] * 5, [1, 2, 3, 4, 5]),
        (["a"] * 5, [0.9] * 5, [1, 2, 3, 4, 5]),
        (["a"] * 5 + ["b"], [0.9] * 5 + [0.9 * ALTERNATIVE_SHARE - 0.01], [1, 2, 3, 4, 5, 6]),
    ],
    ids=["two-of-one-when-there-are-others", "no-category-is-none", "nothing-else", "nothing-else-worth-showing"],
)
def test_at_most_two_of_a_category_are_among_the_first_five(
    categories: list[str | None], relevance: list[float], expected: list[int]
) -> None:
    given = [Candidate(at, *of) for at, of in enumerate(zip(relevance, categories, strict=True), start=1)]
    assert order(given, p99=0.0) == expected


CANDIDATES = st.lists(
    st.builds(Candidate, st.integers(0, 20), st.floats(0, 1), st.sampled_from([None, "a", "b", "c"])),
    max_size=12,
    unique_by=lambda one: one.id,
)


@settings(deadline=None)
@given(candidates=CANDIDATES, limit=st.integers(1, 15), lam=st.floats(0, 1), data=st.data())
def test_whatever_the_scores_each_place_is_the_best_that_was_left(
    candidates: list[Candidate], limit: int, lam: float, data: st.DataObject
) -> None:
    ids = sorted(one.id for one in candidates)
    pairs = {(a, b): data.draw(st.floats(-1, 1.5)) for a in ids for b in ids if a < b}
    chosen = diversify(candidates, limit=limit, similarity=by_pair(pairs), lam=lam)
    assert len(chosen) == min(limit, len(candidates))
    assert len({one.candidate.id for one in chosen}) == len(chosen)
    assert {one.candidate for one in chosen} <= set(candidates)
    assert all(0 <= one.similarity <= 1 for one in chosen)
    if chosen and lam > 0:
        assert chosen[0].candidate.relevance * lam == max(one.relevance for one in candidates) * lam
    page = Counter(one.candidate.category for one in chosen[:FIRST_PAGE])
    del page[None]
    if any(count > MOST_OF_A_CATEGORY for count in page.values()):
        left = [one for one in candidates if one not in {choice.candidate for choice in chosen[:FIRST_PAGE]}]
        shown = max(one.candidate.relevance for one in chosen[:FIRST_PAGE])
        full = {category for category, count in page.items() if count >= MOST_OF_A_CATEGORY}
        assert all(one.category in full or one.relevance < ALTERNATIVE_SHARE * shown for one in left)


@pytest.mark.parametrize(
    ("one", "other", "index"), [("abc", "abc", 1.0), ("abc", "abd", 0.5), ("ab", "cd", 0.0), ("", "", 0.0)]
)
def test_the_index_is_what_is_shared_of_all(one: str, other: str, index: float) -> None:
    assert overlap(frozenset(one), frozenset(other)) == index


@settings(deadline=None)
@given(
    sets=st.lists(st.frozensets(st.sampled_from("abcdefgh"), max_size=6), max_size=12),
    threshold=st.floats(0.05, 1),
    data=st.data(),
)
def test_no_pair_is_missed_and_none_is_made_up(
    sets: list[frozenset[str]], threshold: float, data: st.DataObject
) -> None:
    numbered = dict(enumerate(sets))
    among = data.draw(st.none() | st.sets(st.sampled_from(range(12))))
    every = {
        (one, other, overlap(numbered[one], numbered[other]))
        for one, other in combinations(numbered, 2)
        if overlap(numbered[one], numbered[other]) >= threshold and (among is None or {one, other} & among)
    }
    found = list(overlapping(numbered, threshold=threshold, among=among))
    assert set(found) == every
    assert len(found) == len(every)


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


def test_copies_give_way_to_what_says_something_else_also_when_results_are_arranged_anew(project: Project) -> None:
    with project.open() as workspace:
        found = workspace.search.run(Query(text="rotate keys week", diversity=0.0)).results
        candidates = [Candidate(one.stored.id, one.relevance, one.stored.learning.category) for one in found]
        chosen = workspace.search.diversified(candidates, limit=3, diversity=0.5)
    contents = {one.stored.id: one.stored.learning.content for one in found}
    assert {contents[one.stored.id] for one in found[:3]} <= set(COPIES)
    first, *rest = [one.stored.id for one in ask(project, limit=3, diversity=0.5).results]
    assert first == found[0].stored.id
    assert {contents[one] for one in rest} == {contents[one.candidate.id] for one in chosen[1:]} == set(OTHERS)


def test_relevance_stays_what_it_was_and_places_are_told(project: Project) -> None:
    plain, arranged = (ask(project, diversity=diversity).results for diversity in (0.0, 0.5))
    assert {one.similar_to for one in plain} == {None}
    assert [one.position for one in plain] == [one.relevance_position for one in plain]
    assert [one.position for one in arranged] == [1, 2, 3, 4, 5, 6]
    assert {(one.stored.id, one.relevance, one.relevance_position) for one in arranged} == {
        (one.stored.id, one.relevance, one.position) for one in plain
    }
    first, *_, last = arranged
    assert last.stored.learning.content in COPIES
    assert last.similarity > 0.8
    assert last.similar_to in {one.stored.ref for one in arranged[:-1]}
    assert (first.similar_to, first.similarity) == (None, 0.0)


@pytest.mark.parametrize("diversity", [-0.1, 1.1, float("nan")])
def test_diversity_is_a_share(diversity: float) -> None:
    with pytest.raises(UsageError, match="diversity"):
        Query(text="keys", diversity=diversity)


def test_one_without_a_vector_is_compared_by_its_words(project: Project) -> None:
    project.embedder = None
    project.add(f"{WORDED} indeed")
    project.embedder = WordEmbedder()
    answer = ask(project, limit=7, diversity=0.5)
    [late] = [result for result in answer.results if result.stored.id == 7]
    assert late.similarity == pytest.approx(8 / 9)


def test_two_of_a_category_are_enough_for_the_first_five(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = Project(tmp_path, monkeypatch)
    for number, name in enumerate(["zebra", "yak", "xerus", "okapi", "gnu", "emu"]):
        project.add(f"token {name}", category="noise" if number < 4 else None)
    answer = project.search("token")
    found = [result.stored.learning.category for result in answer.results]
    assert found[:5].count("noise") == 3  # there are no more than two others
    assert found[:4].count("noise") == 2


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
