"""Cycles in a graph of files: a shortest one for each import that closes cycles. Pure."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
    nodes that lead to each other; one that two edges close comes twice. A cycle for every edge, or even every cycle,
    would flood: one import against the grain of a layered tree of files lies on thousands.
    """
    found: list[Cycle] = []
    for knot in knots_of(edges):
        onward, back = _ways(knot), _ways(_turned(knot))
        place = {node: number for number, node in enumerate(_ordered(onward, back))}
        for source, target in knot:
            if place[source] > place[target]:  # it leads backwards
                way = _shortest_way(target, source, onward, back)
                first = way.index(min(way))
                nodes = (*way[first:], *way[:first])
                found.append(Cycle(length=len(nodes), nodes=nodes, closed_by=(source, target)))
    return sorted(found)


def knots_of(edges: Iterable[Pair]) -> list[list[Pair]]:
    """Return the sorted edges inside each strongly connected component, where there are any.

    In the two passes of Sharir (1981), without recursion: a chain of imports may be longer than Python's stack.
    """
    unique = sorted({edge for edge in edges if edge[0] != edge[1]})
    onward, into = _ways(unique), _ways(_turned(unique))
    seen: set[str] = set()
    left: list[str] = []  # the nodes in the order in which a walk leaves them for good
    for root in onward:
        trail = [] if root in seen else [(root, iter(onward[root]))]
        seen.add(root)
        while trail:
            node, rest = trail[-1]
            following = next((one for one in rest if one not in seen), None)
            if following is None:
                left.append(node)
                trail.pop()
            else:
                seen.add(following)
                trail.append((following, iter(onward.get(following, ()))))
    component: dict[str, str] = {}
    for root in reversed(left):
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


def _ordered(onward: _Ways, back: _Ways) -> list[str]:
    """Return the nodes of a knot so that few edges lead backwards (the heuristic of Eades, Lin and Smyth, 1993).

    What imports much and is imported by little comes early; whatever then imports nothing that is left comes last,
    and whatever nothing left imports comes next.
    """
    leaving = {node: len(targets) for node, targets in onward.items()}
    arriving = {node: len(sources) for node, sources in back.items()}
    left, first, last = set(leaving), list[str](), list[str]()
    queue = [(arriving[node] - leaving[node], node) for node in left]
    heapq.heapify(queue)
    ends: list[tuple[str, bool]] = []
    while left:
        if ends:
            node, is_sink = ends.pop()
        else:
            rank, node = heapq.heappop(queue)
            if rank != arriving[node] - leaving[node]:
                continue
            is_sink = False
        if node not in left:
            continue
        (last if is_sink else first).append(node)
        left.discard(node)
        for partners, edges, are_sinks in ((onward[node], arriving, False), (back[node], leaving, True)):
            for partner in filter(left.__contains__, partners):
                edges[partner] -= 1
                heapq.heappush(queue, (arriving[partner] - leaving[partner], partner))
                if not edges[partner]:
                    ends.append((partner, are_sinks))
    return [*first, *reversed(last)]


def _shortest_way(start: str, end: str, onward: _Ways, back: _Ways) -> tuple[str, ...]:
    """Return the nodes from `start` to `end`, both included; there is a way.

    Searched from both ends, a level at a time, always from the one with fewer nodes at its edge.
    """
    ahead: dict[str, str] = {start: ""}
    behind: dict[str, str] = {end: ""}
    front, rear, met = [start], [end], list[str]()
    while not met:
        is_ahead = len(front) <= len(rear)
        frontier, ways, origin, others = (front, onward, ahead, behind) if is_ahead else (rear, back, behind, ahead)
        found = []
        for node in frontier:
            for following in ways[node]:
                if following not in origin:
                    origin[following] = node
                    found.append(following)
        front, rear = (found, rear) if is_ahead else (front, found)
        met = [node for node in found if node in others]
    return (*reversed(_trail(min(met), ahead)), *_trail(min(met), behind)[1:])


def _trail(node: str, origin: Mapping[str, str]) -> list[str]:
    """Return the nodes from `node` back to where its search began."""
    trail = [node]
    while previous := origin[trail[-1]]:
        trail.append(previous)
    return trail


def _turned(edges: Iterable[Pair]) -> Iterable[Pair]:
    return sorted((target, source) for source, target in edges)


def _ways(edges: Iterable[Pair]) -> _Ways:
    ways: dict[str, list[str]] = defaultdict(list)
    for source, target in edges:
        ways[source].append(target)
    return dict(ways)
