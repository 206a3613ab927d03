"""A generated workspace of small source files, every symbol of which a learning is anchored to."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.benchmarks import source_tree
from scripts.opened import open_workspace
from tx_graph.anchors.verify import verify
from tx_graph.learnings.transfer import Transfer
from tx_graph.workspace import prepare

FILES = 4_000
_PER_LEARNING = 20
"""Files that one learning is about."""
_FUNCTIONS = 4
_IDENTITY = ("-c", "user.name=Bench", "-c", "user.email=bench@example.org")


def make(root: Path) -> None:
    """Make the workspace, all of it committed, and verify it once."""
    paths = source_tree.write(root, files=FILES)
    prepare(root)
    (root / ".tx" / "config.toml").write_text('embedder = "none"\n', encoding="utf-8")
    with open_workspace(root) as workspace:
        workspace.kernel.one(Transfer).import_(_lines(paths))
    subprocess.run(["git", "-C", str(root), "add", "--all"], check=True)
    commit = ["git", "-C", str(root), *_IDENTITY, "commit", "--quiet", "--no-verify", "--message", "All of it"]
    subprocess.run(commit, check=True)
    settle(root)


def settle(root: Path) -> int:
    """Verify until nothing is too young to be trusted; return how many anchors there are."""
    for _ in range(2):
        with open_workspace(root) as workspace:
            found = verify(workspace.kernel)
    return len(found.checked)


def source_files(root: Path) -> list[Path]:
    """Return the files that are anchored."""
    return sorted(path for path in (root / "src").rglob("*") if path.is_file())


def _lines(paths: Sequence[str]) -> Iterator[str]:
    for first in range(0, len(paths), _PER_LEARNING):
        anchors = [anchor for path in paths[first : first + _PER_LEARNING] for anchor in _anchors(path)]
        yield json.dumps({"content": f"About the files from {paths[first]} on.", "anchors": anchors})


def _anchors(path: str) -> Iterator[dict[str, str]]:
    yield {"path": path, "type": "hash"}
    name = "work_{}" if path.endswith(".py") else "work{}"
    for number in range(_FUNCTIONS):
        yield {"path": path, "symbol": name.format(number), "type": "symbol"}
