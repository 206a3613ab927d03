"""One look at all that is known, with verdicts as they are now: what every snapshot is made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.verdict import Judgement, Standing, standing
from tx_graph.context.graph_view import GraphView, Named
from tx_graph.context.recall import FactState, Recall
from tx_graph.core.kernel import Kernel
from tx_graph.core.text import cut, inert_line
from tx_graph.documents.search import State, states_of
from tx_graph.documents.store import DocumentStore
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import Edge, NodeId
from tx_graph.knowledge.entity import StoredEntity
from tx_graph.knowledge.entity_store import EntityStore
from tx_graph.knowledge.fact import Fact, FactSource, StoredFact
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.records.anchor import AnchorType
from tx_graph.records.learning import StoredLearning
from tx_graph.records.learning_store import LearningStore
from tx_graph.view.store import PictureStore, SizedFile

_LONGEST = 160  # characters of a title: what is longer is no title, and a page has thousands


class SeenLearning(NamedTuple):
    """A learning, what is said of it now, and the paths that it is about now, each once."""

    stored: StoredLearning
    standing: Standing
    paths: Sequence[str]


class Look:
    """What is known, read once however many snapshots are made of it; what answers withhold is not among it.

    One that is to be `shared` has nothing of private facts, which are known on this machine alone.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.is_shared = False

    @cached_property
    def files(self) -> list[SizedFile]:
        """Every indexed file, by path."""
        return PictureStore(self.kernel.database).files()

    @cached_property
    def every(self) -> list[SeenLearning]:
        """Every learning that somebody stands or stood behind, by number: superseded and retracted ones, too."""
        hidden = EdgeStore(self.kernel.database).withheld(stale=True)
        known = [one for one in LearningStore(self.kernel.database).every() if one.node not in hidden]
        judged = self.kernel.one(Standings).judgements([one.node for one in known])
        return [SeenLearning(one, standing(judged[one.node]), self._paths(judged[one.node])) for one in known]

    @property
    def learnings(self) -> list[SeenLearning]:
        """Those of them that answers show."""
        return [one for one in self.every if one.stored.node not in self._withheld]

    @cached_property
    def documents(self) -> dict[str, State]:
        """Whether each document still is what was read of it, by path."""
        return states_of(self.kernel, DocumentStore(self.kernel.database).nodes())

    @cached_property
    def facts(self) -> list[tuple[StoredFact, FactState | None]]:
        """Every live fact, and what became of the place that says it, by number."""
        stored = list(filter(self.shows, self._live))
        states = self.kernel.one(Recall).states(stored)
        return [(one, states.get(one.id)) for one in stored]

    @cached_property
    def edges(self) -> list[Edge]:
        """Every edge that a walk may follow, as it is stored; one by glob for each file that it matches."""
        found = chain.from_iterable(self._view.all_edges())
        return [edge for edge in found if self._private.isdisjoint((*edge[:2], edge[:2]))]

    @cached_property
    def names(self) -> dict[NodeId, Named]:
        """How the nodes at the ends of edges are called."""
        return self._view.name({end for edge in self.edges for end in edge[:2]})

    @property
    def entities(self) -> list[StoredEntity]:
        """Every entity."""
        return [one for one in EntityStore(self.kernel.database).listed() if one.node not in self._private]

    @property
    def private(self) -> int:
        """How many facts may not be told."""
        return sum(not self.shows(one) for one in self._live)

    def shows(self, fact: StoredFact) -> bool:
        """Whether a fact may be told."""
        return not (self.is_shared and fact.private)

    def verdicts(self) -> tuple[object, ...]:
        """Return what changes whenever a verdict does."""
        learnings = [(one.standing, *one.paths) for one in self.every]
        return (learnings, list(self.documents.values()), [state for _, state in self.facts])

    @cached_property
    def _live(self) -> list[StoredFact]:
        return FactStore(self.kernel.database).live()

    @cached_property
    def _private(self) -> set[object]:
        """What only facts say that may not be told: entities by their nodes, and ties between two of them."""
        told, private = set[object](), set[object]()
        for one in self._live:
            (told if self.shows(one) else private).update((one.subject, one.object, (one.subject, one.object)))
        return private - told

    @cached_property
    def _withheld(self) -> set[NodeId]:
        return EdgeStore(self.kernel.database).withheld()

    @cached_property
    def _view(self) -> GraphView:
        return GraphView(self.kernel)

    def _paths(self, judgements: Sequence[Judgement]) -> list[str]:
        found: dict[str, None] = {}
        for place in (one.place for one in judgements):
            is_glob = place.type is AnchorType.GLOB
            matched = self.kernel.checkout.tracked_files().matching(place.path) if is_glob else [place.path]
            found |= dict.fromkeys(matched)
        return list(found)


def title(text: str) -> str:
    """Return the first line of what somebody wrote, without what steers the direction of a text."""
    return cut(inert_line(text.strip().split("\n", 1)[0]), _LONGEST)


def fact_place(fact: Fact) -> str | None:
    """Return the path of the file that says a fact, None where none does."""
    is_placed = fact.source is FactSource.FILE or fact.source_print
    return re.split("#|::", fact.source_ref)[0] if fact.source_ref and is_placed else None
