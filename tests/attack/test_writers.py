"""Twelve writers on one repository: what each was told is kept is kept, and none hears of a lock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.attack.conftest import ROUNDS, SEED, Copied
from tests.attack.world import present, problems, records_of
from tests.faces.cli.terminal import CommandLine
from tests.isolation import ROOT
from tx_graph.core.database import Database

SECONDS = 4 * ROUNDS
"""How long they write: at TX_ATTACK_ROUNDS=15 a whole minute."""
COMMANDS = """
import sys, time
from random import Random
from tests.faces.cli.terminal import CommandLine
root, seed, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
tx, chance, end, number = CommandLine(), Random(seed), time.monotonic() + seconds, 0
while time.monotonic() < end:
    number += 1
    content = f"Said by {seed}: {number}"
    command = chance.choice([["learning:add", content, "--anchor", "src/auth.py::verify"]] * 3 + [
        ["index"], ["graph:verify", "--fix"], ["learning:helpful", "1"], ["doc:ingest"], ["status"],
        ["learning:edit", "3", "--category", f"k{number}"], ["learning:search", "tokens", "--expand"],
        ["fact:add", f"F{seed}-{number}", "is", "--value", "true"],
    ])
    outcome = tx(*command)
    assert outcome.status in (0, 1) and "lock" not in outcome.err, (command, outcome)
    if command[1:2] == [content]:
        print(content, flush=True)
"""
LIBRARY = """
import sys, time
from tx_graph import open_workspace
root, seed, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
end, number = time.monotonic() + seconds, 0
with open_workspace(root) as workspace:
    while time.monotonic() < end:
        number += 1
        workspace.learnings.add(f"Said by {seed}: {number}", anchors=["README.md"])
        print(f"Said by {seed}: {number}", flush=True)
        workspace.search("tokens")
"""
SERVED = """
import sys, time
from pathlib import Path
from tests.faces.mcp import peer as client
root, seed, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
client.PATIENCE = 120.0  # twelve that start at once take their time
end, number = time.monotonic() + seconds, 0
with client.Peer(Path(root)) as peer:
    while time.monotonic() < end:
        number += 1
        added = peer.call("tx_learning_add", content=f"Said by {seed}: {number}")
        assert not added["isError"], added
        print(f"Said by {seed}: {number}", flush=True)
        found = peer.call("tx_learning_search", query="tokens")
        assert not found["isError"], found
    assert peer.hang_up() == 0
"""
EDITING = """
import os, sys, time
from pathlib import Path
root, seed, seconds = Path(sys.argv[1]), sys.argv[2], float(sys.argv[3])
end, number = time.monotonic() + seconds, 0
while time.monotonic() < end:
    number += 1
    code = f"def login():\\n    return {number}\\n\\n\\ndef verify():\\n    return {number}\\n"
    (root / "src" / "auth.py~").write_text(code)  # as editors save: nobody reads half a file
    os.replace(root / "src" / "auth.py~", root / "src" / "auth.py")
    (root / "README.md").write_text(f"# Project\\n\\n## Zebrafish {number}\\n\\nTokens.\\n")
    time.sleep(0.2)
"""
WRITERS = [COMMANDS] * 6 + [LIBRARY] * 2 + [SERVED] * 3 + [EDITING]


def test_of_twelve_writers_none_loses_anything_or_hears_of_a_lock(copied: Copied, tmp_path: Path) -> None:
    root = copied(tmp_path / "project").root
    children = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", code, root, f"{SEED}.{number}", str(SECONDS)],
            cwd=root,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for number, code in enumerate(WRITERS)
    ]
    ends = [child.communicate(timeout=SECONDS + 120) for child in children]
    assert [err for _, err in ends if err] == []
    acknowledged = {line for out, _ in ends for line in out.splitlines()}
    assert len(acknowledged) >= 5  # the two of the library and the three that are served say something each
    tx = CommandLine(root)
    tx.ok("index")
    told = {one["content"] for one in tx.json("learning:list -n 10000")["learnings"]}
    assert acknowledged <= told
    assert problems(root) == []
    assert {name[:12] for name in records_of(root)} == present(root)
    with Database.open(root / ".tx" / "graph.db") as database:
        assert database.value("PRAGMA integrity_check") == "ok"
        assert database.rows("PRAGMA foreign_key_check") == []
    assert [path.name for path in (root / ".tx").rglob(".*") if path.name != ".gitignore"] == []
