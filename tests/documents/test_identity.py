"""Sections that did not change stay themselves."""

from __future__ import annotations

from tx_graph.documents.drafting import Known, matched


def nodes(wanted: list[tuple[str, str]], known: list[Known]) -> list[int | None]:
    return [one.node if one else None for one in matched(wanted, known)]


def test_an_unchanged_section_is_itself() -> None:
    known = [Known(1, "a.md#one", "x"), Known(2, "a.md#two", "y")]
    assert nodes([("a.md#one", "x"), ("a.md#two", "y")], known) == [1, 2]


def test_an_edited_section_is_known_by_its_name() -> None:
    assert nodes([("a.md#one", "new")], [Known(1, "a.md#one", "old")]) == [1]


def test_a_renamed_section_is_known_by_its_text() -> None:
    assert nodes([("a.md#setup-1", "x")], [Known(1, "a.md#setup", "x")]) == [1]


def test_sections_that_swap_their_names_stay_with_their_texts() -> None:
    known = [Known(1, "a.md#usage", "x"), Known(2, "a.md#usage-1", "y")]
    assert nodes([("a.md#usage", "y"), ("a.md#usage-1", "x")], known) == [2, 1]


def test_no_section_of_before_becomes_two() -> None:
    assert nodes([("a.md#one", "x"), ("a.md#two", "x")], [Known(1, "a.md#one", "x")]) == [1, None]


def test_equal_texts_keep_their_order() -> None:
    known = [Known(1, "a.md#x", "same"), Known(2, "a.md#x-1", "same"), Known(3, "a.md#x-2", "same")]
    assert nodes([("a.md#y", "same"), ("a.md#y-1", "same")], known) == [1, 2]


def test_what_a_lost_document_said_lives_on_elsewhere() -> None:
    assert nodes([("b.md#one", "x")], [Known(7, "", "x", is_loose=True)]) == [7]


def test_a_document_prefers_its_own_sections_to_those_of_lost_ones() -> None:
    known = [Known(7, "", "x", is_loose=True), Known(8, "b.md#old", "x")]
    assert nodes([("b.md#new", "x")], known) == [8]
