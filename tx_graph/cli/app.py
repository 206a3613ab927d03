"""The Typer group that imports a command only when it runs."""

from __future__ import annotations

import importlib
import os
from difflib import get_close_matches
from typing import Annotated, Any

import typer
import typer.core
import typer.main

from tx_graph import __version__
from tx_graph.cli.registry import COMMANDS
from tx_graph.errors import UsageError

_EPILOG = "Exit status: 0 fine, 1 findings, 2 usage, 3 not found, 4 not initialised, 5 storage, 6 repository, 7 model."
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class LazyGroup(typer.core.TyperGroup):
    """Knows all commands by the registry; imports one to run it or to show its help."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - Typer's signature
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401, ARG002 - Typer's signature
        """Return the command, imported now.

        Raises:
            UsageError: There is no such command; the nearest are named.
        """
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            if cmd_name.startswith("-"):
                return None
            near = get_close_matches(cmd_name, COMMANDS, cutoff=0.5)
            raise UsageError(f"There is no command '{cmd_name}'.", hint="See 'tx --help'.", candidates=near)
        function = getattr(importlib.import_module(entry.module), entry.function)
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(cmd_name, context_settings=_SETTINGS)(function)
        return typer.main.get_command(single)

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - Typer's signature
        """Write the commands by panel, from the registry alone."""
        for panel in dict.fromkeys(entry.panel for entry in COMMANDS.values()):
            with formatter.section(panel):
                formatter.write_dl([(one.name, one.summary) for one in COMMANDS.values() if one.panel == panel])


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - Typer's signature
    if wanted:
        typer.echo(f"tx {__version__}")
        raise typer.Exit


def _enter(directory: str | None) -> str | None:
    if directory is not None:
        try:
            os.chdir(directory)
        except OSError as error:
            raise UsageError(f"-C {directory}: {error.strerror}.") from None
    return directory


app = typer.Typer(
    cls=LazyGroup,
    add_completion=False,
    rich_markup_mode=None,
    no_args_is_help=True,
    context_settings=_SETTINGS,
    epilog=_EPILOG,
)


@app.callback()
def root(
    *,
    directory: Annotated[
        str | None,
        typer.Option("-C", metavar="DIR", help="Run as if started in DIR.", callback=_enter, is_eager=True),
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
) -> None:
    """Keep the memory of a codebase, tied to its code.

    Example: tx learning:search "how do we validate tokens" --expand
    """
