"""Shows documents: which there are, how they are divided, and what a section is tied to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tx_graph.codebase.globs import PathMatcher
from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.domain.section import section_key
from tx_graph.errors import NotFound
from tx_graph.services.references import Node, References
from tx_graph.storage.documents import DocumentRow
from tx_graph.storage.section_links import SectionLink
from tx_graph.storage.sections import SectionRow
from tx_graph.storage.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedDocument:
    """A document with the number of its headings, of its links that lead nowhere although they should, and of `facts`.

    Facts are what it states and what holds now.
    """

    document: DocumentRow
    sections: int
    broken: int
    facts: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSection:
    """A section by its reference; `links` are what it points at, with the references of what they lead to."""

    ref: str
    section: SectionRow
    links: tuple[tuple[SectionLink, str | None], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownDocument:
    """A document or one section of it with all below it, in the order of the source; `text` is that of the section.

    `headings` lead down to it; `facts` counts what the document states.
    """

    document: DocumentRow
    node: Node
    headings: tuple[str, ...]
    sections: tuple[ShownSection, ...]
    text: str
    facts: int = 0


class Library:
    """Reads what is known of documents."""

    def __init__(self, *, stores: Stores, references: References) -> None:
        self._stores = stores
        self._references = references

    def every(self, globs: Sequence[str] = ()) -> list[ListedDocument]:
        """Return the documents, by path; with globs those that any of them matches."""
        documents = self._stores.documents.every()
        matcher = PathMatcher(one.path for one in documents)
        patterns = ["**" if glob in (".", "./") else glob for glob in globs] or ["**"]
        wanted = {path for pattern in patterns for path in matcher.matching(pattern)}
        sections = self._stores.sections.of_documents([one.node for one in documents if one.path in wanted])
        broken = Counter(link.document for link in self._stores.section_links.problems())
        facts = self._stores.statements.counts([one.node for one in documents])
        return [
            ListedDocument(
                document=one,
                sections=sum(1 for row in sections[one.node] if row.part == 0 and row.parent is not None),
                broken=broken[one.path],
                facts=facts.get(one.node, 0),
            )
            for one in documents
            if one.path in wanted
        ]

    def show(self, ref: str) -> ShownDocument:
        """Return a document, or one section of it, with what is below.

        Raises:
            NotFound: The reference names no document or section.
            UsageError: It leads out of the repository.
        """
        node = self._references.node(ref)
        document = self._stores.documents.by_paths([node.key.partition("#")[0]]).get(node.key.partition("#")[0])
        if node.kind not in (NodeKind.FILE, NodeKind.SECTION) or document is None or node.id is None:
            raise NotFound(
                f"'{ref}' is no document that was read.", hint="'tx doc:list' names them; 'tx doc:ingest' reads them."
            )
        rows = self._stores.sections.of_documents([document.node])[document.node]
        below = _below(rows, node.id)
        return ShownDocument(
            document=document,
            node=node,
            headings=self._stores.sections.headings([node.id])[node.id],
            sections=tuple(self._shown(document, below)),
            text=_text(below, node.id),
            facts=self._stores.statements.counts([document.node]).get(document.node, 0),
        )

    def _shown(self, document: DocumentRow, rows: Sequence[SectionRow]) -> Iterable[ShownSection]:
        links = self._stores.section_links.of_documents([document.node])
        ends = self._stores.nodes.describe([link.target for link in links if link.target is not None])
        for row in rows:
            own = [link for link in links if link.section == row.node]
            yield ShownSection(
                ref=document.path if row.parent is None else section_key(document.path, row.slug, row.part),
                section=row,
                links=tuple((link, ends[link.target][1] if link.target in ends else None) for link in own),
            )


def _below(rows: Sequence[SectionRow], start: NodeId) -> list[SectionRow]:
    """Return a section and all that is below it."""
    inside = {start}
    for row in rows:
        if row.parent in inside:
            inside.add(row.node)
    return [row for row in rows if row.node in inside]


def _text(rows: Sequence[SectionRow], start: NodeId) -> str:
    """Return a section's own text, that of its parts where these have it."""
    own = [row for row in rows if row.node == start or (row.part and row.parent == start)]
    return "\n\n".join(row.text for row in own if row.text)
