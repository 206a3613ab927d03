"""The documents room: the repository's own writing as a tree of sections, and what these point at."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tx_graph.core.errors import NotFound
from tx_graph.core.globs import PathMatcher
from tx_graph.core.repository import WorkingFile
from tx_graph.core.stores import Stores
from tx_graph.core.working_tree import WorkingTree
from tx_graph.documents.document import section_key
from tx_graph.documents.edge_store import SectionLink
from tx_graph.documents.ingesting import ANALYSIS, Choosing
from tx_graph.documents.store import DocumentRow, SectionRow
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import AnalysisRun
from tx_graph.graph.references import NodeKind
from tx_graph.graph.resolving import Node, References


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsState:
    """How documents are. `changed`, `new` and `gone` are what reading them again would take in, by path.

    `unread` files could not be read, with the reason as a sentence's end; `broken` links lead nowhere although they
    should. `run` is None where documents were never read.
    """

    documents: int
    sections: int
    chunks: int
    changed: tuple[str, ...] = ()
    new: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()
    unread: tuple[tuple[str, str], ...] = ()
    broken: tuple[SectionLink, ...] = ()
    run: AnalysisRun | None = None

    @property
    def is_behind(self) -> bool:
        """Whether the graph may not say what the documents say now."""
        return bool(self.changed or self.new or self.gone)


class DocumentsHealth:
    """Compares documents with the working tree."""

    def __init__(self, *, stores: Stores, tree: WorkingTree, choosing: Choosing) -> None:
        self._stores = stores
        self._tree = tree
        self._choosing = choosing

    def now(self) -> DocumentsState:
        """Return how documents are at this moment. One that was only touched has not changed.

        Raises:
            RepositoryError: Git fails.
        """
        store = self._stores.documents
        stamps = store.stamps()
        chosen = self._choosing.standard(stamps)
        suspects = [
            file for file in chosen.files if file.path in stamps and stamps[file.path] != (file.size, file.mtime_ns)
        ]
        return DocumentsState(
            **store.sizes(),
            changed=tuple(self._changed(suspects)),
            new=tuple(file.path for file in chosen.files if file.path not in stamps),
            gone=tuple(chosen.gone),
            unread=tuple(store.unread().items()),
            broken=tuple(self._stores.section_links.problems()),
            run=self._stores.analyses.last(ANALYSIS),
        )

    def has_changed(self, path: str) -> bool:
        """Whether a document says something else than what was read of it; not so for what is none, or gone."""
        row = self._stores.documents.by_paths([path]).get(path)
        content = self._tree.read(path) if row else None
        return row is not None and content is not None and hashlib.sha256(content).hexdigest() != row.content_hash

    def _changed(self, suspects: list[WorkingFile]) -> list[str]:
        rows = self._stores.documents.by_paths([file.path for file in suspects])
        return [file.path for file in suspects if file.path not in rows or self._differs(file, rows[file.path])]

    def _differs(self, file: WorkingFile, row: DocumentRow) -> bool:
        if file.size != row.size:
            return True
        content = self._tree.read_listed(file.path)
        return content is not None and hashlib.sha256(content).hexdigest() != row.content_hash


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
