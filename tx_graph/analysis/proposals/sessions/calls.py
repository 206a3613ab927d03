"""Calls: what an agent did, each with how it ended; shell commands without what only serves to watch them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from tx_graph.domain.telemetry import Event, EventKind

_SHELLS = frozenset(
    """bash shell shell_command exec_command local_shell local_shell_call container.exec run_terminal_cmd
    run_shell_command execute_command""".split()
)
_EDITORS = frozenset(
    """edit multiedit write notebookedit apply_patch str_replace str_replace_editor str_replace_based_edit_tool
    create_file edit_file write_file search_replace replace_in_file""".split()
)
_LONGEST = 300
"""Characters of a command that somebody may want to type again."""
_WATCHING = re.compile(r"\s*(?:2>&1|[12&]?>{1,2}\s*(?:/dev/null|&[12]))")
_PAGER = re.compile(r"\s*\|\s*(?:head|tail|tee|cat|less|more|grep|rg|wc|sort|uniq|sed|awk|jq)\b.*\Z", re.DOTALL)
_AFTER = re.compile(r"\s*(?:;|&&|\|\|)\s*(?:echo|true|exit|tail|head|cat|ls|sleep|pwd)\b.*\Z", re.DOTALL)
_BEFORE = re.compile(r"\A\s*(?:cd\s+(?:\"[^\"]*\"|'[^']*'|\S+)|pwd|clear|set\s+-\w+)\s*(?:&&|;)\s*")
_LIMITED = re.compile(r"\A(?:timeout\s+(?:-\w+\s+)*\d+\w?|time|nice|command|env)\s+")
_LOGIN = re.compile(r"\A(?:/\w+/)*(?:ba|z)?sh\s+-l?c\s+(?P<quote>['\"])(?P<command>.*)(?P=quote)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call that came to an end. `command` is the shell command in its plain form, empty where it was none.

    `edits` says whether it changes the files at `paths`; `output` is what a failed one said.
    """

    tool: str
    line: int
    failed: bool
    command: str = ""
    edits: bool = False
    paths: tuple[str, ...] = ()
    output: str = ""
    at: str | None = None


def calls_of(events: Iterable[Event]) -> Iterator[Call]:
    """Yield the calls of a session that got their result, in the order of the results."""
    waiting: dict[str, Event] = {}
    for event in events:
        if event.kind is EventKind.CALL and event.call:
            waiting[event.call] = event
        elif event.kind is EventKind.RESULT and event.call and (call := waiting.pop(event.call, None)):
            yield _call(call, event)


def is_edit(event: Event) -> bool:
    """Whether an event is a call that changes the files it names."""
    return event.kind is EventKind.CALL and (event.tool or "").lower() in _EDITORS


def _call(call: Event, result: Event) -> Call:
    tool = (call.tool or "").lower()
    command = plain_command(call.text) if tool in _SHELLS else ""
    return Call(
        tool=tool,
        line=call.line,
        failed=result.failed,
        command=command,
        edits=tool in _EDITORS or command.startswith("apply_patch"),
        paths=call.paths,
        output=result.text if result.failed else "",
        at=call.at,
    )


def plain_command(text: str) -> str:
    """Return a shell command without what limits, watches or shortens its output; empty where it is a script.

    `cd src && timeout 60 go test ./... 2>&1 | tail -20` is `go test ./...`.
    """
    text = text.strip()
    if login := _LOGIN.match(text):
        text = login["command"].strip()
    if "\n" in text or len(text) > _LONGEST:
        return ""
    return _plain(text)


def _plain(text: str) -> str:
    while (shorter := _shortened(text)) != text:
        text = shorter
    return " ".join(text.split())


def _shortened(text: str) -> str:
    """Return a command with one thing less around it."""
    for pattern in (_BEFORE, _LIMITED, _WATCHING, _PAGER, _AFTER):
        shorter = pattern.sub("", text, count=1)
        if shorter != text and shorter.strip():
            return shorter.strip()
    return text
