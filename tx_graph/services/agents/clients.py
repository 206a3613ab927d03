"""The clients we know, and what each wants in which file. docs/agents.md names the document each format is from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from tx_graph.services.agents.snippet import SNIPPET
from tx_graph.services.agents.wanted import ConfigFile, Hook, JsonFile, MarkedFile, Server, TomlFile

_SERVE = ("mcp",)
_SERVE_WORKSPACE = ("-C", "${workspaceFolder}", "mcp")
"""For editors, which start servers in a directory of their own."""
_PATIENCE_S = 5
"""What a client waits for a hook, in seconds. The hook gives up by itself long before."""
_SESSION, _OPENED = "session-start", "file-opened"


class Client(StrEnum):
    """Who can be set up."""

    CLAUDE_CODE = "claude-code"
    CURSOR = "cursor"
    CODEX = "codex"
    VSCODE = "vscode"
    GEMINI = "gemini"
    AGENTS_MD = "agents-md"


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a client wants: files, and sentences that whoever sets it up should read."""

    files: tuple[ConfigFile, ...]
    notes: tuple[str, ...] = ()


def setup_of(client: Client, *, command: str | None = None, hooks: bool = False) -> Setup:
    """Return what a client wants, with or without hooks, to run `command` if that is asked for."""
    return _SETUPS[client](command, hooks)


def _claude_code(command: str | None, hooks: bool) -> Setup:  # noqa: FBT001 - one of a table
    more = {"timeout": _PATIENCE_S}
    ours = (
        _hook(Client.CLAUDE_CODE, "SessionStart", _SESSION, command, more, {}),
        _hook(Client.CLAUDE_CODE, "PostToolUse", _OPENED, command, more, {"matcher": "Read"}),
    )
    return Setup(
        files=(
            JsonFile(path=".mcp.json", server=Server(table="mcpServers", args=_SERVE, command=command)),
            _hook_file(Client.CLAUDE_CODE, ".claude/settings.json", ours if hooks else ()),
        ),
        notes=("Claude Code asks each user once whether to start the servers of .mcp.json.",),
    )


def _cursor(command: str | None, hooks: bool) -> Setup:  # noqa: FBT001 - one of a table
    more = {"timeout": _PATIENCE_S}
    ours = (
        _hook(Client.CURSOR, "sessionStart", _SESSION, command, more),
        _hook(Client.CURSOR, "postToolUse", _OPENED, command, {"matcher": "^Read$", **more}),
    )
    server = Server(table="mcpServers", args=_SERVE_WORKSPACE, command=command)
    return Setup(
        files=(
            JsonFile(path=".cursor/mcp.json", server=server),
            _hook_file(Client.CURSOR, ".cursor/hooks.json", ours if hooks else (), {"version": 1}),
        ),
        notes=("Cursor runs the hooks of a repository only in a workspace that you trust.",) if hooks else (),
    )


def _codex(command: str | None, hooks: bool) -> Setup:  # noqa: FBT001 - one of a table
    ours = (_hook(Client.CODEX, "SessionStart", _SESSION, command, {"timeout": _PATIENCE_S}, {}),)
    notes = ["Codex reads .codex/ only in a project that you trust; it asks when it is started there."]
    if hooks:
        notes.append("Codex runs a hook once you have approved it in '/hooks'.")
        notes.append("Codex reads files by its shell and has no hook for that: only the session's start is hooked.")
    return Setup(
        files=(
            TomlFile(path=".codex/config.toml", server=Server(table="mcp_servers", args=_SERVE, command=command)),
            _hook_file(Client.CODEX, ".codex/hooks.json", ours if hooks else ()),
        ),
        notes=tuple(notes),
    )


def _vscode(command: str | None, hooks: bool) -> Setup:  # noqa: FBT001 - one of a table
    more = {"timeout": _PATIENCE_S}
    ours = (
        _hook(Client.VSCODE, "SessionStart", _SESSION, command, more),
        _hook(Client.VSCODE, "PostToolUse", _OPENED, command, more),
    )
    server = Server(table="servers", args=_SERVE_WORKSPACE, command=command, more={"type": "stdio"})
    return Setup(
        files=(
            JsonFile(path=".vscode/mcp.json", server=server),
            _hook_file(Client.VSCODE, ".github/hooks/tx.json", ours if hooks else (), {"version": 1}),
        ),
        notes=("Hooks are a preview in VS Code; it runs them after every tool, whatever the tool did.",)
        if hooks
        else (),
    )


def _gemini(command: str | None, hooks: bool) -> Setup:  # noqa: FBT001 - one of a table
    more = {"name": "tx", "timeout": _PATIENCE_S * 1000}  # Gemini CLI counts milliseconds
    ours = (
        _hook(Client.GEMINI, "SessionStart", _SESSION, command, more, {}),
        _hook(Client.GEMINI, "AfterTool", _OPENED, command, more, {"matcher": "read_file"}),
    )
    server = Server(table="mcpServers", args=_SERVE, command=command)
    file = JsonFile(path=".gemini/settings.json", server=server, hooks=ours if hooks else (), caller="hook gemini")
    return Setup(files=(file,), notes=("Gemini CLI reads .gemini/ only in a folder that you trust.",))


def _agents_md(_command: str | None, _hooks: bool) -> Setup:  # noqa: FBT001 - one of a table
    return Setup(files=(MarkedFile(path="AGENTS.md", block=SNIPPET),))


def _hook(
    client: Client,
    event: str,
    ours: str,
    command: str | None,
    more: Mapping[str, Any],
    group: Mapping[str, Any] | None = None,
) -> Hook:
    return Hook(
        event=event,
        called=f"hook {client} {ours}",
        command=command,
        more=more,
        group=group,
    )


def _hook_file(client: Client, path: str, hooks: tuple[Hook, ...], always: Mapping[str, Any] | None = None) -> JsonFile:
    return JsonFile(path=path, hooks=hooks, always=always or {}, caller=f"hook {client}")


_SETUPS = {
    Client.CLAUDE_CODE: _claude_code,
    Client.CURSOR: _cursor,
    Client.CODEX: _codex,
    Client.VSCODE: _vscode,
    Client.GEMINI: _gemini,
    Client.AGENTS_MD: _agents_md,
}
