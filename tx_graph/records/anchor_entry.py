"""An anchor as an entry of a record."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict
from dataclasses import fields as fields_of
from typing import Any

from tx_graph.domain.anchor import (
    Anchor,
    AnchorType,
    Fingerprints,
    Invalidation,
    looks_like_glob,
    parse_lines,
)
from tx_graph.errors import UsageError
from tx_graph.records.fields import FieldError, choice, is_text, is_time

ANCHOR_KEYS = frozenset({"fingerprints", "invalidated", "lines", "path", "pinned", "symbol", "text", "type"})
"""What an entry for an anchor may hold."""
_NESTED = frozenset({"fingerprints", "invalidated"})
_FINGERPRINTS = frozenset(one.name for one in fields_of(Fingerprints))


class Verbatim(str):
    """Text that a record shows line by line, as it stands in its file."""

    __slots__ = ()


def anchor_fields(anchor: Anchor) -> dict[str, Any]:
    """Return an anchor as an entry of a record; `read_anchor` gives it back."""
    taken, dead = anchor.fingerprints, anchor.invalidated
    fields = {
        "path": anchor.path,
        "type": anchor.type.value,
        "symbol": anchor.symbol,
        "lines": f"{anchor.lines[0]}-{anchor.lines[1]}" if anchor.lines else None,
        "text": None if anchor.text is None else Verbatim(anchor.text),
        "fingerprints": {key: value for key, value in asdict(taken).items() if value} if taken else None,
        "pinned": True if anchor.pinned else None,
        "invalidated": {"reason": dead.reason, "at": dead.at} if dead else None,
    }
    return {key: value for key, value in fields.items() if value is not None}


def read_anchor(entry: Any) -> Anchor:
    """Return the anchor that an entry of a record describes.

    Raises:
        UsageError: It describes none.
    """
    if not isinstance(entry, dict) or not isinstance(entry.get("path"), str) or not entry["path"].strip():
        raise FieldError("anchors", "each anchor needs a 'path'")
    if unknown := sorted(str(key) for key in entry if key not in ANCHOR_KEYS):
        raise FieldError("anchors", f"an anchor has the unknown key '{unknown[0]}'")
    for key, value in entry.items():
        if key not in _NESTED and not is_text(value):
            raise FieldError("anchors", f"the '{key}' of an anchor must be text")
    symbol, lines, path = entry.get("symbol"), entry.get("lines"), entry["path"]
    kind = choice(AnchorType, entry.get("type") or _inferred(path, symbol, lines), "anchors", what="anchor type")
    if kind is AnchorType.SYMBOL and not symbol:
        raise FieldError("anchors", "an anchor of type 'symbol' needs a 'symbol'")
    if kind is AnchorType.LINES and not lines:
        raise FieldError("anchors", "an anchor of type 'lines' needs 'lines'")
    return Anchor(
        path=path,
        type=kind,
        symbol=str(symbol) if kind is AnchorType.SYMBOL else None,
        lines=_lines(lines) if lines and kind in (AnchorType.LINES, AnchorType.HASH) else None,
        text=str(entry["text"]) if kind is AnchorType.LINES and entry.get("text") is not None else None,
        fingerprints=_fingerprints(entry.get("fingerprints")),
        pinned=_flag(entry.get("pinned"), "pinned"),
        invalidated=_invalidation(entry.get("invalidated")),
    )


def _fingerprints(value: Any) -> Fingerprints | None:
    if not value:
        return None
    return Fingerprints(**_mapping(value, "fingerprints", required="content", known=_FINGERPRINTS))


def _invalidation(value: Any) -> Invalidation | None:
    if not value:
        return None
    found = _mapping(value, "invalidated", required="at", known={"at", "reason"})
    if not is_time(found["at"]):
        raise FieldError("anchors", f"an anchor's time of invalidation must be a UTC time, not '{found['at']}'")
    return Invalidation(reason=found.get("reason", ""), at=found["at"])


def _mapping(value: Any, key: str, *, required: str, known: Collection[str]) -> dict[str, str]:
    """Return a mapping inside an anchor; all of its values are text."""
    if not isinstance(value, dict) or not value.get(required):
        raise FieldError("anchors", f"the '{key}' of an anchor must be a mapping with '{required}'")
    if unknown := sorted(str(name) for name in value if name not in known):
        raise FieldError("anchors", f"the '{key}' of an anchor have the unknown key '{unknown[0]}'")
    if not all(map(is_text, value.values())):
        raise FieldError("anchors", f"the '{key}' of an anchor must hold text")
    return {name: str(text) for name, text in value.items() if text}


def _flag(value: Any, key: str) -> bool:
    if str(value or "false").lower() not in ("true", "false"):
        raise FieldError("anchors", f"the '{key}' of an anchor must be true or false, not '{value}'")
    return str(value).lower() == "true"


def _inferred(path: str, symbol: Any, lines: Any) -> AnchorType:
    if symbol:
        return AnchorType.SYMBOL
    if lines:
        return AnchorType.LINES
    return AnchorType.GLOB if looks_like_glob(path) else AnchorType.HASH


def _lines(value: Any) -> tuple[int, int]:
    try:
        return parse_lines(str(value))
    except UsageError as error:
        raise FieldError("anchors", error.message) from None
