"""Use cases that read the repository into the graph, and read the graph."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.workspace.shared import Shared

if TYPE_CHECKING:
    from tx_graph.services.cochanges import CoChanges
    from tx_graph.services.connections import Connections
    from tx_graph.services.evidence import EvidenceIndex
    from tx_graph.services.graph import Graph
    from tx_graph.services.import_graph import ImportGraph
    from tx_graph.services.indexing import Indexing
    from tx_graph.services.partners import Partners
    from tx_graph.services.symbol_index import SymbolIndex


class GraphUseCases(Shared):
    """Files, imports, symbols, history, and what is connected with what."""

    @cached_property
    def graph(self) -> Graph:
        """What is connected with what."""
        from tx_graph.services.graph import Graph

        return Graph(
            references=self.references,
            view_of=self._view_of,
            edges=self._stores.edges,
            anchors=self._stores.anchors,
            learnings=self._stores.learnings,
            files=self._stores.files,
            documents=self._stores.documents,
            analyses=self._stores.analyses,
            standings=self._standings,
        )

    @cached_property
    def imports(self) -> ImportGraph:
        """Which file imports which, what leads nowhere, and cycles."""
        from tx_graph.services.import_graph import ImportGraph

        return ImportGraph(
            places=self._indexed_places,
            imports=self._stores.imports,
            edges=self._stores.edges,
            nodes=self._stores.nodes,
            files=self._stores.files,
        )

    @cached_property
    def symbols(self) -> SymbolIndex:
        """What files declare."""
        from tx_graph.services.symbol_index import SymbolIndex

        return SymbolIndex(places=self._indexed_places, symbols=self._stores.symbols)

    @cached_property
    def connections(self) -> Connections:
        """Why two nodes are connected."""
        from tx_graph.services.connections import Connections

        return Connections(references=self.references, view_of=self._view_of, cochanges=self._stores.cochanges)

    @cached_property
    def indexing(self) -> Indexing:
        """Files and imports."""
        from tx_graph.services.indexing import Indexing
        from tx_graph.services.indexing.reading import file_reader

        checkout = self._checkout
        return Indexing(
            stores=self._stores,
            tree=checkout.tree,
            list_files=checkout.list_files,
            repository=checkout.askable,
            reader=file_reader(self.kernel),
            settings={"max_file_size": self.config.get("index.max_file_size")},
            clock=self._clock,
            caveat=checkout.caveat,
        )

    @cached_property
    def evidence(self) -> EvidenceIndex:
        """What files and history say in words."""
        from tx_graph.services.evidence import EvidenceIndex

        checkout = self._checkout
        return EvidenceIndex(stores=self._stores, tree=checkout.tree, repository=checkout.askable)

    @cached_property
    def cochanges(self) -> CoChanges:
        """Which files change together."""
        from tx_graph.services.cochanges import CoChanges

        return CoChanges(stores=self._stores, repository=self._checkout.repository, root=self.root, clock=self._clock)

    @cached_property
    def partners(self) -> Partners:
        """Co-changes as they are asked for."""
        from tx_graph.services.partners import Partners

        return Partners(
            store=self._stores.cochanges,
            analyses=self._stores.analyses,
            references=self.references,
            tree=self._checkout.tree,
            repository=self._checkout.repository,
        )
