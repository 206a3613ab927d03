"""graph:confirm: somebody looked, and what was learned is still true."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tx_graph.domain.anchor import Anchor
from tx_graph.domain.anchor_event import EventKind
from tx_graph.domain.learning import StoredLearning
from tx_graph.domain.verdict import Judgement, Verdict
from tx_graph.errors import NotFound
from tx_graph.services.anchor_life.values import Acted, Step
from tx_graph.services.anchor_life.writing import Writing
from tx_graph.services.anchoring.judging import Judging
from tx_graph.services.anchoring.refreshing import refreshed
from tx_graph.services.anchoring.relocating import Relocating
from tx_graph.services.anchoring.sources import Sources
from tx_graph.storage.anchors import AnchorRow, AnchorState


class Confirming:
    """Takes anchors anew where their code is now."""

    def __init__(self, *, writing: Writing, judging: Judging, relocating: Relocating, sources: Sources) -> None:
        self._writing = writing
        self._judging = judging
        self._relocating = relocating
        self._sources = sources

    def confirm(self, ref: str, spec: str | None = None) -> Acted:
        """Take new fingerprints of what is there, for one anchor of a learning or all; an invalidated one is valid.

        Where code went elsewhere, its anchor follows. All are confirmed or none.

        Raises:
            NotFound: There is no such learning or anchor, or the code of one is nowhere to be found.
        """
        self._sources.forget()
        with self._writing.stores.database.transaction():
            stored = self._writing.references.learning(ref)
            rows = self._writing.rows_of(stored, spec)
            judged = self._judged([row.anchor for row in rows])
            steps = [self._step(stored, row, judgement) for row, judgement in zip(rows, judged, strict=True)]
            return self._writing.write(stored, steps)

    def _judged(self, anchors: Sequence[Anchor]) -> list[Judgement]:
        """Return the verdicts on anchors, whatever people said of them before."""
        asked = [replace(anchor, pinned=False, invalidated=None) for anchor in anchors]
        return self._relocating.settle([self._judging.judge(anchor) for anchor in asked], hints={})

    def _step(self, stored: StoredLearning, row: AnchorRow, judgement: Judgement) -> Step:
        new = judgement.relocated_to or refreshed(judgement.anchor, self._sources)
        if judgement.verdict is Verdict.INVALID or new is None:
            raise _lost(stored, judgement)
        new = replace(new, pinned=row.anchor.pinned)
        event = self._writing.event(
            EventKind.CONFIRMED,
            row.anchor,
            command="graph:confirm",
            old_status=row.state.status,
            new_status="valid",
            detail=judgement.detail,
            new_place=new.spec,
            new_hash=new.fingerprints.content if new.fingerprints else None,
        )
        state = AnchorState(found_lines=judgement.lines, verified_at=event.at)
        return Step(old=row.anchor, new=new, event=event, state=state)


def _lost(stored: StoredLearning, judgement: Judgement) -> NotFound:
    spec = judgement.anchor.spec
    return NotFound(
        f"{spec} cannot be confirmed: {judgement.detail}. Nothing was changed.",
        hint=f"Tie {stored.ref} to where the code is now (tx graph:link), or let go (tx graph:unlink {stored.id} "
        f"'{spec}'). Other anchors can be confirmed by name.",
        candidates=judgement.candidates,
    )
