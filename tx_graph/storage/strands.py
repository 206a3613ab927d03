"""The edges of the graph as a walk asks for them: bare rows of (source, target, weight), a whole frontier at once.

A walk reads thousands of edges and shows a few. Bare rows cost half of what whole edges do, and a node with very many
edges gives only its heaviest.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from functools import cached_property
from heapq import nlargest
from operator import itemgetter
from typing import Any, NamedTuple

from tx_graph.domain.edges import EDGE_SOURCES, Direction, EdgeType, NodeId, Strand
from tx_graph.storage.database import Database
from tx_graph.storage.degrees import HUB, DegreeStore
from tx_graph.storage.edge_statements import HAVE_ROWS, Lane, lanes

_MOST_ROWS = 20 * HUB
"""Rows of one lane to read before it is looked at whether a few nodes have nearly all of them."""


class StrandReader:
    """Reads strands for one walk: it need not see what changes meanwhile."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def leaving(
        self,
        frontier: Collection[NodeId],
        *,
        types: Collection[EdgeType],
        direction: Direction,
        least: float = 0.0,
        is_capped: bool = True,
        only_code: bool = False,
        only_to_learnings: bool = False,
    ) -> list[Strand]:
        """Return the valid edges of these types that lead away from the frontier; lighter ones than `least` may lack.

        Edges stored the other way round come turned; symmetric ones count both ways. One question per lane, whatever
        the size of the frontier. With `is_capped` a node gives no more than `HUB` edges of one lane: its heaviest.
        With `only_code` the edges of sections and entities are not read, with `only_to_learnings` none of a table
        in which no edge ends at a learning.
        """
        hubs = self._hubs.intersection(frontier) if is_capped else set()
        asked = _Asked(
            nodes=_json(frontier),
            hubs=_json(hubs),
            others=_json([node for node in frontier if node not in hubs]),
            least=least,
            is_capped=is_capped,
        )
        found: list[Strand] = []
        for lane in self._lanes:
            is_beside = only_code and lane.source.is_beyond_code
            if is_beside or (only_to_learnings and not lane.source.touches_learnings):
                continue
            if followed := lane.followed(types, direction):
                rows, cut = self._rows(lane, asked, json.dumps(followed))
                found += _strands(lane, rows, cut)
        return found

    def _rows(self, lane: Lane, asked: _Asked, types: str) -> tuple[list[Any], int]:
        """Return the rows of a lane, and of how many nodes only the heaviest are among them."""

        def rows(statement: str, nodes: str, most: int = -1) -> list[Any]:
            parameters = {"nodes": nodes, "types": types, "least": asked.least, "most": most, "fan_out": HUB}
            return self._database.rows(statement, parameters) if nodes else []

        plain = lane.plain(has_least=asked.least > 0)
        if not asked.is_capped:
            return rows(plain, asked.nodes), 0
        if lane.source.is_counted:
            # Its hubs are known: these alone are asked for their heaviest edges.
            heaviest = rows(lane.capped(), asked.hubs)
            cut = sum(number >= HUB for number in Counter(map(itemgetter(0), heaviest)).values())
            return rows(plain, asked.others) + heaviest, cut
        found = rows(plain, asked.nodes, _MOST_ROWS)
        return _trimmed(rows(lane.capped(), asked.nodes) if len(found) == _MOST_ROWS else found)

    @cached_property
    def _lanes(self) -> list[Lane]:
        """The lanes that have any rows."""
        has_rows = dict(zip(EDGE_SOURCES, self._database.row(HAVE_ROWS) or (), strict=True))
        some_files_are_gone = bool(self._database.value("SELECT EXISTS (SELECT 1 FROM gone_files)"))
        return [lane for lane in lanes(some_files_are_gone=some_files_are_gone) if has_rows[lane.source]]

    @cached_property
    def _hubs(self) -> set[NodeId]:
        return DegreeStore(self._database).hubs()


class _Asked(NamedTuple):
    """One question to every lane; nodes are JSON arrays, no nodes an empty text. `hubs` and `others` are all nodes."""

    nodes: str
    hubs: str
    others: str
    least: float
    is_capped: bool


def _json(nodes: Collection[NodeId]) -> str:
    return json.dumps(list(nodes)) if nodes else ""


def _strands(lane: Lane, rows: Sequence[Any], cut: int) -> Iterator[Strand]:
    if lane.kind and rows:
        yield Strand(lane.kind.value, lane.forward, rows, cut)
        return
    by_type: dict[str, list[tuple[NodeId, NodeId, float]]] = defaultdict(list)
    for source, target, weight, kind in rows:
        by_type[kind].append((source, target, weight))
    for number, (kind, typed) in enumerate(sorted(by_type.items())):
        yield Strand(kind, lane.forward, typed, 0 if number else cut)


def _trimmed(rows: list[Any]) -> tuple[list[Any], int]:
    """Return the rows without the lightest of those nodes that have more than their share, and how many such are."""
    numbers = Counter(map(itemgetter(0), rows)) if len(rows) >= HUB else {}
    many = {node for node, number in numbers.items() if number >= HUB}
    if not many:
        return rows, 0
    kept = [row for row in rows if row[0] not in many]
    for node in sorted(many):
        kept += nlargest(HUB, (row for row in rows if row[0] == node), key=itemgetter(2, 1))
    return kept, len(many)
