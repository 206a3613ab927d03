"""Markdown as GitHub understands it, parsed by pulldown-cmark: docs/decisions/0020-markdown-by-pulldown-cmark.md."""

from __future__ import annotations

from dataclasses import replace

from tx_graph.codebase.documents.draft import title_of
from tx_graph.codebase.documents.front_matter import FrontMatter, read_front_matter
from tx_graph.codebase.documents.markdown.sections import sections_of
from tx_graph.codebase.documents.markdown.walk import Walk
from tx_graph.domain.document import Format, ReadDocument, ReadSection


def read_markdown(text: str) -> ReadDocument:
    """Return what a text with Unix line ends says."""
    front = read_front_matter(text)
    walk = Walk(text[front.length :])
    first, *others = sections_of(walk, first_line=text.count("\n", 0, front.length) + 1)
    return ReadDocument(
        format=Format.MARKDOWN,
        title=front.title or title_of(walk.headings),
        sections=(_with_front_matter(first, front), *others),
        problems=front.problems,
        fields=front.fields,
        aliases=front.aliases,
    )


def _with_front_matter(section: ReadSection, front: FrontMatter) -> ReadSection:
    if not front.links and not front.aliases:
        return section
    return replace(section, labels=(*front.aliases, *section.labels), links=(*front.links, *section.links))
