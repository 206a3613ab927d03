"""fact:history, fact:conflicts, fact:maintain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from tx_graph.faces.cli.commands.facts import Predicate
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render import facts as render
from tx_graph.faces.cli.render.terminal import note, print_json, printable
from tx_graph.faces.cli.render.words import counted
from tx_graph.knowledge.facts import Scored


def history(
    ref: Annotated[str, typer.Argument(metavar="ENTITY|FACT", help="An entity, or a fact by its number.")],
    *,
    predicate: Predicate = None,
    as_json: Json = False,
) -> None:
    """Show all that was ever said about an entity, or of what one fact says, oldest first.

    Example:
      tx fact:history "Billing service"
      tx fact:history "Billing service" --predicate owner
      tx fact:history 12
    """
    with opened() as workspace:
        found = workspace.facts.history(ref, predicate=predicate)
    if as_json:
        print_json({"facts": [render.scored_shape(one) for one in found]})
    elif found:
        render.print_many(found)
    else:
        note("Nothing was ever said about it.")


def conflicts(*, as_json: Json = False) -> None:
    """Show where several facts give what takes one value, the one that counts most first.

    Which predicates take one value is the setting facts.single_valued.

    Example:
      tx fact:conflicts
      tx config set facts.single_valued status,owner,version,lead
    """
    with opened() as workspace:
        found = workspace.facts.conflicts()
    if as_json:
        print_json(
            {
                "conflicts": [
                    {
                        "subject": one.subject,
                        "predicate": one.predicate,
                        "facts": [render.scored_shape(fact) for fact in one.facts],
                    }
                    for one in found
                ]
            }
        )
        return
    for one in found:
        typer.echo(printable(f"{one.subject} {one.predicate}:"))
        for fact in one.facts:
            stored = fact.stored
            typer.echo(
                printable(
                    f"  {stored.ref}  {' '.join(stored.told.split())}  "
                    f"({stored.fact.status}, {fact.score:.2f}, {render.origin(stored)})"
                )
            )
    if found:
        note("Keep one of each: tx fact:retract FACT")
    else:
        note("No conflicts.")


def maintain(
    *,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    as_json: Json = False,
) -> None:
    """Promote staged facts that were recalled 3 times or more, and retract those whose score fell below 0.2.

    Confirmed facts that were recalled 5 times or more are kept. What a document states is left alone: it lives and
    dies with its document.

    Example:
      tx fact:maintain --dry-run
      tx fact:maintain
    """
    with opened() as workspace:
        done = workspace.fact_life.run(dry_run=dry_run)
    if as_json:
        print_json(
            {
                "promoted": [render.scored_shape(one) for one in done.promoted],
                "retracted": [render.scored_shape(one) for one in done.retracted],
                "looked_at": done.looked_at,
                "dry_run": dry_run,
            }
        )
        return
    would = "Would have " if dry_run else ""
    _print(f"{would}{'confirmed' if dry_run else 'Confirmed'}", done.promoted)
    _print(f"{would}{'retracted' if dry_run else 'Retracted'}", done.retracted)
    if not done.promoted and not done.retracted:
        note(f"Nothing to do: {counted(done.looked_at, 'fact')} looked at.")


def _print(verb: str, facts: Sequence[Scored]) -> None:
    for one in facts:
        used = counted(one.stored.accesses, "recall")
        typer.echo(f"{verb} {one.stored.ref} (score {one.score:.3f}, {used}): {render.sentence(one.stored)}")
