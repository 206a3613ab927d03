"""entity:show, entity:list, entity:edit, entity:alias, entity:merge."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.command import text_from
from tx_graph.faces.cli.options import Json, Limit, opened
from tx_graph.faces.cli.render import facts as render
from tx_graph.faces.cli.render.terminal import note, print_fields, print_json, printable, set_apart
from tx_graph.knowledge.entities import EntityShown
from tx_graph.knowledge.entity import COMMON_TYPES, StoredEntity
from tx_graph.knowledge.fact import FactStatus, StoredFact

EntityName = Annotated[str, typer.Argument(metavar="ENTITY", help="Its name, or another of its names.")]


def show(name: EntityName, *, as_json: Json = False) -> None:
    """Show an entity: its names, what is said of it, and what names it.

    Example:
      tx entity:show DuckDB
    """
    with opened() as workspace:
        shown = workspace.entities.show(name)
    if as_json:
        print_json(
            render.entity_shape(shown.entity)
            | {
                "facts": [render.shape(one) for one in shown.facts],
                "named_by": [render.shape(one) for one in shown.named_by],
            }
        )
    else:
        _print(shown)


def list_(
    *,
    kind: Annotated[
        str | None, typer.Option("--type", metavar="NAME", help=f"Only this type: {', '.join(COMMON_TYPES)}, ….")
    ] = None,
    limit: Limit = 50,
    as_json: Json = False,
) -> None:
    """List entities, those with most facts first.

    Example:
      tx entity:list
      tx entity:list --type decision
    """
    with opened() as workspace:
        found = workspace.entities.listed(type=kind, limit=limit)
    if as_json:
        print_json({"entities": [render.entity_shape(one) for one in found]})
    elif found:
        render.print_entities(found)
    else:
        note('No entities. They come with facts: tx fact:add "Billing service" uses DuckDB')


def edit(
    name: EntityName,
    *,
    kind: Annotated[
        str | None, typer.Option("--type", metavar="NAME", help=f"What it is: {', '.join(COMMON_TYPES)}, ….")
    ] = None,
    description: Annotated[
        str | None, typer.Option("--description", metavar="TEXT", help="More about it; '-' reads stdin, '' clears.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what an entity is; one that nobody has spoken of comes to be.

    Example:
      tx entity:edit DuckDB --type tool --description "Embedded OLAP database"
    """
    if kind is None and description is None:
        raise UsageError("There is nothing to change.", hint="Give --type or --description.")
    text = text_from(description) if description else description
    with opened() as workspace:
        entity = workspace.entities.describe(name, type=kind, description=text)
        warning = workspace.entities.embedded(entity)
    _print_changed(entity, warning, as_json=as_json)


def alias(
    name: EntityName,
    aliases: Annotated[list[str], typer.Argument(metavar="NAME...", help="Other names for it.")],
    *,
    remove: Annotated[bool, typer.Option("--remove", help="Take these names away.")] = False,
    as_json: Json = False,
) -> None:
    """Give an entity other names, by which facts and questions find it too.

    Example:
      tx entity:alias DuckDB duck duckdb-engine
      tx entity:alias DuckDB duck --remove
    """
    with opened() as workspace:
        entity = workspace.entities.alias(name, add=() if remove else aliases, remove=aliases if remove else ())
        warning = workspace.entities.embedded(entity)
    _print_changed(entity, warning, as_json=as_json)


def merge(
    name: EntityName,
    into: Annotated[str, typer.Argument(metavar="INTO", help="The entity that stays.")],
    *,
    as_json: Json = False,
) -> None:
    """Let one entity be another: its names and facts become those of the one that stays.

    Example:
      tx entity:merge "Duck DB" DuckDB
    """
    with opened() as workspace:
        entity = workspace.entities.merge(name, into)
        warning = workspace.entities.embedded(entity)
    _print_changed(entity, warning, as_json=as_json)


def _print_changed(entity: StoredEntity, warning: str, *, as_json: bool) -> None:
    if warning:
        note(f"tx: warning: {printable(warning)}")
    if as_json:
        print_json(render.entity_shape(entity))
        return
    also = f", also {', '.join(entity.aliases)}" if entity.aliases else ""
    typer.echo(printable(f"{entity.name} ({entity.type}){also}"))


def _print(shown: EntityShown) -> None:
    entity = shown.entity
    typer.echo(printable(f"{entity.name} ({entity.type})"))
    if entity.description:
        typer.echo(f"\n{set_apart(entity.description)}\n")
    print_fields(
        [
            ("also", ", ".join(entity.aliases)),
            ("mentions", str(entity.mentions) if entity.mentions else ""),
            ("uid", entity.uid or ""),
        ]
    )
    for one in shown.facts:
        typer.echo(printable(f"- {one.fact.predicate}: {' '.join(one.told.split())}{_mark(one)}"))
    for one in shown.named_by:
        typer.echo(printable(f"- {one.fact.predicate} of {one.subject_name}{_mark(one)}"))


def _mark(one: StoredFact) -> str:
    staged = "staged, " if one.fact.status is FactStatus.STAGED else ""
    return f"  ({staged}{render.origin(one)}, {one.ref})"
