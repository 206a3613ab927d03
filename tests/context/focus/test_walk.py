"""A focus view over trees in memory: the order worked out by hand, what fits, and what holds of every tree."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.context.focus.rules import Cost, Name, Note, Related, Shuffle, TokensBy, cost_by, cut, shape
from tx_graph.context.focus.rules import Relationship as Is
from tx_graph.context.focus.walk import Found, Walk

EACH_AS_ONE = cost_by(TokensBy.ITEMS)


class Forest:
    """Nodes by indentation. `note -> other` is a relation note, `node @ other, another` mentions others.

    `details` are what nodes say; `told` are the nodes that were asked about, as often as they were.
    """

    def __init__(self, drawing: str, *, details: Mapping[str, str] | None = None) -> None:
        self.parents: dict[str, str | None] = {}
        self.targets: dict[str, str] = {}
        self.mentions: dict[str, list[str]] = {}
        self.details = details or {}
        self.told: list[str] = []
        above: list[tuple[int, str]] = []
        for line in drawing.splitlines():
            depth, text = len(line) - len(line.lstrip()), line.strip()
            if text:
                above = [one for one in above if one[0] < depth]
                self._add(text, parent=above[-1][1] if above else None)
                above.append((depth, text.split()[0]))

    def _add(self, text: str, *, parent: str | None) -> None:
        name, mark, others = (*text.split(maxsplit=2), "", "")[:3]
        self.parents[name] = parent
        if mark == "->":
            self.targets[name] = others
        elif mark:
            self.mentions[name] = others.split(", ")

    def parent(self, key: str) -> str | None:
        return self.parents[key]

    def target(self, key: str) -> str | None:
        return self.targets.get(key)

    def children(self, key: str) -> Sequence[str]:
        return [name for name, parent in self.parents.items() if parent == key]

    def siblings(self, key: str) -> Sequence[str]:
        above = self.parents[key]
        return self.children(above) if above else [key]

    def references(self, key: str) -> Sequence[str]:
        return [name for name in self.parents if self.targets.get(name) == key or key in self.mentions.get(name, ())]

    def pointed_at(self, _key: str, _how: Is) -> Sequence[str]:
        return ()

    def tell(self, keys: Sequence[str]) -> Mapping[str, Note]:
        self.told += keys
        return {key: self._note(key) for key in keys}

    def _note(self, key: str) -> Note:
        parent, target = self.parents[key], self.targets.get(key)
        return Note(
            ref=key,
            kind="section",
            title=key,
            details=self.details.get(key, ""),
            parent=Name(parent, parent) if parent else None,
            target=Name(target, target) if target else None,
        )

    def around(
        self, focus: str, *, budget: int | None = None, cost: Cost = EACH_AS_ONE, shuffled: Shuffle[str] | None = None
    ) -> Found[str]:
        """Return what a walk finds around a node; each node counts as one unless told otherwise."""
        return Walk(self, focus, budget=budget, cost=cost, shuffled=shuffled).run()

    def order(self, focus: str, *, budget: int | None = None) -> list[str]:
        """Return the nodes that a walk finds, in their order."""
        return list(self.around(focus, budget=budget).related)


def by_details() -> Cost:
    """Return what counts a node by the characters it says, at least 1."""
    counted: Cost = lambda one: max(1, len(one.note.details))  # noqa: E731 - named for its type
    return counted


LIBRARY = Forest(
    """
    top
        book
            p1
                p1a
            p2
                p2a
                p2b
            parent
                o2
                o1
                focus
                    r1 -> t
                    c1
                    c2
                y1
                y2
            p3
                p3a
        shelf
            t
            s
                x -> focus
                s1
            z @ t
    """
)
"""A section with everything around it: ancestors, siblings on both sides, a relation note of its own (`r1`), one that
points at it (`x`, of subject `s`), and cousins below the siblings of its parent."""

ORDER = [
    # Round 1. Layer 1 may give three: the parent, then the ancestors, whose first is the parent again: no cost.
    ("parent", Is.PARENT),
    ("book", Is.CONTEXT_ANCESTOR),
    ("top", Is.CONTEXT_ANCESTOR),
    # Layer 2 may give three: one child, the nearest older sibling, the nearest younger one.
    ("r1", Is.CHILD),
    ("o1", Is.OLDER_SIBLING),
    ("y1", Is.YOUNGER_SIBLING),
    # Layer 3: the child was a relation note, which brought its target in.
    ("t", Is.TARGET_OF_RELATIONSHIP),
    # Layer 4: and that brought what else points at it. Of `r1` and `z` the first is there already.
    ("z", Is.REFERENCED_TARGET_OF_RELATIONSHIP),
    # Round 2. Layer 1 is dry; layer 2 starts again at its first handler.
    ("c1", Is.CHILD),
    ("o2", Is.OLDER_SIBLING),
    ("y2", Is.YOUNGER_SIBLING),
    # Round 3. The siblings are dry, so references and the siblings of the parent have their turn.
    ("c2", Is.CHILD),
    ("x", Is.REFERENCE_BY),
    ("p2", Is.PARENT_SIBLING),
    # Layer 3: the subject of the note that points here.
    ("s", Is.REFERENCING_NOTE),
    # Layer 4 may give two, in the order in which its handlers came: what is above `x` (`s` is there already), cousins.
    ("shelf", Is.REFERENCE_CONTEXT_ANCESTOR),
    ("p2a", Is.PARENT_SIBLING_CHILD),
    # Round 4. The spiral around the parent goes on: -1 was p2, +1 is p3, -2 is p1.
    ("p3", Is.PARENT_SIBLING),
    ("p1", Is.PARENT_SIBLING),
    # The siblings of `s` (`t` and `z`) are there already; the cousins go on, a handler for each uncle.
    ("p2b", Is.PARENT_SIBLING_CHILD),
    ("p3a", Is.PARENT_SIBLING_CHILD),
    # Round 5.
    ("p1a", Is.PARENT_SIBLING_CHILD),
    # Round 6 gives nothing. Nobody asked for `s1`: a nephew of a reference is no relationship.
]


def test_everything_in_the_order_worked_out_by_hand() -> None:
    found = LIBRARY.around("focus")
    assert [(key, one.relationship) for key, one in found.related.items()] == ORDER
    assert (found.omitted, found.tokens) == (0, len(ORDER))
    for budget in (0, 1, 3, 6, 21, 22, 1_000):
        assert LIBRARY.order("focus", budget=budget) == [key for key, _ in ORDER[:budget]]
    listed = LIBRARY.around("focus", budget=11).listed
    kinds = (Is.CHILD, Is.OLDER_SIBLING, Is.YOUNGER_SIBLING, Is.REFERENCE_BY)
    assert [listed(kind) for kind in kinds] == [["r1", "c1"], ["o2", "o1"], ["y1", "y2"], []]


def test_what_is_two_things_to_the_focus_is_in_both_lists_but_comes_once() -> None:
    found = Forest("top\n  older @ focus\n  focus").around("focus")
    assert [(key, one.relationship) for key, one in found.related.items()] == [
        ("top", Is.PARENT),
        ("older", Is.OLDER_SIBLING),
    ]
    assert found.listed(Is.OLDER_SIBLING) == found.listed(Is.REFERENCE_BY) == ["older"]


RELATION = Forest(
    """
    top
        a
            subject
                before
                focus -> t
                after
            a2
                a2x
        b
            b1
                b1x
            b2
                t
                t2
            b3
                b3x
    """
)


def test_around_a_relation_note_lies_what_is_around_its_target_too() -> None:
    found = RELATION.around("focus")
    assert [(key, one.relationship) for key, one in found.related.items()] == [
        # Round 1: the subject, the target, and one ancestor make three.
        ("subject", Is.PARENT),
        ("t", Is.RELATIONSHIP_TARGET),
        ("a", Is.CONTEXT_ANCESTOR),
        # It has no children and nothing points at it, so the third of layer 2 is above the target.
        ("before", Is.OLDER_SIBLING),
        ("after", Is.YOUNGER_SIBLING),
        ("b2", Is.TARGET_CONTEXT_ANCESTOR),
        # Round 2. Layer 1 has one left, layer 2 gives one of each of its last three handlers.
        ("top", Is.CONTEXT_ANCESTOR),
        ("b", Is.TARGET_CONTEXT_ANCESTOR),
        ("a2", Is.PARENT_SIBLING),
        ("b1", Is.TARGET_PARENT_SIBLING),
        # Layer 4: cousins on the side of the subject, and on that of the target.
        ("a2x", Is.PARENT_SIBLING_CHILD),
        ("b1x", Is.TARGET_PARENT_SIBLING_CHILD),
        # Round 3: +1 after -1.
        ("b3", Is.TARGET_PARENT_SIBLING),
        ("b3x", Is.TARGET_PARENT_SIBLING_CHILD),
        # Nobody asked for `t2`: a sibling of the target is no relationship.
    ]


@pytest.mark.parametrize(
    ("drawing", "expected"),
    [
        # Children and references take turns until three are given. The second visit begins with a child again,
        # although the first one ended with a child.
        (
            "focus\n  c1\n  c2\n  c3\n  c4\n  c5\nx1 @ focus\nx2 @ focus",
            ["c1", "x1", "c2", "c3", "x2", "c4", "c5"],
        ),
        ("top\n  u1\n  u2\n  u3\n  parent\n    focus\n  u5", ["parent", "top", "u3", "u5", "u2", "u1"]),
        # Round 2: `o3` came in layer 3 of round 1, so the older siblings go on with `o2` and then have nothing left;
        # the reference `o1` was there as a sibling and opens nothing.
        (
            "top\n  o3\n  o2\n  o1 -> focus\n  focus\n    c1 -> o3\n  y1",
            ["top", "c1", "o1", "y1", "o3", "o2"],
        ),
        ("focus", []),
    ],
    ids=[
        "a-layer-starts-again-at-its-first-handler",
        "the-spiral-goes-on-where-one-side-ends",
        "a-duplicate-costs-no-quota-and-no-turn",
        "a-root-alone-has-nobody",
    ],
)
def test_turns_are_taken_as_worked_out_by_hand(drawing: str, expected: list[str]) -> None:
    assert Forest(drawing).order("focus") == expected


def test_a_loop_of_parents_ends() -> None:
    forest = Forest("a\n  focus")
    forest.parents["a"] = "focus"
    assert forest.order("focus") == ["a"]


def test_only_references_are_shuffled_and_only_when_asked_for() -> None:
    drawing = "top\n  o\n  focus\n    c1\n    c2\n  y\n"
    backwards = Forest(drawing).around("focus", shuffled=lambda keys: keys[::-1])
    assert list(backwards.related) == Forest(drawing).order("focus")
    forest = Forest("focus\n" + "\n".join(f"x{number} @ focus" for number in range(5)))
    assert forest.order("focus") == ["x0", "x1", "x2", "x3", "x4"]
    assert list(forest.around("focus", shuffled=lambda keys: keys[::-1]).related) == ["x4", "x3", "x2", "x1", "x0"]


def _note(details: str) -> Note:
    return Note(ref="a.md#b", kind="section", title="B", details=details, parent=Name("a.md", "A"))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("x" * 250, 250),
        ("é" * 125, 125),
        ("x" * 251, 250),
        ("x" + "é" * 200, 125),
        ("x" + "語" * 200, 84),
        ("x" + "🦆" * 200, 63),
        ("\udcff" * 100, 83),
    ],
    ids=ascii,
)
def test_more_than_250_bytes_are_cut_between_characters_and_say_so(text: str, whole: int) -> None:
    after = cut(_note(text))
    assert after.details == (text if whole == len(text) else text[:whole] + "...")
    assert after.is_cut is (whole < len(text))
    assert shape(Related(note=after, relationship=Is.CHILD)).get("details_truncated", False) is after.is_cut


def test_json_is_counted_by_bytes_and_characters_by_four() -> None:
    one = Related(note=_note("é" * 10), relationship=Is.PARENT)
    text = json.dumps(shape(one), ensure_ascii=False, separators=(",", ":"))
    assert cost_by(TokensBy.JSON)(one) == -(-len(text.encode()) * 4 // 15)
    assert cost_by(TokensBy.CHARS)(one) == -(-len(text) // 4)
    assert cost_by(TokensBy.ITEMS)(one) == 1


def test_what_does_not_apply_is_not_in_the_json() -> None:
    plain = Note(ref="12", kind="learning", title="Retry", details="Retry.", marks={"verdict": "fresh"})
    assert shape(Related(note=plain, relationship=Is.CHILD)) == {
        "ref": "12",
        "kind": "learning",
        "title": "Retry",
        "relationship": "Child",
        "verdict": "fresh",
        "details": "Retry.",
    }


@pytest.mark.parametrize(
    ("drawing", "sizes", "budget", "found", "tokens", "omitted"),
    [
        pytest.param(
            "focus\n  big\n  small\n  bigger\n  tiny",
            {"big": 8, "small": 4, "bigger": 9, "tiny": 1},
            5,
            ["small", "tiny"],
            5,
            2,
            id="it-is-skipped-and-smaller-ones-still-get-in",
        ),
        pytest.param("focus\n  r -> t\n  c\nelsewhere\n  t", {"r": 9}, 8, ["c"], 1, 1, id="it-opens-nothing"),
        pytest.param("top\n  o @ focus\n  focus", {"o": 9}, 8, ["top"], 1, 1, id="it-is-tried-once-however-related"),
        pytest.param("focus\n  long", {"long": 10_000}, 253, ["long"], 253, 0, id="what-is-cut-counts-not-what-was"),
        pytest.param("top\n  focus\n    c1\n    c2\n  y", {}, 0, [], 0, 4, id="without-a-budget-everything-waits"),
    ],
)
def test_what_does_not_fit_is_left_out_and_counted(
    drawing: str, sizes: dict[str, int], budget: int, found: list[str], tokens: int, omitted: int
) -> None:
    forest = Forest(drawing, details={name: "x" * size for name, size in sizes.items()})
    seen = forest.around("focus", budget=budget, cost=by_details())
    assert (list(seen.related), seen.tokens, seen.omitted) == (found, tokens, omitted)
    assert set(seen.listed(Is.CHILD)) <= set(found)


def test_of_thousands_that_do_not_fit_only_the_first_are_looked_at_and_nobody_twice() -> None:
    names = [f"c{number}" for number in range(5_000)]
    forest = Forest("focus\n" + "\n".join(f"  {name}" for name in names), details=dict.fromkeys(names, "x" * 9))
    assert forest.around("focus", budget=8, cost=by_details()).omitted == 5_000
    assert len(forest.told) < 150
    fitting = Forest("top\n  o\n  focus\n    c1\n    c2\n    c3\n  y1\n  y2")
    fitting.around("focus")
    assert sorted(fitting.told) == sorted(set(fitting.told))


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
def test_the_budget_is_never_exceeded_no_node_comes_twice_and_the_same_question_has_the_same_answer(
    drawn: tuple[Forest, str], budget: int
) -> None:
    forest, focus = drawn
    for cost in (by_details(), cost_by(TokensBy.JSON), cost_by(TokensBy.CHARS), cost_by(TokensBy.ITEMS)):
        found, again = (forest.around(focus, budget=budget, cost=cost) for _ in range(2))
        assert found.tokens == sum(cost(one) for one in found.related.values()) <= budget
        refs = [one.note.ref for one in found.related.values()]
        assert len({focus, *refs}) == 1 + len(refs)
        assert list(found.related.items()) == list(again.related.items())
        assert (found.tokens, found.omitted) == (again.tokens, again.omitted)


@given(forests(), st.integers(0, 30), st.integers(0, 30))
def test_a_larger_budget_only_adds_at_the_end_where_every_node_costs_the_same_and_what_is_left_out_is_counted(
    drawn: tuple[Forest, str], budget: int, more: int
) -> None:
    forest, focus = drawn
    found = forest.around(focus, budget=budget)
    smaller, larger = list(found.related), forest.order(focus, budget=budget + more)
    assert larger[: len(smaller)] == smaller
    assert (found.omitted == 0) == (len(smaller) == len(forest.order(focus)))


@given(forests())
def test_whoever_is_near_is_there_when_there_is_room(drawn: tuple[Forest, str]) -> None:
    forest, focus = drawn
    found = set(forest.order(focus))
    near = {*forest.children(focus), *forest.siblings(focus), *forest.references(focus), forest.parent(focus)}
    assert near - {focus, None} <= found
