"""What ties learnings to code and to each other: a part of `workspace.graph`, and the commands about it."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import Annotated, ClassVar

from tx_graph.anchors.log import Step, event_of, named, tell_links, write
from tx_graph.anchors.sources import sources
from tx_graph.anchors.store import AnchorLog
from tx_graph.anchors.taking import Anchoring, Suggestion, suggested
from tx_graph.anchors.verdict import EventKind, LinkEventKind, whereabouts
from tx_graph.core.arguments import Arg, LearningRef, Ref, choices
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import NotFound, OutsideRepository, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.graph.edges import Relation
from tx_graph.records.anchor import (
    Anchor,
    AnchorRequest,
    AnchorSpec,
    AnchorType,
    Reason,
    parse_anchor,
    parse_lines,
    spec_of,
)
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning import Link, StoredLearning, unit_interval
from tx_graph.records.learning_record import rewritten
from tx_graph.records.references import LearningReferences

OtherRef = Annotated[Ref, Arg("OTHER", "The other learning.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tied(Answer):
    """A learning and the anchor it gained; `existed` when it had the same one with the same fingerprints."""

    learning: StoredLearning
    anchor: Anchor
    existed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Related(Answer):
    """Two learnings and the LINKS_TO edge between them; `existed` when it was there already."""

    JSON: ClassVar = (
        "source=source.ref source_node=source.learning.uid@learning target=target.ref "
        "target_node=target.learning.uid@learning relation=link.relation weight=link.weight existed"
    )

    source: StoredLearning
    target: StoredLearning
    link: Link
    existed: bool


class Linking:
    """Adds and removes anchors and links; both live in the learning's record.

    Who names a learning, a file, a symbol or lines that are not there is told so by NotFound; a place that cannot be
    anchored, a link of a learning to itself and a weight that is none are UsageErrors.
    """

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def link(self, learning: Ref, place: str | AnchorRequest, *, dry_run: bool = False) -> Tied:
        """Return the anchor by which a learning is tied to code now; with `dry_run` by which it would be.

        A place is written `PATH[::SYMBOL][:L1-L2]`; prefer a symbol, which survives most changes around it. To the
        same place again takes new fingerprints. An attempt to lead out of the repository is logged.
        """
        request, references = (
            parse_anchor(place) if isinstance(place, str) else place,
            self._kernel.one(LearningReferences),
        )
        database = self._kernel.database
        self._kernel.one(sources).forget()
        try:
            taken = self._kernel.one(Anchoring).take(request)
        except OutsideRepository:
            self._log_refusal(learning, request)
            raise
        with nullcontext() if dry_run else database.transaction():
            stored = references.learning(learning)
            old = next((anchor for anchor in stored.learning.anchors if anchor.key == taken.key), None)
            anchor = replace(taken, pinned=old.pinned) if old else taken
            if dry_run or anchor in stored.learning.anchors:
                return Tied(learning=stored, anchor=anchor, existed=anchor in stored.learning.anchors)
            event = None
            if old or any(one.anchor.key == anchor.key for one in AnchorLog(database).of(stored.node)):
                # One that was there before, or is in the log, is confirmed by it.
                statuses = {row.anchor.key: row.state.status for row in AnchorStore(database).rows([stored.node])}
                turned, facts = (statuses[anchor.key] if old else "none", "valid"), whereabouts(anchor)
                event = event_of(self._kernel, EventKind.CONFIRMED, old or anchor, turned, by="graph:link", **facts)
            stored = write(self._kernel, stored, [Step(old=old, new=anchor, event=event)]).learning
        return Tied(learning=stored, anchor=anchor, existed=False)

    def suggest_anchor(self, path: str, word: str) -> Suggestion:
        """Return the best anchor to what a word names in a file, and why; its `request` is for `link`."""
        self._kernel.one(sources).forget()
        return suggested(self._kernel, path, word)

    def unlink(self, learning: Ref, anchor: AnchorSpec) -> tuple[Anchor, ...]:
        """Return the anchors that were removed from a learning: the one named, or all those in the file named."""
        with self._kernel.database.transaction():
            stored = self._kernel.one(LearningReferences).learning(learning)
            going = named(self._kernel, stored, spec_of(anchor), stored.learning.anchors)
            statuses = {
                row.anchor.key: row.state.status for row in AnchorStore(self._kernel.database).rows([stored.node])
            }
            steps = []
            for one in going:
                turned = (statuses[one.key], "none")
                event = event_of(self._kernel, EventKind.UNLINKED, one, turned, by="graph:unlink")
                steps.append(Step(old=one, new=None, event=event))
            write(self._kernel, stored, steps)
        return tuple(going)

    def relate(
        self,
        source: LearningRef,
        target: OtherRef,
        *,
        relation: Annotated[Relation, Arg("NAME", f"What the link means: {choices(Relation)}.")] = Relation.REFERENCES,
        weight: Annotated[float, Arg("F", "How strong it is, 0 to 1.")] = 1.0,
    ) -> Related:
        """Link one learning to another.

        Example:
          tx graph:relate 12 7 --relation elaborates
        """
        weight, references = unit_interval(weight, what="weight"), self._kernel.one(LearningReferences)
        with self._kernel.database.transaction():
            one, other = references.learning(source), references.learning(target)
            if one.id == other.id:
                raise UsageError("A learning cannot be linked to itself.")
            link = Link(target=other.learning.uid, relation=relation, weight=weight)
            existed = link in one.learning.links
            if not existed:  # the same relation again takes the new weight
                kept = [each for each in one.learning.links if (each.target, each.relation) != (link.target, relation)]
                rewritten(self._kernel, one, replace(one.learning, links=(*kept, link)))
                tell_links(self._kernel, one, LinkEventKind.RELATED, [link], by="graph:relate")
        return Related(source=one, target=other, link=link, existed=existed)

    def unrelate(
        self,
        source: LearningRef,
        target: OtherRef,
        *,
        relation: Annotated[Relation | None, Arg("NAME", "Only links of this meaning.")] = None,
    ) -> int:
        """Remove links from one learning to another; graph:restore brings them back.

        Example:
          tx graph:unrelate 12 7
        """
        references = self._kernel.one(LearningReferences)
        with self._kernel.database.transaction():
            one, other = references.learning(source), references.learning(target)
            kept = tuple(
                link
                for link in one.learning.links
                if link.target != other.learning.uid or relation not in (None, link.relation)
            )
            removed = [link for link in one.learning.links if link not in kept]
            if not removed:
                raise NotFound(f"Learning {one.id} has no such link to learning {other.id}.")
            rewritten(self._kernel, one, replace(one.learning, links=kept))
            tell_links(self._kernel, one, LinkEventKind.UNRELATED, removed, by="graph:unrelate")
        return len(removed)

    def _log_refusal(self, learning: Ref, request: AnchorRequest) -> None:
        """Tell the log that somebody asked for a place outside, if there is a learning and a log to write to."""
        if self._kernel.database.read_only:
            return
        with suppress(NotFound), self._kernel.database.transaction():
            stored = self._kernel.one(LearningReferences).learning(learning)
            kind = request.type or request.inferred_type(exists=False)
            typed = Anchor(path=request.path, type=kind, symbol=request.symbol, lines=request.lines)
            facts = {"reason": Reason.OUTSIDE_REPOSITORY, "new_place": typed.spec}
            event = event_of(self._kernel, EventKind.REFUSED, typed, ("none", "none"), by="graph:link", **facts)
            write(self._kernel, stored, [Step(old=None, new=None, event=event)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked(Tied):
    """A learning that was tied to code, or would be; `why` and `alternatives` where a word chose the place.

    `matched` counts the files of a glob.
    """

    why: str | None = None
    alternatives: tuple[str, ...] = ()
    dry_run: bool = False
    matched: int | None = None


def link(
    kernel: Kernel,
    learning: LearningRef,
    path: Annotated[str, Arg("PATH[::SYMBOL][:L1-L2]", "A file, symbol, section (docs/a.md#part), lines or glob.")],
    word: Annotated[str | None, Arg("WORD", "A word in the file: what it names is anchored to.")] = None,
    *,
    anchor_type: Annotated[
        AnchorType | None, Arg("TYPE", f"{choices(AnchorType)}; inferred from what is given.")
    ] = None,
    symbol: Annotated[str | None, Arg("NAME", "A symbol in the file.")] = None,
    lines: Annotated[str | None, Arg("A-B", "Lines of the file.")] = None,
    fallback: Annotated[
        bool, Arg(help="It counts only once the other anchors are lost: a whole file or a glob.")
    ] = False,
    dry_run: Annotated[bool, Arg(help="Only say what would be anchored, and why.")] = False,
) -> Linked:
    """Tie a learning to code. Prefer a symbol: it survives most changes of the file around it.

    With a WORD the best anchor is chosen: the symbol that it names if only one does, else the only lines with it, else
    the file. An anchor of type hash over lines knows them again wherever they move; one of type lines, which --lines
    gives, also keeps their text, so that edited lines are found too.

    Example:
      tx graph:link 12 src/auth.py::verify_token
      tx graph:link 12 src/auth.py verify --dry-run
      tx graph:link 12 src/auth.py --lines 10-20 --anchor-type hash
      tx graph:link 12 'src/**/*.py'
      tx graph:link 12 src/auth.py --fallback
    """
    request = parse_anchor(path)
    if (symbol and request.symbol) or (lines and request.lines):
        raise UsageError("The symbol or the lines are given twice.")
    request = replace(
        request, symbol=symbol or request.symbol, lines=parse_lines(lines) if lines else request.lines, type=anchor_type
    )
    if word is not None and (request.symbol or request.lines or request.type):
        raise UsageError("A WORD chooses the anchor; leave out the symbol, the lines and the type.")
    linking = kernel.one(Linking)
    chosen = None if word is None else linking.suggest_anchor(path, word)
    asked = replace(chosen.request if chosen else request, fallback=fallback)
    tied = linking.link(learning, asked, dry_run=dry_run)
    place = tied.anchor.path if tied.anchor.type is AnchorType.GLOB else ""
    return Linked(
        learning=tied.learning,
        anchor=tied.anchor,
        existed=tied.existed,
        why=chosen.why if chosen else None,
        alternatives=chosen.alternatives if chosen else (),
        dry_run=dry_run,
        matched=len(kernel.checkout.tracked_files().matching(place)) if place else None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlinked:
    """A learning as it is without the anchors that were removed."""

    learning: StoredLearning
    removed: tuple[Anchor, ...]


def unlink(
    kernel: Kernel,
    learning: LearningRef,
    path: Annotated[str, Arg("ANCHOR", "The anchor as shown, or a file to leave wholly.")],
) -> Unlinked:
    """Remove a tie between a learning and code; graph:restore brings it back.

    Example:
      tx graph:unlink 12 src/auth.py::verify_token
      tx graph:unlink 12 src/auth.py
    """
    removed = kernel.one(Linking).unlink(learning, path)
    return Unlinked(learning=kernel.one(LearningReferences).learning(learning), removed=removed)


def parse_link(text: str) -> Link:
    """Return the link that `REF[:relation]` asks for; its target is still a reference."""
    target, colon, relation = text.rpartition(":")
    if not colon or not target or target == "learning":
        return Link(target=text)
    return Link(target=target, relation=parse_relation(relation))


def parse_relation(name: str) -> Relation:
    """Return the relation called `name`."""
    try:
        return Relation(name.strip().lower().replace("-", "_"))
    except ValueError:
        raise UsageError(f"'{name}' is no relation.", hint=f"Choose from {', '.join(Relation)}.") from None
