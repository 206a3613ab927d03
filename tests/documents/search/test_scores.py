"""A seed scores by its likeness, all else by the edge that led there and how far it was (Oasis, Graph RAG)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.documents.search.material import Library
from tx_graph.core.errors import UsageError
from tx_graph.graph.edges import Direction, Relation
from tx_graph.graph.expand import Hops

CHAIN = {"a": "one", "b": "two", "c": "three", "d": "four"}


@pytest.fixture
def chain(library: Library) -> Library:
    """Four sections, each of which depends on the next; only the first is like the question."""
    nodes = library.document("docs/a.md", CHAIN)
    library.tie(
        (nodes["a"], nodes["b"], Relation.DEPENDS_ON, 0.8),
        (nodes["b"], nodes["c"], Relation.DEPENDS_ON, 0.8),
        (nodes["c"], nodes["d"], Relation.REFERENCES, 1.0),
    )
    library.place(a=0.9)
    return library


def test_seeds_and_what_is_one_two_and_three_hops_away(chain: Library) -> None:
    assert [*chain.scores(hops=3, seeds=1).items()] == [("a", 0.93), ("b", 0.168), ("d", 0.15), ("c", 0.12)]
    assert chain.scores(hops=1, seeds=1) == {"a": 0.93, "b": 0.168}
    assert chain.scores(hops=0, seeds=1) == {"a": 0.93}


def test_beyond_its_end_the_table_goes_on_with_its_last_value(chain: Library) -> None:
    hops = Hops(vector_weight=0.5, graph_weight=0.5, hop_decay=(1.0, 0.4))
    assert chain.scores(hops=3, seeds=1, scoring=hops) == {"a": 0.95, "d": 0.2, "b": 0.16, "c": 0.16}


def test_the_best_edge_wins_and_paths_are_not_multiplied(library: Library) -> None:
    nodes = library.document("docs/a.md", CHAIN)
    library.tie(
        (nodes["a"], nodes["c"], Relation.ELABORATES, 0.3),
        (nodes["b"], nodes["c"], Relation.DEPENDS_ON, 0.9),
        (nodes["b"], nodes["d"], Relation.DEPENDS_ON, 0.1),
    )
    library.place(a=0.9, b=0.5)
    assert library.scores(seeds=2) == {"a": 0.93, "b": 0.65, "c": 0.189, "d": 0.021}
    tie = library.search(seeds=2).results[2].ties[0]
    assert (tie.other, tie.relation, tie.weight) == ("docs/a.md#b", "depends_on", 0.9)


def test_a_seed_keeps_its_own_score_although_edges_lead_to_it(library: Library) -> None:
    nodes = library.document("docs/a.md", CHAIN)
    library.tie((nodes["a"], nodes["b"], Relation.DEPENDS_ON, 1.0))
    library.place(a=0.9, b=0.1)
    assert library.scores(seeds=2) == {"a": 0.93, "b": 0.37}
    assert library.search(seeds=2).results[1].ties == ()


def test_edges_are_followed_both_ways_or_only_forward(chain: Library) -> None:
    chain.place(a=0.1, c=0.9)
    assert chain.scores(seeds=1, hops=1) == {"c": 0.93, "d": 0.21, "b": 0.168}
    assert chain.scores(seeds=1, hops=1, direction=Direction.OUT) == {"c": 0.93, "d": 0.21}
    assert chain.scores(seeds=1, hops=1, direction=Direction.IN) == {"c": 0.93, "b": 0.168}


def test_what_is_alike_is_so_both_ways(library: Library) -> None:
    nodes = library.document("docs/a.md", CHAIN)
    library.tie((nodes["a"], nodes["b"], Relation.SIMILAR_TO, 0.5))
    library.place(b=0.9)
    assert library.scores(seeds=1, direction=Direction.OUT) == {"b": 0.93, "a": 0.105}


def test_relations_and_light_edges_can_be_left_out(chain: Library) -> None:
    assert chain.scores(seeds=1, relations=(Relation.REFERENCES,)) == {"a": 0.93}
    assert chain.scores(seeds=1, hops=3, min_edge_weight=0.9) == {"a": 0.93}
    assert list(chain.scores(seeds=1, hops=3, min_edge_weight=0.8)) == ["a", "b", "d", "c"]


def test_equal_scores_go_to_fewer_hops_then_to_what_is_more_like_the_question(library: Library) -> None:
    nodes = library.document("docs/a.md", {**CHAIN, "e": "five"})
    library.tie(
        (nodes["a"], nodes["b"], Relation.DEPENDS_ON, 0.5),
        (nodes["b"], nodes["c"], Relation.DEPENDS_ON, 0.7),
        (nodes["a"], nodes["d"], Relation.DEPENDS_ON, 0.5),
        (nodes["a"], nodes["e"], Relation.DEPENDS_ON, 0.5),
    )
    library.place(a=0.9, b=0.1, c=0.8, d=0.3)
    assert [*library.scores(seeds=1).items()] == [("a", 0.93), ("d", 0.105), ("b", 0.105), ("e", 0.105), ("c", 0.105)]


def test_cycles_are_walked_once(library: Library) -> None:
    nodes = library.document("docs/a.md", CHAIN)
    library.tie(
        (nodes["a"], nodes["b"], Relation.DEPENDS_ON, 1.0),
        (nodes["b"], nodes["c"], Relation.DEPENDS_ON, 1.0),
        (nodes["c"], nodes["a"], Relation.CONTRADICTS, 1.0),
    )
    library.place(a=0.9)
    assert library.scores(seeds=1, hops=10, direction=Direction.OUT) == {"a": 0.93, "b": 0.21, "c": 0.15}


@pytest.mark.parametrize(
    "options",
    [
        {"text": " "},
        {"limit": 0},
        {"hops": 11},
        {"hops": -1},
        {"seeds": 0},
        {"keyword_weight": 1.5},
        {"keyword_weight": float("nan")},
        {"min_edge_weight": -0.1},
        {"limit": 2, "graph_slots": 3},
        {"graph_slots": -1},
    ],
    ids=str,
)
def test_what_cannot_be_asked_is_a_usage_error(library: Library, options: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        library.search(**options)
