"""In which order a focus view takes up what is around: worked out by hand, with the reasons beside."""

from __future__ import annotations

import pytest

from tests.context.focus.forest import Forest
from tx_graph.context.focus.rules import Relationship as Is

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
    assert found.omitted == 0
    assert found.tokens == len(ORDER)


@pytest.mark.parametrize("budget", [0, 1, 3, 6, 21, 22, 1_000])
def test_a_budget_takes_the_first_so_many(budget: int) -> None:
    assert LIBRARY.order("focus", budget=budget) == [key for key, _ in ORDER[:budget]]


def test_lists_hold_what_was_found_in_the_order_of_the_source() -> None:
    found = LIBRARY.around("focus", budget=11)
    assert found.listed(Is.CHILD) == ["r1", "c1"]
    assert found.listed(Is.OLDER_SIBLING) == ["o2", "o1"]
    assert found.listed(Is.YOUNGER_SIBLING) == ["y1", "y2"]
    assert found.listed(Is.REFERENCE_BY) == []


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


def test_a_layer_starts_again_at_its_first_handler() -> None:
    forest = Forest(
        """
        focus
            c1
            c2
            c3
            c4
            c5
        x1 @ focus
        x2 @ focus
        """
    )
    # Children and references take turns until three are given. The second visit begins with a child again, although
    # the first one ended with a child.
    assert forest.order("focus") == ["c1", "x1", "c2", "c3", "x2", "c4", "c5"]


def test_the_spiral_goes_on_where_one_side_ends() -> None:
    forest = Forest(
        """
        top
            u1
            u2
            u3
            parent
                focus
            u5
        """
    )
    assert forest.order("focus") == ["parent", "top", "u3", "u5", "u2", "u1"]


def test_a_duplicate_costs_no_quota_and_no_turn() -> None:
    forest = Forest(
        """
        top
            o3
            o2
            o1 -> focus
            focus
                c1 -> o3
            y1
        """
    )
    # Round 2: `o3` came in layer 3 of round 1, so the older siblings go on with `o2` and then have nothing left; the
    # reference `o1` was there as a sibling and opens nothing.
    assert forest.order("focus") == ["top", "c1", "o1", "y1", "o3", "o2"]


def test_a_root_alone_has_nobody() -> None:
    assert Forest("focus").order("focus") == []


def test_a_loop_of_parents_ends() -> None:
    forest = Forest("a\n  b")
    forest.parents["a"] = "b"
    assert forest.order("b") == ["a"]


def test_references_are_shuffled_only_when_asked_for() -> None:
    forest = Forest("focus\n" + "\n".join(f"x{number} @ focus" for number in range(5)))
    assert forest.order("focus") == ["x0", "x1", "x2", "x3", "x4"]
    found = forest.around("focus", shuffled=lambda keys: keys[::-1])
    assert list(found.related) == ["x4", "x3", "x2", "x1", "x0"]


def test_children_and_siblings_are_never_shuffled() -> None:
    drawing = "top\n  o\n  focus\n    c1\n    c2\n  y"
    found = Forest(drawing).around("focus", shuffled=lambda keys: keys[::-1])
    assert list(found.related) == Forest(drawing).order("focus")
