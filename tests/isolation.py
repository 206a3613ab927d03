"""Fresh processes in poorer surroundings: libraries that are not installed, file systems that refuse."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]

_PROLOGUE = """
import json, sys
class Without:
    def __init__(self, finder):
        self.finder = finder
    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in BLOCKED else self.finder.find_spec(name, path, target)
BLOCKED = json.loads(sys.argv[1])
sys.meta_path[:] = [Without(finder) for finder in sys.meta_path]
"""


def run_without(blocked: list[str], code: str, *arguments: str) -> Any:  # noqa: ANN401 - any JSON
    """Run `code` where importing any of `blocked` fails; return the JSON it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", f"{_PROLOGUE}\n{code}", json.dumps(blocked), *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


READ_ONLY = 'mount --bind "$2" "$2" && mount -o remount,bind,ro "$2"'
"""Makes the directory one that cannot be written, for anybody."""
TINY = 'mount -t tmpfs -o size=2m tmpfs "$2"'
"""Puts a disk of two megabytes in the place of the directory."""

_MOUNTED = """
import json, os, subprocess, sys
from pathlib import Path
from tx_graph.graph.references import NodeKind
from tx_graph.core.errors import StorageError
from tx_graph.core.database import Database
from tx_graph.graph.node_store import NodeStore
directory = Path(sys.argv[1])
def refusal(act):
    try:
        act()
    except StorageError as error:
        return [error.status, error.message, error.hint]
def fill_disk():
    filler = directory / "filler"
    with filler.open("wb", buffering=0) as stream:
        try:
            while stream.write(b"x" * 512): pass
        except OSError: pass
    return filler
def write(database, *keys):
    with database.transaction():
        NodeStore(database).ensure(NodeKind.FILE, keys)
def keys(database):
    return [key for (key,) in database.rows("SELECT key FROM nodes ORDER BY key")]
"""


def in_namespace(mount: str, code: str, directory: Path) -> dict[str, object]:
    """Run `mount` and then `code` in a mount namespace; return the JSON it prints. Skip where that is forbidden."""
    if shutil.which("unshare") is None or os.name != "posix":
        pytest.skip("mount namespaces are Linux's")
    enter = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
    if subprocess.run([*enter, "true"], capture_output=True, check=False).returncode:
        pytest.skip("mount namespaces are forbidden here")
    script = f'{mount} || exit 77; exec "$0" -W error -c "$1" "$2"'
    done = subprocess.run(
        [*enter, "sh", "-c", script, sys.executable, f"{_MOUNTED}\n{code}", directory],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode == 77:
        pytest.skip(f"mounting is forbidden here: {done.stderr.strip()}")
    assert done.returncode == 0, done.stderr
    found: dict[str, object] = json.loads(done.stdout)
    return found
