"""What tests say of documents that were read: trees, blocks and links in few words."""

from __future__ import annotations

from tx_graph.documents.document import ReadDocument, ReadSection
from tx_graph.documents.reading import read_document


def markdown(text: str) -> ReadDocument:
    return read_document("a.md", text)


def rst(text: str) -> ReadDocument:
    return read_document("a.rst", text)


def tree(document: ReadDocument) -> list[tuple[int, str, str]]:
    """Each section under the document itself: level, title and slug."""
    return [(section.level, section.title, section.slug) for section in document.sections[1:]]


def named(document: ReadDocument, slug: str) -> ReadSection:
    return next(section for section in document.sections if section.slug == slug)


def blocks(section: ReadSection) -> list[tuple[str, str]]:
    return [(block.kind.value, section.text[block.start : block.end]) for block in section.blocks]


def links(section: ReadSection) -> list[tuple[str, str]]:
    return [(link.kind.value, link.target) for link in section.links]


def typed(section: ReadSection) -> list[tuple[str, str]]:
    return [(link.predicate, link.target) for link in section.links if link.predicate]
