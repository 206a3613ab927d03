"""Use cases that tie learnings to code and to each other."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tx_graph.domain.anchor import Anchor, AnchorRequest, distinct_anchors, parse_anchor
from tx_graph.domain.edges import Relation
from tx_graph.domain.learning import Link, StoredLearning, unit_interval
from tx_graph.errors import NotFound, UsageError
from tx_graph.services.anchoring import Anchoring
from tx_graph.services.record_sync import RecordSync
from tx_graph.services.references import References
from tx_graph.storage.database import Database


@dataclass(frozen=True, slots=True, kw_only=True)
class Tied:
    """A learning and the anchor it gained; `existed` when it had the same one with the same fingerprint."""

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

    def __init__(self, *, database: Database, references: References, anchoring: Anchoring, sync: RecordSync) -> None:
        self._database = database
        self._references = references
        self._anchoring = anchoring
        self._sync = sync

    def link(self, ref: str, request: AnchorRequest) -> Tied:
        """Tie a learning to code; linking to the same place again takes a new fingerprint.

        Raises:
            NotFound: The learning, file, symbol or lines do not exist.
            UsageError: The request contradicts itself, or leads out of the repository.
        """
        anchor = self._anchoring.take(request)
        with self._database.transaction():
            stored = self._references.learning(ref)
            existed = anchor in stored.learning.anchors
            if not existed:
                anchors = distinct_anchors([*stored.learning.anchors, anchor])
                self._sync.write(replace(stored.learning, anchors=anchors), record=stored.record)
        return Tied(learning=stored, anchor=anchor, existed=existed)

    def unlink(self, ref: str, spec: str) -> tuple[StoredLearning, list[Anchor]]:
        """Remove the anchors that `spec` names: one as it is written, or every anchor to a file.

        Raises:
            NotFound: The learning has no such anchor; those it has are named.
        """
        with self._database.transaction():
            stored = self._references.learning(ref)
            going = self._matching(stored, spec)
            kept = tuple(anchor for anchor in stored.learning.anchors if anchor not in going)
            self._sync.write(replace(stored.learning, anchors=kept), record=stored.record)
        return stored, going

    def _matching(self, stored: StoredLearning, spec: str) -> list[Anchor]:
        anchors = stored.learning.anchors
        found = [anchor for anchor in anchors if anchor.spec == spec]
        found = found or [anchor for anchor in anchors if anchor.spec in self._spellings(spec)]
        found = found or [anchor for anchor in anchors if anchor.path in self._spellings(spec)]
        if not found:
            raise NotFound(
                f"Learning {stored.id} is not anchored to '{spec}'.", candidates=[anchor.spec for anchor in anchors]
            )
        return found

    def _spellings(self, spec: str) -> list[str]:
        """Return the spec as it may stand in the record: from the root instead of the working directory."""
        request = parse_anchor(spec)
        rest = spec.strip()[len(request.path) :]
        try:
            return [f"{path}{rest}" for path in self._anchoring.candidates(request.path)]
        except UsageError:
            return []

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
