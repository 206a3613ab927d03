"""The focus view (Doughnut, Graph RAG): everything worth knowing around one node, in order, within a budget.

Pure rules: what a node is and whom it is related to is answered by a `Kin`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Generic

from tx_graph.context.focus.rules import (
    RULE_OF,
    Cost,
    Handler,
    K,
    Kin,
    Layer,
    Note,
    Related,
    Relationship,
    Rule,
    Shuffle,
    cut,
    layers_of,
    least_cost,
)
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.settings import FOCUS_LAYERS

_PATIENCE = 20
"""Nodes in a row that do not fit, after which nobody looks any further: of a hub's thousands none may be smaller."""
_FEWEST = 4  # nodes whose notes are asked for at once; more of them once they cease to fit


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Generic[K]):
    """What a walk found: the related notes by node, in the order of their priority, and what they cost together.

    `omitted` counts the nodes that stood in line and are not among them.
    """

    related: Mapping[K, Related]
    tokens: int
    omitted: int
    lists: Mapping[Relationship, Sequence[K]]

    def listed(self, relationship: Relationship) -> list[K]:
        """Return those of the nodes that stand in this relationship to the focus, whatever else they are to it.

        They are in their natural order, in which the nearest of the older siblings comes last.
        """
        keys = [key for key in self.lists.get(relationship, ()) if key in self.related]
        return keys[::-1] if relationship is Relationship.OLDER_SIBLING else keys


class Walk(Generic[K]):
    """Collects what is worth knowing around a focus, in the order of relevance, within a budget (None: all of it)."""

    def __init__(
        self,
        kin: Kin[K],
        focus: K,
        *,
        budget: int | None,
        cost: Cost,
        layers: Sequence[Layer] = layers_of(FOCUS_LAYERS),
        shuffled: Shuffle[K] | None = None,
    ) -> None:
        self._kin = kin
        self._focus = focus
        self._budget = budget
        self._cost = cost
        self._least = least_cost(cost)
        self._shuffled = shuffled
        self._tokens = 0
        self._misses = 0
        self._related: dict[K, Related] = {}
        self._seen = {focus}
        self._notes: dict[K, Note | None] = {}
        self._signatures: set[str] = set()  # that were told already
        self._layers: tuple[tuple[Layer, list[Handler[K]]], ...] = tuple((layer, []) for layer in layers)
        for rule in [RULE_OF[relationship] for layer in layers for relationship in layer.relationships]:
            if rule.starts:
                self._open(rule, focus)

    def run(self) -> Found[K]:
        """Return what there is; ends when a round through all layers gives nothing, or the budget is spent."""
        for is_last in (False, True):
            while sum(self._visit(those, one.quota) for one, those in self._layers if is_last or not one.waits):
                pass
        handlers = [handler for _, layer in self._layers for handler in layer]
        gone = {key for key, note in self._notes.items() if note is None}
        waiting = {key for handler in handlers for key in handler.keys} - self._related.keys() - gone - {self._focus}
        starting = {handler.rule.relationship: handler.keys for handler in handlers if handler.rule.starts}
        return Found(related=self._related, tokens=self._tokens, omitted=len(waiting), lists=starting)

    @property
    def _is_spent(self) -> bool:
        is_full = self._budget is not None and self._budget - self._tokens < self._least
        return is_full or self._misses >= _PATIENCE

    def _visit(self, layer: Sequence[Handler[K]], quota: int) -> int:
        """Let the handlers of a layer give one node each, again and again; return how many they gave."""
        given = 0
        while True:
            before = given
            for handler in layer:
                if given == quota or self._is_spent:
                    return given
                given += self._give(handler)
            if given == before:
                return given

    def _give(self, handler: Handler[K]) -> bool:
        """Take the next node of a handler that is new and fits; return whether there was one."""
        for key in handler.turn():
            if key in self._seen:
                continue
            note = self._note(key, handler)
            self._seen.add(key)
            if note is None:
                continue
            note = cut(note)
            if note.kind == "symbol" and (
                handler.rule.relationship is Relationship.CHILD or note.details in self._signatures
            ):
                note = replace(note, details="")  # its signature stands above
            if self._take(key, Related(note=note, relationship=handler.rule.relationship)):
                self._signatures.update(note.details.split("\n"))
                for relationship in handler.rule.opens:
                    self._open(RULE_OF[relationship], key)
                return True
            if self._is_spent:
                break
        return False

    def _take(self, key: K, one: Related) -> bool:
        price = self._cost(one)
        if self._budget is not None and self._tokens + price > self._budget:
            self._misses += 1
            return False
        self._misses = 0
        self._tokens += price
        self._related[key] = one
        return True

    def _open(self, rule: Rule, start: K) -> None:
        for layer, handlers in self._layers:
            if rule.relationship in layer.relationships:
                handlers.append(Handler(rule, start, kin=self._kin, shuffled=self._shuffled))
                break

    def _note(self, key: K, handler: Handler[K]) -> Note | None:
        """Return what is said of a node; the next in line are asked about with it, the more the fewer fit."""
        if key not in self._notes:
            unknown = (one for one in handler.left if one not in self._notes and one not in self._seen)
            asked = [key, *islice(unknown, max(_FEWEST, self._misses) - 1)]
            told = self._kin.tell(asked)
            self._notes |= {one: told.get(one) for one in asked}
        return self._notes[key]
