"""Puts our servers and hooks into a client's JSON, and takes them out again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tx_graph.errors import UsageError
from tx_graph.services.agents.json_edit import Style, is_as_written, on_one_line, style_of, with_first, without, written
from tx_graph.services.agents.jsonc import Node, NotJson, parsed
from tx_graph.services.agents.wanted import SERVER, Hook, JsonFile

_BY_HAND = "Nothing was written; change the file by hand, or move it away."
_KINDS = {dict: "an object", list: "a list", str: "a text", bool: "true or false", type(None): "null"}


def with_ours(text: str | None, file: JsonFile) -> str:
    """Return the text with what is wanted in it; None stands for a file that is not there.

    Raises:
        UsageError: It is no JSON, or something else stands where ours belongs.
    """
    if text is None:
        return _new(file)
    if not text.strip():
        line_end = "\r\n" if "\r\n" in text else "\n"
        return f"{text}{line_end}{_new(file, Style(line_end=line_end))}"
    _check_always(_root(text, file), file)
    text = _with_hooks(text, file) if file.hooks else text
    return _with_server(text, file) if file.server else text


def without_ours(text: str, file: JsonFile) -> str | None:
    """Return the text without anything of ours; None if there was nothing else and the file goes.

    Where nothing of ours can stand, it need not be JSON: it is nobody's reason to keep what stands in other files.

    Raises:
        UsageError: It is no JSON.
    """
    if not any(name in text for name in (f'"{SERVER}"', file.caller or SERVER)):
        return text
    while (found := next(_ours(text, file), None)) is not None:
        if found.is_file:
            return text[: found.start].removesuffix("\n").removesuffix("\r") if found.start else None
        text = without(text, found.start, found.end, before=found.before)
    return text


def _new(file: JsonFile, style: Style = Style()) -> str:  # noqa: B008 - it cannot change
    whole: dict[str, Any] = dict(file.always)
    if file.server:
        whole[file.server.table] = {SERVER: file.server.entry}
    if file.hooks:
        whole["hooks"] = _events(file)
    return written(whole, style) + style.line_end


def _with_server(text: str, file: JsonFile) -> str:
    server = file.server
    assert server is not None  # noqa: S101 - the caller has looked
    root = _root(text, file)
    table = _held(root, server.table, dict, file)
    if table is None:
        return with_first(text, root, {SERVER: server.entry}, style_of(text, root), key=server.table)
    entry = table.get(SERVER)
    if entry is None:
        return with_first(text, table, server.entry, style_of(text, root), key=SERVER)
    if not server.is_ours(entry.value):
        raise UsageError(f"{file.path} has another server named '{SERVER}'.", hint=_BY_HAND)
    return _with_command(text, entry, server.command) if server.command else text


def _with_command(text: str, entry: Node, command: str) -> str:
    """Return the text with another command in an entry of ours."""
    old = entry.get("command")
    if old is None or old.value == command:
        return text
    return text[: old.start] + on_one_line(command) + text[old.end :]


def _events(file: JsonFile) -> dict[str, Any]:
    return {hook.event: [hook.entry] for hook in file.hooks}


def _with_hooks(text: str, file: JsonFile) -> str:
    root = _root(text, file)
    if _held(root, "hooks", dict, file) is None:
        return with_first(text, root, _events(file), style_of(text, root), key="hooks")
    for hook in reversed(file.hooks):
        text = _with_hook(text, hook, file)
    return text


def _with_hook(text: str, hook: Hook, file: JsonFile) -> str:
    root = _root(text, file)
    style, events = style_of(text, root), root.get("hooks") or root
    entries = _held(events, hook.event, list, file)
    if entries is None:
        return with_first(text, events, [hook.entry], style, key=hook.event)
    ours = next((one for one in _handlers(entries) if file.is_our_handler(one.value)), None)
    if ours is None:
        return with_first(text, entries, hook.entry, style)
    is_as_wanted = hook.command is None and ours.value["command"].endswith(f" {hook.called}")
    return text if is_as_wanted else _with_command(text, ours, hook.handler["command"])


def _handlers(entries: Node) -> Iterator[Node]:
    """Yield the handlers of an event, those in groups too."""
    for entry in entries.items:
        group = entry.get("hooks")
        yield from group.items if group else (entry,)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """Something of ours, with all that it alone is in; `before` is where the element before it ends."""

    start: int
    end: int
    before: int | None
    is_file: bool = False


def _ours(text: str, file: JsonFile) -> Iterator[_Found]:
    """Yield what is ours, the widest first: a whole file, a table, a list, an element."""
    root = _root(text, file)
    style = style_of(text, root)
    if _is_all_ours(root.value, file) and text.lstrip() == written(root.value, style) + style.line_end:
        yield _Found(start=root.start, end=root.end, before=None, is_file=True)
    for name in file.tables:
        if (table := root.get(name)) is not None:
            yield from _within(text, root, name, table, style, file)


def _within(text: str, root: Node, name: str, table: Node, style: Style, file: JsonFile) -> Iterator[_Found]:
    """Yield what is ours in one table of the file."""
    server = file.server if file.server and file.server.table == name else None
    if _is_table_ours(name, table.value, file) and is_as_written(text, table, style):
        yield _member(root, name)
    for member in table.members:
        if server:
            if member.key == SERVER and server.is_ours(member.node.value):
                yield _member(table, member.key)
        elif isinstance(member.node.value, list):
            if _is_event_ours(member.node.value, file) and is_as_written(text, member.node, style):
                yield _member(table, member.key)
            yield from _in_event(member.node, file)


def _in_event(entries: Node, file: JsonFile) -> Iterator[_Found]:
    for place, entry in enumerate(entries.items):
        if _is_entry_ours(entry.value, file):
            yield _item(entries, place)
        elif (group := entry.get("hooks")) is not None:
            yield from (_item(group, at) for at, one in enumerate(group.items) if file.is_our_handler(one.value))


def _member(holder: Node, key: str) -> _Found:
    place = max(at for at, one in enumerate(holder.members) if one.key == key)
    before = holder.members[place - 1].node.end if place else None
    return _Found(start=holder.members[place].start, end=holder.members[place].node.end, before=before)


def _item(holder: Node, place: int) -> _Found:
    before = holder.items[place - 1].end if place else None
    return _Found(start=holder.items[place].start, end=holder.items[place].end, before=before)


def _is_all_ours(value: Any, file: JsonFile) -> bool:  # noqa: ANN401 - any JSON
    if not isinstance(value, dict):
        return False
    rest = {name: one for name, one in value.items() if name not in file.tables}
    tables = [_is_table_ours(name, value[name], file) for name in file.tables if name in value]
    return rest == dict(file.always) and bool(tables) and all(tables)


def _is_table_ours(name: str, value: Any, file: JsonFile) -> bool:  # noqa: ANN401 - any JSON
    if not isinstance(value, dict) or not value:
        return False
    if file.server and name == file.server.table:
        return value.keys() == {SERVER} and file.server.is_ours(value[SERVER])
    return all(_is_event_ours(one, file) for one in value.values())


def _is_event_ours(value: Any, file: JsonFile) -> bool:  # noqa: ANN401 - any JSON
    return isinstance(value, list) and bool(value) and all(_is_entry_ours(one, file) for one in value)


def _is_entry_ours(value: Any, file: JsonFile) -> bool:  # noqa: ANN401 - any JSON
    if isinstance(value, dict) and isinstance(group := value.get("hooks"), list):
        return bool(group) and all(file.is_our_handler(one) for one in group)
    return file.is_our_handler(value)


def _root(text: str, file: JsonFile) -> Node:
    try:
        root = parsed(text)
    except NotJson as error:
        line = text.count("\n", 0, error.at) + 1
        raise UsageError(f"{file.path} is not valid JSON: {error.missing} in line {line}.", hint=_BY_HAND) from None
    if not isinstance(root.value, dict):
        raise UsageError(f"{file.path} holds {_kind(root.value)} where an object belongs.", hint=_BY_HAND)
    return root


def _held(holder: Node, key: str, kind: type, file: JsonFile) -> Node | None:
    """Return a member that must be an object or a list, None if there is none."""
    node = holder.get(key)
    if node is not None and not isinstance(node.value, kind):
        wrong, right = _kind(node.value), _KINDS[kind]
        raise UsageError(f"In {file.path} '{key}' is {wrong} where {right} belongs.", hint=_BY_HAND)
    return node


def _check_always(root: Node, file: JsonFile) -> None:
    for name, value in file.always.items():
        if (root.get(name) or root).value != value:
            raise UsageError(
                f'{file.path} has no "{name}": {on_one_line(value)}, without which it is not read.',
                hint="Nothing was written; put that into it first.",
            )


def _kind(value: object) -> str:
    return _KINDS.get(type(value), "a number")
