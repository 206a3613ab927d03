"""Whatever a file holds, it is read: sections cover its lines in order, and every place lies where it says."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tx_graph.documents.document import ReadSection
from tx_graph.documents.reading import read_document

_PIECES = """#|# |## Title|Title|===|---|~~~|```|```py|`code`|`a_b`|[x](a.md)|[[w]]|[[w/l]]|![i](i.png)|[|]|(|)|
<a id='x'>|<h1>t</h1>|<!--|-->|- |1. |> |    |[^1]: |[^1]|[r]: x.md|é|中文|😀|(lab)=|key:: [[x]]|Depends on: [a](b)|
Status: superseded by [x](y)|...|::|..|.. note:: x|.. _l:|* |`x <y>`_|:ref:`x`|``l``|_|__|+--+--+|== ==|=====|
:field: v|&#10;|&amp;|{#id}|title: x|+++|src/a.py|foo()|**|_x_| |a""".replace("\n", "").split("|")
_UNUSUAL = ["\n", "\n\n", "\t", "\x00", "\r\n", "\r", "\ufeff", "\ud800", "\x0c", "\u2028", "\u00a0", "|a|b|\n|-|-|\n"]
texts = st.lists(st.sampled_from(_PIECES + 4 * _UNUSUAL), max_size=40).map("".join) | st.text()
paths = st.sampled_from(["a.md", "a.rst", "a.txt"])


def cleaned(text: str) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return text.encode("utf-8", "replace").decode()


@given(paths, texts)
def test_own_texts_make_up_the_document_without_its_front_matter(path: str, text: str) -> None:
    document, whole = read_document(path, text), cleaned(text)
    own = "".join("".join(section.text for section in document.sections).split())
    if whole.startswith(("---", "+++")):
        assert "".join(whole.split()).endswith(own)
    else:
        assert "".join(whole.split()) == own


@given(paths, texts)
def test_sections_cover_lines_in_order(path: str, text: str) -> None:
    lines, last = cleaned(text).split("\n"), 0
    for section in read_document(path, text).sections:
        assert section.line_start <= section.line_end
        if section.text:
            assert last < section.line_start
            assert section.text.rstrip() == "\n".join(lines[section.line_start - 1 : section.line_end]).rstrip()
            last = section.line_end


@given(paths, texts)
def test_sections_form_a_tree_and_have_names_of_their_own(path: str, text: str) -> None:
    first, *others = sections = read_document(path, text).sections
    assert (first.level, first.slug, first.parent) == (0, "", None)
    assert len({section.slug for section in sections}) == len(sections)
    for place, section in enumerate(others, start=1):
        assert section.parent is not None
        assert section.parent < place
        assert sections[section.parent].level < section.level
        assert "\n" not in section.title


@given(paths, texts)
def test_blocks_lie_in_their_section_one_after_another(path: str, text: str) -> None:
    for section in read_document(path, text).sections:
        ends = [0, *(block.end for block in section.blocks)]
        for end, block in zip(ends, section.blocks, strict=False):
            assert end <= block.start < block.end <= len(section.text)


@given(paths, texts)
def test_links_stand_in_their_section_each_once(path: str, text: str) -> None:
    first, *others = read_document(path, text).sections
    for section in others:
        assert all(section.line_start <= link.line <= section.line_end for link in section.links)
    for section in (first, *others):
        assert all(link.target for link in section.links)
        assert _distinct(section)


def _distinct(section: ReadSection) -> bool:
    keys = [(link.kind, link.target, link.predicate) for link in section.links]
    return len(set(keys)) == len(keys)


_ENDLESS = {
    "open brackets": "[" * 200_000,
    "brackets": "[[[[" * 50_000 + "]]" * 50_000,
    "nested images": "!" + "[" * 3_000 + "a" + "](x)" * 3_000,
    "typed": "see: [[a]], " + "[[b]], " * 50_000,
    "colons": "a: b " * 200_000,
    "headings in HTML": "<h1>" * 50_000,
    "comments": "<!--" * 50_000,
    "backticks": "`" * 200_000,
    "quotes": "> " * 10_000 + "x",
    "one word": "a_b/" * 250_000,
    "one line of names": "word foo_bar.baz() a/b/c.py " * 20_000,
    "headings": "".join(f"# h{number}\n\ntext\n\n" for number in range(10_000)),
    "overlines": "====\nTitle\n" * 20_000,
    "tables": "== ==\n" * 20_000,
}


@pytest.mark.parametrize("path", ["a.md", "a.rst", "a.txt"])
@pytest.mark.parametrize("text", _ENDLESS.values(), ids=_ENDLESS.keys())
def test_texts_that_seem_made_to_take_forever_are_read(path: str, text: str) -> None:
    # Were any of them to take time that grows faster than the text, nobody would wait for this test.
    sections = read_document(path, text).sections
    assert "".join("".join(section.text for section in sections).split()) == "".join(text.split())
