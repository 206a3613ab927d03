"""Transcripts that agents have left below a home directory, as Claude Code and Codex write them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

_Record = dict[str, Any]


def leave_transcripts(home: Path, project: Path) -> None:
    """Leave a session with each agent, held in the project an hour ago."""
    claude = home / ".claude" / "projects" / "project" / "4f35e220-7c1d-4e0b-9f59-5b0a6d1f3c11.jsonl"
    codex = home / ".codex" / "sessions" / "2026" / "11" / "20" / "rollout-2026-11-20T10-00-00-0199.jsonl"
    _write(claude, list(_claude(project)))
    _write(codex, list(_codex(project)))


def _write(path: Path, records: Sequence[_Record]) -> None:
    start = datetime.now(UTC) - timedelta(hours=1)
    path.parent.mkdir(parents=True)
    times = ((start + timedelta(seconds=number)).isoformat().replace("+00:00", "Z") for number in range(len(records)))
    lines = [json.dumps(record | {"timestamp": time}) for record, time in zip(records, times, strict=True)]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def _claude(project: Path) -> Iterator[_Record]:
    test = {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "pytest -q"}}
    failed = {"type": "tool_result", "tool_use_id": "toolu_1", "is_error": True, "content": "No module named 'jwt'"}
    said = [
        ("user", "Make refresh() keep the session in src/refresh.py."),
        ("assistant", [{"type": "text", "text": "I run the tests."}, test]),
        ("user", [failed]),
        ("user", "No. We never look tokens up in the database in src/jwt.py: that is what the signature is for."),
        ("user", "Remember that the tests need a running Redis."),
        ("assistant", [{"type": "text", "text": "Understood."}]),
    ]
    for kind, content in said:
        yield {
            "type": kind,
            "message": {"role": kind, "content": content},
            "cwd": str(project),
            "sessionId": "4f35e220-7c1d-4e0b-9f59-5b0a6d1f3c11",
            "isSidechain": False,
            "userType": "external",
            "version": "2.1.80",
        }


def _codex(project: Path) -> Iterator[_Record]:
    yield {"type": "session_meta", "payload": {"id": "0199", "cwd": str(project), "cli_version": "0.146.0"}}
    for role, kind, text in (("user", "input_text", "What is in src?"), ("assistant", "output_text", "Three files.")):
        message = {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}
        yield {"type": "response_item", "payload": message}
