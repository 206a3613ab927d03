"""Cycles in a graph of files: a shortest one for each import that closes cycles. Pure."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

Pair = tuple[str, str]
"""An edge: the first leads to the second."""

_Ways = Mapping[str, Sequence[str]]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Cycle:
    """A cycle: `nodes` in order, the smallest first; the last leads to the first. `closed_by` is one of its edges."""

    length: int
    nodes: tuple[str, ...]
    closed_by: Pair

    @property
    def edges(self) -> tuple[Pair, ...]:
        """Its edges in order."""
        return tuple(zip(self.nodes, (*self.nodes[1:], self.nodes[0]), strict=True))


def shortest_cycles(edges: Iterable[Pair]) -> list[Cycle]:
    """Return cycles, shortest first, such that without the edges that close them no cycle is left.

    Each is as short as any through its closing edge, so a shortest of all is among them, and so is every pair of
    nodes that lead to each other. A cycle for every edge, or even every cycle, would flood: one import against
    the grain of a layered tree of files lies on thousands.
    """
    found: dict[tuple[str, ...], Cycle] = {}
    for knot in knots_of(edges):
        onward, back = _ways(knot), _ways(_turned(knot))
        for source, target in _against_the_grain(knot):
            nodes = _from_smallest(_shortest_way(target, source, onward, back))
            found.setdefault(nodes, Cycle(length=len(nodes), nodes=nodes, closed_by=(source, target)))
    return sorted(found.values())


def knots_of(edges: Iterable[Pair]) -> list[list[Pair]]:
    """Return the sorted edges inside each strongly connected component, where there are any.

    In the two passes of Sharir (1981), without recursion: a chain of imports may be longer than Python's stack.
    """
    unique = sorted({edge for edge in edges if edge[0] != edge[1]})
    component: dict[str, str] = {}
    into = _ways(_turned(unique))
    for root in reversed(_in_order_of_leaving(_ways(unique))):
        pending = [root]
        while pending:
            node = pending.pop()
            if node not in component:
                component[node] = root
                pending += [one for one in into.get(node, ()) if one not in component]
    knots: dict[str, list[Pair]] = defaultdict(list)
    for source, target in unique:
        if component[source] == component[target]:
            knots[component[source]].append((source, target))
    return sorted(knots.values())


def _in_order_of_leaving(ways: _Ways) -> list[str]:
    seen: set[str] = set()
    left: list[str] = []
    for root in ways:
        trail = [] if root in seen else [(root, iter(ways[root]))]
        seen.add(root)
        while trail:
            node, rest = trail[-1]
            following = next((one for one in rest if one not in seen), None)
            if following is None:
                left.append(node)
                trail.pop()
            else:
                seen.add(following)
                trail.append((following, iter(ways.get(following, ()))))
    return left


def _against_the_grain(knot: Sequence[Pair]) -> list[Pair]:
    """Return few edges without which the knot has no cycle: those that lead backwards in a good order."""
    place = {node: number for number, node in enumerate(_Grain(knot).order())}
    return [(source, target) for source, target in knot if place[source] > place[target]]


class _Grain:
    """Orders the nodes of a knot so that few edges lead backwards (the heuristic of Eades, Lin and Smyth, 1993).

    What imports much and is imported by little comes early; whatever then imports nothing that is left comes last,
    and whatever nothing left imports comes next.
    """

    def __init__(self, knot: Sequence[Pair]) -> None:
        self._onward, self._back = _ways(knot), _ways(_turned(knot))
        self._leaving = {node: len(targets) for node, targets in self._onward.items()}
        self._arriving = {node: len(sources) for node, sources in self._back.items()}
        self._left = set(self._leaving)
        self._ends: list[tuple[str, bool]] = []
        self._queue = [self._rank(node) for node in self._left]
        heapq.heapify(self._queue)

    def order(self) -> list[str]:
        """Return all nodes in order."""
        first: list[str] = []
        last: list[str] = []
        while self._left:
            node, is_sink = self._ends.pop() if self._ends else self._best()
            if node in self._left:
                (last if is_sink else first).append(node)
                self._left.discard(node)
                self._loosen(self._onward[node], self._arriving, is_sink=False)
                self._loosen(self._back[node], self._leaving, is_sink=True)
        return [*first, *reversed(last)]

    def _best(self) -> tuple[str, bool]:
        rank = heapq.heappop(self._queue)
        while rank[1] not in self._left or rank != self._rank(rank[1]):
            rank = heapq.heappop(self._queue)
        return rank[1], False

    def _loosen(self, nodes: Iterable[str], edges: dict[str, int], *, is_sink: bool) -> None:
        for node in nodes:
            if node in self._left:
                edges[node] -= 1
                heapq.heappush(self._queue, self._rank(node))
                if not edges[node]:
                    self._ends.append((node, is_sink))

    def _rank(self, node: str) -> tuple[int, str]:
        return self._arriving[node] - self._leaving[node], node


def _shortest_way(start: str, end: str, onward: _Ways, back: _Ways) -> tuple[str, ...]:
    """Return the nodes from `start` to `end`, both included; there is a way.

    Searched from both ends, a level at a time, always from the one with fewer nodes at its edge.
    """
    ahead: dict[str, str] = {start: ""}
    behind: dict[str, str] = {end: ""}
    front, rear, met = [start], [end], list[str]()
    while not met:
        if len(front) <= len(rear):
            front = _next_level(front, onward, ahead)
            met = [node for node in front if node in behind]
        else:
            rear = _next_level(rear, back, behind)
            met = [node for node in rear if node in ahead]
    return (*reversed(_trail(min(met), ahead)), *_trail(min(met), behind)[1:])


def _next_level(frontier: Collection[str], ways: _Ways, origin: dict[str, str]) -> list[str]:
    found = []
    for node in frontier:
        for following in ways[node]:
            if following not in origin:
                origin[following] = node
                found.append(following)
    return found


def _trail(node: str, origin: Mapping[str, str]) -> list[str]:
    """Return the nodes from `node` back to where its search began."""
    trail = [node]
    while previous := origin[trail[-1]]:
        trail.append(previous)
    return trail


def _from_smallest(nodes: tuple[str, ...]) -> tuple[str, ...]:
    place = nodes.index(min(nodes))
    return (*nodes[place:], *nodes[:place])


def _turned(edges: Iterable[Pair]) -> Iterable[Pair]:
    return sorted((target, source) for source, target in edges)


def _ways(edges: Iterable[Pair]) -> _Ways:
    ways: dict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        ways[source].append(target)
    return dict(ways)
