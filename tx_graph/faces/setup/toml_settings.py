"""Puts our server into a client's TOML as a table of its own at the end, and takes it out again."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from typing import Any

from tx_graph.core.errors import UsageError
from tx_graph.faces.setup.clients import SERVER, Server, TomlFile
from tx_graph.faces.setup.files import with_tail, without_tail

_BY_HAND = "Nothing was written; change the file by hand, or move it away."


def with_ours(text: str | None, file: TomlFile) -> str:
    """Return the text with the server in it; None stands for a file that is not there."""
    server, before = file.server, text or ""
    table = _read(before, file).get(server.table, {})
    if not isinstance(table, dict):
        raise UsageError(f"In {file.path} '{server.table}' is no table.", hint=_BY_HAND)
    if SERVER not in table:
        after = with_tail(text, _block(server, server.entry))
        try:
            tomllib.loads(after)
        except (ValueError, RecursionError):  # the servers stand between braces, where no table can be added
            after = _edited(before, file, server.entry)
        return after
    if not server.is_ours(table[SERVER]):
        raise UsageError(f"{file.path} has another server named '{SERVER}'.", hint=_BY_HAND)
    is_as_wanted = server.command in (None, table[SERVER]["command"])
    return before if is_as_wanted else _edited(before, file, {**table[SERVER], "command": server.command})


def without_ours(text: str, file: TomlFile) -> str | None:
    """Return the text without our server; None if there was nothing else and the file goes.

    A table that looks as we write it goes without a trace; else tomlkit takes it out.
    """
    if SERVER not in text:
        return text  # need not be TOML then
    server, before = file.server, _read(text, file)
    table = before.get(server.table)
    if not isinstance(table, dict) or not server.is_ours(table.get(SERVER)):
        return text
    own = _block(server, table[SERVER]).replace("\n", "\r\n" if "\r\n" in text else "\n")
    start = max(text.rfind(own), text.rfind(own.rstrip()) if text.endswith(own.rstrip()) else -1)
    rest = {**before, server.table: {name: one for name, one in table.items() if name != SERVER}}
    if start >= 0:
        after = without_tail(text, start, min(start + len(own), len(text)))
        if after is None or {server.table: {}, **_read(after, file)} == rest:
            return after
    return _edited(text, file, None)


def _block(server: Server, entry: Mapping[str, Any]) -> str:
    rows = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in entry.items()]
    return f"[{server.table}.{SERVER}]\n{''.join(rows)}"


def _edited(text: str, file: TomlFile, entry: Mapping[str, Any] | None) -> str:
    """Return the text with these values in our server's table, or without the table."""
    import tomlkit

    document: Any = tomlkit.parse(text)
    servers = document[file.server.table]
    if entry is None:
        del servers[SERVER]
    elif SERVER in servers:
        servers[SERVER].update({name: one for name, one in entry.items() if servers[SERVER].get(name) != one})
    else:
        servers[SERVER] = tomlkit.inline_table()
        servers[SERVER].update(entry)
    after = tomlkit.dumps(document)
    if after.count("#") < text.count("#"):  # what stands behind our table is part of it to tomlkit
        raise UsageError(f"{file.path} has a comment that would go with our table.", hint=_BY_HAND)
    return after


def _read(text: str, file: TomlFile) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=str)  # so that what is no number equals itself
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file.path} is not valid TOML: {error}.", hint=_BY_HAND) from None
