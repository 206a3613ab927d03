"""What is known of the entities that a page is about: facts, best first, a few lines."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import log2

from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.retrieval.recall import RecallLimits
from tx_graph.services.context.values import ContextSection
from tx_graph.services.recall import Recall, RecalledFact
from tx_graph.services.recall.anchoring import AnchorSearch
from tx_graph.storage.stores import Stores

_NAMED = 5
"""Entities that a text is about at most, and as many that other things speak of."""
_OF_ONE = 4
"""Facts of one entity: who wants all of them asks for them."""
_MENTIONED = 0.5
"""What an entity counts that only an open file, a learning or a section speaks of, beside one that the text names."""

_DATES = frozenset("date created created_at updated updated_at last_updated last_modified modified decided_on".split())
"""Predicates that only date a thing. On a page of few lines they would take the place of what it says."""


class Known:
    """Finds the facts worth reading before starting."""

    def __init__(self, *, stores: Stores, recall: Recall, anchors: AnchorSearch) -> None:
        self._stores = stores
        self._recall = recall
        self._anchors = anchors

    def about(
        self, text: str, nodes: Sequence[NodeId], sections: Sequence[ContextSection], *, limit: int
    ) -> list[RecalledFact]:
        """Return facts about the entities that a text names, or that these nodes and sections speak of, best first."""
        if not self._stores.facts_version.now():  # nobody ever said anything
            return []
        worth = dict(self._mentioned([*nodes, *self._sections(sections)]))
        worth |= dict.fromkeys(self._anchors.stated(text, most=_NAMED), 1.0)
        limits = RecallLimits(hops=1, per_entity=_OF_ONE, max_facts=2 * limit)
        known = self._recall.known_of(list(worth), limits) if worth else []
        telling = [one for one in known if one.fact.fact.predicate not in _DATES]
        best = sorted(telling, key=lambda one: (-one.score * worth[one.fact.subject], one.fact.id))
        return _side_by_side(self._recall.told(best[:limit]))

    def _sections(self, sections: Sequence[ContextSection]) -> list[NodeId]:
        refs = [one.ref for one in sections]
        return [
            *self._stores.nodes.find(NodeKind.SECTION, refs).values(),
            *self._stores.nodes.find(NodeKind.FILE, {one.path for one in sections}).values(),
        ]

    def _mentioned(self, nodes: Sequence[NodeId]) -> Mapping[NodeId, float]:
        """Return the entities that several of the nodes speak of, or one of them much, and hardly anybody else."""
        found: dict[NodeId, float] = defaultdict(float)
        for mention in self._stores.mentioned.by(nodes) if nodes else ():
            found[mention.entity] += mention.weight / log2(2 + mention.mentions)
        best = sorted(found, key=lambda entity: (-found[entity], entity))[:_NAMED]
        top = found[best[0]] if best else 1.0
        return {entity: _MENTIONED * found[entity] / top for entity in best}


def _side_by_side(facts: Sequence[RecalledFact]) -> list[RecalledFact]:
    """Return the facts, those about one entity together, where the best of them was."""
    subjects = list(dict.fromkeys(one.stored.subject for one in facts))
    return sorted(facts, key=lambda one: subjects.index(one.stored.subject))
