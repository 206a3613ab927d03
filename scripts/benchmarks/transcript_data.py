"""A generated session of Claude Code: prompts, answers, and calls of tools with what they say, secrets among it."""

from __future__ import annotations

import base64
import itertools
import json
import string
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np

from scripts.benchmarks import vocabulary

SECRETS_EVERY = 200
"""Turns until a key shows up in what a command prints."""
_IMAGE_EVERY = 150
_SOURCES = Path(__file__).resolve().parents[2] / "tx_graph"
_ALPHABET = np.array(list(string.ascii_letters + string.digits))
_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
Generator = np.random.Generator


def write(path: Path, *, megabytes: float, cwd: Path) -> int:
    """Write a transcript of so many megabytes; return how many keys stand in it."""
    limit, written, keys = int(megabytes * 1_000_000), 0, 0
    with path.open("w", encoding="utf-8") as file:
        for turn, records in enumerate(_turns(np.random.default_rng(5), cwd)):
            for record in records:
                written += file.write(f"{json.dumps(record, ensure_ascii=False)}\n")
            keys += turn % SECRETS_EVERY == 0
            if written >= limit:
                return keys
    return keys


def _turns(generator: Generator, cwd: Path) -> Iterator[list[dict[str, Any]]]:
    """Yield, for ever, what one prompt leads to."""
    sources = sorted(_SOURCES.rglob("*.py"))
    texts = [source.read_text(encoding="utf-8").splitlines() for source in sources]
    for turn in itertools.count():
        place = int(generator.integers(len(sources)))
        file = str(cwd / sources[place].relative_to(_SOURCES))
        said = vocabulary.text(generator, words=30)
        listing = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(texts[place], start=1))
        command, output = _command(generator, turn)
        yield [
            _record(turn, 0, cwd, "user", said),
            _record(
                turn, 1, cwd, "assistant", [{"type": "thinking", "thinking": said}, {"type": "text", "text": said}]
            ),
            _called(turn, 2, cwd, "Read", {"file_path": file}),
            _answered(turn, 3, cwd, listing),
            _called(turn, 4, cwd, "Edit", {"file_path": file, "old_string": said, "new_string": f"{said} again"}),
            _answered(turn, 5, cwd, f"The file {file} has been updated."),
            _called(turn, 6, cwd, "Bash", {"command": command, "description": said[:40]}),
            _answered(turn, 7, cwd, output, failed=turn % 7 == 0),
            {"type": "file-history-snapshot", "messageId": f"{turn}", "snapshot": {"trackedFileBackups": {}}},
            *([_image(turn, cwd, generator)] if turn % _IMAGE_EVERY == 0 else []),
        ]


def _command(generator: Generator, turn: int) -> tuple[str, str]:
    output = "\n".join(vocabulary.text(generator, words=12) for _ in range(int(generator.integers(1, 60))))
    if turn % SECRETS_EVERY:
        return "pytest -q tests/", output
    return "env | sort", f"{output}\nGITHUB_TOKEN=ghp_{_random(generator, 36)}\n"


def _random(generator: Generator, length: int) -> str:
    return "".join(generator.choice(_ALPHABET, length))


def _record(turn: int, step: int, cwd: Path, kind: str, content: Any) -> dict[str, Any]:  # noqa: ANN401 - as JSON has it
    second = turn * 10 + step
    return {
        "parentUuid": f"{turn}-{step - 1}",
        "isSidechain": False,
        "userType": "external",
        "cwd": str(cwd),
        "sessionId": "00000000-0000-4000-8000-000000000001",
        "version": "2.1.0",
        "gitBranch": "main",
        "type": kind,
        "message": {"role": kind, "content": content},
        "uuid": f"{turn}-{step}",
        "timestamp": (_BEGINNING + timedelta(seconds=second)).isoformat(),
    }


def _called(turn: int, step: int, cwd: Path, tool: str, given: dict[str, str]) -> dict[str, Any]:
    part = {"type": "tool_use", "id": f"toolu_{turn:08}{step}", "name": tool, "input": given}
    return _record(turn, step, cwd, "assistant", [part])


def _answered(turn: int, step: int, cwd: Path, output: str, *, failed: bool = False) -> dict[str, Any]:
    part = {"type": "tool_result", "tool_use_id": f"toolu_{turn:08}{step - 1}", "content": output, "is_error": failed}
    return _record(turn, step, cwd, "user", [part]) | {"toolUseResult": {"stdout": output, "stderr": ""}}


def _image(turn: int, cwd: Path, generator: Generator) -> dict[str, Any]:
    data = base64.b64encode(generator.bytes(300_000)).decode()
    source = {"type": "base64", "media_type": "image/png", "data": data}
    return _record(turn, 8, cwd, "user", [{"type": "image", "source": source}])
