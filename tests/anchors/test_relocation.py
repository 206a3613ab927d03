"""Relocation: certain or not at all; lines and symbols are found by equal code, and by similar code."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tx_graph.anchors.fingerprints import content_hash, fingerprints, word_hashes
from tx_graph.anchors.relocation import Candidate, Choice, Novelty, Span, Wanted, Way, choose, find_lines, mutual
from tx_graph.code.passages import Passage
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints

BODY = tuple(f"step{number}" for number in range(30))


def code(name: str, body: tuple[str, ...] = BODY, *, twins: int = 0) -> Fingerprints:
    tokens = ("def", name, *body)
    return fingerprints(Passage(text=" ".join(tokens), tokens=tokens, head=("def", name)), name=name, twins=twins)


def candidate(
    symbol: str,
    body: tuple[str, ...] = BODY,
    *,
    path: str = "b.py",
    home: bool = False,
    proven: bool = True,
    novelty: Novelty | None = None,
) -> Candidate:
    known, taken = Novelty.NEW if proven else Novelty.UNKNOWN, code(symbol.rpartition("::")[2], body)
    return Candidate(path=path, symbol=symbol, fingerprints=taken, is_home=home, novelty=novelty or known)


def went(choice: Choice) -> tuple[str | None, Way | None]:
    return (choice.found.fqname if choice.found else None, choice.way)


def edited(count: int) -> tuple[str, ...]:
    return (*BODY[count:], *(f"new{number}" for number in range(count)))


LITTLE = ("return", "None")


F, NOTHING = code("f"), (None, None)
OVERLOAD = Novelty.OVERLOAD
CERTAIN: dict[str, tuple[str, Fingerprints, list[Candidate], tuple[str | None, Way | None]]] = {
    "the same name with the same code": ("f", F, [candidate("f")], ("b.py::f", Way.MOVED)),
    "a method of a class that was renamed": ("A::f", F, [candidate("B::f", home=True)], ("b.py::B::f", Way.MOVED)),
    "of equal places the one in the home file": (
        *("A::f", F, [candidate("B::f", path="a.py", home=True), candidate("A::f")]),
        ("a.py::B::f", Way.MOVED),
    ),
    "of equal places the one with the longer name in common": (
        *("A::B::f", F, [candidate("X::f"), candidate("B::f", path="c.py")]),
        ("c.py::B::f", Way.MOVED),
    ),
    "the same code under another name": ("f", F, [candidate("g")], ("b.py::g", Way.RENAMED)),
    "not one of two renames": ("f", F, [candidate("g"), candidate("h")], NOTHING),
    "not what had a twin": ("f", code("f", twins=1), [candidate("g")], NOTHING),
    "not a little code in another file, without history": (
        *("f", code("f", LITTLE), [candidate("f", LITTLE, proven=False)]),
        NOTHING,
    ),
    "a little code at home": (
        *("f", code("f", LITTLE), [candidate("g", LITTLE, home=True, proven=False)]),
        ("b.py::g", Way.RENAMED),
    ),
    "edited code under its name": ("f", F, [candidate("f", edited(6))], ("b.py::f", Way.SIMILAR)),
    "a little edited code under another name": ("f", F, [candidate("g", edited(1))], ("b.py::g", Way.SIMILAR)),
    "not much edited code under another name": ("f", F, [candidate("g", edited(12))], NOTHING),
    "not what is nothing like it": ("f", F, [candidate("f", edited(30))], NOTHING),
    "not an overload that was there": ("f", F, [candidate("f", edited(6), home=True, novelty=OVERLOAD)], NOTHING),
    "an overload that has the code": ("f", F, [candidate("f", home=True, novelty=OVERLOAD)], ("b.py::f", Way.MOVED)),
}


@pytest.mark.parametrize(("name", "lost", "candidates", "expected"), CERTAIN.values(), ids=CERTAIN)
def test_only_what_is_certain_is_chosen(
    name: str, lost: Fingerprints, candidates: list[Candidate], expected: tuple[str | None, Way | None]
) -> None:
    assert went(choose("b.py", name, lost, candidates)) == expected


def test_where_nothing_is_chosen_what_may_be_meant_is_told() -> None:
    alike = [candidate("f"), candidate("f", path="c.py")]
    assert choose("b.py", "f", code("f"), alike).candidates == ("b.py::f", "c.py::f")
    similar = [candidate("f", edited(6)), candidate("f", edited(7), path="c.py")]
    assert len(choose("b.py", "f", code("f"), similar).candidates) == 2
    assert choose("b.py", "f", code("f"), [candidate("f", edited(30))]) == Choice()
    assert choose("b.py", "f", Fingerprints(content="1"), [candidate("f"), candidate("g")]).candidates == ("b.py::f",)
    assert 0.5 <= choose("b.py", "f", code("f"), [candidate("f", edited(6))]).likeness < 1


def test_what_two_lost_symbols_claim_alike_neither_gets() -> None:
    choice = choose("b.py", "f", code("f"), [candidate("g")])
    agreed = mutual({"a.py::f": choice, "a.py::h": choice}, symbol_of=str)
    assert {went(one) for one in agreed.values()} == {(None, None)}
    assert agreed["a.py::f"].candidates == ("b.py::g",)


def test_the_surer_claim_wins() -> None:
    moved, renamed = choose("b.py", "f", code("f"), [candidate("f")]), choose("b.py", "h", code("h"), [candidate("f")])
    agreed = mutual({"a.py::f": moved, "a.py::h": renamed}, symbol_of=str)
    assert [went(agreed[name])[0] for name in ("a.py::f", "a.py::h")] == ["b.py::f", None]


def test_two_anchors_of_one_symbol_do_not_contest_its_new_place() -> None:
    choice = choose("b.py", "f", code("f"), [candidate("g")])
    agreed = mutual({1: choice, 2: choice}, symbol_of=lambda _: "a.py::f")
    assert [went(one)[0] for one in agreed.values()] == ["b.py::g", "b.py::g"]


def words(*parts: str) -> frozenset[int]:
    return word_hashes(" ".join(parts))


def test_equal_code_is_found_under_its_name_and_under_others() -> None:
    wanted = Wanted([code("one", ("pass",)), code("two")])
    assert list(wanted.matches(code("two"), words())) == [1]
    assert list(wanted.matches(code("three"), words())) == [1]
    assert list(wanted.matches(code("four", ("return", "None")), words())) == []


def test_similar_code_is_found_by_its_words() -> None:
    wanted = Wanted([code("one")])
    edited = code("one", (*BODY[:25], "other"))
    assert list(wanted.matches(edited, words(*BODY[:25], "other"))) == [0]
    assert list(wanted.matches(edited, words("other"))) == []


def test_what_has_none_of_the_words_need_not_be_parsed() -> None:
    wanted = Wanted([code("one")])
    assert wanted.is_any_in(words(*BODY))
    assert not wanted.is_any_in(words("nothing", "of", "it"))


def test_beyond_fifty_similar_places_only_equal_ones_count() -> None:
    wanted = Wanted([code("one")])
    similar = [code("one", (*BODY[:25], f"other{number}")) for number in range(60)]
    assert sum(bool(list(wanted.matches(each, words(*BODY)))) for each in similar) == 50
    assert list(wanted.matches(code("two"), words(*BODY))) == [0]


def test_without_fingerprints_nothing_is_like_it() -> None:
    wanted = Wanted([Fingerprints(content="")])
    assert not wanted.is_any_in(words(*BODY))
    assert list(wanted.matches(Fingerprints(content="1"), words(*BODY))) == []


FILE = ["import os", "", "total = 0", "for item in items:", "    total += item.price", "print(total)"]


def tokens_of(line: str) -> tuple[str, ...]:
    return tuple(line.replace("(", " ( ").replace(")", " ) ").split())


def anchored(lines: Span, *, with_text: bool = True) -> Anchor:
    held = FILE[lines[0] - 1 : lines[1]]
    tokens = tuple(token for line in held for token in tokens_of(line))
    text = "\n".join(held)
    taken = fingerprints(Passage(text=text, tokens=tokens))
    return Anchor(path="a.py", type=AnchorType.LINES, lines=lines, text=text if with_text else None, fingerprints=taken)


def find(anchor: Anchor, lines: Sequence[str]) -> Span | None:
    return find_lines(
        anchor,
        lines,
        content_of=lambda span: content_hash("\n".join(lines[span[0] - 1 : span[1]])),
        tokens_of=lambda: [tokens_of(line) for line in lines],
    )


COPIES = [*FILE, *FILE, *FILE]
TOP, END = ["import os", "import re", ""], ["print(total)"]


@pytest.mark.parametrize(
    ("lines", "now", "found"),
    [
        pytest.param((3, 5), ["# new", "# new", *FILE], (5, 7), id="below what was inserted above them"),
        pytest.param((3, 5), COPIES[2:], (1, 3), id="of several copies the nearest"),
        pytest.param((3, 5), ["", *COPIES], (4, 6), id="also below"),
        pytest.param(
            *((3, 5), ["import os", "total", " = 0", "for item in", "  items:", "total += item.price", *END], (2, 6)),
            id="reformatted, by their code_of",
        ),
        pytest.param((6, 6), ["print(", "  total", ")"], (1, 3), id="broken into several lines"),
        pytest.param(
            *((3, 5), [*TOP, "total = 0", "for item in items:", "    total += item.cost", *END], (4, 6)),
            id="edited, by those that stayed",
        ),
        pytest.param((3, 5), ["x", *FILE[:2], "total = 1", *FILE[3:]], (4, 6), id="the first line edited"),
        pytest.param((3, 5), [*TOP, "total = 0", "for row in rows:", "    pass"], None, id="little stayed"),
        pytest.param((2, 3), ["", "", ""], None, id="all that stayed is blank"),
        pytest.param((3, 5), [""], None, id="the file became empty"),
    ],
)
def test_lines_are_where_most_of_them_are(lines: Span, now: list[str], found: Span | None) -> None:
    assert find(anchored(lines), now) == found


def test_without_their_text_lines_are_found_in_place_if_they_look_alike() -> None:
    long = anchored((1, 6), with_text=False)
    assert find(long, [*FILE[:5], "print(total, end)"]) == (1, 6)
    assert find(long, ["nothing", "like", "it", "at", "all", "here"]) is None
