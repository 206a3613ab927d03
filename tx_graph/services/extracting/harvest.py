"""Turns replies into edges, and stores those of each document together."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from tx_graph.analysis.relations.batch import Batch
from tx_graph.analysis.relations.edges import Dropped, FoundEdge, Pruning, checked, distinct, oriented, pruned
from tx_graph.analysis.relations.replies import edges_in
from tx_graph.domain.section import ExtractedEdge, Unit
from tx_graph.storage.database import Database
from tx_graph.storage.section_edges import SectionEdgeStore
from tx_graph.storage.sections import SectionStore


class Harvest:
    """Collects edges by document: overlapping batches of one say things twice, and a cap counts all of them.

    A document is stored, in a transaction of its own, when all of its batches are settled; `finish` stores the rest.
    `edges` counts what was stored, `dropped` what was not, by reason.
    """

    def __init__(
        self,
        batches: Sequence[Batch],
        *,
        units: Mapping[str, Unit],
        origin: str,
        pruning: Pruning,
        database: Database,
        sections: SectionStore,
        store: SectionEdgeStore,
    ) -> None:
        self._units = units
        self._nodes = {key: unit.node for key, unit in units.items()}
        self._origin = origin
        self._pruning = pruning
        self._database = database
        self._sections = sections
        self._store = store
        self._open = Counter(batch.document for batch in batches)
        self._order = {batch: place for place, batch in enumerate(batches)}
        self._found: dict[str, list[tuple[int, list[FoundEdge]]]] = defaultdict(list)
        self.edges = 0
        self.dropped = Counter[Dropped]()

    def take(self, batch: Batch, reply: str) -> None:
        """Take the edges of a reply.

        Raises:
            UnreadableReply: It holds no list of edges.
        """
        kept, dropped = checked(edges_in(reply), ids=frozenset(batch.ids))
        self.dropped += dropped
        self._found[batch.document].append((self._order[batch], [oriented(edge, self._nodes) for edge in kept]))
        self.settle(batch)

    def settle(self, batch: Batch) -> None:
        """Take note that nothing more will come of a batch."""
        self._open[batch.document] -= 1
        if not self._open[batch.document]:
            self._save(batch.document)

    def finish(self) -> None:
        """Store what was found in documents of which not all batches are settled."""
        for document in list(self._found):
            self._save(document)

    def _save(self, document: str) -> None:
        found = [edge for _, edges in sorted(self._found.pop(document, [])) for edge in edges]
        several = distinct(found)
        kept, dropped = pruned(several, self._pruning)
        self.dropped += dropped + Counter({Dropped.DUPLICATE: len(found) - len(several)})
        if kept:
            with self._database.transaction():
                holding = self._holding(kept)
                self._store.assert_edges(map(self._stored, holding))
            self.edges += len(holding)
            self.dropped += Counter({Dropped.OUTDATED: len(kept) - len(holding)})

    def _holding(self, edges: Sequence[FoundEdge]) -> list[FoundEdge]:
        """Return the edges whose ends still say what was asked about: documents are read anew during a long run."""
        asked = {end: self._units[end] for edge in edges for end in (edge.source, edge.target)}
        now = self._sections.units_by_nodes([unit.node for unit in asked.values()])
        same = {
            end for end, unit in asked.items() if unit.node in now and now[unit.node].content_hash == unit.content_hash
        }
        return [edge for edge in edges if edge.source in same and edge.target in same]

    def _stored(self, edge: FoundEdge) -> ExtractedEdge:
        return ExtractedEdge(
            source=self._nodes[edge.source],
            target=self._nodes[edge.target],
            relation=edge.relation,
            weight=edge.weight,
            description=edge.description,
            origin=self._origin,
        )
