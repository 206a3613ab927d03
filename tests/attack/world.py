"""A small project with something of everything, every command on it, and what must hold of each answer."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.faces.cli.calls import READING, WRITING
from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox
from tx_graph.core.database import Database

FILES = {
    "README.md": "# Project\n\n## Zebrafish\n\nTokens expire: `src/auth.py`. Depends on: [ADR 1](docs/adr/001.md)\n",
    "docs/adr/001.md": "---\nstatus: accepted\n---\n# ADR 1: Tokens are short-lived\n\nStatus: accepted\n",
    "src/auth.py": "def login():\n    return verify()\n\n\ndef verify():\n    # Never log tokens.\n    return 1\n",
    "src/app.py": "from src.auth import login\n\nlogin()\n",
    "src/keys.py": "def rotate(key):\n    return key + 1\n",
}
STEPS = (
    ["learning:add", "Compare tokens in constant time", "--anchor", "src/auth.py::verify"],
    ["learning:add", "zebrafish tokens are rotated weekly", "--anchor", "src/keys.py", "--category", "zoo"],
    ["learning:add", "Third: read the README first", "--anchor", "README.md"],
    ["fact:add", "tokens", "depends_on", "Ada"],
    ["entity:edit", "tokens", "--type", "concept"],
    ["task:add", "Mend the tokens"],
    ["task:add", "Another"],
    ["run:start", "--task", "1"],
    ["run:feedback", "1", "--helpful", "1"],
    ["run:start"],
    ["learning:edit", "2", "--status", "staged"],
    ["graph:link", "1", "README.md"],
    ["graph:invalidate", "1", "README.md", "--reason", "moved"],
    ["graph:relate", "1", "3"],
)
READ = [*{line.split()[0]: line for line in READING}.values(), "learning:propose --dry-run --from commits,comments"]
"""One call of each command that only reads."""
WRITE = [
    *(line.replace("src/auth.py::login", "src/auth.py::verify") for line in WRITING),
    "learning:add Tied --anchor src/auth.py::login",
    "graph:verify --fix",
    "learning:promote 2 --force",
    "learning:propose",
]
"""One call of each command that writes."""
LINES = "".join(f'{{"content": "Imported {number}"}}\n' for number in range(50))
"""What `learning:import -` reads."""


def built(root: Path, monkeypatch: pytest.MonkeyPatch) -> GitSandbox:
    """Make the project: five commits, all records committed, the index of today."""
    sandbox = GitSandbox(root, monkeypatch)
    for path, text in FILES.items():
        sandbox.write(path, text=text)
    sandbox.commit(message="Let tokens expire")
    tx = CommandLine(root)
    tx.ok("init")
    (root / ".tx" / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    for step in STEPS:
        tx.ok(*step)
    for _ in range(3):
        sandbox.write("src/auth.py", "src/app.py", text="# more\n")
        sandbox.commit(message="Fix: tokens expired too early because clocks differ")
    tx.ok("index")
    sandbox.commit(message="What was learned")
    return sandbox


def present(root: Path) -> set[str]:
    """Return the uids of the learnings that records were found of, hidden ones too."""
    with Database.open(root / ".tx" / "graph.db") as database:
        return {uid for (uid,) in database.rows("SELECT uid FROM learnings WHERE present")}


def records_of(root: Path) -> dict[str, bytes]:
    """Return the records of learnings by their names."""
    return {path.name: path.read_bytes() for path in (root / ".tx" / "learnings").glob("*.md") if path.is_file()}


KEPT = ("learning:export", "fact:list", "entity:list", "task:list --status all", "run:list", "config")
_CHANCE = re.compile(r"_at$|_node$|^(uid|node|record|score)$")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:]+Z")
_UID = re.compile(r"\b[0-9a-hjkmnp-tv-z]{12}-")


def kept(root: Path) -> dict[str, object]:
    """Return all that was said to a workspace, without what time and chance decide."""
    tx = CommandLine(root)
    exported = [json.loads(line) for line in tx.ok("learning:export").out.splitlines()]
    names = {one["uid"]: one["content"] for one in exported}
    # Records that a killed command left are read by name: their numbers, which only this database knows, may differ.
    learnings = sorted(({**one, "id": None} for one in exported), key=lambda one: str(one["content"]))
    others = {command: _told(tx.json(command), names) for command in KEPT[1:]}
    shown = ["git", "ls-files", "--others", "--cached", "--deduplicate", "--exclude-standard"]
    files = subprocess.run(shown, cwd=root, check=True, capture_output=True, text=True).stdout.splitlines()
    texts = {
        _UID.sub("", name): "" if _UID.search(name) else (root / name).read_text()
        for name in files
        if (root / name).exists()
    }
    return {"learnings": _told(learnings, names), "files": texts, **others}


def _told(value: Any, names: Mapping[str, str]) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(value, dict):
        return {key: _told(one, names) for key, one in value.items() if not _CHANCE.search(key)}
    if isinstance(value, list):
        return [_told(one, names) for one in value]
    return _TIME.sub("TIME", names.get(value, value)) if isinstance(value, str) else value


def problems(root: Path) -> list[str]:
    """Return what `tx doctor` calls a problem."""
    findings = CommandLine(root)("doctor --json").document["findings"]
    return [str(one) for one in findings if one["level"] == "problem"]
