"""The tables of the graph, each way one lane: what to ask them for the bare edges that leave a frontier."""

from __future__ import annotations

from dataclasses import dataclass

from tx_graph.domain.edges import EdgeType

_FRONTIER = "SELECT value FROM json_each(:nodes)"
WALKED_FACTS = "object IS NOT NULL AND present = 1 AND status IN ('staged', 'confirmed')"
"""Condition on `facts`: those that lead from one entity to another now. Indexes of the schema have its words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """One table read one way: from the nodes in the column `start` to those in `end`.

    `kind` is None where each row says its own type. A `weight` of None means that all edges weigh 1. `is_derived`
    says that there are many rows, and that it is known beforehand which nodes are hubs. `is_beyond_code` says that
    each edge has a section or an entity at one end at least, `leads_to_learnings` that one may end at a learning.
    """

    kind: EdgeType | None
    forward: bool
    table: str
    start: str
    end: str
    weight: str | None = None
    condition: str = "1"
    is_derived: bool = False
    is_beyond_code: bool = False
    leads_to_learnings: bool = True

    @property
    def _columns(self) -> str:
        return f"{self.start}, {self.end}, {self.weight or '1.0'}{'' if self.kind else ', edge_type'}"

    def plain(self, *, has_least: bool) -> str:
        """Return the statement that reads every edge, or with `has_least` those of at least the weight `:least`.

        It stops at `:most` rows, where that is not negative.
        """
        least = f"AND {self.weight} >= :least" if has_least and self.weight else ""
        return (
            f"SELECT {self._columns} FROM {self.table} "
            f"WHERE {self.start} IN ({_FRONTIER}) AND {self.condition} {least} LIMIT :most"
        )

    def has_rows(self) -> str:
        """Return the expression that says whether there is any row to read."""
        return f"EXISTS (SELECT 1 FROM {self.table} WHERE {self.start} IS NOT NULL AND {self.end} IS NOT NULL)"

    def capped(self) -> str:
        """Return the statement that reads the `:fan_out` heaviest edges of each node, none lighter than `:least`.

        The edge in that place is looked up first, in the order of an index, and all that is no lighter is read. So
        a node with very many edges costs no more than one with just enough. Among equals the greater end wins.
        The places are materialised, or each row would look its place up again.
        """
        keys = [self.weight, self.end] if self.weight else [self.end]
        last = (
            f"FROM {self.table} WHERE {self.start} = asked.value AND {self.condition} "
            f"ORDER BY {', '.join(f'{key} DESC' for key in keys)} LIMIT 1 OFFSET :fan_out - 1"
        )
        places = [
            f"coalesce((SELECT {key} {last}), {':least' if key == self.weight else 0}) AS place_{number}"
            for number, key in enumerate(keys)
        ]
        bounds = ", ".join(f"place_{number}" for number in range(len(keys)))
        return (
            f"WITH frontier AS MATERIALIZED "
            f"(SELECT asked.value AS here, {', '.join(places)} FROM json_each(:nodes) asked) "
            f"SELECT {self._columns} FROM frontier CROSS JOIN {self.table} "
            f"WHERE {self.start} = here AND {self.condition} AND ({', '.join(keys)}) >= ({bounds})"
        )


def _both_ways(
    kind: EdgeType | None,
    table: str,
    *ends: tuple[str, str],
    weight: str | None = None,
    condition: str = "1",
    is_derived: bool = False,
    is_beyond_code: bool = False,
    leads_to_learnings: bool = True,
) -> tuple[Lane, ...]:
    return tuple(
        Lane(
            kind=kind,
            forward=forward,
            table=table,
            start=start,
            end=end,
            weight=weight,
            condition=f"{condition} AND {start} IS NOT NULL AND {end} IS NOT NULL" if len(ends) > 1 else condition,
            is_derived=is_derived,
            is_beyond_code=is_beyond_code,
            leads_to_learnings=leads_to_learnings,
        )
        for forward in (True, False)
        for start, end in (ends if forward else [(end, start) for start, end in ends])
    )


def lanes(*, some_files_are_gone: bool) -> tuple[Lane, ...]:
    """Return every lane of the graph. Looking for gone files at each co-change takes time, and there are often none."""
    gone = "SELECT node_id FROM gone_files"
    present = f"file_a NOT IN ({gone}) AND file_b NOT IN ({gone})" if some_files_are_gone else "1"
    anchored = [("learning", "file_node"), ("learning", "symbol_node")]
    typed = "edge_type IN (SELECT value FROM json_each(:types))"
    return (
        *_both_ways(EdgeType.ANCHORED_TO, "file_anchors", *anchored, weight="weight", condition="status <> 'invalid'"),
        *_both_ways(EdgeType.IMPORTS, "file_imports", ("source_file", "target_file"), is_derived=True),
        *_both_ways(
            EdgeType.CO_CHANGES_WITH,
            "file_cochanges",
            ("file_a", "file_b"),
            weight="correlation_score",
            condition=present,
            is_derived=True,
        ),
        *_both_ways(
            None,
            "learning_edges",
            ("source", "target"),
            weight="weight",
            condition=f"invalidated_at IS NULL AND {typed}",
        ),
        *_both_ways(
            None,
            "section_edges",
            ("source", "target"),
            weight="weight",
            condition=typed,
            is_beyond_code=True,
            leads_to_learnings=False,
        ),
        *_both_ways(
            EdgeType.LINKS_TO,
            "facts",
            ("subject", "object"),
            weight="confidence",
            condition=WALKED_FACTS,
            is_beyond_code=True,
            leads_to_learnings=False,
        ),
        *_both_ways(EdgeType.LINKS_TO, "mentions", ("node", "entity"), weight="weight", is_beyond_code=True),
    )
