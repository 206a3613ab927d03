"""Hand-written stand-ins for what tests must be able to foresee: the time, and the meaning of a text."""

from __future__ import annotations

import hashlib
import math
import struct
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from tx_graph.core.identifiers import query_terms
from tx_graph.core.labels import uid_from
from tx_graph.core.ports import Progress, Vector, no_progress
from tx_graph.records.learning import Learning

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)


class FixedClock:
    """A clock that stands until it is moved."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment

    def now(self) -> datetime:
        return self.moment

    def pass_by(self, span: timedelta) -> None:
        """Let time pass."""
        self.moment += span


class WordEmbedder:
    """Gives texts that share words (or synonyms) similar vectors: each word is one direction."""

    def __init__(self, *, model: str = "words", dimension: int = 64, synonyms: Mapping[str, str] | None = None) -> None:
        self.model = model
        self.dimension = dimension
        self._synonyms = synonyms or {}

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> list[Vector]:
        return [self._vector(text) for text in texts]

    def _vector(self, text: str) -> Vector:
        components = [0.0] * self.dimension
        for word, *_ in query_terms(text):
            meant = self._synonyms.get(word, word)
            components[int.from_bytes(hashlib.sha256(meant.encode()).digest()[:4], "big") % self.dimension] += 1.0
        return normalised(components)


def normalised(values: Sequence[float]) -> Vector:
    """Return the vector of length 1 in the direction of `values`, as it is stored."""
    length = math.sqrt(sum(value * value for value in values)) or 1.0
    return struct.pack(f"<{len(values)}f", *(value / length for value in values))


def uid_of(number: int) -> str:
    """Return a uid of its own for each number."""
    return uid_from(hashlib.sha256(str(number).encode()).digest()[:8])


def learning(content: str, *, number: int = 0, **fields: Any) -> Learning:  # noqa: ANN401 - each field has its type
    """Return a learning made at noon; `number` (else the content) decides its uid."""
    uid = uid_of(number) if number else uid_from(hashlib.sha256(content.encode()).digest()[:8])
    return Learning(**{"uid": uid, "content": content, "created_at": "2026-11-20T12:00:00Z", **fields})
