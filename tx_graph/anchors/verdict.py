"""Events: what happened to an anchor, when, and who or what found it out."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, ClassVar

from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.shape import NodeReference, Word
from tx_graph.graph.edges import Relation
from tx_graph.records.anchor import Anchor, Drift, Reason


class Verdict(StrEnum):
    """What verification says of one anchor.

    `relocated` is as good as valid, at another place or held by a fallback. A pinned anchor is not looked at, and a
    fallback is in `reserve` while it is not needed.
    """

    VALID = "valid"
    RELOCATED = "relocated"
    DRIFTED = "drifted"
    INVALID = "invalid"
    PINNED = "pinned"
    RESERVE = "reserve"


class Standing(StrEnum):
    """What a reader of a learning is told about its code, worst first but for `unanchored`.

    Nobody looked at what is `pinned`, so it is not said to be fresh.
    """

    GONE = "gone"
    DRIFTED_SIGNATURE = "drifted:signature"
    DRIFTED_BODY = "drifted:body"
    DRIFTED_COMMENT = "drifted:comment"
    RELOCATED = "relocated"
    PINNED = "pinned"
    FRESH = "fresh"
    RESERVE = "reserve"
    UNANCHORED = "unanchored"

    @property
    def word(self) -> Word:
        """The verdict without its grade."""
        return Word(self.value.partition(":")[0])

    @property
    def drift(self) -> Drift | None:
        """What changed, of what has drifted."""
        return Drift(self.value.partition(":")[2]) if self.word is Word.DRIFTED else None

    @property
    def is_stale(self) -> bool:
        """Whether the learning may be wrong by now."""
        return self in (Standing.GONE, Standing.DRIFTED_SIGNATURE, Standing.DRIFTED_BODY)


JUDGED = "verdict=standing.word drift=standing.drift stale=standing.is_stale old_verdict!=standing"
"""The keys of what has a standing, in JSON."""
IF_JUDGED = JUDGED.replace("!", "").replace("=", "?=")
"""The same of what may have none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """The verdict on one anchor, and what it rests on.

    `lines` is where the anchored code is now. `relocated_to` is the anchor as it would be there, with fingerprints of
    the code as it is; it comes with a drifted anchor too, when the code moved and was edited. `candidates` are places
    that might be meant where none is certain. `held_by` is the fallback that stands in for what is lost.
    `detail` is a sentence's end for people.
    """

    anchor: Anchor
    verdict: Verdict
    drift: Drift | None = None
    reason: Reason | None = None
    detail: str = ""
    lines: tuple[int, int] | None = None
    relocated_to: Anchor | None = None
    held_by: Anchor | None = None
    candidates: tuple[str, ...] = ()

    JSON: ClassVar = (
        "anchor=anchor.spec path=anchor.path type=anchor.type symbol=anchor.symbol lines=anchor.span "
        "content_hash=anchor.fingerprints.content pinned=anchor.pinned fallback=anchor.fallback "
        "invalidated=anchor.invalidated node=reference "
        "verdict=word drift reason detail line_start line_end relocated_to=relocated_to.spec "
        "held_by=held_by.spec old_verdict!=standing"
    )

    @property
    def is_finding(self) -> bool:
        """Whether somebody has to look: the code behind the anchor says something else now, or is gone."""
        has_drifted = self.verdict is Verdict.DRIFTED and self.drift is not None and self.drift.counts
        return has_drifted or self.verdict is Verdict.INVALID

    @property
    def standing(self) -> Standing:
        """What a reader of the learning is told."""
        if self.verdict is Verdict.DRIFTED and self.drift not in (None, Drift.FORMAT):
            return Standing(f"drifted:{self.drift}")
        return _STANDINGS.get(self.verdict, Standing.FRESH)

    @property
    def word(self) -> Word:
        """The verdict as JSON has it."""
        return self.standing.word

    @property
    def place(self) -> Anchor:
        """The anchor as it is now, else as it was."""
        return self.relocated_to or self.anchor

    @property
    def line_start(self) -> int | None:
        """The first line of the code as it lies now."""
        return self.lines[0] if self.lines else None

    @property
    def line_end(self) -> int | None:
        """The last line."""
        return self.lines[1] if self.lines else None

    @property
    def reference(self) -> NodeReference | None:
        """The file or symbol that it is about, where it is now; None for a glob."""
        found = self.place.reference
        return replace(found, line=self.line_start or found.line) if found else None


_STANDINGS = {
    Verdict.INVALID: Standing.GONE,
    Verdict.RELOCATED: Standing.RELOCATED,
    Verdict.PINNED: Standing.PINNED,
    Verdict.RESERVE: Standing.RESERVE,
}


def standing(judgements: Iterable[Judgement]) -> Standing:
    """Return what is said of a learning: the worst of its anchors, `unanchored` when it has none."""
    found = {judgement.standing for judgement in judgements}
    return next((one for one in Standing if one in found), Standing.UNANCHORED)


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
    UNLINKED = "unlinked"


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


class LinkEventKind(StrEnum):
    """What somebody did to a link."""

    RELATED = "related"
    UNRELATED = "unrelated"
    RESTORED = "restored"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkEvent:
    """One entry of the log of links; `target` is the uid of the learning that it leads to."""

    at: str
    kind: LinkEventKind
    target: str
    relation: Relation
    weight: float
    detected_by: str


def whereabouts(there: Anchor | None) -> dict[str, Any]:
    """Return where an anchor is now, and the hash of what is there, as the fields of an event."""
    if there is None:
        return {}
    return {"new_place": there.spec, "new_hash": there.fingerprints.content if there.fingerprints else None}
