"""What holds of every focus view, whatever the tree."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tests.context.focus.forest import Forest, by_details
from tx_graph.context.focus.rules import TokensBy, cost_by


@st.composite
def forests(draw: st.DrawFn) -> tuple[Forest, str]:
    """Return a tree with relation notes and mentions, and one of its nodes."""
    size = draw(st.integers(2, 30))
    forest = Forest("")
    names = [f"n{number}" for number in range(size)]
    for number, name in enumerate(names):
        forest.parents[name] = names[draw(st.integers(0, number - 1))] if number else None
        if draw(st.booleans()):
            forest.targets[name] = draw(st.sampled_from(names))
        forest.mentions[name] = draw(st.lists(st.sampled_from(names), max_size=3))
    forest.details = {name: "x" * draw(st.integers(0, 300)) for name in names}
    return forest, draw(st.sampled_from(names))


@given(forests(), st.integers(0, 2_000))
def test_the_budget_is_never_exceeded(drawn: tuple[Forest, str], budget: int) -> None:
    forest, focus = drawn
    for cost in (by_details(), cost_by(TokensBy.JSON), cost_by(TokensBy.CHARS), cost_by(TokensBy.ITEMS)):
        found = forest.around(focus, budget=budget, cost=cost)
        assert found.tokens == sum(cost(one) for one in found.related.values()) <= budget


@given(forests(), st.integers(0, 2_000))
def test_no_node_comes_twice_and_the_focus_never(drawn: tuple[Forest, str], budget: int) -> None:
    forest, focus = drawn
    found = forest.around(focus, budget=budget, cost=by_details())
    refs = [one.note.ref for one in found.related.values()]
    assert len(refs) == len(set(refs))
    assert focus not in refs


@given(forests(), st.integers(0, 500))
def test_the_same_question_has_the_same_answer(drawn: tuple[Forest, str], budget: int) -> None:
    forest, focus = drawn
    first, second = (forest.around(focus, budget=budget, cost=by_details()) for _ in range(2))
    assert list(first.related.items()) == list(second.related.items())
    assert (first.tokens, first.omitted) == (second.tokens, second.omitted)


@given(forests(), st.integers(0, 30), st.integers(0, 30))
def test_a_larger_budget_only_adds_at_the_end_where_every_node_costs_the_same(
    drawn: tuple[Forest, str], budget: int, more: int
) -> None:
    forest, focus = drawn
    smaller, larger = forest.order(focus, budget=budget), forest.order(focus, budget=budget + more)
    assert larger[: len(smaller)] == smaller


@given(forests(), st.integers(0, 30))
def test_what_is_left_out_is_counted(drawn: tuple[Forest, str], budget: int) -> None:
    forest, focus = drawn
    found = forest.around(focus, budget=budget)
    assert (found.omitted == 0) == (len(found.related) == len(forest.order(focus)))


@given(forests())
def test_whoever_is_near_is_there_when_there_is_room(drawn: tuple[Forest, str]) -> None:
    forest, focus = drawn
    found = set(forest.order(focus))
    near = {*forest.children(focus), *forest.siblings(focus), *forest.references(focus), forest.parent(focus)}
    assert near - {focus, None} <= found
