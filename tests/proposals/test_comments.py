"""Which comments explain."""

from __future__ import annotations

import pytest

from tx_graph.code.comments import Comment
from tx_graph.proposals.comments import marked, propose_comment, reference
from tx_graph.records.anchor import AnchorRequest
from tx_graph.records.learning import SourceType


def comment(text: str, *, path: str = "src/a.py", symbol: str | None = "load") -> Comment:
    return Comment(path=path, text=text, lines=(3, 4), symbol=symbol, code=(3, 6))


WHY = "the header must not be sent before the body is known, because proxies drop the connection"


@pytest.mark.parametrize("mark", ["WHY", "HACK", "NOTE", "WORKAROUND", "XXX", "FIXME", "TODO", "Note", "TODO(ada)"])
def test_a_mark_with_a_reason_is_proposed(mark: str) -> None:
    found = propose_comment([comment(f"{mark}: {WHY}.")])
    assert found is not None
    assert found.content == f"load: T{WHY[1:]}."
    assert found.source_type is SourceType.COMMENT
    assert found.anchors == (AnchorRequest(path="src/a.py", symbol="load"),)


@pytest.mark.parametrize(
    "text",
    [
        WHY,
        "TODO: write some more tests for the other half of this table one day",
        "FIXME: rename the second argument of this function to something that is better",
        "NOTE: see below",
        "note that the function gives back a list of numbers in the order of the file",
        f"Copyright 2024. NOTE: {WHY}",
        "Notes on the format, which is described in the specification at length and elsewhere",
    ],
    ids=["no mark", "work", "work, too", "short", "a sentence", "legal", "another word"],
)
def test_others_are_not(text: str) -> None:
    assert propose_comment([comment(text)]) is None


def test_the_reason_in_brackets_behind_a_mark_is_kept_and_a_name_is_not() -> None:
    asked = propose_comment([comment(f"TODO(wait for proxies to be fixed): {WHY}")])
    named = propose_comment([comment(f"TODO(ada): {WHY}")])
    assert asked is not None
    assert named is not None
    assert asked.content.startswith("load: Wait for proxies to be fixed: the header")
    assert named.content.startswith("load: The header")


def test_few_words_before_a_mark_go_with_it_and_a_description_does_not() -> None:
    short = marked(comment(f"Send the header.\n\nNOTE: {WHY}"))
    long = marked(comment(f"{'It gives back the table in the order of the file. ' * 5}\n\nNOTE: {WHY}"))
    assert short is not None
    assert long is not None
    assert [part.text for part in short[1]] == ["Send the header.", f"T{WHY[1:]}"]
    assert [part.text for part in long[1]] == [f"T{WHY[1:]}"]


def test_lines_for_documentation_tools_are_left_out() -> None:
    found = propose_comment([comment(f"NOTE: {WHY}\n@param name the name\n@return nothing")])
    assert found is not None
    assert "@" not in found.content


def test_the_same_words_at_two_places_are_one_proposal() -> None:
    places = [comment(f"HACK: {WHY}"), comment(f"HACK: {WHY}", path="src/b.py", symbol=None)]
    assert reference(places[0]) == reference(places[1])
    found = propose_comment(places)
    assert found is not None
    assert found.anchors == (
        AnchorRequest(path="src/a.py", symbol="load"),
        AnchorRequest(path="src/b.py", lines=(3, 6)),
    )


def test_a_comment_is_the_same_however_it_is_wrapped() -> None:
    assert reference(comment(f"HACK: {WHY}")) == reference(comment(f"HACK:\n{WHY.replace(' ', chr(10), 3)}"))


def test_tests_are_less_sure_than_code() -> None:
    code, test = (propose_comment([comment(f"HACK: {WHY}", path=path)]) for path in ("src/a.py", "tests/test_a.py"))
    assert code is not None
    assert test is not None
    assert test.confidence < code.confidence
