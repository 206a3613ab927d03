"""Line search: the same lines, the same code in other lines, most of the lines; else nothing."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

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


COPIES = [*FILE, *FILE, *FILE]
HEAD, TAIL = ["import os", "import re", ""], ["print(total)"]


@pytest.mark.parametrize(
    ("lines", "now", "found"),
    [
        pytest.param((3, 5), ["# new", "# new", *FILE], (5, 7), id="below what was inserted above them"),
        pytest.param((3, 5), COPIES[2:], (1, 3), id="of several copies the nearest"),
        pytest.param((3, 5), ["", *COPIES], (4, 6), id="also below"),
        pytest.param(
            *((3, 5), ["import os", "total", " = 0", "for item in", "  items:", "total += item.price", *TAIL], (2, 6)),
            id="reformatted, by their code",
        ),
        pytest.param((6, 6), ["print(", "  total", ")"], (1, 3), id="broken into several lines"),
        pytest.param(
            *((3, 5), [*HEAD, "total = 0", "for item in items:", "    total += item.cost", *TAIL], (4, 6)),
            id="edited, by those that stayed",
        ),
        pytest.param((3, 5), ["x", *FILE[:2], "total = 1", *FILE[3:]], (4, 6), id="the first line edited"),
        pytest.param((3, 5), [*HEAD, "total = 0", "for row in rows:", "    pass"], None, id="little stayed"),
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
