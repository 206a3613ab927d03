"""mcp, lsp, hook, view: what agents' clients, editors and browsers talk to."""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from threading import Thread
from typing import Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.text import by_characters
from tx_graph.faces.cli.command import here, opened, updated
from tx_graph.faces.cli.hook_work import Caller, Event
from tx_graph.faces.cli.hooking import DEBUG, TIMEOUT_S, Call, answer, seconds
from tx_graph.faces.cli.render.terminal import echo, note, print_json, print_table, printable


def mcp(
    *,
    read_only: Annotated[bool, typer.Option("--read-only", help="Offer only tools that change nothing.")] = False,
    list_: Annotated[bool, typer.Option("--list", help="Only list the tools, and what their schemas cost.")] = False,
    structured: Annotated[
        bool, typer.Option("--structured", help="Send replies as JSON too, for programs; the budget holds both.")
    ] = False,
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
        from tx_graph.faces.mcp.tools import described, offered

        told = [described(tool, is_structured=structured) for tool in offered(is_read_only=read_only).values()]
        sizes = [by_characters(json.dumps(one, ensure_ascii=False, separators=(",", ":"))) for one in told]
        if as_json:
            tools = [one | {"tokens": size} for one, size in zip(told, sizes, strict=True)]
            print_json({"tools": tools, "tokens": sum(sizes)})
            return
        rows = [(one["name"], str(size), one["description"]) for one, size in zip(told, sizes, strict=True)]
        print_table(["tool", "tokens", "description"], rows, right=["tokens"])
        note(f"{len(told)} tools, {sum(sizes):,} tokens of schemas.")
        return
    if as_json:
        raise UsageError("--json goes with --list: a server speaks its protocol.")
    if find_spec("mcp") is None:
        raise ModelError("The server needs the mcp library.", hint="Run: pip install 'tx-graph[mcp]'")
    from tx_graph.faces.mcp.server import serve

    if sys.stdin.isatty():
        note("This waits for a client on stdin; Ctrl-C ends it. 'tx setup' tells clients to start it.")
    serve(here(), is_read_only=read_only, is_structured=structured)


def lsp(
    *,
    as_json: Annotated[  # noqa: ARG001 - the protocol is JSON
        bool, typer.Option("--json", help="Nothing changes: what is said is JSON anyway.")
    ] = False,
) -> None:
    """Serve what is known of the code to an editor, as a language server over stdin and stdout.

    Editors start it themselves, and it ends with them; 'tx setup neovim' and others write their settings. At the lines
    that learnings and facts are about it says how many there are, what they say, and which do not hold any more, of the
    text as it is in the editor, saved or not. What drifted can be confirmed and edited there, and a learning added.
    Where there is no .tx it says so once, and waits for one.

    Example:
      tx lsp
      tx -C ~/src/project lsp
    """
    if find_spec("pygls") is None:
        raise ModelError("The language server needs the pygls library.", hint="Run: pip install 'tx-graph[lsp]'")
    from tx_graph.faces.lsp.server import serve

    if sys.stdin.isatty():
        note("This waits for an editor on stdin; Ctrl-C ends it. 'tx setup' tells editors to start it.")
    serve(here())


def view(
    node: Annotated[
        str | None, typer.Argument(metavar="[REF]", help="What to begin with; else a map of it all.")
    ] = None,
    *,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE.html", help="Write one file instead, for any browser.")
    ] = None,
    port: Annotated[
        int, typer.Option("--port", metavar="N", min=0, max=65_535, help="The port; 0 for a free one.")
    ] = 0,
    no_open: Annotated[bool, typer.Option("--no-open", help="Only say where the page is.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document: where the page is.")] = False,
) -> None:
    """Look at the graph in a browser: a map of what is known, what hangs together, changes together, and gets old.

    The page is served on this machine alone, at an address with a secret in it: who has that may read it, as long as
    this runs. Ctrl-C ends it. With --out it is one file that needs no server and no network, and has no private facts.

    Example:
      tx view
      tx view src/auth.py
      tx view --out graph.html
    """
    if out is not None:
        if port:
            raise UsageError("--port goes with a server, and --out needs none.")
        _write_page(node, out, as_json=as_json)
        return
    if find_spec("uvicorn") is None or find_spec("starlette") is None:
        raise ModelError("The page needs the uvicorn library.", hint="Run: pip install 'tx-graph[view]'")
    import webbrowser

    from tx_graph.view.server import Server
    from tx_graph.view.snapshots import selection
    from tx_graph.workspace.lasting import LastingWorkspace

    with opened() as kernel:
        start = selection(kernel, node)
    server = Server(LastingWorkspace(here()), port=port)
    if as_json:
        print_json({"url": f"{server.url}{start}", "port": server.port})
    else:
        echo(f"{server.url}{start}")
    if sys.stdout.isatty() and not (no_open or as_json):
        note("Ctrl-C ends it.")
        Thread(target=webbrowser.open, args=[f"{server.invitation}{start}"], daemon=True).start()
    server.run()


def _write_page(node: str | None, out: str, *, as_json: bool) -> None:
    from tx_graph.core.shape import as_json as as_shape
    from tx_graph.view.single import write

    with opened() as kernel:
        updated(kernel, "files documents history", {})
        written = write(kernel, out, node=node)
    if as_json:
        print_json(as_shape(written))
        return
    echo(f"Wrote {printable(written.file)}: {written.bytes / 1e6:.1f} MB.")
    for said in written.left_out:
        note(said)


def hook(
    client: Annotated[Caller, typer.Argument(metavar="CLIENT", help=f"Who calls: {choices(Caller)}.")],
    event: Annotated[Event, typer.Argument(metavar="EVENT", help=f"What happened: {choices(Event)}.")],
    *,
    timeout: Annotated[
        str, typer.Option("--timeout", metavar="SECONDS", help="End without an answer after so long; 0 for never.")
    ] = f"{TIMEOUT_S:g}",
    as_json: Annotated[  # noqa: ARG001 - what is printed is JSON
        bool, typer.Option("--json", help="Nothing changes: it prints the client's JSON anyway.")
    ] = False,
    debug: Annotated[bool, typer.Option("--debug", envvar=DEBUG, help="Say on stderr why there is no answer.")] = False,
) -> None:
    """Answer a hook: read what an agent's client says on stdin, print what the agent should know, in the client's JSON.

    When a session starts that is a short page from 'tx context': for the uncommitted files, the branch, the last
    commits and open tasks; with a prompt, for what it says. When a file is opened or is to be changed it is what was
    learned about it and what lies close to it. A session is told each thing once for a file, and nothing where there is
    nothing worth telling. When a session ends its transcript is read, and what it may have taught is staged.

    It always ends with status 0, on bad input too, and never takes longer than the timeout: no client is kept waiting.
    Only what is done at the end of a session goes on behind it; --timeout 0 waits for that.
    'tx setup CLIENT --hooks' writes the calls.

    Example:
      echo '{"session_id": "1"}' | tx hook claude-code session-start --debug
    """
    answer(Call(client=client, event=event, timeout=seconds(timeout), is_debugging=debug))
