"""Plain text is one section of paragraphs."""

from __future__ import annotations

from tests.documents.reading.reading import blocks, links, typed
from tx_graph.documents.document import Format
from tx_graph.documents.reading import read_document


def test_plain_text_is_the_document_itself() -> None:
    document = read_document("NOTES.txt", "\nFirst é\nline.\n \n\nSecond.\n\n# No heading\n\n")
    (section,) = document.sections
    assert (document.format, document.title, section.level, section.line_start, section.line_end) == (
        Format.TEXT,
        "",
        0,
        2,
        8,
    )
    assert blocks(section) == [("paragraph", "First é\nline."), ("paragraph", "Second."), ("paragraph", "# No heading")]


def test_plain_text_names_files_and_symbols_and_has_typed_lines() -> None:
    section = read_document("NOTES", "See src/a.py.\nRequires: docs/setup.md\nand read_document()\n").sections[0]
    assert links(section) == [("name", "src/a.py"), ("wiki", "docs/setup.md"), ("name", "read_document")]
    assert typed(section) == [("requires", "docs/setup.md")]


def test_a_path_that_is_no_document_is_read_as_plain_text() -> None:
    assert read_document("data.bin", "x").format is Format.TEXT


def test_an_empty_document_has_one_empty_section() -> None:
    for path in ("a.md", "a.rst", "a.txt"):
        (section,) = read_document(path, "\n \n").sections
        assert (section.text, section.line_start, section.line_end, section.blocks) == ("", 1, 1, ()), path
