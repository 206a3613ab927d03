"""The edges of a hub, as a walk reads them: one statement a hop, whatever the size of the frontier."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from heapq import nlargest
from operator import itemgetter
from typing import Any, NamedTuple

from tx_graph.graph.edge_statements import lanes
from tx_graph.graph.edge_store import HUB
from tx_graph.graph.edges import EDGE_SOURCES, Direction, Edge, EdgeType, NodeId, Strand
from tx_graph.hub.crossing_store import MOST
from tx_graph.hub.lanes import RELATIONS, lane_of
from tx_graph.hub.store import Hub

_LANES = lanes(some_files_are_gone=False)
_IMPORTS = next(lane_of(source, EdgeType.IMPORTS) for source in EDGE_SOURCES if EdgeType.IMPORTS in source.types)
_TYPES = {lane_of(source, kind): kind.value for source in EDGE_SOURCES for kind in source.types}
_ALL = (1 << 31) - 1
_REAL = 1e-7  # a weight is as much lighter at most than what it was before it became four bytes
_COUNTED = [lane_of(source, kind) for source in EDGE_SOURCES if source.is_counted for kind in source.types]
_TO_LEARNINGS = [lane_of(source, kind) for source in EDGE_SOURCES if source.touches_learnings for kind in source.types]


class Named(NamedTuple):
    """A node of a hub: its kind, its key, and the repositories that have it."""

    kind: str
    key: str
    repositories: tuple[int, ...]


class WalkStore:
    """Reads the edges of a hub for one walk, as `StrandReader` does those of a workspace."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self.homes: dict[NodeId, int] = {}
        """The repository in which each node was met; an entity may be of others too."""

    def leaving(
        self,
        frontier: Collection[NodeId],
        *,
        types: Collection[EdgeType],
        direction: Direction,
        least: float = 0.0,
        is_capped: bool = True,
    ) -> list[Strand]:
        """Return the edges of these types that lead away from the frontier; lighter ones than `least` may lack.

        An entity has those of all repositories. To imports belong those that lead from one repository to another. With
        `is_capped` a node gives no more than `HUB` edges of one source and way: its heaviest.
        """
        asked = [
            (place, lane_of(lane.source, kind), str(at), lane.forward)
            for place, lane in enumerate(_LANES)
            for kind in lane.followed(types, direction)
            for at in (lane.source.starts_at if lane.forward else lane.source.ends_at)
        ]
        if not asked or not frontier:
            return []
        most = HUB if is_capped else _ALL
        places, numbers, kinds, ways = map(list, zip(*asked, strict=True))
        crossing = {way: place for place, lane, _, way in asked if lane == _IMPORTS}
        rows = self._hub.rows(
            """
            SELECT *
            FROM tx.leaving(
                %(nodes)s, %(places)s, %(lanes)s, %(kinds)s, %(ways)s, %(least)s, %(fan_out)s,
                %(importing)s, %(imported)s, %(imports)s, %(to_learnings)s, %(most)s
            )
            """,
            {
                "nodes": list(frontier),
                "places": places,
                "lanes": numbers,
                "kinds": kinds,
                "ways": ways,
                "least": least * (1 - _REAL),
                "fan_out": most,
                "importing": crossing.get(True),
                "imported": crossing.get(False),
                "imports": _IMPORTS,
                "to_learnings": _TO_LEARNINGS,
                "most": MOST,
            },
        )
        counts = Counter(map(itemgetter(0, 1), rows))
        many: dict[tuple[int, NodeId], list[Any]] = {
            start: [] for start, count in counts.items() if is_capped and count >= HUB
        }
        by_lane: dict[tuple[int, str], list[tuple[NodeId, NodeId, float]]] = defaultdict(list)
        for row in rows:
            place, source, target, weight, lane, self.homes[target] = row
            if (place, source) in many:
                many[place, source].append(row)
            else:
                by_lane[place, _TYPES[lane]].append((source, target, weight))
        for those in many.values():  # the function caps each lane, not all that come from one table
            for place, source, target, weight, lane, _ in nlargest(HUB, those, key=itemgetter(3, 2)):
                by_lane[place, _TYPES[lane]].append((source, target, weight))
        cut = Counter([place for place, _ in many])
        return [
            Strand(kind, _LANES[place].forward, found, cut.pop(place, 0))
            for (place, kind), found in sorted(by_lane.items())
        ]

    def degrees(self, nodes: Collection[NodeId]) -> dict[NodeId, float]:
        """Return how many imports and co-changes touch each of the nodes that is a file and has any."""
        return dict(self._hub.rows(_DEGREES, {"nodes": list(nodes), "lanes": _COUNTED}))

    def worded(self, edges: Collection[Edge]) -> dict[Edge, Edge]:
        """Return each edge with its relation and description, as far as it has any."""
        asked = list(edges)
        ends = [one[:2] if one.forward else one[1::-1] for one in asked]
        found: dict[Edge, Edge] = {edge: edge for edge in asked}
        for number, lane, relation, description in self._hub.rows(
            _WORDS, {"sources": [one for one, _ in ends], "targets": [one for _, one in ends]}
        ):
            edge = asked[number - 1]
            if _TYPES[lane] == edge.type:
                found[edge] = edge._replace(relation=RELATIONS[relation], description=description or "")
        return found

    def node_with(self, repository: int, key: str) -> NodeId | None:
        """Return the node of a repository with this key, a file before others; None where there is none."""
        rows = self._hub.rows(
            """
            SELECT node
            FROM tx.nodes
            WHERE repository = %(repository)s AND key = %(key)s
            ORDER BY kind <> 'file', kind
            LIMIT 1
            """,
            {"repository": repository, "key": key},
        )
        return rows[0][0] if rows else None

    def named(self, nodes: Collection[NodeId]) -> dict[NodeId, Named]:
        """Return what each node is."""
        rows = self._hub.rows(
            """
            SELECT node, min(kind), min(key), array_agg(repository ORDER BY repository)
            FROM tx.nodes
            WHERE node = ANY(%(nodes)s::bigint[])
            GROUP BY node
            """,
            {"nodes": list(nodes)},
        )
        return {node: Named(kind, key, tuple(repositories)) for node, kind, key, repositories in rows}


_DEGREES = """
SELECT a.node, sum(e.number)::float8
FROM unnest(%(nodes)s::bigint[]) a (node)
CROSS JOIN LATERAL (SELECT repository, node FROM tx.nodes WHERE node = a.node AND kind = 'file' OFFSET 0) n
CROSS JOIN LATERAL (
    SELECT count(*) AS number
    FROM tx.edges
    WHERE repository = n.repository AND source = n.node AND lane = ANY(%(lanes)s::smallint[])
    UNION ALL
    SELECT count(*)
    FROM tx.edges
    WHERE repository = n.repository AND target = n.node AND lane = ANY(%(lanes)s::smallint[])
) e
GROUP BY a.node
HAVING sum(e.number) > 0
"""

# The last of several is kept, which is the first by relation and description.
_WORDS = """
SELECT a.number, e.lane, e.relation, e.description
FROM unnest(%(sources)s::bigint[], %(targets)s::bigint[]) WITH ORDINALITY a (source, target, number)
CROSS JOIN LATERAL (SELECT repository FROM tx.nodes WHERE node = a.source OFFSET 0) n
CROSS JOIN LATERAL (
    SELECT *
    FROM tx.edges
    WHERE repository = n.repository AND source = a.source AND target = a.target
    OFFSET 0
) e
ORDER BY a.number, e.relation DESC, e.description DESC NULLS LAST
"""
