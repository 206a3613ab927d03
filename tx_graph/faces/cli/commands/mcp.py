"""mcp."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from typing import Annotated

import typer

from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.text import by_characters
from tx_graph.faces.cli.command import here
from tx_graph.faces.cli.render.terminal import note, print_json, print_table

_LIBRARY = "mcp"


def mcp(
    *,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer only tools that change nothing.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Only list the tools, and what their schemas cost.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="With --list: print one JSON document.")] = False,
) -> None:
    """Serve this repository's memory to an agent, as a server of the Model Context Protocol over stdin and stdout.

    Clients start it themselves, and it ends with them. Replies have a budget of tokens, 2,000 unless a call says
    otherwise; what they quote is marked as data. Several servers and tx itself may work on one repository at once.
    Where the working directory has no .tx, the server looks in $CLAUDE_PROJECT_DIR and in the roots of its client.

    Example:
      tx mcp
      tx -C ~/src/project mcp --read-only
      tx mcp --list
    """
    if list_:
        _print_tools(read_only=read_only, as_json=as_json)
        return
    if as_json:
        raise UsageError("--json goes with --list: a server speaks its protocol.")
    if find_spec(_LIBRARY) is None:
        raise ModelError("The server needs the mcp library.", hint="Run: pip install 'tx-graph[mcp]'")
    from tx_graph.faces.mcp.server import serve

    if sys.stdin.isatty():
        note("This waits for a client on stdin; Ctrl-C ends it. 'tx setup' tells clients to start it.")
    serve(here(), is_read_only=read_only)


def _print_tools(*, read_only: bool, as_json: bool) -> None:
    from tx_graph.faces.mcp.tools import described, offered

    told = [described(tool) for tool in offered(is_read_only=read_only).values()]
    sizes = [by_characters(json.dumps(one, ensure_ascii=False, separators=(",", ":"))) for one in told]
    if as_json:
        tools = [one | {"tokens": size} for one, size in zip(told, sizes, strict=True)]
        print_json({"tools": tools, "tokens": sum(sizes)})
        return
    rows = [(one["name"], str(size), one["description"]) for one, size in zip(told, sizes, strict=True)]
    print_table(["tool", "tokens", "description"], rows, right=["tokens"])
    note(f"{len(told)} tools, {sum(sizes):,} tokens of schemas.")
