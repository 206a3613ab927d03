"""Handlers: each goes through the nodes of one relationship, one at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Generic

from tx_graph.retrieval.focus.kin import K, Kin
from tx_graph.retrieval.focus.rules import Rule

Shuffle = Callable[[Sequence[K]], Sequence[K]]
"""Puts nodes into another order."""


class Handler(Generic[K]):
    """Gives the nodes that a rule finds from `start`, each once, from one turn to the next."""

    def __init__(self, rule: Rule, start: K, *, kin: Kin[K], shuffled: Shuffle[K] | None) -> None:
        self.rule = rule
        self._start = start
        self._kin = kin
        self._shuffled = shuffled
        self._place = 0

    @cached_property
    def keys(self) -> Sequence[K]:
        """All its nodes, in the order in which it gives them."""
        found = list(dict.fromkeys(self.rule.gives(self._kin, self._start)))
        return found if self.rule.is_ordered or self._shuffled is None else self._shuffled(found)

    @property
    def left(self) -> Sequence[K]:
        """The nodes that it has not given yet."""
        return self.keys[self._place :]

    def turn(self) -> Iterator[K]:
        """Yield the nodes that it has not given yet; each that is taken is given."""
        while self._place < len(self.keys):
            self._place += 1
            yield self.keys[self._place - 1]
