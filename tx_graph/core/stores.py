"""All stores of one database, each made, and its module loaded, when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.core.database import Database

if TYPE_CHECKING:
    from tx_graph.code.file_store import FileStore, FileWordStore, SurfaceStore, SymbolStore
    from tx_graph.code.import_store import ImportStore
    from tx_graph.documents.chunk_store import ChunkStore
    from tx_graph.documents.edge_store import SectionEdgeStore, SectionLinkStore, SectionWalk
    from tx_graph.documents.statement_store import StatementStore
    from tx_graph.documents.store import DocumentStore, SectionStore
    from tx_graph.graph.edge_store import EdgeStore
    from tx_graph.graph.node_store import AnalysisStore, NodeStore
    from tx_graph.history.cochange_store import CoChangeStore
    from tx_graph.history.commit_store import CommitStore, HistoryStore
    from tx_graph.knowledge.entity_store import EntityStore
    from tx_graph.knowledge.fact_store import FactStore
    from tx_graph.knowledge.mention_store import MentionStore
    from tx_graph.learnings.similarity_store import SimilarityStore
    from tx_graph.records.anchor_store import AnchorStore
    from tx_graph.records.learning_store import LearningStore
    from tx_graph.records.seen_store import RecordStore
    from tx_graph.vectors.store import VectorStore


class Stores:
    """One store per concept, over one connection."""

    def __init__(self, database: Database) -> None:
        self.database = database

    @cached_property
    def analyses(self) -> AnalysisStore:
        """When each analysis last ran."""
        from tx_graph.graph.node_store import AnalysisStore

        return AnalysisStore(self.database)

    @cached_property
    def anchors(self) -> AnchorStore:
        """What ties learnings to code."""
        from tx_graph.records.anchor_store import AnchorStore

        return AnchorStore(self.database)

    @cached_property
    def chunk_vectors(self) -> VectorStore:
        """Embeddings of pieces of sections."""
        from tx_graph.vectors.store import CHUNKS, VectorStore

        return VectorStore(self.database, CHUNKS)

    @cached_property
    def chunks(self) -> ChunkStore:
        """Pieces of sections, found by their words."""
        from tx_graph.documents.chunk_store import ChunkStore

        return ChunkStore(self.database)

    @cached_property
    def cochanges(self) -> CoChangeStore:
        """Files that change together."""
        from tx_graph.history.cochange_store import CoChangeStore

        return CoChangeStore(self.database)

    @cached_property
    def commits(self) -> CommitStore:
        """What history says in words."""
        from tx_graph.history.commit_store import CommitStore

        return CommitStore(self.database)

    @cached_property
    def documents(self) -> DocumentStore:
        """Files that were read as documents."""
        from tx_graph.documents.store import DocumentStore

        return DocumentStore(self.database)

    @cached_property
    def edges(self) -> EdgeStore:
        """Asserted edges, and every layer as a walk reads it."""
        from tx_graph.graph.edge_store import EdgeStore

        return EdgeStore(self.database)

    @cached_property
    def entities(self) -> EntityStore:
        """What facts are about."""
        from tx_graph.knowledge.entity_store import EntityStore

        return EntityStore(self.database)

    @cached_property
    def facts(self) -> FactStore:
        """Statements about entities."""
        from tx_graph.knowledge.fact_store import FactStore

        return FactStore(self.database)

    @cached_property
    def file_words(self) -> FileWordStore:
        """Words of files."""
        from tx_graph.code.file_store import FileWordStore

        return FileWordStore(self.database)

    @cached_property
    def files(self) -> FileStore:
        """Files of the last index."""
        from tx_graph.code.file_store import FileStore

        return FileStore(self.database)

    @cached_property
    def history(self) -> HistoryStore:
        """Commits that were read."""
        from tx_graph.history.commit_store import HistoryStore

        return HistoryStore(self.database)

    @cached_property
    def imports(self) -> ImportStore:
        """Which file imports which."""
        from tx_graph.code.import_store import ImportStore

        return ImportStore(self.database)

    @cached_property
    def learnings(self) -> LearningStore:
        """Learnings with all that hangs on them."""
        from tx_graph.records.learning_store import LearningStore

        return LearningStore(self.database)

    @cached_property
    def mentions(self) -> MentionStore:
        """What speaks of entities."""
        from tx_graph.knowledge.mention_store import MentionStore

        return MentionStore(self.database)

    @cached_property
    def nodes(self) -> NodeStore:
        """What edges point at."""
        from tx_graph.graph.node_store import NodeStore

        return NodeStore(self.database)

    def records_of(self, kind: str) -> RecordStore:
        """Record files of one kind as they were last read; the kind is the name of their directory."""
        from tx_graph.records.seen_store import RecordStore

        return RecordStore(self.database, kind)

    @cached_property
    def section_edges(self) -> SectionEdgeStore:
        """Edges of sections."""
        from tx_graph.documents.edge_store import SectionEdgeStore

        return SectionEdgeStore(self.database)

    @cached_property
    def section_links(self) -> SectionLinkStore:
        """What sections point at."""
        from tx_graph.documents.edge_store import SectionLinkStore

        return SectionLinkStore(self.database)

    @cached_property
    def section_walk(self) -> SectionWalk:
        """What lies above, below and around sections."""
        from tx_graph.documents.edge_store import SectionWalk

        return SectionWalk(self.database)

    @cached_property
    def sections(self) -> SectionStore:
        """Trees of documents."""
        from tx_graph.documents.store import SectionStore

        return SectionStore(self.database)

    @cached_property
    def similarities(self) -> SimilarityStore:
        """How alike learnings are."""
        from tx_graph.learnings.similarity_store import SimilarityStore

        return SimilarityStore(self.database)

    @cached_property
    def statements(self) -> StatementStore:
        """What documents state with literal values."""
        from tx_graph.documents.statement_store import StatementStore

        return StatementStore(self.database)

    @cached_property
    def surfaces(self) -> SurfaceStore:
        """What files offer to imports of others."""
        from tx_graph.code.file_store import SurfaceStore

        return SurfaceStore(self.database)

    @cached_property
    def symbols(self) -> SymbolStore:
        """What files declare."""
        from tx_graph.code.file_store import SymbolStore

        return SymbolStore(self.database)
