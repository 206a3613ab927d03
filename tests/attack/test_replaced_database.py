"""The database goes, breaks or turns into another one's under a running server: never a wrong answer, never a loss."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.attack.conftest import Copied, surrounded
from tests.attack.world import built, problems
from tests.faces.cli.terminal import CommandLine
from tests.faces.mcp.peer import Peer

OWN, FOREIGN = "Compare tokens in constant time", "Somebody else's tokens live forever"
BLOWS = {
    "deleted": "rm graph.db*",
    "swapped": "rm graph.db*; cp $OTHER/graph.db .",
    "renamed over": "cp $OTHER/graph.db new; mv new graph.db",
    "copied over": "cat $OTHER/graph.db > graph.db",
    "linked": "rm graph.db*; ln -s $OTHER/graph.db .",
    "moved": "mv ../.tx ../old; cp -r $OTHER ../.tx; rm ../.tx/learnings/*; cp ../old/learnings/* ../.tx/learnings",
    "made a directory": "rm graph.db*; mkdir graph.db",
    "of yesterday": "rm graph.db*; cp yesterday graph.db",
}
"""What is done in `.tx` to its database; OTHER is that of another project."""
BREAKING = {
    "deleted without its log": "rm graph.db",
    "its log deleted": "rm -f graph.db-*",
    "emptied": ": > graph.db",
    "halved": "truncate -s $(($(stat -c %s graph.db) / 2)) graph.db",
    "its log cut": "truncate -s 1000 graph.db-wal",
    "overwritten": "yes broken | head -c 40000 | dd of=graph.db conv=notrunc status=none",
    "copied over, its log deleted": "rm -f graph.db-*; cat $OTHER/graph.db > graph.db",
}
"""The same to a file that SQLite has open, in ways that it cannot see: 'tx doctor' may have something to mend."""


@pytest.fixture(scope="module")
def another(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Another project."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        root = tmp_path_factory.mktemp("other") / "another"
        surrounded(monkeypatch, root.parent)
        tx = CommandLine(built(root, monkeypatch).root)
        tx.add(FOREIGN, "--anchor", "src/auth.py")
        tx.ok("task:add", FOREIGN)
    return root


@pytest.mark.skipif(sys.platform == "win32", reason="an open file stays where it is there")
@pytest.mark.parametrize("blow", [*BLOWS, *BREAKING])
def test_a_server_never_answers_from_another_database_and_loses_nothing(
    copied: Copied, another: Path, tmp_path: Path, blow: str
) -> None:
    root, other = copied(tmp_path / "project").root, Path(shutil.copytree(another, tmp_path / "another"))
    shutil.copy(root / ".tx" / "graph.db", root / ".tx" / "yesterday")
    acknowledged = {OWN}
    with Peer(root) as peer:
        for step in range(6):
            if step == 2:
                script = {**BLOWS, **BREAKING}[blow]
                environment = os.environ | {"OTHER": str(other / ".tx")}
                subprocess.run(["bash", "-ec", script], cwd=root / ".tx", env=environment, check=True)
            said = f"Said in step {step}: tokens"
            added = peer.call("tx_learning_add", content=said)
            if not added["isError"]:
                acknowledged.add(said)
            found = peer.call("tx_learning_search", query="tokens", limit=50)
            assert FOREIGN not in str(found)
            assert found["isError"] or all(one in str(found) for one in acknowledged), (step, found)
            assert "unexpected" not in str(found) + str(added)
        assert peer.hang_up() == 0
        assert "Traceback" not in peer.err
    tx = CommandLine(root)
    shown = tx("learning:list")
    assert shown.status in (0, 5), shown
    if shown.status == 5 and "tx doctor --fix" not in shown.err:  # the file is not one that tx may throw away
        assert any(told in shown.err for told in ("Delete it", "Remove it", "cannot be opened")), shown.err
        database = root / ".tx" / "graph.db"
        database.rmdir() if database.is_dir() else database.unlink()
    elif problems(root):
        assert blow in BREAKING
        tx.ok("doctor --fix")
    assert {one["content"] for one in tx.json("learning:list")["learnings"]} >= acknowledged
    assert FOREIGN not in tx.ok("learning:list").out
    assert FOREIGN not in tx.ok("task:list").out or blow in {"moved", *BREAKING}
    assert problems(root) == []
    assert FOREIGN in CommandLine(other).ok("task:list").out
