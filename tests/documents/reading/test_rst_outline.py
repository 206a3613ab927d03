"""The outline of reStructuredText is that of docutils, asked in a way of our own; nothing in it is executed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.documents.reading.reading import blocks, links, rst, tree

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
....§-a  opt§--foo§/V§term§"" ""§> q§''''""".replace("\n", "").split("§")


def theirs(text: str) -> list[tuple[int, str]]:
    """The levels and titles of the sections that docutils finds."""

    def sections(parent: nodes.Element, level: int) -> Iterator[tuple[int, str]]:
        for child in parent.children:
            if isinstance(child, nodes.section) and isinstance(title := child[0], nodes.title):
                yield level, " ".join(title.rawsource.split())
                yield from sections(child, level + 1)

    return list(sections(publish_doctree(text, settings_overrides=_QUIET), 1))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*_LINES, "", "", "", "", "", ""]), max_size=14))
def test_titles_are_found_where_docutils_finds_them_in_any_mixture_of_lines(lines: list[str]) -> None:
    found = rst("\n".join(lines))
    assume(not found.problems)
    assert [(level, title) for level, title, _ in tree(found)] == theirs("\n".join(lines))


def test_a_title_whose_level_was_skipped_is_one_deeper_than_the_one_before() -> None:
    found = tree(rst("A\n===\n\nB\n---\n\nC\n===\n\nD\n~~~\n"))
    assert found == [(1, "A", "a"), (2, "B", "b"), (1, "C", "c"), (2, "D", "d")]


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
    assert [(kind, text.split("\n")[0]) for kind, text in blocks(rst(text).sections[0])] == [
        ("paragraph", "para::"),
        ("code", "    literal"),
        ("item", "- item"),
        ("item", "- item"),
        ("item", "#. one"),
        ("code", ".. code-block:: python"),
        ("paragraph", ".. note:: words"),
        ("code", ">>> doctest"),
        ("table", "=== ==="),
        ("table", ".. list-table::"),
    ]


def test_directives_are_read_and_not_obeyed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("``src/secret.py``", encoding="utf-8")
    text = f"""
.. include:: {secret}
.. raw:: html
   :file: {secret}
.. csv-table:: ``src/a.py``
   :file: {secret}
.. nobody-knows:: x
   :option: y

   ``src/b.py``

   .. nor-this::

      :role:`src/c.py` and :ref:`d`
.. |x| unknown:: ``src/e.py``
"""
    found = links(rst(text).sections[0])
    assert {target for _, target in found} >= {"src/b.py", "src/c.py", "d"}
    assert "src/secret.py" not in {target for _, target in found}
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("lead", [" ", "- "])
def test_blocks_in_blocks_are_read_however_deep(lead: str) -> None:
    text = "\n\n".join(lead * number + "x" for number in range(300)) + "\n\n" + " " * 600 + "``src/a.py``\n\nT\n=\n"
    found = rst(text)
    assert tree(found) == [(1, "T", "t")]
    assert ("code", "src/a.py") in links(found.sections[0])
