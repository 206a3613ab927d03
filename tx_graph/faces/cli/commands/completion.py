"""completion."""

from __future__ import annotations

import os
from pathlib import PurePath
from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.completion.scripts import Shell, script_for
from tx_graph.faces.cli.render.terminal import print_json


def completion(
    shell: Annotated[
        Shell | None, typer.Argument(metavar="[bash|zsh|fish]", help="Which shell; by default that of $SHELL.")
    ] = None,
    *,
    # Not the shared `Json`: importing it opens the way to all of tx, and this runs whenever a shell starts.
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Print the completion script for bash, zsh or fish. It completes commands, options, values, files and learnings.

    The script begins with other ways to install it, which do not run tx whenever a shell starts.

    Example:
      eval "$(tx completion bash)"                              # in ~/.bashrc
      eval "$(tx completion zsh)"                               # in ~/.zshrc, after compinit
      tx completion fish > ~/.config/fish/completions/tx.fish   # once
    """
    chosen = shell or _own_shell()
    script = script_for(chosen)
    if as_json:
        print_json({"shell": chosen.value, "script": script})
    else:
        typer.echo(script, nl=False)


def _own_shell() -> Shell:
    name = PurePath(os.environ.get("SHELL", "")).name
    try:
        return Shell(name)
    except ValueError:
        known = ", ".join(Shell)
        raise UsageError(
            f"There is no completion script for the shell of $SHELL ({name or 'not set'}).",
            hint=f"Name one of these: {known}.",
            candidates=list(Shell),
        ) from None
