"""Puts our server into a client's TOML as a table of its own at the end, and takes it out again."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from tx_graph.errors import UsageError
from tx_graph.services.agents.tail import with_tail, without_tail
from tx_graph.services.agents.wanted import SERVER, Server, TomlFile

_BY_HAND = "Nothing was written; change the file by hand, or move it away."
_COMMAND = re.compile(r"""^[ \t]*command[ \t]*=[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')""", re.MULTILINE)


def with_ours(text: str | None, file: TomlFile) -> str:
    """Return the text with the server in it; None stands for a file that is not there.

    Raises:
        UsageError: It is no TOML, or something else stands where ours belongs.
    """
    server, before = file.server, _read(text or "", file)
    table = before.get(server.table, {})
    if not isinstance(table, dict):
        raise UsageError(f"In {file.path} '{server.table}' is no table.", hint=_BY_HAND)
    after = with_tail(text, _block(server, server.entry)) if SERVER not in table else _updated(text or "", table, file)
    entry = server.entry | table.get(SERVER, {}) | ({"command": server.command} if server.command else {})
    return _checked(after, {**before, server.table: {**table, SERVER: entry}}, file)


def without_ours(text: str, file: TomlFile) -> str | None:
    """Return the text without our server; None if there was nothing else and the file goes.

    Raises:
        UsageError: It is no TOML, or the server is not in a table of its own.
    """
    if SERVER not in text:
        return text  # need not be TOML then
    server, before = file.server, _read(text, file)
    table = before.get(server.table)
    if not isinstance(table, dict) or not server.is_ours(table.get(SERVER)):
        return text
    start, end = _span(text, server)
    is_alone = text[start:end].replace("\r\n", "\n") == _block(server, table[SERVER])
    after = without_tail(text, start, end, is_alone=is_alone)
    rest = {name: one for name, one in table.items() if name != SERVER}
    return None if after is None else _checked(after, {**before, server.table: rest}, file)


def _block(server: Server, entry: Mapping[str, Any]) -> str:
    rows = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in entry.items()]
    return f"[{server.table}.{SERVER}]\n{''.join(rows)}"


def _updated(text: str, table: Mapping[str, Any], file: TomlFile) -> str:
    """Return the text with the command that is wanted, in the place of that which is there."""
    if not file.server.is_ours(table[SERVER]):
        raise UsageError(f"{file.path} has another server named '{SERVER}'.", hint=_BY_HAND)
    start, end = _span(text, file.server)
    found = _COMMAND.search(text, start, end)
    command = file.server.command
    if not found or command in (None, table[SERVER]["command"]):
        return text
    return text[: found.start(1)] + json.dumps(command, ensure_ascii=False) + text[found.end(1) :]


def _span(text: str, server: Server) -> tuple[int, int]:
    """Return where the lines of our table stand, those of tables below it too; nothing, at the end, if there is none.

    What stands between its last value and the next table, blank lines and comments, is that one's. Of several that
    look like it the last is it, because it came last; the others stand in texts.
    """
    name = rf"[ \t]*\[[ \t]*{re.escape(server.table)}[ \t]*\.[ \t]*[\"']?{SERVER}[\"']?[ \t]*"
    start = end = len(text)
    at, is_inside = 0, False
    for line in text.splitlines(keepends=True):
        if re.match(rf"{name}\]", line):
            start, is_inside = at, True
        elif line.lstrip().startswith("["):
            is_inside = is_inside and re.match(rf"{name}\.", line) is not None
        at += len(line)
        if is_inside and line.strip() and not line.lstrip().startswith("#"):
            end = at
    return start, end


def _read(text: str, file: TomlFile) -> dict[str, Any]:
    try:
        return tomllib.loads(text, parse_float=str)  # so that what is no number equals itself
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{file.path} is not valid TOML: {error}.", hint=_BY_HAND) from None


def _checked(text: str, wanted: dict[str, Any], file: TomlFile) -> str:
    """Return the text if it says what it should: an edit by lines may have taken something else for a table."""
    try:
        found = tomllib.loads(text, parse_float=str)
        is_right = {file.server.table: {}, **found} == {file.server.table: {}, **wanted}  # an empty table is as good
    except tomllib.TOMLDecodeError:
        is_right = False
    if not is_right:
        raise UsageError(f"{file.path} is written so that it cannot be edited line by line.", hint=_BY_HAND)
    return text
