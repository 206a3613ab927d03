"""hook."""

from __future__ import annotations

from typing import Annotated

import typer

from tx_graph.core.arguments import choices
from tx_graph.faces.cli.hook_work import Caller, Event
from tx_graph.faces.cli.hooking import DEBUG, TIMEOUT_S, Call, answer, seconds


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
    commits and open tasks. When a file is opened it is what was learned about it and what lies close to it. A session
    is told each thing once for a file, and nothing where there is nothing worth telling.

    It always ends with status 0, on bad input too, and never takes longer than the timeout: no client is kept waiting.
    'tx setup CLIENT --hooks' writes the calls.

    Example:
      echo '{"session_id": "1"}' | tx hook claude-code session-start --debug
    """
    answer(Call(client=client, event=event, timeout=seconds(timeout), is_debugging=debug))
