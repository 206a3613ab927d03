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

from tx_graph.domain.edges import SYMMETRIC, Direction, EdgeType, NodeId, Strand
from tx_graph.storage.database import Database
from tx_graph.storage.degrees import HUB, DegreeStore
from tx_graph.storage.lanes import Lane, lanes

_MOST_ROWS = 20 * HUB
"""Rows of one lane to read before it is looked at whether a few nodes have nearly all of them."""
_DERIVED = frozenset({EdgeType.ANCHORED_TO, EdgeType.IMPORTS, EdgeType.CO_CHANGES_WITH})

_Row = tuple[NodeId, NodeId, float]


class _Asked(NamedTuple):
    """One question to every lane; nodes are JSON arrays, empty ones empty texts. `hubs` and `others` are all nodes."""

    nodes: str
    hubs: str
    others: str
    types: Collection[EdgeType]
    least: float
    is_capped: bool

    def parameters(self, nodes: str) -> dict[str, Any]:
        """Return what a statement asks about these of the nodes."""
        return {"nodes": nodes, "types": json.dumps(list(self.types)), "least": self.least}


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
        in which no edge ends at a learning but those between files.
        """
        hubs = self._hubs.intersection(frontier) if is_capped else set()
        nodes = _json(frontier)
        others = _json([node for node in frontier if node not in hubs]) if hubs else nodes
        asked = _Asked(nodes, _json(hubs), others, (), least, is_capped)
        found: list[Strand] = []
        for lane in self._lanes:
            if (only_code and lane.is_beyond_code) or (only_to_learnings and not lane.leads_to_learnings):
                continue
            if followed := _followed(lane, types, direction):
                found += self._strands(lane, asked._replace(types=followed))
        return [strand for strand in found if strand.rows]

    def _strands(self, lane: Lane, asked: _Asked) -> Iterator[Strand]:
        rows, cut = self._rows_beside_hubs(lane, asked) if lane.is_derived else self._rows(lane, asked)
        if lane.kind:
            yield Strand(lane.kind.value, lane.forward, rows, cut)
            return
        by_type: dict[str, list[_Row]] = defaultdict(list)
        for source, target, weight, kind in rows:
            by_type[kind].append((source, target, weight))
        for number, (kind, typed) in enumerate(sorted(by_type.items())):
            yield Strand(kind, lane.forward, typed, 0 if number else cut)

    def _rows_beside_hubs(self, lane: Lane, asked: _Asked) -> tuple[Sequence[Any], int]:
        """Return the rows of a lane whose hubs are known: these alone are asked for their heaviest edges."""
        rows, heaviest = self._plain(lane, asked, asked.others), self._capped(lane, asked, asked.hubs)
        numbers = Counter(map(itemgetter(0), heaviest))
        return rows + heaviest, sum(1 for number in numbers.values() if number >= HUB)

    def _rows(self, lane: Lane, asked: _Asked) -> tuple[Sequence[Any], int]:
        """Return the rows of a lane whose nodes rarely have many."""
        if not asked.is_capped:
            return self._plain(lane, asked, asked.nodes), 0
        rows = self._plain(lane, asked, asked.nodes, most=_MOST_ROWS)
        if len(rows) == _MOST_ROWS:
            rows = self._capped(lane, asked, asked.nodes)
        return _trimmed(rows) if len(rows) >= HUB else (rows, 0)

    def _plain(self, lane: Lane, asked: _Asked, nodes: str, *, most: int = -1) -> list[Any]:
        if not nodes:
            return []
        return self._database.rows(lane.plain(has_least=asked.least > 0), asked.parameters(nodes) | {"most": most})

    def _capped(self, lane: Lane, asked: _Asked, nodes: str) -> list[Any]:
        return self._database.rows(lane.capped(), asked.parameters(nodes) | {"fan_out": HUB}) if nodes else []

    @cached_property
    def _lanes(self) -> tuple[Lane, ...]:
        """The lanes that have any rows: asking an empty one about hundreds of nodes takes time too."""
        some_files_are_gone = bool(self._database.value("SELECT EXISTS (SELECT 1 FROM gone_files)"))
        every = lanes(some_files_are_gone=some_files_are_gone)
        has_rows = self._database.row(f"SELECT {', '.join(lane.has_rows() for lane in every)}") or ()
        return tuple(lane for lane, has in zip(every, has_rows, strict=True) if has)

    @cached_property
    def _hubs(self) -> set[NodeId]:
        return DegreeStore(self._database).hubs()


def _followed(lane: Lane, types: Collection[EdgeType], direction: Direction) -> list[EdgeType]:
    """Return those of the types that this lane may hold, and that are followed its way."""
    against = Direction.IN if lane.forward else Direction.OUT
    here = [kind for kind in types if (kind not in _DERIVED if lane.kind is None else kind is lane.kind)]
    return [kind for kind in here if direction is not against or kind in SYMMETRIC]


def _json(nodes: Collection[NodeId]) -> str:
    return json.dumps(list(nodes)) if nodes else ""


def _trimmed(rows: Sequence[Any]) -> tuple[Sequence[Any], int]:
    """Return the rows without the lightest of those nodes that have more than their share, and how many such are."""
    numbers = Counter(map(itemgetter(0), rows))
    many = {node for node, number in numbers.items() if number >= HUB}
    if not many:
        return rows, 0
    kept = [row for row in rows if row[0] not in many]
    for node in sorted(many):
        kept += nlargest(HUB, (row for row in rows if row[0] == node), key=itemgetter(2, 1))
    return kept, len(many)
