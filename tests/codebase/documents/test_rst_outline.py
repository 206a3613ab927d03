"""The outline of reStructuredText is that of docutils, on corner cases and on any mixture of lines."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tx_graph.codebase.documents.rst.outline import Levels, Piece, Title, outlined
from tx_graph.domain.document import BlockKind

_QUIET = {
    "report_level": 5,
    "halt_level": 6,
    "doctitle_xform": False,
    "docinfo_xform": False,
    "file_insertion_enabled": False,
    "raw_enabled": False,
}
_LINES = """Title§A§Ab§1. One§(a) x§I. x§A. Ein§#. x§#§- item§* it§+ x§-§--§---§====§=====§==§=§~~~~§****§::§para::§
    lit§  ind§| line§|§>>> x§>>>§:f: v§:f:§..§.. _l:§.. note::§.. comment§__§__ x§+---+§== ==§=== ===§a b§中文§ééé§...§
....§`x`_§-a  opt§--foo§/V§term§"" ""§> q§''''""".replace("\n", "").split("§")


def theirs(text: str) -> list[tuple[int, str]]:
    """The levels and titles of the sections that docutils finds."""

    def sections(parent: nodes.Element, level: int) -> Iterator[tuple[int, str]]:
        for child in parent.children:
            if isinstance(child, nodes.section) and isinstance(title := child[0], nodes.title):
                yield level, " ".join(title.rawsource.split())
                yield from sections(child, level + 1)

    return list(sections(publish_doctree(text, settings_overrides=_QUIET), 1))


def ours(text: str) -> tuple[list[tuple[int, str]], list[int]]:
    """The levels and titles that we find, and the lines of those whose level was skipped."""
    levels = Levels()
    pieces = outlined([line.rstrip() for line in text.split("\n")])
    found = [(levels.of(piece), " ".join(piece.text.split())) for piece in pieces if isinstance(piece, Title)]
    return found, levels.skipped


@pytest.mark.parametrize(
    "text",
    [
        "One\n===\n\nTwo\n---\n\nThree\n~~~~~\n\nFour\n---\n\nFive\n===\n",
        "=====\n Top\n=====\n\nTop\n===\n\n-----\nNext\n-----\n",
        "Much longer than its line\n====\n\ntext\n",
        "Longer\n===\n\ntext\n",
        "Abc\n===\n",
        "A\n=\n",
        "====\nMuch longer than its lines\n====\n",
        "===\nLonger\n===\n",
        "====\nAbc\n=====\n\nAbc\n----\n",
        "====\n\ntext\n\n----\n\ntext\n",
        "para\nTitle?\n======\n",
        "para\n\nTitle\n======\n",
        "Code::\n\n    Title\n    =====\n\nTitle\n=====\n",
        "Quoted::\n\n> Title\n> =====\n\n====\nReal\n====\n",
        ".. note::\n\n   Title\n   =====\n\nTitle\n=====\n",
        ".. comment\n   Title\n   =====\n\n..\n\nTitle\n=====\n",
        "- item\n\n  Title\n  =====\n\nTitle\n=====\n",
        "1. Introduction\n===============\n\n2. Next\n=======\n",
        "1. item\n2. item\n\nTitle\n=====\n",
        "1. item\n\nTitle\n=====\n",
        "A. Einstein was a physicist\n===========================\n",
        "--help\n======\n\n-v  verbose\n===========\n",
        ":field: Title\n=============\n\nTitle\n=====\n",
        ">>> Title\n=========\n\nTitle\n=====\n",
        "| Title\n=======\n\nTitle\n=====\n",
        "+-----+\n| ``` |\n+-----+\n| === |\n+-----+\n\nTitle\n=====\n",
        "===== =====\nA     B\n===== =====\n\nx     y\n\n===== =====\n\nTitle\n=====\n",
        "term\n  definition\n\nTitle\n=====\n",
        "中文\n====\n\n中文标题\n========\n\n中文标题\n======\n",
        "e\u0301e\u0301e\u0301e\u0301\n====\n",
        "Title\n=====",
        "====\nTitle",
        "====",
        "",
        "::\n\n    Title\n    =====\n",
        "__ anonymous\n\nTitle\n=====\n",
        "Title\n!!!!!\n\nTitle\n\"\"\"\"\"\n\nTitle\n'''''\n\nTitle\n`````\n\nTitle\n.....\n",
    ],
)
def test_titles_are_found_where_docutils_finds_them(text: str) -> None:
    found, skipped = ours(text)
    assert skipped == []
    assert found == theirs(text)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*_LINES, "", "", "", "", "", ""]), max_size=14))
def test_titles_are_found_where_docutils_finds_them_in_any_mixture_of_lines(lines: list[str]) -> None:
    found, skipped = ours("\n".join(lines))
    assume(not skipped)
    assert found == theirs("\n".join(lines))


def test_a_title_whose_level_was_skipped_is_one_deeper_than_the_one_before() -> None:
    assert ours("A\n===\n\nB\n---\n\nC\n===\n\nD\n~~~\n") == ([(1, "A"), (2, "B"), (1, "C"), (2, "D")], [9])


def test_blocks_are_what_stands_between_titles() -> None:
    text = """para::

    literal

- item

  more
- item
#. one

.. code-block:: python

   x = 1

.. note:: words
   below

>>> doctest
1

=== ===
a   b
=== ===
c   d
=== ===

.. list-table::

   * - a
"""
    lines = text.split("\n")
    found = [piece for piece in outlined(lines) if isinstance(piece, Piece)]
    assert [(piece.kind, lines[piece.first], lines[piece.end - 1]) for piece in found] == [
        (BlockKind.PARAGRAPH, "para::", "para::"),
        (BlockKind.CODE, "    literal", "    literal"),
        (BlockKind.ITEM, "- item", "  more"),
        (BlockKind.ITEM, "- item", "- item"),
        (BlockKind.ITEM, "#. one", "#. one"),
        (BlockKind.CODE, ".. code-block:: python", "   x = 1"),
        (BlockKind.PARAGRAPH, ".. note:: words", "   below"),
        (BlockKind.CODE, ">>> doctest", "1"),
        (BlockKind.TABLE, "=== ===", "=== ==="),
        (BlockKind.TABLE, ".. list-table::", "   * - a"),
    ]
