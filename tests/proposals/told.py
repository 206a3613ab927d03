"""Sessions and commits made by hand, as the rules see them, and sessions as they are read into a workspace."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from tests.support import Project
from tx_graph.history.commits import CommitMessage
from tx_graph.proposals.calls import Call, calls_of
from tx_graph.work import formats
from tx_graph.work.transcripts import Transcripts
from tx_graph.work.values import Event

T = TypeVar("T")
DAY = 86_400
NOON = "2026-11-20T11:00:00Z"


def sure(value: T | None) -> T:
    """Return what is there."""
    assert value is not None
    return value


def message(
    text: str, *, name: str = "a", day: int = 0, author: str = "Ada", paths: Sequence[str] = ("src/a.py",)
) -> CommitMessage:
    """Return a commit; its full name is its `name` over and over, which must be of hexadecimal digits."""
    return CommitMessage(sha=(name * 40)[:40], time=day * DAY, author=author, text=text, paths=tuple(paths))


class Session:
    """Writes down who said and did what, in order, in the plain form; each thing is on a line of its own."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []

    def user(self, text: str) -> Self:
        """The user says something."""
        self.records.append({"role": "user", "content": text})
        return self

    def agent(self, text: str = "Done.") -> Self:
        """The agent says something."""
        self.records.append({"role": "assistant", "content": text})
        return self

    def edit(self, *paths: str) -> Self:
        """The agent changes files."""
        return self._call("Edit", {"paths": list(paths), "new_string": "x"})

    def run(self, command: str, *, failed: str | None = None) -> Self:
        """The agent runs a command, which fails with an output, if one is given."""
        return self._call("Bash", {"command": command}, failed)

    def _call(self, tool: str, given: dict[str, Any], failed: str | None = None) -> Self:
        call = f"call-{len(self.records)}"
        self.records += [
            {"role": "assistant", "content": "", "tool_calls": [{"id": call, "name": tool, "arguments": given}]},
            {"role": "tool", "content": failed or "ok", "tool_call_id": call, "is_error": failed is not None},
        ]
        return self

    @property
    def calls(self) -> list[Call]:
        """What was called."""
        return list(calls_of(self))

    def __iter__(self) -> Iterator[Event]:
        for line, record in enumerate(self.records, start=1):
            for one in formats.plain_read(record, formats.Session()) or ():
                said = {"kind": one.kind, "text": one.text, "tool": one.tool, "call": one.call, "failed": one.failed}
                yield Event(line=line, paths=one.named, **said)  # type: ignore[arg-type]

    def text(self, *, cwd: Path, session: str) -> str:
        """Return the transcript as its file has it."""
        where = {"cwd": str(cwd), "session": session, "timestamp": NOON}
        return "".join(f"{json.dumps(where | one)}\n" for one in self.records)


def ingest(project: Project, name: str, session: Session, *, cwd: Path | None = None, called: str = "") -> None:
    """Have a workspace read a session that was held in it, or in another directory; the agent may call it otherwise."""
    path = project.root.parent / f"{name}.jsonl"
    path.write_text(session.text(cwd=cwd or project.root, session=called or name), encoding="utf-8")
    with project.open() as workspace:
        workspace.kernel.one(Transcripts).ingest(str(path), everywhere=cwd is not None)
