"""The scripts themselves, which lie beside this module so that editors and shellcheck know them."""

from __future__ import annotations

from enum import StrEnum
from importlib.resources import files


class Shell(StrEnum):
    """A shell with a script."""

    BASH = "bash"
    ZSH = "zsh"
    FISH = "fish"


def script_for(shell: Shell) -> str:
    """Return the text of a shell's script."""
    return files("tx_graph.faces.cli.completion").joinpath(f"tx.{shell}").read_text(encoding="utf-8")
