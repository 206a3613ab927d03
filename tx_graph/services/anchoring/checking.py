"""Judges anchors, from what is known already where their files did not change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tx_graph.domain.anchor import Anchor, AnchorType, leads_outside, parse_anchor
from tx_graph.domain.verdict import Drift, Judgement, Verdict
from tx_graph.services.anchoring.contents import Contents
from tx_graph.services.anchoring.judging import Judging, drifted_words
from tx_graph.services.anchoring.relocating import Relocating
from tx_graph.storage.anchored_files import SeenFile
from tx_graph.storage.anchors import AnchorRow, AnchorState

_STATUS = {Verdict.VALID: "valid", Verdict.RELOCATED: "valid", Verdict.DRIFTED: "drifted", Verdict.INVALID: "invalid"}


class Checking:
    """Looks at many anchors. A file whose stamp is as it was is not read; one with the same content is not parsed.

    `version` is that of tx: what another one said of a content is not believed.
    """

    def __init__(self, *, contents: Contents, judging: Judging, relocating: Relocating, version: str) -> None:
        self._contents = contents
        self._judging = judging
        self._relocating = relocating
        self._version = version

    def check(self, rows: Sequence[AnchorRow]) -> list[Judgement]:
        """Return the verdict on each anchor, in order; whether a file changed is looked up anew each time."""
        self._contents.look({row.anchor.path for row in rows})
        kept = {row.id: self._kept(row) for row in rows}
        fresh = [row for row in rows if kept[row.id] is None]
        hints = {row.anchor.path: parse_anchor(row.state.found_at).path for row in fresh if row.state.found_at}
        judged = self._relocating.settle([self._judging.judge(row.anchor) for row in fresh], hints=hints)
        found = dict(zip((row.id for row in fresh), judged, strict=True))
        return [kept[row.id] or found[row.id] for row in rows]

    def state(self, row: AnchorRow, judgement: Judgement, *, now: str) -> AnchorState:
        """Return what to keep of a verdict. What lies elsewhere is looked for again each time."""
        if judgement.verdict is Verdict.PINNED:
            return replace(row.state, verified_at=now)
        there = judgement.relocated_to
        settled = judgement.verdict in (Verdict.VALID, Verdict.DRIFTED) and there is None
        content = self._contents.known(row.anchor.path) if settled else None
        return AnchorState(
            status=_STATUS.get(judgement.verdict, row.state.status),
            drift=judgement.drift,
            reason=judgement.reason,
            found_at=there.spec if there else None,
            found_lines=judgement.lines,
            verified_at=now,
            verified_hash=self._about(content) if content else None,
        )

    def has_news(self) -> bool:
        """Whether a file was not as the last verification saw it."""
        return self._contents.has_news()

    def seen(self) -> list[SeenFile]:
        """Return the files that were looked at, with stamps to be trusted next time."""
        return self._contents.seen()

    def _kept(self, row: AnchorRow) -> Judgement | None:
        """Return the verdict of last time if it is about the same content, or that a whole file is what it was."""
        anchor, state = row.anchor, row.state
        if anchor.type is AnchorType.GLOB or anchor.pinned or anchor.invalidated:
            return None
        content = self._contents.of(anchor.path)
        if content is None:
            return None
        if state.verified_hash != self._about(content):
            return Judgement(anchor=anchor, verdict=Verdict.VALID) if _is_whole(anchor, content) else None
        if state.status == "drifted":
            return Judgement(
                anchor=anchor,
                verdict=Verdict.DRIFTED,
                drift=state.drift,
                detail=drifted_words(state.drift or Drift.BODY),
                lines=state.found_lines,
            )
        return Judgement(anchor=anchor, verdict=Verdict.VALID, lines=state.found_lines)

    def _about(self, content: str) -> str:
        """Return what a verdict is about: the content, as this version of tx sees it."""
        return f"{content}:{self._version}"


def _is_whole(anchor: Anchor, content: str) -> bool:
    """Whether an anchor is to a whole file that has just this content."""
    if anchor.type is not AnchorType.HASH or anchor.lines or leads_outside(anchor.path):
        return False
    return anchor.fingerprints is not None and anchor.fingerprints.content == content
