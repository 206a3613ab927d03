"""The anchors of learnings as rows, each with what verification last said of it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from typing import Any

from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.anchor import Anchor, AnchorType, Drift, Fingerprints, Invalidation, Reason

GLOB_WEIGHT = 0.5
"""Weight of an anchor by glob: it says less about each file than an anchor that names the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorState:
    """What verification last said of an anchor.

    `status` is `valid`, `drifted` or `invalid`; a relocated anchor is valid with a place in `found_at`. `verified_hash`
    is of the content that the verdict is about, None when it is to be judged anew.
    """

    status: str = "valid"
    drift: Drift | None = None
    reason: Reason | None = None
    found_at: str | None = None
    found_lines: tuple[int, int] | None = None
    verified_at: str | None = None
    verified_hash: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorRow:
    """An anchor of the learning at a node, with its state."""

    id: int
    learning: NodeId
    anchor: Anchor
    state: AnchorState


class AnchorStore:
    """Keeps which learning is tied to which place, and whether that held when somebody last looked."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._nodes = NodeStore(database)

    def replace(self, learning: NodeId, anchors: Iterable[Anchor]) -> None:
        """Make `anchors` the learning's only ones. Needs a transaction.

        What verification said of an anchor stays while its fingerprints do.
        """
        anchors = list(anchors)
        # as SQLite writes a list
        kept = [json.dumps(one.key, ensure_ascii=False, separators=(",", ":")) for one in anchors]
        self._database.write(
            """
            DELETE FROM file_anchors
            WHERE learning = :learning
              AND json_array(anchor_type, anchor_value) NOT IN (SELECT value FROM json_each(:kept))
            """,
            {"learning": learning, "kept": json.dumps(kept)},
        )
        if not anchors:
            return
        exact = [anchor for anchor in anchors if anchor.type is not AnchorType.GLOB]
        files = self._nodes.ensure(NodeKind.FILE, [anchor.path for anchor in exact])
        named = [anchor for anchor in exact if anchor.symbol]
        symbols = self._nodes.ensure(NodeKind.SYMBOL, [anchor.spec for anchor in named if not anchor.is_section])
        # Reading documents makes the nodes of sections, takes them away, and ties what waits for one.
        symbols |= self._nodes.find(NodeKind.SECTION, [anchor.spec for anchor in named if anchor.is_section])
        rows: list[dict[str, Any]] = []
        for anchor in anchors:
            first, last = anchor.lines or (None, None)
            taken, dead, is_glob = anchor.fingerprints, anchor.invalidated, anchor.type is AnchorType.GLOB
            rows.append(
                {column: getattr(taken, name) or None if taken else None for name, column in _HASHES.items()}
                | {
                    "learning": learning,
                    "file_path": anchor.path,
                    "file_node": None if is_glob else files[anchor.path],
                    "anchor_type": anchor.type.value,
                    "anchor_value": anchor.spec,
                    "line_start": first,
                    "line_end": last,
                    "line_text": anchor.text,
                    "symbol_fqname": anchor.spec if anchor.symbol else None,
                    "symbol_node": symbols.get(anchor.spec) if anchor.symbol else None,
                    "weight": GLOB_WEIGHT if is_glob else 1.0,
                    "pinned": anchor.pinned,
                    "fallback": anchor.fallback,
                    "invalidated_at": dead.at if dead else None,
                    "invalid_reason": dead.reason if dead else None,
                    "status": "invalid" if dead else "valid",
                    "reason": Reason.INVALIDATED.value if dead else None,
                }
            )
        self._database.write_many(_INSERT, rows)

    def rows(
        self, learnings: Collection[NodeId] | None = None, *, places: Collection[str] | None = None
    ) -> list[AnchorRow]:
        """Return anchors with their states, in the order of learnings and specs: of these learnings, or of all.

        With `places` only those in these files and directories, and all globs: what these match is not known here.
        """
        of_these = "learning IN (SELECT value FROM json_each(:learnings))"
        in_these = """
            anchor_type = 'glob' OR EXISTS (
                SELECT 1
                FROM json_each(:places) AS place
                WHERE file_path = place.value OR substr(file_path, 1, length(place.value) + 1) = place.value || '/'
            )
        """
        rows = self._database.rows(
            f"""
            SELECT {", ".join(_COLUMNS)}
            FROM file_anchors
            WHERE {"1" if learnings is None else of_these} AND ({"1" if places is None else in_these})
            ORDER BY learning, anchor_value, anchor_type
            """,
            {"learnings": json.dumps(list(learnings or ())), "places": json.dumps(list(places or ()))},
        )
        found = []
        for number, learning, path, kind, value, first, last, *rest in rows:
            hashes, (text, pinned, fallback, dead_at, dead_reason), state = rest[:7], rest[7:12], rest[12:]
            status, drift, reason, found_at, found_lines, verified_at, verified_hash = state
            anchor_type = AnchorType(kind)
            taken = Fingerprints(**{name: one or "" for name, one in zip(_HASHES, hashes, strict=True)})
            anchor = Anchor(
                path=path,
                type=anchor_type,
                symbol=value[len(path) :].removeprefix("::") if anchor_type is AnchorType.SYMBOL else None,
                lines=(first, last) if first is not None else None,
                text=text,
                fingerprints=taken if taken.content else None,
                pinned=bool(pinned),
                fallback=bool(fallback),
                invalidated=Invalidation(reason=dead_reason or "", at=dead_at) if dead_at else None,
            )
            start, _, end = (found_lines or "").partition("-")
            said = AnchorState(
                status=status,
                drift=Drift(drift) if drift else None,
                reason=Reason(reason) if reason else None,
                found_at=found_at,
                found_lines=(int(start), int(end)) if end else None,
                verified_at=verified_at,
                verified_hash=verified_hash,
            )
            found.append(AnchorRow(id=number, learning=learning, anchor=anchor, state=said))
        return found

    def save_states(self, states: Iterable[tuple[int, AnchorState]]) -> None:
        """Keep what verification said of the anchors with these ids. Needs a transaction."""
        self._database.write_many(
            f"UPDATE file_anchors SET {', '.join(f'{column} = ?' for column in _STATE)} WHERE id = ?",
            [
                (
                    state.status,
                    state.drift and state.drift.value,
                    state.reason and state.reason.value,
                    state.found_at,
                    "{}-{}".format(*state.found_lines) if state.found_lines else None,
                    state.verified_at,
                    state.verified_hash,
                    anchor,
                )
                for anchor, state in states
            ],
        )

    def globs(self) -> list[tuple[NodeId, str]]:
        """Return every anchor by glob of a present learning, as (learning, pattern)."""
        return self._database.rows(
            "SELECT learning, file_path FROM file_anchors WHERE anchor_type = 'glob' ORDER BY file_path, learning"
        )

    def count(self) -> int:
        """Return how many anchors there are."""
        return int(self._database.value("SELECT count(*) FROM file_anchors"))

    def last_told(self) -> dict[str, int]:
        """Return how many anchors there are of each word: what was last said of them, or that nobody has looked."""
        return dict(
            self._database.rows(
                """
                SELECT
                    CASE
                        WHEN pinned THEN 'pinned'
                        WHEN status = 'invalid' THEN 'gone'
                        WHEN last_verified_at IS NULL THEN 'unverified'
                        WHEN drift IN ('body', 'signature') THEN 'drifted'
                        ELSE 'fresh'
                    END,
                    count(*)
                FROM file_anchors
                GROUP BY 1
                ORDER BY 1
                """
            )
        )


_HASHES = {
    "content": "content_hash",
    "tokens": "tokens_hash",
    "unnamed": "unnamed_hash",
    "signature": "signature_hash",
    "comments": "comments_hash",
    "sketch": "sketch",
    "commit": "taken_at",
}
"""The column of each fingerprint."""
_SAID = (*_HASHES.values(), "line_text", "pinned", "fallback", "invalidated_at", "invalid_reason")
"""What a record says of an anchor but for its place; when that changes, verification begins anew."""
_PLACE = ("learning", "file_path", "anchor_type", "anchor_value", "line_start", "line_end")
_STATE = ("status", "drift", "reason", "found_at", "found_lines", "last_verified_at", "verified_hash")
_COLUMNS = ("id", *_PLACE, *_SAID, *_STATE)
_INSERTED = (*_PLACE, *_SAID, "file_node", "symbol_fqname", "symbol_node", "weight", "status", "reason")
_INSERT = f"""
    INSERT INTO file_anchors ({", ".join(_INSERTED)}) VALUES ({", ".join(f":{column}" for column in _INSERTED)})
    ON CONFLICT (learning, anchor_type, anchor_value) DO UPDATE SET
        status = excluded.status, drift = NULL, reason = excluded.reason, found_at = NULL, found_lines = NULL,
        last_verified_at = NULL, verified_hash = NULL,
        {", ".join(f"{column} = excluded.{column}" for column in _SAID)}
    WHERE ({", ".join(f"file_anchors.{column}" for column in _SAID)})
       IS NOT ({", ".join(f"excluded.{column}" for column in _SAID)})
"""
