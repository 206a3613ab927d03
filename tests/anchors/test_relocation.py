"""Relocation: certain or not at all."""

from __future__ import annotations

from dataclasses import replace

from tx_graph.anchors.fingerprints import fingerprints
from tx_graph.anchors.relocation import Candidate, Choice, Novelty, Way, choose, mutual
from tx_graph.code.passages import Passage
from tx_graph.records.anchor import Fingerprints

BODY = tuple(f"step{number}" for number in range(30))


def code(name: str, body: tuple[str, ...] = BODY, *, twins: int = 0) -> Fingerprints:
    tokens = ("def", name, *body)
    return fingerprints(Passage(text=" ".join(tokens), tokens=tokens, head=("def", name)), name=name, twins=twins)


def candidate(
    symbol: str, body: tuple[str, ...] = BODY, *, path: str = "b.py", home: bool = False, proven: bool = True
) -> Candidate:
    name = symbol.rpartition("::")[2].partition("#")[0]
    return Candidate(
        path=path,
        symbol=symbol,
        fingerprints=code(name, body),
        is_home=home,
        novelty=Novelty.NEW if proven else Novelty.UNKNOWN,
    )


def went(choice: Choice) -> tuple[str | None, Way | None]:
    return (choice.found.fqname if choice.found else None, choice.way)


def edited(count: int) -> tuple[str, ...]:
    return (*BODY[count:], *(f"new{number}" for number in range(count)))


def test_the_same_name_with_the_same_code_is_where_it_went() -> None:
    assert went(choose("f", code("f"), [candidate("f")])) == ("b.py::f", Way.MOVED)


def test_a_class_that_was_renamed_takes_its_methods_along() -> None:
    assert went(choose("Old::f", code("f"), [candidate("New::f", home=True)])) == ("b.py::New::f", Way.MOVED)


def test_the_home_file_goes_before_others() -> None:
    found = choose("A::f", code("f"), [candidate("B::f", path="a.py", home=True), candidate("A::f")])
    assert went(found) == ("a.py::B::f", Way.MOVED)


def test_of_equal_places_the_one_with_the_longer_name_in_common_is_meant() -> None:
    found = choose("A::B::f", code("f"), [candidate("X::f"), candidate("B::f", path="c.py")])
    assert went(found) == ("c.py::B::f", Way.MOVED)


def test_two_equal_places_are_no_choice() -> None:
    found = choose("f", code("f"), [candidate("f"), candidate("f", path="c.py")])
    assert (went(found), found.candidates) == ((None, None), ("b.py::f", "c.py::f"))


def test_the_same_code_under_another_name_is_a_rename() -> None:
    assert went(choose("f", code("f"), [candidate("g")])) == ("b.py::g", Way.RENAMED)


def test_two_renames_are_no_choice() -> None:
    assert went(choose("f", code("f"), [candidate("g"), candidate("h")])) == (None, None)


def test_code_that_had_a_twin_is_not_known_again_under_another_name() -> None:
    assert went(choose("f", code("f", twins=1), [candidate("g")])) == (None, None)


def test_without_history_a_little_code_in_another_file_says_nothing() -> None:
    little = ("return", "None")
    elsewhere = candidate("f", little, proven=False)
    assert went(choose("f", code("f", little), [elsewhere])) == (None, None)
    at_home = candidate("g", little, home=True, proven=False)
    assert went(choose("f", code("f", little), [at_home])) == ("b.py::g", Way.RENAMED)


def test_edited_code_under_its_name_is_probably_the_same() -> None:
    found = choose("f", code("f"), [candidate("f", edited(6))])
    assert went(found) == ("b.py::f", Way.SIMILAR)
    assert 0.5 <= found.likeness < 1


def test_edited_code_under_another_name_must_be_more_alike() -> None:
    assert went(choose("f", code("f"), [candidate("g", edited(1))])) == ("b.py::g", Way.SIMILAR)
    assert went(choose("f", code("f"), [candidate("g", edited(12))])) == (None, None)


def test_two_similar_places_are_no_choice() -> None:
    found = choose("f", code("f"), [candidate("f", edited(6)), candidate("f", edited(7), path="c.py")])
    assert (went(found), len(found.candidates)) == ((None, None), 2)


def test_what_is_nothing_like_it_is_not_even_a_candidate() -> None:
    assert choose("f", code("f"), [candidate("f", edited(30))]) == Choice()


def test_anchors_without_fingerprints_are_told_where_the_name_is() -> None:
    found = choose("f", Fingerprints(content="1"), [candidate("f"), candidate("g")])
    assert (went(found), found.candidates) == ((None, None), ("b.py::f",))


def test_what_two_lost_symbols_claim_alike_neither_gets() -> None:
    choice = choose("f", code("f"), [candidate("g")])
    agreed = mutual({"a.py::f": choice, "a.py::h": choice}, symbol_of=str)
    assert {went(one) for one in agreed.values()} == {(None, None)}
    assert agreed["a.py::f"].candidates == ("b.py::g",)


def test_the_surer_claim_wins() -> None:
    moved, renamed = choose("f", code("f"), [candidate("f")]), choose("h", code("h"), [candidate("f")])
    agreed = mutual({"a.py::f": moved, "a.py::h": renamed}, symbol_of=str)
    assert [went(agreed[name])[0] for name in ("a.py::f", "a.py::h")] == ["b.py::f", None]


def test_two_anchors_of_one_symbol_do_not_contest_its_new_place() -> None:
    choice = choose("f", code("f"), [candidate("g")])
    agreed = mutual({1: choice, 2: choice}, symbol_of=lambda _: "a.py::f")
    assert [went(one)[0] for one in agreed.values()] == ["b.py::g", "b.py::g"]


def test_an_overload_that_was_there_is_not_taken_for_an_edited_one() -> None:
    beside = replace(candidate("f", edited(6), home=True), novelty=Novelty.OVERLOAD)
    assert went(choose("f", code("f"), [beside])) == (None, None)
    assert went(choose("f", code("f"), [replace(beside, fingerprints=code("f"))])) == ("b.py::f", Way.MOVED)
