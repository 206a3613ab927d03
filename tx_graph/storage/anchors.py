"""Anchors as rows, tied to the nodes of the files and symbols they name."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from tx_graph.domain.anchor import Anchor, AnchorType
from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.storage.database import Database
from tx_graph.storage.nodes import NodeStore

GLOB_WEIGHT = 0.5
"""Weight of an anchor by glob: it says less about each file than an anchor that names the file."""


class AnchorStore:
    """Keeps which learning is tied to which place."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._nodes = NodeStore(database)

    def replace(self, learning: NodeId, anchors: Iterable[Anchor]) -> None:
        """Make `anchors` the learning's only ones. Needs a transaction."""
        anchors = list(anchors)
        self._database.write("DELETE FROM file_anchors WHERE learning = ?", (learning,))
        if not anchors:
            return
        exact = [anchor for anchor in anchors if anchor.type is not AnchorType.GLOB]
        files = self._nodes.ensure(NodeKind.FILE, [anchor.path for anchor in exact])
        symbols = self._nodes.ensure(NodeKind.SYMBOL, [anchor.spec for anchor in exact if anchor.symbol])
        self._database.write_many(_INSERT, [_parameters(learning, anchor, files, symbols) for anchor in anchors])

    def of(self, learnings: Collection[NodeId]) -> dict[NodeId, list[Anchor]]:
        """Return the anchors of each learning, in the order of their specs."""
        found: dict[NodeId, list[Anchor]] = defaultdict(list)
        rows = self._database.rows(
            """
            SELECT learning, file_path, anchor_type, anchor_value, content_hash, line_start, line_end
            FROM file_anchors
            WHERE learning IN (SELECT value FROM json_each(:learnings))
            ORDER BY learning, anchor_value, anchor_type
            """,
            {"learnings": json.dumps(list(learnings))},
        )
        for row in rows:
            found[row[0]].append(_anchor(row))
        return found

    def globs(self) -> list[tuple[NodeId, str]]:
        """Return every anchor by glob of a present learning, as (learning, pattern)."""
        return self._database.rows(
            "SELECT learning, file_path FROM file_anchors WHERE anchor_type = 'glob' ORDER BY file_path, learning"
        )

    def count(self) -> int:
        """Return how many anchors there are."""
        return int(self._database.value("SELECT count(*) FROM file_anchors"))


_INSERT = """
    INSERT INTO file_anchors (
        learning, file_path, file_node, anchor_type, anchor_value, content_hash,
        line_start, line_end, symbol_fqname, symbol_node, weight
    )
    VALUES (
        :learning, :path, :file, :type, :value, :hash, :line_start, :line_end, :fqname, :symbol, :weight
    )
    ON CONFLICT (learning, anchor_type, anchor_value) DO UPDATE SET content_hash = excluded.content_hash
"""


def _parameters(
    learning: NodeId, anchor: Anchor, files: dict[str, NodeId], symbols: dict[str, NodeId]
) -> dict[str, Any]:
    first, last = anchor.lines or (None, None)
    is_glob = anchor.type is AnchorType.GLOB
    return {
        "learning": learning,
        "path": anchor.path,
        "file": None if is_glob else files[anchor.path],
        "type": anchor.type.value,
        "value": anchor.spec,
        "hash": anchor.fingerprint,
        "line_start": first,
        "line_end": last,
        "fqname": anchor.spec if anchor.symbol else None,
        "symbol": symbols.get(anchor.spec) if anchor.symbol else None,
        "weight": GLOB_WEIGHT if is_glob else 1.0,
    }


def _anchor(row: Sequence[Any]) -> Anchor:
    _, path, kind, value, fingerprint, first, last = row
    anchor_type = AnchorType(kind)
    return Anchor(
        path=path,
        type=anchor_type,
        symbol=value[len(path) + 2 :] if anchor_type is AnchorType.SYMBOL else None,
        lines=(first, last) if first is not None else None,
        fingerprint=fingerprint,
    )
