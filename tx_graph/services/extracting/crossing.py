"""doc:link: relations between sections of different documents that are near each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tx_graph.analysis.relations.batch import Batch
from tx_graph.analysis.relations.edges import Pruning
from tx_graph.analysis.relations.pairs import packed
from tx_graph.domain.edges import NodeId, Relation
from tx_graph.domain.section import ExtractedEdge, Unit
from tx_graph.errors import ModelError
from tx_graph.ports import Progress, no_progress
from tx_graph.services.documents.linking import Linking
from tx_graph.services.extracting.answering import Answering
from tx_graph.services.extracting.extracting import OpenModel
from tx_graph.services.extracting.nearest import Pair, near_pairs
from tx_graph.services.extracting.scope import Scope, Windowed, by_ids, passage_of
from tx_graph.services.extracting.values import (
    VECTORS,
    CrossLinked,
    CrossLinkOptions,
    Extracted,
    OnFailure,
    no_report,
)
from tx_graph.storage.stores import Stores

_WINDOWING = "near"
"""How the batches of pairs are called."""


class CrossLinking:
    """Compares every section with those of other documents by their vectors."""

    def __init__(
        self, *, stores: Stores, scope: Scope, answering: Answering, open_model: OpenModel, embedder: str
    ) -> None:
        self._stores = stores
        self._scope = scope
        self._answering = answering
        self._open_model = open_model
        self._embedder = embedder

    def run(
        self,
        options: CrossLinkOptions,
        *,
        model: str | None = None,
        on_failure: OnFailure = no_report,
        progress: Progress = no_progress,
    ) -> CrossLinked:
        """Have a model say how near sections are related, and store that.

        Raises:
            ModelError: The model cannot be asked or answered nothing, or there are no vectors.
            NotFound: There is no such document.
        """
        asked = self._open_model(model, options.asking.workers)
        pairs, sections = self._near(options)
        extracted = self._answering.run(
            self._batches(pairs, size=options.size),
            asked,
            asking=options.asking,
            pruning=Pruning(),
            on_failure=on_failure,
            progress=progress,
        )
        return CrossLinked(sections=sections, pairs=len(pairs), extracted=extracted)

    def run_without_model(self, options: CrossLinkOptions) -> CrossLinked:
        """Store that near sections are similar, by how near they are.

        Of all documents this takes the place of what vectors said before; of some it is added to that.

        Raises:
            ModelError: There are no vectors.
            NotFound: There is no such document.
        """
        pairs, sections = self._near(options)
        with self._stores.database.transaction():
            if not options.documents:
                self._stores.section_edges.retract(VECTORS)
                Linking(self._stores).write_outdated()
            self._stores.section_edges.assert_edges(map(_similar, pairs))
        extracted = Extracted(model=VECTORS, documents=self._count_documents(pairs), batches=0, edges=len(pairs))
        return CrossLinked(sections=sections, pairs=len(pairs), extracted=extracted)

    def _near(self, options: CrossLinkOptions) -> tuple[list[Pair], int]:
        """Return the pairs, and how many sections have vectors."""
        documents = self._documents(options)
        if not self._stores.chunk_vectors.any_of(self._embedder):
            raise ModelError(
                f"No section has a vector of {self._embedder}, by which near ones are found.",
                hint="Run 'tx model install', then 'tx doc:ingest'.",
            )
        matrices = self._stores.section_vectors.matrices(model=self._embedder)
        pairs = near_pairs(matrices, threshold=options.threshold, most=options.most_pairs, among=documents)
        return pairs, len({section for matrix in matrices for section in matrix.sections})

    def _documents(self, options: CrossLinkOptions) -> list[NodeId] | None:
        """Return the documents that the options name, None for all."""
        paths = self._scope.paths(options.documents)
        nodes = self._stores.documents.nodes()
        return None if paths is None else [nodes[path] for path in paths]

    def _batches(self, pairs: Sequence[Pair], *, size: int) -> Windowed:
        units = self._units(pairs)
        together = packed(((pair.source, pair.target) for pair in pairs), size=size)
        batches = [
            Batch(
                document=units[nodes[0]].document,
                windowing=_WINDOWING,
                passages=tuple(passage_of(units[node]) for node in nodes),
            )
            for nodes in together
        ]
        return Windowed(batches=batches, units=by_ids(units.values()))

    def _units(self, pairs: Sequence[Pair]) -> Mapping[NodeId, Unit]:
        return self._stores.sections.units_by_nodes({end for pair in pairs for end in (pair.source, pair.target)})

    def _count_documents(self, pairs: Sequence[Pair]) -> int:
        return len({unit.document for unit in self._units(pairs).values()})


def _similar(pair: Pair) -> ExtractedEdge:
    return ExtractedEdge(
        source=pair.source, target=pair.target, relation=Relation.SIMILAR_TO, weight=pair.cosine, origin=VECTORS
    )
