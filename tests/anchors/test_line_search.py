"""Line search: the same lines, the same code in other lines, most of the lines; else nothing."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.anchors.fingerprints import content_hash, fingerprints
from tx_graph.anchors.relocation import Span, find_lines
from tx_graph.code.passages import Passage
from tx_graph.records.anchor import Anchor, AnchorType

FILE = ["import os", "", "total = 0", "for item in items:", "    total += item.price", "print(total)"]


def words(line: str) -> tuple[str, ...]:
    return tuple(line.replace("(", " ( ").replace(")", " ) ").split())


def anchored(lines: Span, *, with_text: bool = True) -> Anchor:
    held = FILE[lines[0] - 1 : lines[1]]
    tokens = tuple(token for line in held for token in words(line))
    text = "\n".join(held)
    taken = fingerprints(Passage(text=text, tokens=tokens))
    return Anchor(path="a.py", type=AnchorType.LINES, lines=lines, text=text if with_text else None, fingerprints=taken)


def find(anchor: Anchor, lines: Sequence[str]) -> Span | None:
    return find_lines(
        anchor,
        lines,
        content_of=lambda span: content_hash("\n".join(lines[span[0] - 1 : span[1]])),
        tokens_of=lambda: [words(line) for line in lines],
    )


def test_lines_are_found_below_what_was_inserted_above_them() -> None:
    assert find(anchored((3, 5)), ["# new", "# new", *FILE]) == (5, 7)


def test_of_several_copies_the_nearest_is_meant() -> None:
    copies = [*FILE, *FILE, *FILE]
    assert find(anchored((3, 5)), copies[2:]) == (1, 3)
    assert find(anchored((3, 5)), ["", *copies]) == (4, 6)


def test_reformatted_lines_are_found_by_their_code() -> None:
    broken = ["import os", "total", " = 0", "for item in", "  items:", "total += item.price", "print(total)"]
    assert find(anchored((3, 5)), broken) == (2, 6)
    assert find(anchored((6, 6)), ["print(", "  total", ")"]) == (1, 3)


def test_edited_lines_are_found_by_those_that_stayed() -> None:
    edited = ["import os", "import re", "", "total = 0", "for item in items:", "    total += item.cost", "print(total)"]
    assert find(anchored((3, 5)), edited) == (4, 6)


def test_an_edited_first_line_belongs_to_the_rest() -> None:
    edited = ["x", *FILE[:2], "total = 1", *FILE[3:]]
    assert find(anchored((3, 5)), edited) == (4, 6)


def test_lines_of_which_little_stayed_are_gone() -> None:
    assert find(anchored((3, 5)), ["import os", "", "total = 0", "for row in rows:", "    pass", "done()"]) is None


def test_lines_are_gone_when_all_that_stayed_is_blank() -> None:
    assert find(anchored((2, 3)), ["", "", ""]) is None


def test_without_their_text_lines_are_found_in_place_if_they_look_alike() -> None:
    long = anchored((1, 6), with_text=False)
    assert find(long, [*FILE[:5], "print(total, end)"]) == (1, 6)
    assert find(long, ["nothing", "like", "it", "at", "all", "here"]) is None


def test_a_file_that_became_empty_has_none_of_them() -> None:
    assert find(anchored((3, 5)), [""]) is None
