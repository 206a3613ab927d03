"""config."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.core.settings import SETTINGS, Config, Value
from tx_graph.faces.cli.options import Json, opened
from tx_graph.faces.cli.render.terminal import print_json, print_table, reading_width, styled, wrapped

_INDENT = "  "


class Action(StrEnum):
    """What to do with the settings."""

    SHOW = "show"
    GET = "get"
    SET = "set"


def config(
    action: Annotated[
        Action, typer.Argument(metavar="[show|get|set]", help="Show all, get one, or set one.")
    ] = Action.SHOW,
    key: Annotated[
        str | None, typer.Argument(metavar="[KEY]", help="A setting, such as cochanges.min_support.")
    ] = None,
    value: Annotated[str | None, typer.Argument(metavar="[VALUE]", help="Its new value.")] = None,
    *,
    as_json: Json = False,
) -> None:
    """Show, get or set the settings in .tx/config.toml; comments in it are kept.

    Example:
      tx config
      tx config get embedder
      tx config set cochanges.min_support 5
      tx config set cochanges.exclude "*.lock,docs/**"
    """
    with opened() as workspace:
        settings = workspace.config
        if action is Action.SHOW:
            _refuse(key, "show takes no key; use 'tx config get KEY'")
            _show(settings, as_json=as_json)
        elif action is Action.GET:
            _refuse(value, "get takes no value; use 'tx config set KEY VALUE'")
            wanted = _needed(key, "get needs a key")
            _one(wanted, settings.value(wanted), as_json=as_json)
        else:
            wanted = _needed(key, "set needs a key")
            _one(wanted, settings.set(wanted, _needed(value, "set needs a value")), as_json=as_json)


def _show(settings: Config, *, as_json: bool) -> None:
    if as_json:
        print_json({"settings": {key: settings.value(key) for key in SETTINGS}})
        return
    values = {key: settings.value(key) for key in SETTINGS}
    rows = [
        (key, _cell(values[key]), "default" if settings.is_default(key) else "file", setting.summary)
        for key, setting in SETTINGS.items()
    ]
    print_table(["setting", "value", "from", "what it does"], rows)
    for key, value in values.items():
        if isinstance(value, tuple) and value:
            _print_list(key, value)


def _print_list(key: str, values: Sequence[str]) -> None:
    typer.echo(f"\n{styled(key, bold=True)}")
    for line in wrapped(", ".join(values), reading_width() - len(_INDENT)):
        typer.echo(f"{_INDENT}{line}")


def _cell(value: Value) -> str:
    """Return a value for the table, where a list has no room."""
    if not isinstance(value, tuple):
        return str(value)
    return f"{len(value)}, listed below" if value else "none"


def _one(key: str, value: Value, *, as_json: bool) -> None:
    if as_json:
        print_json({"key": key, "value": value})
    else:
        typer.echo("\n".join(value) if isinstance(value, tuple) else str(value))


def _needed(text: str | None, problem: str) -> str:
    if text is None:
        raise UsageError(f"{problem[0].upper()}{problem[1:]}.", hint="See 'tx config --help'.")
    return text


def _refuse(text: str | None, problem: str) -> None:
    if text is not None:
        raise UsageError(f"{problem[0].upper()}{problem[1:]}.")
