"""Events: what happened to an anchor, when, and who or what found it out."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from tx_graph.domain.anchor import Anchor
from tx_graph.domain.verdict import Drift, Reason


class EventKind(StrEnum):
    """What happened to an anchor."""

    DRIFTED = "drifted"
    INVALID = "invalid"
    HEALED = "healed"
    RELOCATED = "relocated"
    REFRESHED = "refreshed"
    CONFIRMED = "confirmed"
    INVALIDATED = "invalidated"
    RESTORED = "restored"
    PINNED = "pinned"
    UNPINNED = "unpinned"
    PRUNED = "pruned"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, kw_only=True)
class AnchorEvent:
    """One entry of the log.

    `anchor` is the anchor as it was before, `old_status` and `new_status` are `valid`, `drifted`, `invalid`, or `none`
    where there is no anchor. `detected_by` is the command; `commit` the one that changed the code, if that is known.
    Places are as one writes them, hashes are SHA-256 of the anchored text.
    """

    at: str
    kind: EventKind
    anchor: Anchor
    detected_by: str
    old_status: str
    new_status: str
    drift: Drift | None = None
    reason: Reason | None = None
    detail: str = ""
    commit: str | None = None
    new_place: str | None = None
    new_hash: str | None = None
