"""reStructuredText becomes the tree that docutils builds, asked in a way of our own: nothing in it is executed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.documents.reading.reading import blocks, links, named, rst, tree, typed
from tests.tables import cells, rows
from tx_graph.documents.document import Format, Link, LinkKind


def test_a_document_is_a_tree_of_its_titles() -> None:
    document = rst("intro\n\n=====\nFirst\n=====\n\ntext\n\nSub\n---\n\nmore\n\n======\nSecond\n======\n")
    assert document.format is Format.RST
    assert tree(document) == [(1, "First", "first"), (2, "Sub", "sub"), (1, "Second", "second")]
    assert [section.parent for section in document.sections] == [None, 0, 1, 0]
    assert [section.text for section in document.sections] == cells("""
        intro ¦ =====⏎First⏎=====⏎⏎text ¦ Sub⏎---⏎⏎more ¦ ======⏎Second⏎======
    """)
    assert [(section.line_start, section.line_end) for section in document.sections] == [
        (1, 1),
        (3, 7),
        (9, 12),
        (14, 16),
    ]


@pytest.mark.parametrize(
    ("markup", "title"),
    [
        ("``Flask`` *and* **Jinja**", "Flask and Jinja"),
        (":class:`~flask.Flask` and :doc:`the guide <guide>`", "Flask and the guide"),
        ("`A link <x.rst>`_", "A link"),
        ("2 \\* 3", "2 * 3"),
    ],
)
def test_a_title_is_the_plain_text_of_a_heading(markup: str, title: str) -> None:
    assert rst(f"{markup}\n{'=' * len(markup)}\n").title == title


def test_labels_right_above_a_title_are_those_of_its_section() -> None:
    document = rst("text\n\n.. _here:\n\nmore\n\n.. _One:\n.. _`two words`:\n\nTitle\n=====\n\n.. _inside:\n\ntext\n")
    assert document.sections[0].labels == ("here",)
    assert named(document, "title").labels == ("One", "two words", "inside")


def test_roles_say_what_they_point_at() -> None:
    text = """:ref:`label`, :ref:`Words <other-label>`, :doc:`quickstart`, :doc:`Up </index>`, :download:`x.zip`
:class:`~flask.Flask`, :meth:`Flask.run()`, :py:func:`!url_for`, :mod:`.views`, :meth:`text <Flask.route>`,
:file:`src/app.py`, :code:`app.run()`, ``src/b.py``, ``--flag``, `interpreted_text`
:pep:`8`, :kbd:`Ctrl-C`, :term:`view`, :samp:`x = {y}`
"""
    assert links(rst(text).sections[0]) == rows("""
        label → label ¦ label → other-label ¦ link → quickstart ¦ link → /index ¦ link → x.zip
        code → flask.Flask ¦ code → Flask.run ¦ code → url_for ¦ code → views ¦ code → Flask.route
        code → src/app.py ¦ code → app.run ¦ code → src/b.py ¦ code → interpreted_text
    """)


def test_references_lead_where_their_names_say() -> None:
    text = """.. _Click: https://click.palletsprojects.com
.. _guide: docs/guide.rst
.. _spot:

`text <rel/path.rst>`_, `web <https://example.org>`__, Click_, guide_, `the Title`_, spot_, `words <guide_>`_.

The Title
=========
"""
    assert links(rst(text).sections[0]) == rows("""
        link → rel/path.rst ¦ link → docs/guide.rst ¦ link → #the-title ¦ label → spot
    """)


def test_directives_name_files_pages_and_objects() -> None:
    text = """.. include:: ../README.rst
.. literalinclude:: app.py
.. image:: _static/x.png
.. |logo| image:: logo.png
.. toctree::
   :maxdepth: 2
   :glob:

   quickstart
   Deploying <deploy/index>
   Web <https://example.org>
   self
   api/*

.. automodule:: flask.views
.. py:function:: url_for(endpoint, **values)
"""
    assert links(rst(text).sections[0]) == rows("""
        link → ../README.rst ¦ link → app.py ¦ link → _static/x.png ¦ link → logo.png ¦ link → quickstart
        link → deploy/index ¦ code → flask.views ¦ code → url_for
    """)


def test_code_and_comments_name_nothing() -> None:
    text = """.. code-block:: python

    from src_a import b_c  # see `x.py`

Example::

    src/a.py

- item::

    d_e()

  but f_g

.. a comment about h_i
   and j_k

.. note:: l_m

   n_o
"""
    assert links(rst(text).sections[0]) == [("name", "f_g"), ("name", "l_m"), ("name", "n_o")]


def test_fields_at_the_top_are_its_front_matter() -> None:
    fields = ":title: The Title\n:supersedes: adr-3, docs/adr-2.rst\n:orphan:\n"
    document = rst(f"{fields}\nHeading\n=======\n\n:see also: x\n")
    assert document.title == "The Title"
    assert typed(document.sections[0]) == [("supersedes", "adr-3"), ("supersedes", "docs/adr-2.rst")]


def test_fields_right_under_the_title_count_too_and_later_ones_do_not() -> None:
    document = rst("ADR\n===\n\n:Status: accepted\n:Amends: adr-3\n\nText.\n\n:amends: other\n\nB\n-\n\n:amends: x\n")
    assert [typed(section) for section in document.sections] == [[], [("amends", "adr-3")], []]


def test_typed_lines_are_links_with_predicates() -> None:
    text = "Depends on: :doc:`auth`, :ref:`x <billing>`\n\n"
    text += "Supersedes: `ADR 3 <003.rst>`_ and `z <z.rst>`_ as :doc:`q` says\n"
    assert typed(rst(text).sections[0]) == rows("""
        depends_on → auth ¦ depends_on → billing ¦ supersedes → 003.rst ¦ supersedes → z.rst
    """)


def test_a_link_has_its_words_and_its_line() -> None:
    (section,) = rst("\n\nSee\n:doc:`the big\nplan <plan>`.\n").sections
    assert section.links == (Link(LinkKind.LINK, "plan", 4, "the big plan"),)


def test_blocks_stand_where_they_are_in_the_text_of_their_section() -> None:
    section = rst("x\n\nÜberschrift\n===========  \n\ntext é \nmore::\n\n    code\n\n* item\n").sections[1]
    assert blocks(section) == [
        ("heading", "Überschrift\n==========="),
        ("paragraph", "text é \nmore::"),
        ("code", "    code"),
        ("item", "* item"),
    ]


def test_a_skipped_level_is_said() -> None:
    assert rst("A\n===\n\nB\n---\n\nC\n===\n\nD\n~~~\n").problems == ("has a title in line 10 whose level was skipped",)


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
