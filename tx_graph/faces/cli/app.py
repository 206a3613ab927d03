"""The Typer group that imports a command only when it runs."""

from __future__ import annotations

import importlib
import inspect
import os
import sys
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer
import typer.core
import typer.main

from tx_graph.core.errors import UsageError
from tx_graph.core.tracing import listen
from tx_graph.faces.cli import help as helping
from tx_graph.faces.operations import ALIASES, COMMANDS, GROUPS, Operation, spelled_out

if TYPE_CHECKING:
    from cProfile import Profile

_LONGEST_SHOWN = 40  # functions of a profile
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Command(typer.core.TyperCommand):
    """A command whose usage line and examples read as one types them."""

    def collect_usage_pieces(self, ctx: Any) -> list[str]:  # noqa: ANN401 - Typer's signature
        """Return the usage's parts; Typer puts braces around what is required, as around a choice."""
        pieces = super().collect_usage_pieces(ctx)
        return [piece if "|" in piece else piece.removeprefix("{").removesuffix("}") for piece in pieces]


class LazyGroup(typer.core.TyperGroup):
    """Knows all commands by the register; imports one to run it or to show its help."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002 - Typer's signature
        """Return the names of all commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ANN401, ARG002 - Typer's signature
        """Return the command, imported now."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            if cmd_name.startswith("-"):
                return None
            from difflib import get_close_matches

            near = get_close_matches(cmd_name, [*COMMANDS, *ALIASES, *GROUPS], cutoff=0.5)
            of_group = cmd_name.partition(":")[0]
            hint = f"See 'tx {of_group if of_group in GROUPS else '--help'}'."
            raise UsageError(f"There is no command '{cmd_name}'.", hint=hint, candidates=near)
        if isinstance(entry, Operation):
            from tx_graph.faces.cli.options import command_of

            function = command_of(entry)
        else:
            module, _, name = entry.place.partition(":")
            function = getattr(importlib.import_module(f"tx_graph.faces.cli.{module}"), name)
        # Examples keep their lines: Typer refills what has no such mark.
        text = inspect.cleandoc(function.__doc__ or "").replace("\n\nExample:\n", "\n\n\b\nExample:\n")
        single = typer.Typer(add_completion=False, rich_markup_mode=None)
        single.command(cmd_name, cls=Command, help=text, context_settings=_SETTINGS)(function)
        return typer.main.get_command(single)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:  # noqa: ANN401 - Typer's signature
        """Return the command that the words begin with, by any of its names, and the words behind it."""
        return super().resolve_command(ctx, spelled_out(args))

    def format_help(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401, ARG002 - Typer's signature
        """Write the one screen of help."""
        formatter.write(helping.overview())


def _show_version(wanted: bool) -> None:  # noqa: FBT001 - Typer's signature
    if wanted:
        from tx_graph.version import __version__

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
)


@app.callback()
def root(
    ctx: typer.Context,
    *,
    directory: Annotated[
        str | None, typer.Option("-C", metavar="DIR", help="Run as if started in DIR.", callback=_enter, is_eager=True)
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", help="Show the version.", callback=_show_version, is_eager=True)
    ] = False,
    verbose: Annotated[
        int,
        typer.Option(
            "-v", count=True, show_default=False, help="Say on stderr what is done; -vv, what git is asked too."
        ),
    ] = 0,
    no_pager: Annotated[bool, typer.Option("--no-pager", help="Print what is longer than the screen, too.")] = False,
    profile: Annotated[bool, typer.Option("--profile", help="Say on stderr where the time went.")] = False,
) -> None:
    """Run before every command."""
    del directory, version  # their callbacks have done what they ask for
    if verbose:
        listen("debug" if verbose > 1 else "info")
    if no_pager:
        os.environ["TX_PAGER"] = ""
    if profile:
        from cProfile import Profile

        profiler = Profile()
        ctx.call_on_close(partial(_tell_profile, profiler))
        profiler.enable()


def _tell_profile(profiler: Profile) -> None:
    from pstats import Stats

    profiler.disable()
    Stats(profiler, stream=sys.stderr).strip_dirs().sort_stats("cumulative").print_stats(_LONGEST_SHOWN)


def help_(
    context: typer.Context,
    command: Annotated[
        list[str] | None, typer.Argument(metavar="[COMMAND]", help="Which command, or group of commands.")
    ] = None,
    *,
    every: Annotated[bool, typer.Option("--all", help="List all commands, and what the exit statuses mean.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Explain a command, list those of a group, or all of them.

    Example:
      tx help --all
      tx help learning
      tx help learning add
    """
    name, *_ = spelled_out(command or ["help"])
    if name == "help" and command:  # 'learning' alone
        name = command[0]
    if name not in GROUPS and command:
        group, above = LazyGroup(), context.parent
        found = group.get_command(context, name)
        if not as_json:
            with found.make_context(name, [], parent=above, resilient_parsing=True) as inner:
                typer.echo(found.get_help(inner))
            return
    if as_json:
        from tx_graph.faces.cli.render.terminal import print_json

        print_json(helping.as_json(name if command else ""))
        return
    from tx_graph.faces.cli.render.pager import paged
    from tx_graph.faces.cli.render.terminal import echo

    with paged():
        echo(helping.group(name) if command else helping.every_command() if every else helping.overview(), nl=False)
