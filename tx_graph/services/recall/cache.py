"""What was recalled a moment ago: the same question is answered once, as long as nothing changed."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from datetime import datetime, timedelta
from typing import Generic, NamedTuple, TypeVar

from tx_graph.ports import Clock

LIFETIME = timedelta(seconds=60)
_MOST = 256
"""Answers to keep: an agent asks the same few things."""

T = TypeVar("T")


class _Entry(NamedTuple, Generic[T]):
    """An answer, of which version of the graph it is, and when it was given."""

    value: T
    version: int
    at: datetime


class Cache(Generic[T]):
    """Keeps answers for a minute, in this process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._entries: OrderedDict[Hashable, _Entry[T]] = OrderedDict()

    def get(self, question: Hashable, *, version: int) -> T | None:
        """Return the answer to a question that this version of the graph gave in the last minute; else None."""
        entry = self._entries.get(question)
        if entry is None or entry.version != version or not timedelta() <= self._clock.now() - entry.at < LIFETIME:
            return None
        return entry.value

    def put(self, question: Hashable, value: T, *, version: int) -> None:
        """Keep an answer; the oldest one goes where there are too many."""
        self._entries.pop(question, None)
        self._entries[question] = _Entry(value, version, self._clock.now())
        if len(self._entries) > _MOST:
            self._entries.popitem(last=False)
