"""Finds the entities that a question is about: by their names, by meaning, and by words where there is no other way."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from tx_graph.analysis.identifiers import is_telling
from tx_graph.domain.edges import NodeId
from tx_graph.errors import ModelError
from tx_graph.retrieval.recall import Stated, stated
from tx_graph.services.embedding import Embedding
from tx_graph.services.recall.values import Anchor, MatchedBy
from tx_graph.storage.entities import EntityStore
from tx_graph.storage.warm_vectors import WarmVectors

_LEAST_SIMILARITY = 0.3
"""Cosine below which an entity has nothing to do with a question. With all-MiniLM-L6-v2, names as short as these have
.1 to .25 with questions about something else."""
_LEAST_SHARE = 0.5
"""Of the best match that another one needs, a name that is stated being a whole one: a question has few subjects."""


class Anchors(NamedTuple):
    """Where spreading starts, the best first, and sentences about what could not be looked at."""

    found: tuple[Anchor, ...]
    notices: tuple[str, ...] = ()


class AnchorSearch:
    """Looks for entities. What a question states word for word comes first: no likeness is as good."""

    def __init__(self, *, entities: EntityStore, vectors: WarmVectors, embedding: Embedding) -> None:
        self._entities = entities
        self._vectors = vectors
        self._embedding = embedding

    def about(self, text: str, *, most: int) -> Anchors:
        """Return at most so many entities that a text is about."""
        named = self._stated(text)
        best = _most_telling(named, most)
        notices: list[str] = []
        likely: dict[NodeId, tuple[float, MatchedBy]] = {}
        if len(best) < most and (is_telling(named.rest) or not best):
            likely = self._by_meaning(text, most=most, is_named=bool(best), notices=notices)
            likely = likely or self._by_words(named.rest, most=most)
        return Anchors(self._told(best, likely, most), tuple(notices))

    def stated(self, text: str, *, most: int) -> list[NodeId]:
        """Return at most so many entities that a text names word for word, in its order."""
        return list(_most_telling(self._stated(text), most))

    def _stated(self, text: str) -> Stated:
        return stated(text, self._entities.by_keys, is_name=is_telling)

    def _by_meaning(
        self, text: str, *, most: int, is_named: bool, notices: list[str]
    ) -> dict[NodeId, tuple[float, MatchedBy]]:
        try:
            asked = self._embedding.entity_query_vector(text)
        except ModelError as error:
            notices.append(f"{error.message} {error.hint}".strip())
            return {}
        if asked is None:
            return {}
        vector, embedder = asked
        nearest = self._vectors.nearest(vector, model=self._embedding.name, dimension=embedder.dimension, limit=most)
        top = 1.0 if is_named else max((cosine for _, cosine in nearest), default=0.0)
        least = max(_LEAST_SIMILARITY, _LEAST_SHARE * top)
        return {node: (cosine, MatchedBy.VECTOR) for node, cosine in nearest if cosine >= least}

    def _by_words(self, rest: str, *, most: int) -> dict[NodeId, tuple[float, MatchedBy]]:
        """Return what matches those words that name nothing yet."""
        rows = self._entities.by_words(rest, limit=most) if is_telling(rest) else []
        top = rows[0][1] if rows else 0.0
        return {node: (score / top, MatchedBy.WORDS) for node, score in rows if score >= _LEAST_SHARE * top}

    def _told(
        self, best: Mapping[NodeId, str], likely: Mapping[NodeId, tuple[float, MatchedBy]], most: int
    ) -> tuple[Anchor, ...]:
        chosen = list(dict.fromkeys((*best, *likely)))[:most]
        entities = self._entities.by_nodes(chosen)
        found: list[Anchor] = []
        for node in chosen:
            if (entity := entities.get(node)) is None:
                continue
            if node in best:
                how = MatchedBy.NAME if best[node] == entity.key else MatchedBy.ALIAS
                found.append(Anchor(entity=entity, score=1.0, matched_by=how))
            else:
                score, how = likely[node]
                found.append(Anchor(entity=entity, score=min(score, 1.0), matched_by=how))
        return tuple(found)


def _most_telling(named: Stated, most: int) -> dict[NodeId, str]:
    """Return at most so many of the names, the longer ones, in the order of the text."""
    longest = sorted(named.names, key=lambda node: (-len(named.names[node]), node))
    chosen = _first(longest, most)
    return {node: key for node, key in named.names.items() if node in chosen}


def _first(nodes: Iterable[NodeId], most: int) -> Collection[NodeId]:
    return set(list(nodes)[:most])
