"""What ties learnings to code and to each other, for people."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import TypedDict

from tx_graph.anchors.anchors import History, Pruned, Reviewed, Told, ToldLink
from tx_graph.anchors.linking import Linked, Related, Unlinked
from tx_graph.anchors.log import Acted
from tx_graph.core.text import counted
from tx_graph.faces.cli.render.terminal import echo, note, printable, styled
from tx_graph.faces.cli.render.words import more
from tx_graph.records.learning import Status

_EXCERPT = 60
_SHORT = 10  # digits of a hash that people compare
_COLOURS = {"invalid": "red", "invalidated": "red", "drifted": "yellow", "healed": "green", "restored": "green"}


def linked(done: Linked) -> None:
    """Print where a learning was tied to, and why there."""
    verb = "Already anchored" if done.existed else "Would anchor" if done.dry_run else "Anchored"
    why = f": {done.why}" if done.why else ""
    kind = done.anchor.type if done.matched is None else f"glob, {counted(done.matched, 'file')}"
    echo(printable(f"{verb} {done.learning.name} to {done.anchor.spec} ({kind}){why}"))
    if done.alternatives:
        note(f"Others: {', '.join(done.alternatives)}")


def unlinked(done: Unlinked) -> None:
    """Print which anchors were removed."""
    for anchor in done.removed:
        echo(printable(f"{done.learning.name} is no longer anchored to {anchor.spec}"))


def related(done: Related) -> None:
    """Print a link."""
    echo(f"{done.source.name} {done.link.relation} {done.target.name} ({done.link.weight:g})")


def unrelated(removed: int) -> None:
    """Print how many links were removed."""
    echo(f"Removed {counted(removed, 'link')}")


_ACTS = {
    "graph:confirm": ("confirmed", "is as it was"),
    "graph:pin": ("pinned", "is pinned already"),
    "graph:unpin": ("no longer pinned", "is not pinned"),
    "graph:invalidate": ("invalidated", "was invalidated for this reason already"),
    "graph:restore": ("restored", "needs no restoring"),
}
"""What is said of an anchor that a command changed, and of one that it had not to change."""


def acted(done: Acted, command: str) -> None:
    """Print what became of each anchor."""
    changed, unchanged = _ACTS[command]
    for step in done.steps:
        place = f"{step.old.spec} → {step.anchor.spec}" if step.old and step.has_moved else step.anchor.spec
        echo(printable(f"{done.learning.name}  {place}  {changed if step.is_change else unchanged}"))
    for link in done.links:
        echo(f"{done.learning.name}  {link.relation} {link.target}  {changed}")
    if not done.steps and not done.links:
        note(f"{done.learning.name} has no anchors.")


def confirmed(done: Acted | Reviewed, command: str) -> None:
    """Print what became of each anchor of a learning, or of all that were reviewed."""
    if isinstance(done, Acted):
        acted(done, command)
        return
    for one in done.confirmed:
        acted(one, command)
    for checked in done.left:
        note(printable(f"Left: {checked.judgement.anchor.spec} of {checked.learning.ref}, {checked.judgement.detail}."))
    if not done.confirmed and not done.left:
        note("Nothing has drifted since then.")


def pruned(gone: Sequence[Pruned], older_than: timedelta | str, *, dry_run: bool) -> None:
    """Print which anchors went, or would go."""
    for one in gone:
        verb = "would lose" if dry_run else "lost"
        why = f"invalid since {one.since[:10]}: {one.detail}" if one.since else one.detail
        echo(printable(f"{one.learning.uid} ({one.learning.ref}) {verb} {one.row.anchor.spec}  ({why})"))
    if not gone:
        note(f"No anchor has been invalid for {str(older_than).strip()}.")
    elif not dry_run:
        note(f"Pruned {counted(len(gone), 'anchor')}; 'tx graph:restore LEARNING' brings them back.")


class PrunedShape(TypedDict):
    """Which anchors went, or would go."""

    pruned: Sequence[Pruned]
    dry_run: bool


def pruned_shape(gone: Sequence[Pruned], *, dry_run: bool) -> PrunedShape:
    """Return which anchors went, or would go."""
    return {"pruned": gone, "dry_run": dry_run}


def history(found: History) -> None:
    """Print what happened to anchors and links, oldest first."""
    for one in found.events:
        _print_event(one)
    if not found.total:
        note("Nothing has happened to anchors and links here yet.")
    elif cut := more(found.total, shown=len(found.events)):
        note(cut)


def _print_event(told: Told | ToldLink) -> None:
    learning = f"learning:{told.number}" if told.number else told.uid
    if isinstance(told, ToldLink):
        link, coloured = told.event, styled(told.event.kind.value, fg=_COLOURS.get(told.event.kind.value))
        echo(f"{link.at}  {coloured}  {link.relation} {link.target}  {styled(learning, fg='bright_black')}")
        echo(styled(f"  told by {printable(link.detected_by)}", fg="bright_black"))
        return
    event = told.event
    learning += "  staged" if told.status is Status.STAGED else ""
    place = event.anchor.spec
    if event.new_place and event.new_place != place:
        place = f"{place} → {event.new_place}"
    kind = f"{event.kind.value}:{event.drift.value}" if event.drift else event.kind.value
    coloured = styled(kind, fg=_COLOURS.get(event.kind.value))
    echo(f"{event.at}  {coloured}  {printable(place)}  {styled(learning, fg='bright_black')}")
    change = f"{event.old_status} → {event.new_status}" if event.old_status != event.new_status else ""
    lines = ["; ".join(filter(None, (event.detail, change, f"told by {event.detected_by}")))]
    if event.commit:
        lines.append(f"commit {event.commit[:_SHORT]} {told.subject or ''}".rstrip())
    taken = event.anchor.fingerprints
    if taken and event.new_hash and event.new_hash != taken.content:
        lines.append(f"content {taken.content[:_SHORT]} → {event.new_hash[:_SHORT]}")
    for line in lines:
        echo(styled(f"  {line}", fg="bright_black"))
