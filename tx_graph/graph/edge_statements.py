"""The SQL that follows from the table of edges: the view over all of them, and what a walk asks."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from tx_graph.graph.edges import EDGE_SOURCES, SYMMETRIC, Direction, EdgeSource, EdgeType


def _withheld(alias: str = "") -> str:
    """Return the condition in the words of the index `learnings_withheld`: the planner compares them."""
    return (
        f"{alias}present = 0 OR {alias}removed_at IS NOT NULL OR {alias}status IN ('staged', 'superseded', 'retracted')"
    )


WITHHELD = _withheld()
"""Condition on `learnings`: staged, superseded, retracted, removed, or not in the working tree."""
SHOWN = f"NOT ({_withheld('l.')})"
"""Condition on learnings `l`: what search shows unless asked for more."""
HIDDEN = "present = 0 OR removed_at IS NOT NULL OR status = 'staged'"
"""Condition on `learnings`: removed, not in the working tree, or not confirmed yet. What is stale is not among them."""
WITHHELD_COUNT = f"(SELECT count(*) FROM learnings WHERE {WITHHELD})"
"""How many learnings search does not show: the more a ranking must hold so that enough are left (0.01 ms, by index)."""


_GONE = "SELECT node_id FROM gone_files"
_ASKED = "json_extract(asked.value, '$[{}]')"
_SOURCE, _TARGET, _TYPE, _WEIGHT = (_ASKED.format(number) for number in range(4))


def view() -> str:
    """Return the statement that makes the view `graph_edges`; it says nothing else than the table of edges.

    A migration that adds a source of edges drops the view and has this text, which `scripts/edges` prints.
    """
    selects = [
        f"SELECT '{one.layer}', {one.edge_type}, {one.relation}, {one.start}, {one.end}, {one.weight}, "
        f"{one.description}, {one.is_valid}\nFROM {one.table}"
        + (f"\nWHERE {where}" if (where := _all_of(one.is_edge, _is_present(one))) else "")
        for one in EDGE_SOURCES
    ]
    columns = "layer, type, relation, source, target, weight, description, valid"
    return f"CREATE VIEW graph_edges ({columns}) AS\n" + "\nUNION ALL\n".join(selects)


def _all_of(*conditions: str) -> str:
    return " AND ".join(filter(None, conditions))


def _is_present(source: EdgeSource) -> str:
    """Return the condition that no end is gone from the working tree, where edges wait for that."""
    ends = (source.start, source.end) if source.waits_for_files else ()
    return _all_of(*(f"{end} NOT IN ({_GONE})" for end in ends))


class Lane(NamedTuple):
    """A source of edges read one way: from the nodes in the column `start` to those in `end`.

    A walk asks each lane once about a whole frontier, `:nodes`.
    """

    source: EdgeSource
    forward: bool
    condition: str

    @property
    def start(self) -> str:
        """The column of the nodes asked about."""
        return self.source.start if self.forward else self.source.end

    @property
    def end(self) -> str:
        """The column of the nodes that edges lead to."""
        return self.source.end if self.forward else self.source.start

    @property
    def kind(self) -> EdgeType | None:
        """The type of all its edges; None where each row says its own."""
        return None if len(self.source.types) > 1 else self.source.types[0]

    def followed(self, types: Collection[EdgeType], direction: Direction) -> list[EdgeType]:
        """Return those of the types that may lie here and are followed this way; symmetric ones are both ways."""
        is_against = direction is (Direction.IN if self.forward else Direction.OUT)
        return [kind for kind in types if kind in self.source.types and not (is_against and kind not in SYMMETRIC)]

    @property
    def _bare(self) -> str:
        return f"{self.start}, {self.end}, {self.source.weight}" + ("" if self.kind else ", edge_type")

    def _from(self, nodes: str) -> str:
        types = "" if self.kind else "edge_type IN (SELECT value FROM json_each(:types))"
        return f"{self.source.table} WHERE {_all_of(f'{self.start} {nodes}', self.condition, types)}"

    def whole(self) -> str:
        """Return the statement that reads edges with all their words."""
        one = self.source
        return (
            f"SELECT {self.start}, {self.end}, {one.edge_type}, {one.weight}, {one.relation}, {one.description}, "
            f"{self.forward:d} FROM {self._from('IN (SELECT value FROM json_each(:nodes))')}"
        )

    def plain(self, *, has_least: bool) -> str:
        """Return the statement that reads every edge, or with `has_least` those of at least the weight `:least`.

        It stops at `:most` rows, where that is not negative.
        """
        least = f"AND {self.source.weight} >= :least" if has_least and self.source.is_weighted else ""
        return f"SELECT {self._bare} FROM {self._from('IN (SELECT value FROM json_each(:nodes))')} {least} LIMIT :most"

    def capped(self) -> str:
        """Return the statement that reads the `:fan_out` heaviest edges of each node, none lighter than `:least`.

        The edge in that place is looked up first, in the order of an index, and all that is no lighter is read. So
        a node with very many edges costs no more than one with just enough. Among equals the greater end wins.
        The places are materialised, or each row would look its place up again.
        """
        keys = [self.source.weight, self.end] if self.source.is_weighted else [self.end]
        order = ", ".join(f"{key} DESC" for key in keys)
        last = f"FROM {self._from('= asked.value')} ORDER BY {order} LIMIT 1 OFFSET :fan_out - 1"
        least = {self.end: "0"}
        places = [
            f"coalesce((SELECT {key} {last}), {least.get(key, ':least')}) AS place_{number}"
            for number, key in enumerate(keys)
        ]
        bounds = ", ".join(f"place_{number}" for number in range(len(keys)))
        return (
            f"WITH frontier AS MATERIALIZED "
            f"(SELECT asked.value AS here, {', '.join(places)} FROM json_each(:nodes) asked) "
            f"SELECT {self._bare} FROM frontier CROSS JOIN {self._from('= here')} AND ({', '.join(keys)}) >= ({bounds})"
        )


def lanes(*, some_files_are_gone: bool) -> tuple[Lane, ...]:
    """Return every lane of the graph. Looking for gone files at each edge takes time, and there are often none."""
    return tuple(
        Lane(one, forward, _all_of(one.is_edge, one.is_valid, _is_present(one) if some_files_are_gone else ""))
        for one in EDGE_SOURCES
        for forward in (True, False)
    )


HAVE_ROWS = f"SELECT {', '.join(f'EXISTS (SELECT 1 FROM {s.table} WHERE {s.end} IS NOT NULL)' for s in EDGE_SOURCES)}"
"""Says of each source whether it has any rows: asking an empty one about hundreds of nodes takes time too."""

WORDS = (
    " UNION ALL ".join(
        f"""
        SELECT asked.key, {one.relation}, {one.description}
        FROM json_each(:edges) asked
        JOIN {one.table} ON {one.start} = {_SOURCE} AND {one.end} = {_TARGET} AND {one.weight} = {_WEIGHT}
        WHERE {_all_of(f"{one.edge_type} = {_TYPE}", one.is_edge, one.is_valid)}
        """
        for one in EDGE_SOURCES
        if (one.relation, one.description) != ("''", "''")
    )
    + "ORDER BY 1, 2 DESC, 3 DESC"
)
"""The relation and description of the edges that are asked about, each as [source, target, type, weight]."""

_COUNTED = [(one.table, end) for one in EDGE_SOURCES if one.is_counted for end in (one.start, one.end)]
COUNT_ALL = f"""
    INSERT INTO file_degrees (file, degree)
    SELECT file, sum(edges)
    FROM ({" UNION ALL ".join(f"SELECT {end} file, count(*) edges FROM {table} GROUP BY 1" for table, end in _COUNTED)})
    GROUP BY file
"""
"""Counts how many counted edges touch each file, both ways."""
COUNT = f"""
    INSERT OR REPLACE INTO file_degrees (file, degree)
    SELECT value, {" + ".join(f"(SELECT count(*) FROM {table} WHERE {end} = value)" for table, end in _COUNTED)}
    FROM json_each(:files)
"""
"""The same for those of `:files`."""


if __name__ == "__main__":
    print(f"DROP VIEW graph_edges;\n{view()};")  # noqa: T201 - what scripts/edges is for
