"""Sections of documents as the graph knows them, and the edges that leave them."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.domain.edges import NodeId, Relation

HEADINGS_PART = " › "
"""Stands between the titles that lead down to a section."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """A section, or a part of a long one, that has text of its own: what search returns and models compare.

    `document` is the path; `headings` are the titles from the document's down to its own. Lines count from 1.
    """

    node: NodeId
    ref: str
    document: str
    title: str
    headings: tuple[str, ...]
    text: str
    content_hash: str
    line_start: int
    line_end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionEdge:
    """An edge that leaves a section. `weight` lies in (0, 1]; `origin` is `structure`, `link`, or who said so."""

    source: NodeId
    target: NodeId
    relation: Relation
    weight: float = 1.0
    description: str = ""
    origin: str = "structure"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractedEdge:
    """What a model, an agent or vectors said about two sections; `origin` tells who: a model's name, agent, vectors."""

    source: NodeId
    target: NodeId
    relation: Relation
    weight: float
    description: str = ""
    origin: str


def section_key(path: str, slug: str, part: int = 0) -> str:
    """Return how a section is named, `docs/a.md#setup`; a part of it is `docs/a.md#setup~2`."""
    return f"{path}#{slug}~{part}" if part else f"{path}#{slug}"
