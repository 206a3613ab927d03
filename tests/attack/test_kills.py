"""Whenever a command is killed: it happened wholly or not at all, and the next one works without any repair."""

from __future__ import annotations

import gzip
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.attack.conftest import ROUNDS, SEED, Copied, Whole
from tests.attack.forks import KILLED, Forks
from tests.attack.world import LINES, WRITE, kept, problems
from tests.faces.cli.terminal import CommandLine
from tests.isolation import ROOT


@pytest.mark.parametrize("command", WRITE)
def test_what_is_killed_happened_wholly_or_not_at_all(
    copied: Copied, forks: Forks, whole: Callable[[str], Whole], tmp_path: Path, command: str
) -> None:
    chance = Random(f"{SEED} {command}")
    root, ended, before, after = whole(command)
    assert ended.status in (0, 1), ended
    for _ in range(ROUNDS):
        victim = copied(tmp_path / "victim")
        killed = forks.run(victim.root, *shlex.split(command), stdin=LINES, kill=chance.uniform(0, 1.1) * ended.seconds)
        left = kept(victim.root)
        if left != before:
            for key in after:
                assert left[key] == after[key], (key, killed)
        if killed.status != KILLED:
            assert left == after, killed
        assert problems(victim.root) == []
        if left == after:
            assert again(victim.root) == again(root)
        shutil.rmtree(victim.root)


def again(root: Path) -> list[str]:
    """Bring everything up to date; return what is derived."""
    tx = CommandLine(root)
    tx.ok("index")
    tx("doc:ingest")
    return [tx.ok(*shlex.split(line)).out for line in ("graph:symbols --all", "graph:imports --all", "doc:list")]


@pytest.mark.parametrize(
    "database", sorted((ROOT / "fixtures" / "databases").glob("*.db.gz")), ids=lambda path: path.name
)
def test_a_migration_that_is_killed_is_made_by_the_next_command(
    copied: Copied, forks: Forks, tmp_path: Path, database: Path
) -> None:
    chance = Random(f"{SEED} {database.name}")

    def older(name: str) -> Path:
        root = copied(tmp_path / name).root
        for file in (root / ".tx").glob("graph.db*"):
            file.unlink()
        (root / ".tx" / "graph.db").write_bytes(gzip.decompress(database.read_bytes()))
        return root

    whole = older("whole")
    ended = forks.run(whole, "task:list")
    assert ended.status == 0, ended
    told = kept(whole)
    for _ in range(2 * ROUNDS):
        victim = older("victim")
        forks.run(victim, "task:list", kill=chance.uniform(0, 1.1) * ended.seconds)
        assert kept(victim) == told
        assert problems(victim) == []
        assert not list((victim / ".tx").glob("graph.db-new*"))
        shutil.rmtree(victim)
