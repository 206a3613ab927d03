"""What a page tells the clients of agents: the servers and hooks in such a file are started as a client would."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator, Mapping, Sequence
from subprocess import PIPE, STDOUT, Popen
from typing import Any

from tests.docs.sandbox import Sandbox

_SERVERS = ("mcpServers", "mcp_servers", "servers")
"""What the clients call their list of servers."""

_HELLO = (
    {
        "id": 1,
        "method": "initialize",
        "params": {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "documentation", "version": "1"},
        },
    },
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/list"},
)


def problems_of_clients(document: Mapping[str, Any], sandbox: Sandbox) -> Iterator[str]:
    """Yield what is wrong with the servers and hooks that a file of settings names; most name none."""
    for key in _SERVERS:
        for server in document.get(key, {}).values():
            yield from _server([server["command"], *server.get("args", [])], sandbox)
    for command in _commands(document.get("hooks", {})):
        result = sandbox.aside(f"echo '{{}}' | {command}")
        if result.status:
            yield f"the hook '{command}' ends in status {result.status}, and prints\n{result.end}"


def _server(command: Sequence[str], sandbox: Sandbox) -> Iterator[str]:
    """Ask a server which tools it has."""
    with Popen(
        command, cwd=sandbox.directory, env=sandbox.environment, stdin=PIPE, stdout=PIPE, stderr=STDOUT, text=True
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.writelines(json.dumps({"jsonrpc": "2.0"} | message) + "\n" for message in _HELLO)
        server.stdin.flush()
        said: list[str] = []
        for line in server.stdout:
            said.append(line)
            if '"tools":[' in line.replace(" ", ""):
                return
    yield f"'{shlex.join(command)}' lists no tools, and says\n{''.join(said)}"


def _commands(hooks: object) -> Iterator[str]:
    """Yield every command in a client's hooks, however deep it stands."""
    if isinstance(hooks, Mapping):
        if isinstance(command := hooks.get("command"), str):
            yield command
        hooks = list(hooks.values())
    if isinstance(hooks, list):
        for one in hooks:
            yield from _commands(one)
