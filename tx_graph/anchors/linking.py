"""Use cases that tie learnings to code and to each other."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from tx_graph.anchors.life import Step, Writing
from tx_graph.anchors.sources import Sources
from tx_graph.anchors.taking import Anchoring, Suggesting, Suggestion
from tx_graph.anchors.verdict import EventKind, Reason
from tx_graph.core.database import Database
from tx_graph.core.errors import NotFound, OutsideRepository, UsageError
from tx_graph.graph.edges import Relation
from tx_graph.graph.resolving import References
from tx_graph.records.anchor import Anchor, AnchorRequest
from tx_graph.records.learning import Learning, Link, StoredLearning, unit_interval
from tx_graph.records.sync import RecordSync


@dataclass(frozen=True, slots=True, kw_only=True)
class Tied:
    """A learning and the anchor it gained; `existed` when it had the same one with the same fingerprints."""

    learning: StoredLearning
    anchor: Anchor
    existed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """Two learnings and the LINKS_TO edge between them; `existed` when it was there already."""

    source: StoredLearning
    target: StoredLearning
    link: Link
    existed: bool


class Linking:
    """Adds and removes anchors and links; both live in the learning's record."""

    def __init__(
        self,
        *,
        database: Database,
        references: References,
        anchoring: Anchoring,
        suggesting: Suggesting,
        sources: Sources,
        sync: RecordSync[Learning],
        writing: Writing,
    ) -> None:
        self._database = database
        self._references = references
        self._anchoring = anchoring
        self._suggesting = suggesting
        self._sources = sources
        self._sync = sync
        self._writing = writing

    def suggest(self, path: str, word: str) -> Suggestion:
        """Return the best anchor to what a word names in a file, and why; nothing is written.

        Raises:
            NotFound: There is no such file, or nothing like the word in it.
            UsageError: The word is empty, or the path cannot be anchored.
        """
        self._sources.forget()
        return self._suggesting.suggest(path, word)

    def link(self, ref: str, request: AnchorRequest, *, dry_run: bool = False) -> Tied:
        """Tie a learning to code, unless it is a `dry_run`; to the same place again takes new fingerprints.

        An attempt to lead out of the repository is logged.

        Raises:
            NotFound: The learning, file, symbol or lines do not exist.
            UsageError: The request contradicts itself, or leads out of the repository.
        """
        self._sources.forget()
        try:
            taken = self._anchoring.take(request)
        except OutsideRepository:
            self._log_refusal(ref, request)
            raise
        if dry_run:
            stored = self._references.learning(ref)
            return Tied(learning=stored, anchor=taken, existed=_known(stored, taken)[1] in stored.learning.anchors)
        with self._database.transaction():
            stored = self._references.learning(ref)
            old, anchor = _known(stored, taken)
            existed = anchor in stored.learning.anchors
            if not existed:
                stored = self._writing.write(stored, [self._step(stored, old, anchor)]).learning
        return Tied(learning=stored, anchor=anchor, existed=existed)

    def _step(self, stored: StoredLearning, old: Anchor | None, new: Anchor) -> Step:
        """Return the step to an anchor; one that was there before, or is in the log, is confirmed by it."""
        rows = {row.anchor.key: row for row in self._writing.stores.anchors.rows([stored.node])}
        is_told = any(event.anchor.key == new.key for event in self._writing.stores.anchor_log.of(stored.node))
        if old is None and not is_told:
            return Step(old=None, new=new)
        event = self._writing.event(
            EventKind.CONFIRMED,
            old or new,
            command="graph:link",
            old_status=rows[new.key].state.status if old else "none",
            new_status="valid",
            new_place=new.spec,
            new_hash=new.fingerprints.content if new.fingerprints else None,
        )
        return Step(old=old, new=new, event=event)

    def _log_refusal(self, ref: str, request: AnchorRequest) -> None:
        """Tell the log that somebody asked for a place outside, if there is a learning and a log to write to."""
        if self._database.read_only:
            return
        with suppress(NotFound), self._database.transaction():
            stored = self._references.learning(ref)
            kind = request.type or request.inferred_type(exists=False)
            typed = Anchor(path=request.path, type=kind, symbol=request.symbol, lines=request.lines)
            event = self._writing.event(
                EventKind.REFUSED,
                typed,
                command="graph:link",
                old_status="none",
                new_status="none",
                reason=Reason.OUTSIDE_REPOSITORY,
                new_place=typed.spec,
            )
            self._writing.write(stored, [Step(old=None, new=None, event=event)])

    def unlink(self, ref: str, spec: str) -> tuple[StoredLearning, list[Anchor]]:
        """Remove the anchors that `spec` names: one as it is written, or every anchor to a file.

        Raises:
            NotFound: The learning has no such anchor; those it has are named.
        """
        with self._database.transaction():
            stored = self._references.learning(ref)
            going = self._writing.named(stored, spec, stored.learning.anchors)
            after = self._writing.write(stored, [Step(old=anchor, new=None) for anchor in going])
        return after.learning, going

    def relate(self, source_ref: str, target_ref: str, *, relation: Relation, weight: float) -> Related:
        """Link one learning to another; the same relation again takes the new weight.

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are the same, or the weight is out of range.
        """
        weight = unit_interval(weight, what="weight")
        with self._database.transaction():
            source, target = self._references.learning(source_ref), self._references.learning(target_ref)
            if source.id == target.id:
                raise UsageError("A learning cannot be linked to itself.")
            link = Link(target=target.learning.uid, relation=relation, weight=weight)
            existed = link in source.learning.links
            if not existed:
                others = [one for one in source.learning.links if (one.target, one.relation) != (link.target, relation)]
                self._sync.write(replace(source.learning, links=(*others, link)), record=source.record)
        return Related(source=source, target=target, link=link, existed=existed)

    def unrelate(self, source_ref: str, target_ref: str, *, relation: Relation | None) -> int:
        """Remove the links from one learning to another (only of `relation`, if given); return how many.

        Raises:
            NotFound: One of them does not exist, or there is no such link.
        """
        with self._database.transaction():
            source, target = self._references.learning(source_ref), self._references.learning(target_ref)
            kept = tuple(
                link
                for link in source.learning.links
                if link.target != target.learning.uid or relation not in (None, link.relation)
            )
            removed = len(source.learning.links) - len(kept)
            if not removed:
                raise NotFound(f"Learning {source.id} has no such link to learning {target.id}.")
            self._sync.write(replace(source.learning, links=kept), record=source.record)
        return removed


def _known(stored: StoredLearning, taken: Anchor) -> tuple[Anchor | None, Anchor]:
    """Return the learning's anchor to the place that was taken, if it has one, and what becomes of it: a pin stays."""
    old = next((anchor for anchor in stored.learning.anchors if anchor.key == taken.key), None)
    return old, replace(taken, pinned=old.pinned) if old else taken


def parse_link(text: str) -> Link:
    """Return the link that `REF[:relation]` asks for; its target is still a reference.

    Raises:
        UsageError: The relation is unknown.
    """
    target, colon, relation = text.rpartition(":")
    if not colon or not target or target == "learning":
        return Link(target=text)
    return Link(target=target, relation=parse_relation(relation))


def parse_relation(name: str) -> Relation:
    """Return the relation called `name`.

    Raises:
        UsageError: There is none such.
    """
    try:
        return Relation(name.strip().lower().replace("-", "_"))
    except ValueError:
        raise UsageError(f"'{name}' is no relation.", hint=f"Choose from {', '.join(Relation)}.") from None
