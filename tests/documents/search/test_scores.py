"""A seed scores by its likeness, all else by the edge that led there and how far it was (Oasis, Graph RAG)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.documents.search.material import Library
from tests.tables import rows
from tx_graph.core.errors import UsageError
from tx_graph.graph.edges import Direction, Relation
from tx_graph.graph.expand import Hops

CHAIN = "a depends_on b 0.8,b depends_on c 0.8,c references d 1"


@pytest.fixture
def chain(library: Library) -> Library:
    """Four sections, each of which depends on the next; only the first is like the question."""
    library.letters(CHAIN, a=0.9)
    return library


def scored(**options: Any) -> dict[str, Any]:  # noqa: ANN401 - see DocQuery
    return {"seeds": 1, **options}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        pytest.param({"hops": 3}, "a 0.93 b 0.168 d 0.15 c 0.12", id="one, two and three hops away"),
        pytest.param({"hops": 1}, "a 0.93 b 0.168", id="one hop"),
        pytest.param({"hops": 0}, "a 0.93", id="seeds alone"),
        pytest.param(
            {"hops": 3, "scoring": Hops(vector_weight=0.5, graph_weight=0.5, hop_decay=(1.0, 0.4))},
            "a 0.95 d 0.2 b 0.16 c 0.16",
            id="beyond its end the table goes on with its last value",
        ),
        pytest.param({"relations": (Relation.REFERENCES,)}, "a 0.93", id="relations can be left out"),
        pytest.param({"hops": 3, "min_edge_weight": 0.9}, "a 0.93", id="light edges can be left out"),
        pytest.param({"hops": 3, "min_edge_weight": 0.8}, "a 0.93 b 0.168 d 0.15 c 0.12", id="but not heavy ones"),
    ],
)
def test_a_score_is_that_of_edge_and_distance(chain: Library, options: dict[str, Any], expected: str) -> None:
    assert " ".join(f"{title} {score:g}" for title, score in chain.scores(**scored(**options)).items()) == expected


def test_edges_are_followed_both_ways_or_only_forward(chain: Library) -> None:
    chain.place(a=0.1, c=0.9)
    assert chain.scores(seeds=1, hops=1) == {"c": 0.93, "d": 0.21, "b": 0.168}
    assert chain.scores(seeds=1, hops=1, direction=Direction.OUT) == {"c": 0.93, "d": 0.21}
    assert chain.scores(seeds=1, hops=1, direction=Direction.IN) == {"c": 0.93, "b": 0.168}


def test_what_is_alike_is_so_both_ways(library: Library) -> None:
    library.letters("a similar_to b 0.5", b=0.9)
    assert library.scores(seeds=1, direction=Direction.OUT) == {"b": 0.93, "a": 0.105}


def test_the_best_edge_wins_and_paths_are_not_multiplied(library: Library) -> None:
    library.letters("a elaborates c 0.3,b depends_on c 0.9,b depends_on d 0.1", a=0.9, b=0.5)
    assert library.scores(seeds=2) == {"a": 0.93, "b": 0.65, "c": 0.189, "d": 0.021}
    tie = library.search(seeds=2).results[2].ties[0]
    assert (tie.other, tie.relation, tie.weight) == ("docs/a.md#b", "depends_on", 0.9)


def test_a_seed_keeps_its_own_score_although_edges_lead_to_it(library: Library) -> None:
    library.letters("a depends_on b 1", a=0.9, b=0.1)
    assert library.scores(seeds=2) == {"a": 0.93, "b": 0.37}
    assert library.search(seeds=2).results[1].ties == ()


def test_equal_scores_go_to_fewer_hops_then_to_what_is_more_like_the_question(library: Library) -> None:
    ties = "a depends_on b 0.5,b depends_on c 0.7,a depends_on d 0.5,a depends_on e 0.5"
    library.letters(ties, a=0.9, b=0.1, c=0.8, d=0.3)
    assert [*library.scores(seeds=1).items()] == [("a", 0.93), ("d", 0.105), ("b", 0.105), ("e", 0.105), ("c", 0.105)]


def test_cycles_are_walked_once(library: Library) -> None:
    library.letters("a depends_on b 1,b depends_on c 1,c contradicts a 1", a=0.9)
    assert library.scores(seeds=1, hops=10, direction=Direction.OUT) == {"a": 0.93, "b": 0.21, "c": 0.15}


@pytest.mark.parametrize(
    ("name", "value"),
    rows("""
        limit → 0 ¦ hops → 11 ¦ hops → -1 ¦ seeds → 0 ¦ keyword_weight → 1.5 ¦ keyword_weight → nan
        min_edge_weight → -0.1 ¦ graph_slots → 6 ¦ graph_slots → -1
    """),
)
def test_what_cannot_be_asked_is_a_usage_error(library: Library, name: str, value: str) -> None:
    options: dict[str, Any] = {name: float(value) if "weight" in name else int(value)}
    with pytest.raises(UsageError):
        library.search(**options)
    with pytest.raises(UsageError):
        library.search(" ")
