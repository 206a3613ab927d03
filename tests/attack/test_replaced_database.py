"""The database goes, breaks or turns into another one's under a running server: never a wrong answer, never a loss."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.attack.conftest import Copied, surrounded
from tests.attack.world import built, problems
from tests.faces.cli.terminal import CommandLine
from tests.faces.mcp.peer import Peer

OWN, FOREIGN = "Compare tokens in constant time", "Somebody else's tokens live forever"
Blow = Callable[[Path, Path], None]
"""Does something to the database of the first directory; the second one is another project's `.tx`."""


def files(tx: Path) -> list[Path]:
    return sorted(tx.glob("graph.db*"))


def deleted(tx: Path, other: Path) -> None:
    for file in files(tx):
        file.unlink()


def deleted_without_its_log(tx: Path, other: Path) -> None:
    (tx / "graph.db").unlink()


def log_deleted(tx: Path, other: Path) -> None:
    for file in files(tx)[1:]:
        file.unlink()


def emptied(tx: Path, other: Path) -> None:
    (tx / "graph.db").write_bytes(b"")


def halved(tx: Path, other: Path) -> None:
    os.truncate(tx / "graph.db", (tx / "graph.db").stat().st_size // 2)


def log_cut(tx: Path, other: Path) -> None:
    if (tx / "graph.db-wal").exists():
        os.truncate(tx / "graph.db-wal", 1000)


def overwritten(tx: Path, other: Path) -> None:
    with (tx / "graph.db").open("r+b") as stream:
        stream.write(os.urandom(40_000))


def swapped(tx: Path, other: Path) -> None:
    deleted(tx, other)
    shutil.copy(other / "graph.db", tx / "graph.db")


def renamed_over(tx: Path, other: Path) -> None:
    shutil.copy(other / "graph.db", tx / "new")
    (tx / "new").rename(tx / "graph.db")


def written_in_place(tx: Path, other: Path) -> None:
    (tx / "graph.db").write_bytes((other / "graph.db").read_bytes())


def written_in_place_without_its_log(tx: Path, other: Path) -> None:
    log_deleted(tx, other)
    written_in_place(tx, other)


def linked(tx: Path, other: Path) -> None:
    deleted(tx, other)
    (tx / "graph.db").symlink_to(other / "graph.db")


def moved(tx: Path, other: Path) -> None:
    tx.rename(tx.with_name("gone"))
    shutil.copytree(other, tx)
    shutil.rmtree(tx / "learnings")
    shutil.copytree(tx.with_name("gone") / "learnings", tx / "learnings")


def made_a_directory(tx: Path, other: Path) -> None:
    deleted(tx, other)
    (tx / "graph.db").mkdir()


def of_yesterday(tx: Path, other: Path) -> None:
    deleted(tx, other)
    shutil.copy(tx / "yesterday", tx / "graph.db")


TOLD = {halved, log_cut, overwritten, emptied, deleted_without_its_log, log_deleted, written_in_place_without_its_log}
"""What breaks a file that SQLite has open: there 'tx doctor' may have something to mend."""


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


@pytest.mark.parametrize("blow", [
    deleted, deleted_without_its_log, log_deleted, emptied, halved, log_cut, overwritten, swapped, renamed_over,
    written_in_place, written_in_place_without_its_log, linked, moved, made_a_directory, of_yesterday,
])  # fmt: skip
def test_a_server_never_answers_from_another_database_and_loses_nothing(
    copied: Copied, another: Path, tmp_path: Path, blow: Blow
) -> None:
    root, other = copied(tmp_path / "project").root, Path(shutil.copytree(another, tmp_path / "another"))
    shutil.copy(root / ".tx" / "graph.db", root / ".tx" / "yesterday")
    acknowledged = {OWN}
    with Peer(root) as peer:
        for step in range(6):
            if step == 2:
                blow(root / ".tx", other / ".tx")
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
        assert "Delete it" in shown.err or "cannot be opened" in shown.err
        database = root / ".tx" / "graph.db"
        database.rmdir() if database.is_dir() else database.unlink()
    elif problems(root):
        assert blow in TOLD
        tx.ok("doctor --fix")
    assert {one["content"] for one in tx.json("learning:list")["learnings"]} >= acknowledged
    assert FOREIGN not in tx.ok("learning:list").out
    assert FOREIGN not in tx.ok("task:list").out or blow is moved, "a .tx that comes with its records is ours"
    assert problems(root) == []
    assert FOREIGN in CommandLine(other).ok("task:list").out
