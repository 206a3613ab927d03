"""completion: the scripts themselves lie beside this module, so that editors and shellcheck know them."""

from __future__ import annotations

import os
from enum import StrEnum
from importlib.resources import files
from pathlib import PurePath
from typing import Annotated

import typer

from tx_graph.core.errors import UsageError


class Shell(StrEnum):
    """A shell with a script."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def script_for(shell: Shell) -> str:
    """Return the text of a shell's script."""
    return files("tx_graph.faces.cli.completion").joinpath(f"tx.{shell}").read_text(encoding="utf-8")


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
    name = shell or PurePath(os.environ.get("SHELL", "")).name
    if name not in set(Shell):
        raise UsageError(
            f"There is no completion script for the shell of $SHELL ({name or 'not set'}).",
            hint=f"Name one of these: {', '.join(Shell)}.",
            candidates=list(Shell),
        )
    script = script_for(Shell(name))
    if as_json:
        from tx_graph.faces.cli.render.terminal import print_json

        print_json({"shell": str(name), "script": script})
    else:
        typer.echo(script, nl=False)
