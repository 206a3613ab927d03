"""The prose of reStructuredText: its lines without code, comments and markup, and what the markup between them says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from tx_graph.codebase.documents.rst.directives import Below, Markup, read_markup
from tx_graph.codebase.documents.targets import may_be_here
from tx_graph.domain.document import LinkKind

_HANGING = re.compile(r"(?:[-+*\u2022\u2023\u2043]|\(?(?:\d+|[a-zA-Z]|#)[.)]) +")
_PAGE = re.compile(r"(?:[^<>]*<(?P<named>[^<>]+)>|(?P<plain>[^<>\s]+))\Z")


@dataclass(slots=True)
class Prose:
    """What lines say: `lines` has as many of them, blank where they are no prose; numbers count from 0.

    `links` are (line, kind, target), `labels` (line, name), `targets` what names stand for that lead elsewhere.
    """

    lines: list[str] = field(default_factory=list)
    links: list[tuple[int, LinkKind, str]] = field(default_factory=list)
    labels: list[tuple[int, str]] = field(default_factory=list)
    targets: dict[str, str] = field(default_factory=dict)


def prose_of(lines: Sequence[str]) -> Prose:
    """Return the prose of a text, given without white space at the ends of its lines."""
    prose = Prose()
    edge, below = -1, Below.NOTHING  # what is indented further than the edge is not prose
    for line in lines:
        words = line.lstrip()
        indent = len(line) - len(words)
        if edge >= 0 and words:
            if indent > edge:
                if below is Below.PAGES:
                    _page(prose, words)
                prose.lines.append("")
                continue
            edge = -1
        if words[:3] == ".. ":
            markup = read_markup(words)
            _note(prose, markup)
            prose.lines.append(markup.words)
            if markup.below is not Below.PROSE:
                edge, below = indent, markup.below
            continue
        if words[-2:] == "::":
            hanging = _HANGING.match(words)
            edge, below = indent + (hanging.end() if hanging else 0), Below.NOTHING
        prose.lines.append(words)
    return prose


def _note(prose: Prose, markup: Markup) -> None:
    number = len(prose.lines)
    if markup.link and may_be_here(markup.link[1]):
        prose.links.append((number, *markup.link))
    if markup.label and markup.target:
        prose.targets[markup.label.lower()] = markup.target
    elif markup.label:
        prose.labels.append((number, markup.label))


def _page(prose: Prose, words: str) -> None:
    """Note a page of a table of contents; its options and globs are none."""
    found = _PAGE.match(words)
    page = (found["named"] or found["plain"]) if found and words[0] != ":" else ""
    if page and page != "self" and "*" not in page and may_be_here(page):
        prose.links.append((len(prose.lines), LinkKind.LINK, page))
