"""Transcripts made by hand, in the plain form, as they are read into a workspace."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from typing import Any

from tests.support import Project
from tx_graph.work.transcripts import Transcripts

Record = dict[str, Any]
_CALLS = count(1)


def user(text: str) -> list[Record]:
    """The user says something."""
    return [{"role": "user", "content": text}]


def agent(text: str = "Done.") -> list[Record]:
    """The agent says something."""
    return [{"role": "assistant", "content": text}]


def run(command: str, *, failed: str | None = None) -> list[Record]:
    """The agent runs a command, which fails with an output, if one is given."""
    return _called("Bash", {"command": command}, failed)


def edit(path: str) -> list[Record]:
    """The agent changes a file."""
    return _called("Edit", {"file_path": path, "new_string": "x"}, None)


def _called(tool: str, given: Record, failed: str | None) -> list[Record]:
    call = f"call-{next(_CALLS)}"
    return [
        {"role": "assistant", "content": "", "tool_calls": [{"id": call, "name": tool, "arguments": given}]},
        {"role": "tool", "content": failed or "ok", "tool_call_id": call, "is_error": failed is not None},
    ]


def lines_of(records: Sequence[Sequence[Record]], *, cwd: Path, session: str) -> str:
    """Return a transcript as its file has it."""
    flat = [record for several in records for record in several]
    stamped = [{"cwd": str(cwd), "session": session, "timestamp": "2026-11-20T11:00:00Z", **one} for one in flat]
    return "".join(f"{json.dumps(one)}\n" for one in stamped)


def ingest(project: Project, session: str, *records: Sequence[Record]) -> None:
    """Have a workspace read a session that was held in it."""
    path = project.root.parent / f"{session}.jsonl"
    path.write_text(lines_of(records, cwd=project.root, session=session), encoding="utf-8")
    with project.open() as workspace:
        workspace.kernel.one(Transcripts).ingest(str(path))
