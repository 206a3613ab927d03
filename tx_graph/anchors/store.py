"""Files that anchors lead to, as they were when they were last read to verify one."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tx_graph.anchors.verdict import Drift, Reason
from tx_graph.core.database import Database
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints, Invalidation

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
        self._database.write(
            """
            DELETE FROM file_anchors
            WHERE learning = :learning
              AND json_array(anchor_type, anchor_value) NOT IN (SELECT value FROM json_each(:kept))
            """,
            {"learning": learning, "kept": json.dumps([_json(anchor.key) for anchor in anchors])},
        )
        if not anchors:
            return
        exact = [anchor for anchor in anchors if anchor.type is not AnchorType.GLOB]
        files = self._nodes.ensure(NodeKind.FILE, [anchor.path for anchor in exact])
        symbols = self._nodes.ensure(NodeKind.SYMBOL, [anchor.spec for anchor in exact if anchor.symbol])
        self._database.write_many(_INSERT, [_parameters(learning, anchor, files, symbols) for anchor in anchors])

    def of(self, learnings: Collection[NodeId]) -> dict[NodeId, list[Anchor]]:
        """Return the anchors of each learning, in the order of their specs."""
        found: dict[NodeId, list[Anchor]] = defaultdict(list)
        for row in self.rows(learnings):
            found[row.learning].append(row.anchor)
        return found

    def rows(self, learnings: Collection[NodeId] | None = None) -> list[AnchorRow]:
        """Return the anchors of these learnings, or of all, with their states, in the order of learnings and specs."""
        chosen = "1" if learnings is None else "learning IN (SELECT value FROM json_each(:learnings))"
        parameters = {} if learnings is None else {"learnings": json.dumps(list(learnings))}
        rows = self._database.rows(
            f"SELECT {_COLUMNS} FROM file_anchors WHERE {chosen} ORDER BY learning, anchor_value, anchor_type",
            parameters,
        )
        return [_row(row) for row in rows]

    def rows_in(self, places: Collection[str]) -> list[AnchorRow]:
        """Return the anchors in these files and directories, and all globs: what these match is not known here."""
        rows = self._database.rows(
            f"""
            SELECT {_COLUMNS}
            FROM file_anchors
            WHERE anchor_type = 'glob' OR EXISTS (
                SELECT 1
                FROM json_each(:places) AS place
                WHERE file_path = place.value OR substr(file_path, 1, length(place.value) + 1) = place.value || '/'
            )
            ORDER BY learning, anchor_value, anchor_type
            """,
            {"places": json.dumps(list(places))},
        )
        return [_row(row) for row in rows]

    def save_states(self, states: Iterable[tuple[int, AnchorState]]) -> None:
        """Keep what verification said of the anchors with these ids. Needs a transaction."""
        self._database.write_many(_SAVE_STATE, [_state_parameters(anchor, state) for anchor, state in states])

    def globs(self) -> list[tuple[NodeId, str]]:
        """Return every anchor by glob of a present learning, as (learning, pattern)."""
        return self._database.rows(
            "SELECT learning, file_path FROM file_anchors WHERE anchor_type = 'glob' ORDER BY file_path, learning"
        )

    def count(self) -> int:
        """Return how many anchors there are."""
        return int(self._database.value("SELECT count(*) FROM file_anchors"))

    def findings(self) -> dict[str, int]:
        """Return how many anchors verification last found drifted, in more than format or comments, and invalid."""
        return dict(
            self._database.rows(
                """
                SELECT status, count(*)
                FROM file_anchors
                WHERE NOT pinned AND (status = 'invalid' OR drift IN ('body', 'signature'))
                GROUP BY status
                ORDER BY status
                """
            )
        )


_COLUMNS = """
    id, learning, file_path, anchor_type, anchor_value,
    ifnull(content_hash, ''), ifnull(tokens_hash, ''), ifnull(unnamed_hash, ''), ifnull(signature_hash, ''),
    ifnull(comments_hash, ''), ifnull(sketch, ''),
    line_start, line_end, line_text, pinned, invalidated_at, invalid_reason,
    status, drift, reason, found_at, found_lines, last_verified_at, verified_hash
"""

_INSERT = """
    INSERT INTO file_anchors (
        learning, file_path, file_node, anchor_type, anchor_value,
        content_hash, tokens_hash, unnamed_hash, signature_hash, comments_hash, sketch,
        line_start, line_end, line_text, symbol_fqname, symbol_node, weight,
        pinned, invalidated_at, invalid_reason, status, reason
    )
    VALUES (
        :learning, :path, :file, :type, :value,
        :content, :tokens, :unnamed, :signature, :comments, :sketch,
        :line_start, :line_end, :text, :fqname, :symbol, :weight,
        :pinned, :invalidated_at, :invalid_reason, :status, :reason
    )
    ON CONFLICT (learning, anchor_type, anchor_value) DO UPDATE SET
        status = excluded.status, drift = NULL, reason = excluded.reason, found_at = NULL, found_lines = NULL,
        last_verified_at = NULL, verified_hash = NULL,
        content_hash = excluded.content_hash, tokens_hash = excluded.tokens_hash,
        unnamed_hash = excluded.unnamed_hash, signature_hash = excluded.signature_hash,
        comments_hash = excluded.comments_hash, sketch = excluded.sketch, line_text = excluded.line_text,
        pinned = excluded.pinned, invalidated_at = excluded.invalidated_at, invalid_reason = excluded.invalid_reason
    WHERE (file_anchors.content_hash, file_anchors.tokens_hash, file_anchors.unnamed_hash, file_anchors.signature_hash,
           file_anchors.comments_hash, file_anchors.sketch, file_anchors.line_text, file_anchors.pinned,
           file_anchors.invalidated_at, file_anchors.invalid_reason)
       IS NOT
          (excluded.content_hash, excluded.tokens_hash, excluded.unnamed_hash, excluded.signature_hash,
           excluded.comments_hash, excluded.sketch, excluded.line_text, excluded.pinned,
           excluded.invalidated_at, excluded.invalid_reason)
"""

_SAVE_STATE = """
    UPDATE file_anchors
    SET status = :status, drift = :drift, reason = :reason, found_at = :found_at, found_lines = :found_lines,
        last_verified_at = :verified_at, verified_hash = :verified_hash
    WHERE id = :id
"""


def _json(values: Sequence[str]) -> str:
    """Return a list as SQLite writes it."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def _parameters(
    learning: NodeId, anchor: Anchor, files: dict[str, NodeId], symbols: dict[str, NodeId]
) -> dict[str, Any]:
    first, last = anchor.lines or (None, None)
    is_glob = anchor.type is AnchorType.GLOB
    dead = anchor.invalidated
    return _hashes(anchor.fingerprints) | {
        "learning": learning,
        "path": anchor.path,
        "file": None if is_glob else files[anchor.path],
        "type": anchor.type.value,
        "value": anchor.spec,
        "line_start": first,
        "line_end": last,
        "text": anchor.text,
        "fqname": anchor.spec if anchor.symbol else None,
        "symbol": symbols.get(anchor.spec) if anchor.symbol else None,
        "weight": GLOB_WEIGHT if is_glob else 1.0,
        "pinned": anchor.pinned,
        "invalidated_at": dead.at if dead else None,
        "invalid_reason": dead.reason if dead else None,
        "status": "invalid" if dead else "valid",
        "reason": Reason.INVALIDATED.value if dead else None,
    }


def _hashes(taken: Fingerprints | None) -> dict[str, Any]:
    names = ("content", "tokens", "unnamed", "signature", "comments", "sketch")
    return {name: getattr(taken, name) or None if taken else None for name in names}


def _state_parameters(anchor: int, state: AnchorState) -> dict[str, Any]:
    lines = state.found_lines
    return {
        "id": anchor,
        "status": state.status,
        "drift": state.drift.value if state.drift else None,
        "reason": state.reason.value if state.reason else None,
        "found_at": state.found_at,
        "found_lines": f"{lines[0]}-{lines[1]}" if lines else None,
        "verified_at": state.verified_at,
        "verified_hash": state.verified_hash,
    }


def _row(row: Sequence[Any]) -> AnchorRow:
    number, learning, path, kind, value, *rest = row
    hashes, (first, last, text, pinned, dead_at, dead_reason), state = rest[:6], rest[6:12], rest[12:]
    anchor_type = _TYPES[kind]
    anchor = Anchor(
        path=path,
        type=anchor_type,
        symbol=value[len(path) + 2 :] if anchor_type is AnchorType.SYMBOL else None,
        lines=(first, last) if first is not None else None,
        text=text,
        fingerprints=_fingerprints(hashes),
        pinned=bool(pinned),
        invalidated=Invalidation(reason=dead_reason or "", at=dead_at) if dead_at else None,
    )
    return AnchorRow(id=number, learning=learning, anchor=anchor, state=_state(state))


def _fingerprints(hashes: Sequence[str]) -> Fingerprints | None:
    content, tokens, unnamed, signature, comments, sketch = hashes
    if not content:
        return None
    return Fingerprints(
        content=content, tokens=tokens, unnamed=unnamed, signature=signature, comments=comments, sketch=sketch
    )


_TYPES = {kind.value: kind for kind in AnchorType}
_NEVER_LOOKED_AT = AnchorState()
"""Until verification looks at them, all anchors are in the same state."""
_UNTOUCHED = ("valid", None, None, None, None, None, None)


def _state(row: Sequence[Any]) -> AnchorState:
    if tuple(row) == _UNTOUCHED:
        return _NEVER_LOOKED_AT
    status, drift, reason, found_at, found_lines, verified_at, verified_hash = row
    first, _, last = (found_lines or "").partition("-")
    return AnchorState(
        status=status,
        drift=Drift(drift) if drift else None,
        reason=Reason(reason) if reason else None,
        found_at=found_at,
        found_lines=(int(first), int(last)) if last else None,
        verified_at=verified_at,
        verified_hash=verified_hash,
    )


class SeenFile(NamedTuple):
    """A file as it was read: size in bytes, when it last changed in ns, and the SHA-256 of its bytes."""

    path: str
    size: int
    changed_ns: int
    content_hash: str


class AnchoredFileStore:
    """Keeps stamps and hashes, so that what did not change need not be read again."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def of(self, paths: Collection[str]) -> dict[str, SeenFile]:
        """Return those of these files that were ever read, by path."""
        rows = self._database.rows(
            """
            SELECT path, size, changed_ns, content_hash
            FROM anchored_files
            WHERE path IN (SELECT value FROM json_each(:paths))
            """,
            {"paths": json.dumps(list(paths))},
        )
        return {row[0]: SeenFile._make(row) for row in rows}

    def get(self, path: str) -> SeenFile | None:
        """Return one file, None when it was never read."""
        row = self._database.row(
            "SELECT path, size, changed_ns, content_hash FROM anchored_files WHERE path = ?", (path,)
        )
        return SeenFile._make(row) if row else None

    def save(self, files: Iterable[SeenFile]) -> None:
        """Keep files as they were read now. Needs a transaction."""
        self._database.write_many(
            """
            INSERT INTO anchored_files (path, size, changed_ns, content_hash) VALUES (?, ?, ?, ?)
            ON CONFLICT (path) DO UPDATE SET
                size = excluded.size, changed_ns = excluded.changed_ns, content_hash = excluded.content_hash
            """,
            list(files),
        )

    def forget(self, paths: Collection[str]) -> None:
        """Drop files that no anchor leads to any more, or that are gone. Needs a transaction."""
        self._database.write_many("DELETE FROM anchored_files WHERE path = ?", [(path,) for path in paths])
