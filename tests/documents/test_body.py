"""What a section says is what stands below its heading."""

from __future__ import annotations

import pytest

from tx_graph.documents.drafting import body_of
from tx_graph.documents.reading import read_document


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# Title\n\nSomething.\n", "Something."),
        ("Title\n=====\nSomething.\n", "Something."),
        ("# Title\n", ""),
        ("# Title\n\n(label)=\n\n---\n", ""),
        ('# Title\n\n<a id="x"></a>\n', ""),
        ("# Title\n\n(a remark)\n", "(a remark)"),
        ("# Title\n\n    indented code\n", "    indented code"),
    ],
)
def test_a_heading_and_what_says_nothing_are_no_part_of_it(text: str, said: str) -> None:
    assert body_of(read_document("a.md", text).sections[1]).text == said


def test_labels_alone_make_no_text_of_a_document() -> None:
    assert body_of(read_document("a.md", "(top)=\n# Title\n").sections[0]).text == ""
    assert body_of(read_document("a.rst", ".. _top:\n\nTitle\n=====\n").sections[0]).text == ""


def test_blocks_and_lines_are_those_of_the_text_below() -> None:
    body = body_of(read_document("a.md", "---\na: b\n---\n# Title\n\n\nSomething.\n\n```\ncode\n```\n").sections[1])
    assert body.line_start == 7
    assert [body.text[block.start : block.end] for block in body.blocks] == ["Something.", "```\ncode\n```"]


def test_a_text_of_rules_and_blanks_is_read_in_no_time() -> None:
    # A way of matching that could part a rule in many ways tried them all.
    text = "# A\n\n" + "*****\n\n" * 2000 + "-" * 2000 + " end\n"
    (section,) = read_document("a.md", text).sections[1:]
    assert body_of(section).text.endswith("end")
