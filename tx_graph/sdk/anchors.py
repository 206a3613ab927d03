"""Anchors: whether they hold, what people say of them, and what became of them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.domain.age import parse_age
from tx_graph.domain.anchor import AnchorRequest, parse_anchor
from tx_graph.errors import NotFound
from tx_graph.sdk.namespace import Namespace
from tx_graph.sdk.references import AnchorSpec, spec_of

if TYPE_CHECKING:
    from tx_graph.services.anchor_life.history import Told as ToldEvent
    from tx_graph.services.anchor_life.pruning import Pruned as PrunedAnchor
    from tx_graph.services.anchor_life.values import Acted as AnchorsChanged
    from tx_graph.services.verification import Checked as CheckedAnchor
    from tx_graph.services.verification import FileAnchor
    from tx_graph.services.verification import Report as VerificationReport


class Anchors(Namespace):
    """What ties learnings to code: `workspace.anchors`."""

    def verify(
        self, *places: Ref, since: str | None = None, withheld: bool = False, fix: bool = False
    ) -> VerificationReport:
        """Return the verdict on every anchor, or on those of the learnings, files, directories and symbols named.

        `since` a revision looks only at what differs from it; `withheld` takes in superseded, retracted and removed
        learnings. With `fix`, anchors follow code that merely went elsewhere, in the records.

        Raises:
            NotFound: Something unknown is named.
            RepositoryError: Git fails, or there is none and `since` needs it.
            StorageError: There is something to mend, and the records cannot be written.
        """
        from tx_graph.services.verification import Scope

        scope = Scope(places=[ref_of(one) for one in places], since=since, withheld=withheld)
        with self._lasting.use() as workspace:
            return workspace.verification.run(scope, fix=fix)

    def confirm(self, learning: Ref, anchor: AnchorSpec | None = None) -> AnchorsChanged:
        """Return what became of the anchors of a learning that is still true: they take the code as it is now.

        Raises:
            NotFound: There is no such learning or anchor, or the code of one is nowhere to be found.
        """
        with self._lasting.use() as workspace:
            return workspace.confirming.confirm(ref_of(learning), spec_of(anchor))

    def pin(self, learning: Ref, anchor: AnchorSpec | None = None) -> AnchorsChanged:
        """Return what became of anchors that are exempt from verification now.

        Raises:
            NotFound: There is no such learning or anchor.
        """
        with self._lasting.use() as workspace:
            return workspace.anchor_life.pin(ref_of(learning), spec_of(anchor))

    def unpin(self, learning: Ref, anchor: AnchorSpec | None = None) -> AnchorsChanged:
        """Return what became of anchors that are verified again.

        Raises:
            NotFound: There is no such learning or anchor.
        """
        with self._lasting.use() as workspace:
            return workspace.anchor_life.unpin(ref_of(learning), spec_of(anchor))

    def invalidate(
        self, learning: Ref, anchor: AnchorSpec | None = None, *, reason: str, commit: str | None = None
    ) -> AnchorsChanged:
        """Return what became of anchors that hold no more, whatever the code looks like; `commit` is to blame.

        Raises:
            NotFound: There is no such learning, anchor or commit.
            UsageError: The reason is empty or too long.
        """
        with self._lasting.use() as workspace:
            return workspace.anchor_life.invalidate(ref_of(learning), spec_of(anchor), reason=reason, commit=commit)

    def restore(self, learning: Ref, anchor: AnchorSpec | None = None) -> AnchorsChanged:
        """Return what became of anchors whose invalidation was taken back, or that were pruned and are back.

        Raises:
            NotFound: There is no such learning, or nothing to restore.
        """
        with self._lasting.use() as workspace:
            return workspace.anchor_life.restore(ref_of(learning), spec_of(anchor))

    def prune(self, older_than: timedelta | str, *, dry_run: bool = False) -> tuple[PrunedAnchor, ...]:
        """Return the anchors that have been invalid for so long (`90d`, `12h`, `2w`), removed unless it is a `dry_run`.

        Raises:
            UsageError: The age is no length of time.
            StorageError: The records cannot be written.
        """
        age = parse_age(older_than) if isinstance(older_than, str) else older_than
        with self._lasting.use() as workspace:
            return tuple(workspace.pruning.prune(age, dry_run=dry_run))

    def history(self, place: Ref) -> tuple[ToldEvent, ...]:
        """Return what happened to the anchors of a learning, in a file or directory, or to one; oldest first.

        Raises:
            NotFound: There is no such learning; or there is nothing at the place, and never was an anchor.
            UsageError: The place is outside the repository.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.anchor_history.of(ref_of(place)))

    def create_anchor(self, learning: Ref, anchor: str | AnchorRequest) -> FileAnchor:
        """Return the anchor by which a learning is tied to code now; to the same place again it is taken anew.

        Raises:
            NotFound: The learning, file, symbol or lines do not exist.
            UsageError: The request contradicts itself, or leads out of the repository.

        Example:
            >>> stored = workspace.learnings.add("Tokens are secret").stored
            >>> anchor = workspace.anchors.create_anchor(stored, "src/tokens.py::verify")
            >>> workspace.anchors.verify_anchor(anchor).judgement.verdict.value
            'valid'
        """
        request = parse_anchor(anchor) if isinstance(anchor, str) else anchor
        with self._lasting.use() as workspace:
            tied = workspace.linking.link(ref_of(learning), request)
            found = workspace.anchor_finding.at([tied.learning.ref], withheld=True)
            return next(one for one in found if one.anchor.key == tied.anchor.key)

    def verify_anchor(self, anchor: FileAnchor) -> CheckedAnchor:
        """Return the verdict on one anchor now; its `judgement` says whether it holds, and why not.

        Raises:
            NotFound: The learning has no such anchor any more.
        """
        report = self.verify(anchor.uid, withheld=True)
        for checked in report.checked:
            if checked.judgement.anchor.key == anchor.anchor.key:
                return checked
        raise NotFound(
            f"{anchor.learning} is not anchored to '{anchor.spec}' any more.",
            candidates=[checked.judgement.anchor.spec for checked in report.checked],
        )

    def find_anchors_for_file(self, path: str) -> tuple[FileAnchor, ...]:
        """Return the anchors of learnings in a file, to its symbols and by globs that match it, by learning.

        What they hold is as verification last found it; nothing is judged now.

        Raises:
            NotFound: There is no such file, and nothing is anchored there.
            UsageError: The path leads out of the repository.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.anchor_finding.at([f"file:{path.removeprefix('file:')}"]))
