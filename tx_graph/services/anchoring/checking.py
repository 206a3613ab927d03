"""Judges anchors, from what is known already where their files did not change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from tx_graph.codebase.working_tree import Stamp, WorkingTree
from tx_graph.domain.anchor import AnchorType, parse_anchor
from tx_graph.domain.verdict import Drift, Judgement, Verdict
from tx_graph.services.anchoring.judging import Judging, drifted_words
from tx_graph.services.anchoring.relocating import Relocating
from tx_graph.services.anchoring.sources import Sources
from tx_graph.services.stamps import trusted_mtime
from tx_graph.storage.anchored_files import AnchoredFileStore, SeenFile
from tx_graph.storage.anchors import AnchorRow, AnchorState

_STATUS = {Verdict.VALID: "valid", Verdict.RELOCATED: "valid", Verdict.DRIFTED: "drifted", Verdict.INVALID: "invalid"}


class Checking:
    """Looks at many anchors. A file whose stamp is as it was is not read; one with the same content is not parsed.

    `version` is that of tx: what another one said of a content is not believed.
    """

    def __init__(
        self,
        *,
        tree: WorkingTree,
        sources: Sources,
        judging: Judging,
        relocating: Relocating,
        files: AnchoredFileStore,
        version: str,
    ) -> None:
        self._tree = tree
        self._sources = sources
        self._judging = judging
        self._relocating = relocating
        self._files = files
        self._version = version
        self._stamps: dict[str, Stamp | None] = {}
        self._hashes: dict[str, str | None] = {}
        self._unseen = False

    def check(self, rows: Sequence[AnchorRow]) -> list[Judgement]:
        """Return the verdict on each anchor, in order; whether a file changed is looked up anew each time."""
        self._stamps, self._hashes, self._unseen = {}, {}, False
        known = self._files.of({row.anchor.path for row in rows})
        kept = {row.id: self._kept(row, known) for row in rows}
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
        content = self._hashes.get(row.anchor.path) if settled else None
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
        """Whether a file had to be read because its stamp was not known."""
        return self._unseen

    def seen(self) -> list[SeenFile]:
        """Return the files that were read, with stamps to be trusted next time."""
        return [
            SeenFile(path, stamp.size, trusted_mtime(stamp.changed_ns), content)
            for path, content in self._hashes.items()
            if content and (stamp := self._stamps.get(path))
        ]

    def _kept(self, row: AnchorRow, known: dict[str, SeenFile]) -> Judgement | None:
        """Return the verdict of last time if it is about the same content."""
        anchor, state = row.anchor, row.state
        if anchor.type is AnchorType.GLOB or anchor.pinned or anchor.invalidated:
            return None
        content = self._content(anchor.path, known.get(anchor.path))
        if content is None or state.verified_hash != self._about(content):
            return None
        if state.status == "drifted":
            return Judgement(
                anchor=anchor,
                verdict=Verdict.DRIFTED,
                drift=state.drift,
                detail=drifted_words(state.drift or Drift.BODY),
                lines=state.found_lines,
            )
        return Judgement(anchor=anchor, verdict=Verdict.VALID, lines=state.found_lines)

    def _content(self, path: str, seen: SeenFile | None) -> str | None:
        """Return the hash of a file's content, without reading it if its stamp proves that it is the old one."""
        if path not in self._stamps:
            stamp = self._stamps[path] = self._tree.stamp(path)
            if stamp and seen and (stamp.size, stamp.changed_ns) == (seen.size, seen.changed_ns):
                self._hashes[path] = seen.content_hash
            else:
                self._unseen = True
                source = self._sources.get(path) if stamp else None
                self._hashes[path] = source.whole_content if source else None
        return self._hashes[path]

    def _about(self, content: str) -> str:
        """Return what a verdict is about: the content, as this version of tx sees it."""
        return f"{content}:{self._version}"
