"""Puts our servers and hooks into a client's JSON and takes them out again; every other character stays.

What is ours comes first in what holds it: no line that somebody wrote changes, not even by a comma. What comes into
something empty stands behind one blank on the same line, as nothing else here does: so taking it out again knows what
was there before. Only plain JSON is edited; with comments or trailing commas in it a file is left alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from tx_graph.core.errors import UsageError
from tx_graph.faces.setup.clients import SERVER, JsonFile

_BY_HAND = "Nothing was written; change the file by hand, or move it away."
_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}
_BLANKS = " \t\r\n"


class _Element(NamedTuple):
    """A value in a text and its place: it begins with its key, if it has one, at `start`, and itself at `at`."""

    start: int
    at: int
    end: int
    key: str
    value: Any
    before: int | None = None
    """Where the element before it ends."""


def with_ours(text: str | None, file: JsonFile) -> str:
    """Return the text with what is wanted in it; None stands for a file that is not there."""
    if not (text or "").strip():
        line_end = "\r\n" if "\r\n" in (text or "") else "\n"
        new = _written(dict(file.always) | _wanted(file), "  ").replace("\n", line_end) + line_end
        return new if text is None else f"{text}{line_end}{new}"
    root = _root(text or "", file)
    for name, value in file.always.items():
        if root.value.get(name) != value:
            raise UsageError(
                f'{file.path} has no "{name}": {json.dumps(value)}, without which it is not read.',
                hint="Nothing was written; put that into it first.",
            )
    new = text or ""
    for hook in reversed(file.hooks):
        root = _root(new, file)
        if (events := _held(new, root, "hooks", dict, file)) is None:
            new = _with_first(new, root, "hooks", _wanted(file)["hooks"])
            break
        entries = _held(new, events, hook.event, list, file)
        handlers = _handlers(new, entries) if entries else ()
        ours = next((one for one in handlers if file.is_our_handler(one.value)), None)
        if entries is None:
            new = _with_first(new, events, hook.event, [hook.entry])
        elif ours is None:
            new = _with_first(new, entries, "", hook.entry)
        elif hook.command is not None or not ours.value["command"].endswith(f" {hook.called}"):
            new = _with_command(new, ours, hook.handler["command"])
    for name, value in reversed([*file.values.items()]):
        root = _root(new, file)
        if (found := _member(new, root, name)) is None:
            new = _with_first(new, root, name, value)
        elif found.value != value:
            raise UsageError(f"In {file.path} '{name}' is something else already.", hint=_BY_HAND)
    if (server := file.server) is None:
        return new
    root = _root(new, file)
    if (table := _held(new, root, server.table, dict, file)) is None:
        return _with_first(new, root, server.table, {server.name: server.entry})
    if (entry := _member(new, table, server.name)) is None:
        return _with_first(new, table, server.name, server.entry)
    if not server.is_ours(entry.value):
        raise UsageError(f"{file.path} has another server named '{server.name}'.", hint=_BY_HAND)
    return _with_command(new, entry, server.program) if server.command else new


def without_ours(text: str, file: JsonFile) -> str | None:
    """Return the text without anything of ours; None if there was nothing else and the file goes.

    Where nothing of ours can stand, it need not be JSON: it is nobody's reason to keep what stands in other files.
    """
    name = file.server.name if file.server else SERVER
    if not any(one in text for one in (f'"{name}"', file.caller or f'"{name}"', *file.values)):
        return text
    root, step = _root(text, file), _step(text)
    tables = [_is_table_ours(name, root.value[name], file) for name in file.tables if name in root.value]
    rest = {name: one for name, one in root.value.items() if name not in file.tables}
    values = file.values if file.values and all(rest.get(name) == one for name, one in file.values.items()) else {}
    if values:
        tables.append(True)
        rest = {name: one for name, one in rest.items() if name not in values}
    if rest == dict(file.always) and tables and all(tables) and _is_as_written(text, root, step, end="\n"):
        return text[: root.start].removesuffix("\n").removesuffix("\r") if root.start else None
    for name in values:
        if found := _member(text, _root(text, file), name):
            text = _without(text, found)
    while ours := next(_ours(text, file, step), None):
        text = _without(text, ours)
    return text


def _wanted(file: JsonFile) -> dict[str, Any]:
    server = {file.server.table: {file.server.name: file.server.entry}} if file.server else {}
    hooks = {"hooks": {hook.event: [hook.entry] for hook in file.hooks}} if file.hooks else {}
    return server | hooks | dict(file.values)


def _with_command(text: str, entry: _Element, command: str | list[str]) -> str:
    """Return the text with another command in an entry of ours."""
    old = _member(text, entry, "command")
    if old is None or old.value == command:
        return text
    return text[: old.at] + json.dumps(command, ensure_ascii=False) + text[old.end :]


def _handlers(text: str, entries: _Element) -> Iterator[_Element]:
    """Yield the handlers of an event, those in groups too."""
    for entry in _elements(text, entries):
        group = _member(text, entry, "hooks")
        yield from _elements(text, group) if group and isinstance(group.value, list) else (entry,)


def _ours(text: str, file: JsonFile, step: str) -> Iterator[_Element]:
    """Yield what is ours, the widest first: a table that looks as we write it, a list that does, an element."""
    for table in _elements(text, _root(text, file)):
        if table.key not in file.tables:
            continue
        if _is_table_ours(table.key, table.value, file) and _is_as_written(text, table, step):
            yield table
        server = file.server if file.server and file.server.table == table.key else None
        for member in _elements(text, table):
            if server and member.key == server.name and server.is_ours(member.value):
                yield member
            elif not server and isinstance(member.value, list):
                if _is_event_ours(member.value, file) and _is_as_written(text, member, step):
                    yield member
                entries = [one for one in _elements(text, member) if _is_entry_ours(one.value, file)]
                yield from entries or (one for one in _handlers(text, member) if file.is_our_handler(one.value))


def _is_table_ours(name: str, value: Any, file: JsonFile) -> bool:  # noqa: ANN401 - any JSON
    if not isinstance(value, dict) or not value:
        return False
    if file.server and name == file.server.table:
        return value.keys() == {file.server.name} and file.server.is_ours(value[file.server.name])
    return all(_is_event_ours(one, file) for one in value.values())


def _is_event_ours(value: Any, file: JsonFile) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, list) and bool(value) and all(_is_entry_ours(one, file) for one in value)


def _is_entry_ours(value: Any, file: JsonFile) -> bool:  # noqa: ANN401 - any JSON
    if isinstance(value, dict) and isinstance(group := value.get("hooks"), list):
        return bool(group) and all(file.is_our_handler(one) for one in group)
    return file.is_our_handler(value)


def _root(text: str, file: JsonFile) -> _Element:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = text.count("\n", 0, getattr(error, "pos", 0)) + 1
        raise UsageError(
            f"{file.path} is not plain JSON, without comments and trailing commas (line {line}).",
            hint=f"Nothing was written. Put this in by hand, or take it out:\n{_written(_wanted(file), '  ')}",
        ) from None
    if not isinstance(value, dict):
        raise UsageError(f"{file.path} holds {_kind(value)} where an object belongs.", hint=_BY_HAND)
    start = _past_blank(text, 0)
    return _Element(start, start, len(text.rstrip()), "", value)


def _held(text: str, holder: _Element, key: str, kind: type, file: JsonFile) -> _Element | None:
    """Return a member that must be an object or a list, None if there is none."""
    found = _member(text, holder, key)
    if found is not None and not isinstance(found.value, kind):
        wrong, right = _kind(found.value), _KINDS[kind]
        raise UsageError(f"In {file.path} '{key}' is {wrong} where {right} belongs.", hint=_BY_HAND)
    return found


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")


# --- places in the text ------------------------------------------------------------------------------


def _past_blank(text: str, at: int) -> int:
    while text[at : at + 1] in _BLANKS and at < len(text):
        at += 1
    return at


def _elements(text: str, holder: _Element) -> Iterator[_Element]:
    """Yield what an object or a list holds, with its places; the text is known to be JSON."""
    if not isinstance(holder.value, (dict, list)):
        return
    decode, before = json.JSONDecoder().raw_decode, None
    at = _past_blank(text, holder.at + 1)
    while text[at] not in "}]":
        start, key = at, ""
        if isinstance(holder.value, dict):
            key, at = decode(text, at)
            at = _past_blank(text, _past_blank(text, at) + 1)  # behind the colon
        value, end = decode(text, at)
        yield _Element(start, at, end, key, value, before)
        before, at = end, _past_blank(text, end)
        at = _past_blank(text, at + 1) if text[at] == "," else at


def _member(text: str, holder: _Element, key: str) -> _Element | None:
    """Return a member; the last one where a key stands twice, as every reader has it."""
    found = [one for one in _elements(text, holder) if one.key == key] if isinstance(holder.value, dict) else []
    return found[-1] if found else None


def _step(text: str) -> str:
    """Return what each level of a text is indented by, as its first line inside says."""
    start = _past_blank(text, 0) + 1
    lead = text[start : _past_blank(text, start)]
    return (lead.rpartition("\n")[2] if "\n" in lead else "") or "  "


def _written(value: Any, step: str, indent: str = "") -> str:  # noqa: ANN401 - any JSON
    """Return a value over several lines, all but the first indented; a list of plain values stays on its line."""
    inner = indent + step
    if isinstance(value, dict) and value:
        rows = [f"{json.dumps(key, ensure_ascii=False)}: {_written(one, step, inner)}" for key, one in value.items()]
    elif isinstance(value, list) and any(isinstance(one, (dict, list)) for one in value):
        rows = [_written(one, step, inner) for one in value]
    else:
        return json.dumps(value, ensure_ascii=False)
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    between = ",\n" + inner
    return f"{opening}\n{inner}{between.join(rows)}\n{indent}{closing}"


def _is_as_written(text: str, found: _Element, step: str, *, end: str = "") -> bool:
    """Whether a value, with what must stand behind it, looks as we would have written it, with all that is in it."""
    line = text[text.rfind("\n", 0, found.start) + 1 : found.start]
    indent = line[: len(line) - len(line.lstrip(" \t"))]
    own = text[found.at : found.end if not end else None].replace("\r\n", "\n")
    return own in (_written(found.value, step, indent) + end, json.dumps(found.value, ensure_ascii=False) + end)


def _with_first(text: str, holder: _Element, key: str, value: Any) -> str:  # noqa: ANN401 - any JSON
    """Return the text with a value put first into an object (where it has a key) or a list."""
    name, at = f"{json.dumps(key)}: " if key else "", holder.at + 1
    lead = text[at : _past_blank(text, at)]
    indent = lead.rpartition("\n")[2]
    if not holder.value:
        new = f" {name}{json.dumps(value, ensure_ascii=False)}"
    elif "\n" in lead:
        new = f"\n{indent}{name}{_written(value, _step(text), indent)},".replace(
            "\n", "\r\n" if "\r\n" in text else "\n"
        )
    else:
        new = f"{lead}{name}{json.dumps(value, ensure_ascii=False)},{'' if lead else ' '}"
    return text[:at] + new + text[at:]


def _without(text: str, found: _Element) -> str:
    """Return the text without an element, without its comma, and without the blank before it."""
    is_tight = text[found.start - 1] not in _BLANKS
    start = len(text[: found.start].rstrip(_BLANKS))
    comma = _past_blank(text, found.end)
    if text[comma] == ",":
        rest = text[comma + 1 :]
        return text[:start] + text[found.end : comma] + (rest.removeprefix(" ") if is_tight else rest)
    if found.before is None:
        return text[:start] + text[found.end :]
    comma = _past_blank(text, found.before)
    return text[:comma] + text[comma + 1 : start] + text[found.end :]
