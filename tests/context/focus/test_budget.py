"""What notes cost, what is cut off, and what happens to those that do not fit."""

from __future__ import annotations

import json

import pytest

from tests.context.focus.forest import Forest, by_details
from tx_graph.context.focus.rules import Name, Note, Related, TokensBy, cost_by, cut, shape
from tx_graph.context.focus.rules import Relationship as Is


def _note(details: str) -> Note:
    return Note(ref="a.md#b", kind="section", title="B", details=details, parent=Name("a.md", "A"))


def test_250_bytes_are_not_cut() -> None:
    assert cut(_note("x" * 250)) == _note("x" * 250)
    assert cut(_note("é" * 125)) == _note("é" * 125)


def test_251_bytes_are_cut_at_250_and_say_so() -> None:
    after = cut(_note("x" * 251))
    assert after.details == "x" * 250 + "..."
    assert after.is_cut
    assert shape(Related(note=after, relationship=Is.CHILD))["details_truncated"] is True


@pytest.mark.parametrize(("character", "whole"), [("é", 124), ("語", 83), ("🦆", 62)])
def test_no_character_is_torn_apart(character: str, whole: int) -> None:
    text = "x" + character * 200
    assert cut(_note(text)).details == "x" + character * whole + "..."


def test_a_file_that_is_no_text_can_be_cut_too() -> None:
    assert cut(_note("\udcff" * 100)).details == "\udcff" * 83 + "..."


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


CHILDREN = "focus\n  big\n  small\n  bigger\n  tiny"
SAYS = {"big": "x" * 8, "small": "x" * 4, "bigger": "x" * 9, "tiny": "x"}


def test_what_does_not_fit_is_skipped_and_smaller_ones_still_get_in() -> None:
    found = Forest(CHILDREN, details=SAYS).around("focus", budget=5, cost=by_details())
    assert list(found.related) == ["small", "tiny"]
    assert found.tokens == 5
    assert found.omitted == 2


def test_what_does_not_fit_is_in_no_list_and_opens_nothing() -> None:
    forest = Forest("focus\n  r -> t\n  c\nelsewhere\n  t", details={"r": "x" * 9})
    found = forest.around("focus", budget=8, cost=by_details())
    assert list(found.related) == ["c"]
    assert found.listed(Is.CHILD) == ["c"]


def test_what_did_not_fit_once_is_not_tried_again_under_another_relationship() -> None:
    forest = Forest("top\n  older @ focus\n  focus", details={"older": "x" * 9})
    found = forest.around("focus", budget=8, cost=by_details())
    assert list(found.related) == ["top"]
    assert found.omitted == 1


def test_the_budget_counts_what_is_cut_not_what_was() -> None:
    forest = Forest("focus\n  long", details={"long": "x" * 10_000})
    assert forest.around("focus", budget=253, cost=by_details()).tokens == 253


def test_without_a_budget_everything_waits_and_is_counted() -> None:
    found = Forest("top\n  focus\n    c1\n    c2\n  y").around("focus", budget=0)
    assert (list(found.related), found.tokens, found.omitted) == ([], 0, 4)


def test_of_thousands_that_do_not_fit_only_the_first_are_looked_at() -> None:
    names = [f"c{number}" for number in range(5_000)]
    forest = Forest("focus\n" + "\n".join(f"  {name}" for name in names), details=dict.fromkeys(names, "x" * 9))
    found = forest.around("focus", budget=8, cost=by_details())
    assert found.omitted == 5_000
    assert len(forest.told) < 150


def test_nobody_is_asked_about_twice() -> None:
    forest = Forest("top\n  o\n  focus\n    c1\n    c2\n    c3\n  y1\n  y2")
    forest.around("focus")
    assert sorted(forest.told) == sorted(set(forest.told))
