"""Brings everything that is derived up to date: files, documents, what history says in words, vectors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from tx_graph.code.indexing import Indexing, IndexReport
from tx_graph.context.graph import Graph
from tx_graph.core.arguments import Arg
from tx_graph.core.errors import RepositoryError
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Stages
from tx_graph.core.shape import as_json
from tx_graph.documents.ingesting import Ingesting, IngestReport
from tx_graph.history.cochanges import CoChangeAnalysis, CoChangeReport
from tx_graph.history.evidence import CommitReport
from tx_graph.vectors.embedding import CaughtUp, Embedding
from tx_graph.workspace.evidence import EvidenceIndex

_MOST_CHUNKS = 200
"""Pieces of documents to embed without being asked, about ten seconds; 'tx doc:ingest' embeds all."""
_MOST_ENTITIES = 1_000
"""The same of entities, whose texts are short; 'tx learning:embed' embeds all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed:
    """What was brought up to date.

    `worded` files were read for their words. Where history has holes, `history_problem` says what was not read of it.
    `cochanges` is None where they were not counted; the others say what got its vector.
    """

    index: IndexReport
    documents: IngestReport
    worded: int
    commits: CommitReport
    history_problem: str
    cochanges: CoChangeReport | None
    learnings: CaughtUp
    chunks: CaughtUp
    entities: CaughtUp

    def as_json(self) -> dict[str, Any]:
        """Return what was read of files, and beside it what else was."""
        documents = self.documents
        return {
            **as_json(self.index),
            "documents": {
                "documents": documents.documents,
                "read": documents.read,
                "removed": documents.removed,
                "sections": documents.sections,
                "chunks": documents.chunks,
                "broken_links": len(documents.broken),
                **as_json(self.chunks),
            },
            "worded": self.worded,
            "commits_read": self.commits.read,
            "commits": self.commits.kept,
            **({"history_problem": self.history_problem} if self.history_problem else {}),
            **as_json(self.learnings),
            "entities": as_json(self.entities),
        }


class Renewal:
    """Runs what reads the repository."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._evidence = kernel.one(EvidenceIndex)
        self._embedding = kernel.one(Embedding)

    def run(
        self,
        *,
        force: Annotated[bool, Arg(help="Read unchanged files again too.")] = False,
        with_cochanges: bool = False,
        stages: Stages,
    ) -> Renewed:
        """Bring files and imports up to date with the working tree, reading only what changed.

        Learnings and entities that came without a vector, as from a clone or a pull, get one where the model is
        installed.

        Example:
          tx index

        Raises:
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        with stages("Reading files", unit="files") as report:
            index = self._kernel.one(Indexing).run(force=force, progress=report)
        with stages("Reading documents", unit="documents") as report:
            documents = self._kernel.one(Ingesting).run(force=force, progress=report)
        chunks = self._embed_chunks(stages, most=_MOST_CHUNKS)
        worded, commits, problem = self._read_evidence(stages)
        cochanges = self._cochanges(stages) if with_cochanges and not problem else None
        with stages("Embedding", unit="learnings") as report:
            learnings = self._embedding.catch_up(progress=report)
        return Renewed(
            index=index,
            documents=documents,
            worded=worded,
            commits=commits,
            history_problem=problem,
            cochanges=cochanges,
            learnings=learnings,
            chunks=chunks,
            entities=self._embed_entities(stages, most=_MOST_ENTITIES),
        )

    def _embed_chunks(self, stages: Stages, *, most: int | None = None) -> CaughtUp:
        with stages("Embedding", unit="chunks") as report:
            return self._embedding.catch_up("chunks", most=most, progress=report)

    def _embed_entities(self, stages: Stages, *, most: int | None = None) -> CaughtUp:
        with stages("Embedding", unit="entities") as report:
            return self._embedding.catch_up("entities", most=most, progress=report)

    def _read_evidence(self, stages: Stages) -> tuple[int, CommitReport, str]:
        with stages("Reading words", unit="files") as report:
            worded = self._evidence.read_words(progress=report)
        try:
            with stages("Reading messages", unit="commits") as report:
                return worded, self._evidence.read_messages(progress=report), ""
        except RepositoryError as error:
            return worded, CommitReport(), f"Commit messages were not read: {error.message}"

    def _cochanges(self, stages: Stages) -> CoChangeReport | None:
        """Count co-changes as the settings have it, where there is history and nobody has yet."""
        if not self._kernel.place.root.is_git or self._kernel.one(Graph).last_cochanges() is not None:
            return None
        with stages("Reading commits", unit="commits") as report:
            return self._kernel.one(CoChangeAnalysis).analyze_cochanges(progress=report)
