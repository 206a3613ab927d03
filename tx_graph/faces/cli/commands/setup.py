"""setup."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tx_graph.core.errors import UsageError
from tx_graph.faces.cli.command import here
from tx_graph.faces.cli.options import Json
from tx_graph.faces.cli.render.agents import print_plan, shape
from tx_graph.faces.cli.render.terminal import note, print_json
from tx_graph.faces.setup.clients import Client
from tx_graph.faces.setup.setting_up import SettingUp, SetupPlan, SetupRequest

_CLIENTS = "[claude-code|cursor|codex|vscode|gemini|agents-md]"


def setup(
    client: Annotated[Client, typer.Argument(metavar=_CLIENTS, help="Whom to set up; agents-md is AGENTS.md.")],
    *,
    print_: Annotated[bool, typer.Option("--print", help="Show what would be written; so it is by default.")] = False,
    write: Annotated[bool, typer.Option("--write", help="Write it.")] = False,
    undo: Annotated[bool, typer.Option("--undo", help="Take all of it out again, hooks too.")] = False,
    hooks: Annotated[bool, typer.Option("--hooks", help="Also have the client call 'tx hook' at its events.")] = False,
    command: Annotated[
        str | None, typer.Option("--command", metavar="PATH", help="Which program the client is to run instead of tx.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Print or write what an agent's client needs to know tx: its MCP server and, if you like, hooks.

    The files belong to the repository, so that everybody who works on it has them. What is in them stays as it is,
    byte for byte; writing twice changes nothing more, and --undo gives back what was there before. With --undo
    --print you see what that would do.

    The name agents-md means a few lines in AGENTS.md that say when to ask tx.

    Example:
      tx setup claude-code --hooks
      tx setup claude-code --hooks --write
      tx setup claude-code --undo
    """
    if print_ and write:
        raise UsageError("--print and --write exclude each other.", hint="Give one of them.")
    if write and undo:
        raise UsageError("--write and --undo exclude each other.", hint="Give one of them.")
    root = _root()
    setting_up = SettingUp(root)
    plan = setting_up.plan(SetupRequest(client=client, command=command, hooks=hooks, undo=undo))
    is_done = write or (undo and not print_)
    if is_done:
        setting_up.carry_out(plan)
    notes = [*plan.notes, *_warnings(plan, root)]
    if as_json:
        print_json(shape(plan, is_done=is_done, notes=notes))
    else:
        print_plan(plan, is_done=is_done)
    for sentence in notes:
        note(sentence)


def _root() -> Path:
    from tx_graph.core.place import find_root

    start = here()
    root = find_root(start)
    return root.path if root else start.resolve()


def _warnings(plan: SetupPlan, root: Path) -> list[str]:
    """Return what would keep the client from reaching us."""
    from importlib.util import find_spec
    from shutil import which

    from tx_graph.core.place import DIRECTORY

    if plan.request.undo:
        return []
    told, command = [], plan.request.command or "tx"
    if which(command) is None:
        told.append(f"'{command}' is not on PATH: install tx so that it is, or name it with --command PATH.")
    if plan.request.client is not Client.AGENTS_MD and find_spec("mcp") is None:
        told.append("The server needs an extra: pip install 'tx-graph[mcp]'.")
    if not (root / DIRECTORY).is_dir():
        told.append("There is no .tx directory here yet: run 'tx init'.")
    return told
