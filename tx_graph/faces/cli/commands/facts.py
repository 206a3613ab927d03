"""fact:add, fact:list, fact:confirm, fact:retract."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.faces.cli.command import text_from
from tx_graph.faces.cli.options import Json, Limit, opened
from tx_graph.faces.cli.render import facts as render
from tx_graph.faces.cli.render.terminal import note, print_json, printable
from tx_graph.knowledge.fact import FactSource, FactStatus, StoredFact
from tx_graph.knowledge.facts import Added, FactDraft, FactQuery
from tx_graph.workspace.composition import Workspace

FactRefs = Annotated[list[str], typer.Argument(metavar="FACT...", help="Numbers, uids, or the beginnings of uids.")]
Predicate = Annotated[str | None, typer.Option("--predicate", metavar="WORD", help="Only with this predicate.")]
AsOf = Annotated[
    str | None, typer.Option("--as-of", metavar="DATE", help="What held then: 2026-11-20 (its end) or a UTC time.")
]


def add(
    subject: Annotated[str, typer.Argument(metavar="SUBJECT", help="Whom or what it is about: any name, or a path.")],
    predicate: Annotated[str, typer.Argument(metavar="PREDICATE", help="What is said, such as uses or works_on.")],
    object_: Annotated[
        str | None, typer.Argument(metavar="OBJECT", help="Another entity; else give a literal with --value.")
    ] = None,
    *,
    value: Annotated[
        str | None, typer.Option("--value", metavar="TEXT", help="A literal value; '-' reads stdin.")
    ] = None,
    confidence: Annotated[float, typer.Option("--confidence", metavar="F", help="How sure it is, 0 to 1.")] = 1.0,
    source: Annotated[
        FactSource, typer.Option("--source", metavar="KIND", help=f"Who says so: {choices(FactSource)}.")
    ] = FactSource.USER_EDIT,
    source_ref: Annotated[
        str | None, typer.Option("--source-ref", metavar="REF", help="Where it is said, such as docs/a.md#part.")
    ] = None,
    status: Annotated[
        FactStatus, typer.Option("--status", metavar="NAME", help="staged, or confirmed at once.")
    ] = FactStatus.STAGED,
    as_json: Json = False,
) -> None:
    """Add a fact: one statement about an entity. Entities come to be as they are named.

    A predicate that takes one value (see 'tx config get facts.single_valued') lets a new value of confidence 0.9 or
    more supersede the old one, unless a more trusted source says that: user_edit, file, system, conversation.

    Example:
      tx fact:add "Billing service" uses DuckDB
      tx fact:add user prefers --value "short answers" --status confirmed
      tx fact:add Billing owner Ada --source conversation --confidence 0.7
    """
    draft = FactDraft(
        subject=subject,
        predicate=predicate,
        object=object_,
        value=text_from(value) if value is not None else None,
        confidence=confidence,
        source=source,
        source_ref=source_ref,
        status=status,
    )
    with opened() as workspace:
        added = workspace.facts.add(draft)
        (scored,) = workspace.facts.scored([added.stored])
    if as_json:
        print_json(
            render.scored_shape(scored)
            | {
                "existed": added.existed,
                "revived": added.revived,
                "superseded": [render.shape(one) for one in added.superseded],
                "conflicting": [render.shape(one) for one in added.conflicting],
            }
        )
    else:
        _print_added(added)


def list_(
    name: Annotated[
        str | None, typer.Argument(metavar="ENTITY", help="Only facts that are about it, or that name it.")
    ] = None,
    *,
    predicate: Predicate = None,
    status: Annotated[
        FactStatus | None, typer.Option("--status", metavar="NAME", help=f"Only this status: {choices(FactStatus)}.")
    ] = None,
    source: Annotated[
        FactSource | None, typer.Option("--source", metavar="KIND", help=f"Only from this: {choices(FactSource)}.")
    ] = None,
    as_of: AsOf = None,
    past: Annotated[bool, typer.Option("--past", help="Superseded and retracted ones, too.")] = False,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """List facts, newest first, each with its score: how much it counts now.

    Example:
      tx fact:list
      tx fact:list DuckDB --past
      tx fact:list --predicate owner --as-of 2026-06-30
    """
    query = FactQuery(about=name, predicate=predicate, status=status, source=source, as_of=as_of, past=past)
    with opened() as workspace:
        found = workspace.facts.listed(query, limit=limit)
    if as_json:
        print_json({"facts": [render.scored_shape(one) for one in found]})
    elif found:
        render.print_many(found)
    else:
        note('No such facts. Add one: tx fact:add "Billing service" uses DuckDB')


def confirm(refs: FactRefs, *, as_json: Json = False) -> None:
    """Say that facts are true; what was superseded or retracted holds again.

    Example:
      tx fact:confirm 12
    """
    _each(refs, lambda workspace, ref: workspace.facts.confirm(ref), "Confirmed", as_json=as_json)


def retract(refs: FactRefs, *, as_json: Json = False) -> None:
    """Say that facts do not hold; they stay in the history.

    Example:
      tx fact:retract 12
    """
    _each(refs, lambda workspace, ref: workspace.facts.retract(ref), "Retracted", as_json=as_json)


def _each(refs: list[str], change: Callable[[Workspace, str], StoredFact], verb: str, *, as_json: bool) -> None:
    with opened() as workspace:
        for ref in refs:  # none is changed when one of them names nothing
            workspace.facts.find(ref)
        changed = [change(workspace, ref) for ref in refs]
    if as_json:
        print_json({"facts": [render.shape(one) for one in changed]})
        return
    for one in changed:
        typer.echo(f"{verb} {one.ref}: {render.sentence(one)}")


def _print_added(added: Added) -> None:
    stored = added.stored
    verb = "Already known" if added.existed else "Added again" if added.revived else "Added"
    typer.echo(f"{verb} {stored.ref} ({stored.fact.status}): {render.sentence(stored)}")
    for one in added.superseded:
        typer.echo(f"It supersedes {one.ref}: {render.sentence(one)}")
    for one in added.conflicting:
        note(f"tx: {one.ref} says otherwise ({render.origin(one)}): {render.sentence(one)}. See 'tx fact:conflicts'.")
    if added.warning:
        note(f"tx: warning: {printable(added.warning)}")
