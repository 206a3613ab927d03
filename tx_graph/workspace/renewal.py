"""Brings everything that is derived up to date: files, documents, what history says in words, vectors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tx_graph.code.indexing import Indexing, IndexReport
from tx_graph.core.errors import RepositoryError
from tx_graph.core.ports import Progress, Stages
from tx_graph.documents.ingesting import Ingesting, IngestReport
from tx_graph.history.cochanges import CoChangeReport
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


class Renewal:
    """Runs what reads the repository. `count_cochanges` does so where they were never counted."""

    def __init__(
        self,
        *,
        indexing: Indexing,
        ingesting: Ingesting,
        evidence: EvidenceIndex,
        embedding: Embedding,
        count_cochanges: Callable[[Progress], CoChangeReport | None],
    ) -> None:
        self._indexing = indexing
        self._ingesting = ingesting
        self._evidence = evidence
        self._embedding = embedding
        self._count_cochanges = count_cochanges

    def run(self, stages: Stages, *, force: bool = False, with_cochanges: bool = False) -> Renewed:
        """Read what changed, or with `force` everything; embed what lacks a vector, unless that takes long.

        A history with holes stops nothing.
        """
        index = self._index(stages, force=force)
        documents = self._documents(stages, force=force)
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

    def _index(self, stages: Stages, *, force: bool) -> IndexReport:
        with stages("Reading files", unit="files") as report:
            return self._indexing.run(force=force, progress=report)

    def _documents(self, stages: Stages, *, force: bool) -> IngestReport:
        with stages("Reading documents", unit="documents") as report:
            return self._ingesting.run(force=force, progress=report)

    def _embed_chunks(self, stages: Stages, *, most: int | None = None) -> CaughtUp:
        with stages("Embedding", unit="chunks") as report:
            return self._embedding.catch_up_chunks(most=most, progress=report)

    def _embed_entities(self, stages: Stages, *, most: int | None = None) -> CaughtUp:
        with stages("Embedding", unit="entities") as report:
            return self._embedding.catch_up_entities(most=most, progress=report)

    def _read_evidence(self, stages: Stages) -> tuple[int, CommitReport, str]:
        with stages("Reading words", unit="files") as report:
            worded = self._evidence.read_words(progress=report)
        try:
            with stages("Reading messages", unit="commits") as report:
                return worded, self._evidence.read_messages(progress=report), ""
        except RepositoryError as error:
            return worded, CommitReport(), f"Commit messages were not read: {error.message}"

    def _cochanges(self, stages: Stages) -> CoChangeReport | None:
        with stages("Reading commits", unit="commits") as report:
            return self._count_cochanges(report)
