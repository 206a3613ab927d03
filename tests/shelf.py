"""Documents put into a database by hand, for tests that read no files."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from tx_graph.core.database import Database
from tx_graph.documents.chunk_store import ChunkRow, ChunkStore
from tx_graph.documents.document import HEADINGS_PART, Format, SectionEdge, section_key
from tx_graph.documents.edge_store import SectionEdgeStore
from tx_graph.documents.store import DocumentRow, DocumentStore, SectionRow, SectionStore
from tx_graph.graph.edges import NodeId, Relation
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.vectors.store import CHUNKS, VectorStore


class Shelf:
    """Puts documents of sections that have one chunk each into a database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def document(self, path: str, sections: dict[str, str], *, title: str = "") -> dict[str, NodeId]:
        """Add a document whose sections, all below it, have these titles (also their slugs) and texts; return nodes.

        The empty title is that of the document itself.
        """
        texts = {"": "", **sections}
        with self.database.transaction():
            node = NodeStore(self.database).ensure(NodeKind.FILE, [path])[path]
            keys = {name: section_key(path, name) for name in sections if name}
            found = NodeStore(self.database).ensure(NodeKind.SECTION, keys.values())
            nodes = {"": node, **{name: found[key] for name, key in keys.items()}}
            DocumentStore(self.database).save([_document(node, path, title)])
            SectionStore(self.database).save(
                _section(nodes[name], node, position, name or title, text)
                for position, (name, text) in enumerate(texts.items())
            )
            ChunkStore(self.database).add(
                _chunk(nodes[name], HEADINGS_PART.join(filter(None, (title, name))), text)
                for name, text in texts.items()
                if text
            )
        return nodes

    def another_chunk(self, section: NodeId, text: str, *, position: int) -> None:
        """Add one more chunk to a section."""
        with self.database.transaction():
            ChunkStore(self.database).add([_chunk(section, "", text)._replace(position=position)])

    def tie(self, *edges: tuple[NodeId, NodeId, Relation, float] | tuple[NodeId, NodeId, Relation, float, str]) -> None:
        """Add edges that leave sections."""
        with self.database.transaction():
            kept = self._edges()
            documents = [row.node for row in DocumentStore(self.database).every()]
            new = (
                SectionEdge(source=e[0], target=e[1], relation=e[2], weight=e[3], description=_text(e)) for e in edges
            )
            SectionEdgeStore(self.database).replace(documents, [*kept, *new])

    def _edges(self) -> list[SectionEdge]:
        rows = self.database.rows("SELECT source, target, relation, weight, description FROM section_edges")
        return [
            SectionEdge(source=a, target=b, relation=Relation(relation), weight=weight, description=text)
            for a, b, relation, weight, text in rows
        ]

    def embed(self, vectors: Iterable[tuple[NodeId, bytes]], *, model: str, dimension: int) -> None:
        """Give the chunks of sections these vectors."""
        texts = dict(VectorStore(self.database, CHUNKS).all_contents())
        chunks = {section: chunk for chunk, section in ChunkStore(self.database).sections(list(texts)).items()}
        rows = [(chunks[node], texts[chunks[node]], vector) for node, vector in vectors]
        with self.database.transaction():
            VectorStore(self.database, CHUNKS).save(rows, model=model, dimension=dimension)


def _text(edge: tuple[object, ...]) -> str:
    return str(edge[4]) if len(edge) > 4 else ""


def _document(node: NodeId, path: str, title: str) -> DocumentRow:
    return DocumentRow(
        node=node, path=path, format=Format.MARKDOWN, title=title, size=0, mtime_ns=0, content_hash=digest("")
    )


def _section(node: NodeId, document: NodeId, position: int, title: str, text: str) -> SectionRow:
    return SectionRow(
        node=node,
        document=document,
        parent=None if node == document else document,
        position=position,
        part=0,
        level=int(node != document),
        title=title,
        slug=title if node != document else "",
        labels=(),
        line_start=10 * position + 1,
        line_end=10 * position + 1 + text.count("\n"),
        content_hash=digest(text),
        text=text,
    )


def _chunk(section: NodeId, headings: str, text: str) -> ChunkRow:
    return ChunkRow(
        section=section,
        position=0,
        content_hash=digest(f"{headings}\n{text}"),
        headings=headings,
        text=text,
        headings_words=headings,
        words=text,
    )


def digest(text: str) -> str:
    """Return the SHA-256 of a text, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
