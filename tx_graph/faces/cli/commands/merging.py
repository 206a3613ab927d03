"""learning:merge, learning:supersede."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import shapes, words
from tx_graph.faces.cli.render.terminal import note, print_json
from tx_graph.learnings.merging import Merged


def merge(
    keep: Annotated[str, typer.Argument(metavar="KEEP", help="The learning that stays.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The learning that it takes in.")],
    *,
    as_json: Json = False,
) -> None:
    """Merge one learning into another: the first one stays, the other one is superseded by it.

    The one that stays gains the anchors, keywords, links and origins that it lacks; its text is its own. Votes stay
    with the learning that they were for. 'tx learning:edit OTHER --status active' brings the other one back.

    Example:
      tx learning:merge 12 31
    """
    with opened() as workspace:
        done = workspace.merging.merge(keep, other)
    if as_json:
        print_json(
            {
                "kept": shapes.learning(done.kept),
                "superseded": shapes.learning(done.other),
                "gained": {
                    "anchors": done.anchors,
                    "keywords": done.keywords,
                    "links": done.links,
                    "derived_from": done.derived,
                },
                "linked": list(done.linked),
            }
        )
        return
    typer.echo(f"{done.kept.ref} stays{_gained(done)}; {done.other.ref} is superseded by it.")
    if done.linked:
        note(f"Linked to it too now: {', '.join(done.linked)}.")
    note(_undo(done.other.id))


def _gained(done: Merged) -> str:
    counts = ((done.anchors, "anchor"), (done.keywords, "keyword"), (done.links, "link"), (done.derived, "origin"))
    gained = [words.counted(count, thing) for count, thing in counts if count]
    return f" and gained {', '.join(gained)}" if gained else ""


def _undo(number: int) -> str:
    return f"To undo: tx learning:edit {number} --status active"


def supersede(
    old: Annotated[str, typer.Argument(metavar="OLD", help="The learning that holds no more.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="The learning that answers instead.")],
    *,
    as_json: Json = False,
) -> None:
    """Say that a learning took the place of another one, which is withheld from then on.

    Example:
      tx learning:supersede 12 31
    """
    with opened() as workspace:
        done = workspace.merging.supersede(old, new)
    if as_json:
        print_json({"old": shapes.learning(done.old), "new": shapes.learning(done.new), "existed": done.existed})
        return
    typer.echo(f"{done.old.ref} is {'already ' if done.existed else ''}superseded by {done.new.ref}.")
    if not done.existed:
        note(_undo(done.old.id))
