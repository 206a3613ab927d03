"""graph:confirm, graph:pin, graph:unpin, graph:invalidate, graph:restore, graph:prune."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tx_graph.core.times import parse_age
from tx_graph.faces.cli.options import Json, LearningRef, opened
from tx_graph.faces.cli.render import shapes
from tx_graph.faces.cli.render.terminal import note, print_json, printable, shortened
from tx_graph.faces.cli.render.words import counted

if TYPE_CHECKING:
    from tx_graph.anchors.life import Acted, Pruned, Step


_EXCERPT = 60

AnchorName = Annotated[
    str | None,
    typer.Argument(metavar="ANCHOR", help="One of its anchors, as shown, or a file; without it all of them."),
]


def confirm(ref: LearningRef, anchor: AnchorName = None, *, as_json: Json = False) -> None:
    """Say that you looked and a learning is still true: its anchors take the code as it is now.

    Where the code went elsewhere, the anchor follows it. An anchor that was invalidated is valid again. Code that is
    nowhere to be found cannot be confirmed; then nothing changes.

    Example:
      tx graph:confirm 12
      tx graph:confirm 12 src/auth.py::verify_token
    """
    with opened() as workspace:
        acted = workspace.confirming.confirm(ref, anchor)
    _print(acted, "confirmed", unchanged="is as it was", as_json=as_json)


def pin(ref: LearningRef, anchor: AnchorName = None, *, as_json: Json = False) -> None:
    """Exempt anchors from verification: they are taken at their word, whatever becomes of the code.

    Example:
      tx graph:pin 12 docs/history.md
    """
    with opened() as workspace:
        acted = workspace.anchor_life.pin(ref, anchor)
    _print(acted, "pinned", unchanged="is pinned already", as_json=as_json)


def unpin(ref: LearningRef, anchor: AnchorName = None, *, as_json: Json = False) -> None:
    """Have pinned anchors verified again.

    Example:
      tx graph:unpin 12
    """
    with opened() as workspace:
        acted = workspace.anchor_life.unpin(ref, anchor)
    _print(acted, "no longer pinned", unchanged="is not pinned", as_json=as_json)


def invalidate(
    ref: LearningRef,
    anchor: AnchorName = None,
    *,
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why it holds no more.")],
    commit: Annotated[str | None, typer.Option("--commit", metavar="REV", help="The commit that made it so.")] = None,
    as_json: Json = False,
) -> None:
    """Say that anchors hold no more, whatever the code looks like; graph:restore takes it back.

    It stands in the learning's record, so others hear of it. The learning itself stays; to take it out of answers,
    see learning:edit --status and learning:remove.

    Example:
      tx graph:invalidate 12 src/auth.py --reason "the gateway does it now"
      tx graph:invalidate 12 --reason "replaced" --commit HEAD
    """
    with opened() as workspace:
        acted = workspace.anchor_life.invalidate(ref, anchor, reason=reason, commit=commit)
    _print(acted, "invalidated", unchanged="was invalidated for this reason already", as_json=as_json)


def restore(ref: LearningRef, anchor: AnchorName = None, *, as_json: Json = False) -> None:
    """Take invalidations back, and bring back anchors that were pruned: all is as it was before.

    Example:
      tx graph:restore 12
      tx graph:restore 12 src/auth.py
    """
    with opened() as workspace:
        acted = workspace.anchor_life.restore(ref, anchor)
    _print(acted, "restored", unchanged="needs no restoring", as_json=as_json)


def prune(
    *,
    older_than: Annotated[
        str, typer.Option("--older-than", metavar="AGE", help="How long it has been invalid: 90d, 12h or 2w.")
    ],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would go.")] = False,
    as_json: Json = False,
) -> None:
    """Remove anchors that have been invalid for long from the records; the log keeps them for graph:restore.

    Pinned anchors stay, as do those that hold again. The time counts from when somebody invalidated an anchor or
    graph:verify first found it so.

    Example:
      tx graph:prune --older-than 90d --dry-run
    """
    age = parse_age(older_than)
    with opened() as workspace:
        pruned = workspace.pruning.prune(age, dry_run=dry_run)
    if as_json:
        print_json({"pruned": [_pruned_shape(one) for one in pruned], "dry_run": dry_run})
        return
    for one in pruned:
        verb = "would lose" if dry_run else "lost"
        why = f"invalid since {one.since[:10]}: {one.detail}" if one.since else one.detail
        typer.echo(printable(f"{one.learning.ref} {verb} {one.row.anchor.spec}  ({why})"))
    if not pruned:
        note(f"No anchor has been invalid for {older_than.strip()}.")
    elif not dry_run:
        note(f"Pruned {counted(len(pruned), 'anchor')}; 'tx graph:restore LEARNING' brings them back.")


def _print(acted: Acted, done: str, *, unchanged: str, as_json: bool) -> None:
    if as_json:
        print_json(
            {
                "learning": shapes.learning(acted.learning),
                "anchors": [shapes.anchor(step.anchor) | _outcome(step) for step in acted.steps],
            }
        )
        return
    for step in acted.steps:
        what = f"{done}" if step.is_change else unchanged
        place = f"{step.old.spec} → {step.anchor.spec}" if step.old and step.has_moved else step.anchor.spec
        typer.echo(printable(f"{acted.learning.ref}  {place}  {what}"))
    if not acted.steps:
        note(f"{acted.learning.ref} has no anchors.")


def _outcome(step: Step) -> dict[str, object]:
    return {"changed": step.is_change, "before": step.old.spec if step.old else None}


def _pruned_shape(one: Pruned) -> dict[str, object]:
    return shapes.anchor(one.row.anchor) | {
        "learning": one.learning.id,
        "uid": one.learning.uid,
        "content": shortened(one.learning.content, _EXCERPT),
        "since": one.since or None,
        "reason": one.reason.value,
        "detail": one.detail,
    }
