"""Use cases about the repository's own writing."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.workspace.extraction import ExtractionUseCases

if TYPE_CHECKING:
    from tx_graph.services.doc_search import DocSearch
    from tx_graph.services.documents.choosing import Choosing
    from tx_graph.services.documents.crew import DraftingCrew
    from tx_graph.services.documents.ingesting import Ingesting
    from tx_graph.services.documents.library import Library
    from tx_graph.services.documents.pruning import Pruning
    from tx_graph.services.documents.state import DocumentsHealth


class DocumentUseCases(ExtractionUseCases):
    """Documents, their sections and what these are tied to."""

    @cached_property
    def ingesting(self) -> Ingesting:
        """Documents as they are in the working tree."""
        from tx_graph.services.documents.ingesting import Ingesting

        return Ingesting(
            stores=self._stores,
            tree=self._checkout.tree,
            choosing=self._choosing,
            crew=self._crew,
            settings=self._cutting,
            clock=self._clock,
        )

    @cached_property
    def library(self) -> Library:
        """Documents as they were read."""
        from tx_graph.services.documents.library import Library

        return Library(stores=self._stores, references=self.references)

    @cached_property
    def document_pruning(self) -> Pruning:
        """What no document holds any more."""
        from tx_graph.services.documents.pruning import Pruning

        return Pruning(stores=self._stores, tree=self._checkout.tree, clock=self._clock)

    @cached_property
    def documents_health(self) -> DocumentsHealth:
        """How documents are."""
        from tx_graph.services.documents.state import DocumentsHealth

        return DocumentsHealth(stores=self._stores, tree=self._checkout.tree, choosing=self._choosing)

    @cached_property
    def doc_search(self) -> DocSearch:
        """Questions to documents."""
        from tx_graph.services.doc_search import DocSearch
        from tx_graph.services.doc_search.filtering import DocFiltering
        from tx_graph.services.doc_search.seeding import Seeding
        from tx_graph.services.doc_search.telling import States
        from tx_graph.services.doc_search.walking import Walking

        stores, checkout = self._stores, self._checkout
        return DocSearch(
            documents=stores.documents,
            sections=stores.sections,
            lines=stores.section_lines,
            text=stores.chunk_text,
            filtering=DocFiltering(
                documents=stores.documents,
                tree=checkout.tree,
                repository=lambda: checkout.askable,
                clock=self._clock,
            ),
            seeding=Seeding(text=stores.chunk_text, vectors=stores.chunk_vectors, embedding=self.embedding),
            walking=Walking(walk=stores.section_walk, lines=stores.section_lines, nodes=stores.nodes),
            states=States(documents=stores.documents, tree=checkout.tree),
        )

    @property
    def _choosing(self) -> Choosing:
        from tx_graph.services.documents.choosing import Choosing

        checkout = self._checkout
        tracked = checkout.askable.tracked_files if checkout.askable else checkout.list_files
        return Choosing(tree=checkout.tree, tracked=tracked, exclude=self.config.texts("documents.exclude"))

    @property
    def _crew(self) -> DraftingCrew:
        from tx_graph.analysis.chunking import ChunkOptions, Strategy
        from tx_graph.services.documents.crew import DraftingCrew
        from tx_graph.services.documents.drafting import Drafting
        from tx_graph.services.indexing.reading import reading_processes

        alike = self._neighbours_alike if "model" in self._cutting else None
        options = ChunkOptions(strategy=Strategy(self._cutting["chunking"]))
        return DraftingCrew(options, Drafting(options, alike=alike), processes=reading_processes(self.kernel))

    @property
    def _cutting(self) -> dict[str, str]:
        """What cutting documents depends on: the strategy, and the model if it takes one and there is one."""
        strategy = str(self.config.get("documents.chunking"))
        takes_model = strategy == "semantic" and self.embedding.available
        return {"chunking": strategy} | ({"model": self.embedding.name} if takes_model else {})

    def _neighbours_alike(self, sentences: Sequence[str]) -> list[float]:
        """Return the cosine similarity of each sentence with the next one."""
        from tx_graph.services.documents.alike import neighbour_similarities

        return neighbour_similarities(self.embedding.quick.embed(sentences))
