"""The edges of a document's sections: those of the tree, and those of its links."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from tx_graph.analysis.relations.predicates import relation_of
from tx_graph.domain.document import LinkKind
from tx_graph.domain.edges import NodeId, Relation
from tx_graph.domain.section import SectionEdge
from tx_graph.storage.section_links import SectionLink

_WEIGHTS = {LinkKind.CODE: 0.9, LinkKind.NAME: 0.6}
"""What somebody linked to is what they meant; a name in code font most likely is, one in running text may be."""
_LONGEST = 120
"""Characters of a link's words that say why."""


def edges_of(
    sections: Sequence[tuple[NodeId, NodeId | None]], links: Iterable[SectionLink], homes: Mapping[NodeId, NodeId]
) -> Iterator[SectionEdge]:
    """Yield the edges that leave the sections of one document, given with their parents in the order of the source.

    Typed links come first. `homes` are the files of the symbols among the targets: what speaks of a symbol speaks of
    its file.
    """
    yield from _tree(sections)
    for link in sorted(links, key=lambda link: not link.predicate):
        for target in (link.target, homes.get(link.target or 0)):
            if target is not None and target != link.section:
                yield _of_link(link, target)


def _tree(sections: Sequence[tuple[NodeId, NodeId | None]]) -> Iterator[SectionEdge]:
    children: dict[NodeId, list[NodeId]] = defaultdict(list)
    for node, parent in sections:
        if parent is not None:
            yield SectionEdge(source=node, target=parent, relation=Relation.PART_OF)
            children[parent].append(node)
    for siblings in children.values():
        for earlier, later in pairwise(siblings):
            yield SectionEdge(source=earlier, target=later, relation=Relation.SEQUENCE)


def _of_link(link: SectionLink, target: NodeId) -> SectionEdge:
    words = link.predicate.replace("_", " ") or (link.text if link.text != link.written else "")
    return SectionEdge(
        source=link.section,
        target=target,
        relation=relation_of(link.predicate),
        weight=1.0 if link.predicate else _WEIGHTS.get(link.kind, 1.0),
        description=_one_line(words),
        origin="link",
    )


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
