"""The database is deleted at any moment, between commands and under them: nothing that was said is lost, no number."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.attack.conftest import ROUNDS, SEED, Copied, Whole, surrounded
from tests.attack.forks import KILLED, Forks
from tests.attack.world import LINES, WRITE, kept, problems
from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox
from tx_graph.core.database import Database
from tx_graph.core.journal import snapshot

SHOWN = ["learning:list", "learning:list --status staged", "learning:recent", "graph:history .", "run:show 1"]
SHOWN += ["telemetry:list", "transcript:list", "fact:list --past", "graph:history", "graph:history 1 -n 500"]


def said(root: Path) -> dict[str, object]:
    """Return all that was said to a workspace, once what is derived is there again."""
    tx = CommandLine(root)
    tx.ok("index")
    tx("doc:ingest")
    return kept(root)


def exactly(root: Path) -> dict[str, object]:
    """Return the same with all numbers and times, and every lasting row."""
    tx, found = CommandLine(root), said(root)
    return {**found, **{command: tx(f"{command} --json").document for command in SHOWN}, "rows": rows(root)}


def rows(root: Path) -> list[tuple[str, str]]:
    """Return every lasting row."""
    with Database.open(root / ".tx" / "graph.db") as database:
        lines = [json.loads(line) for _, _, line in snapshot(database)]
    return sorted((table, json.dumps(row)) for line in lines for table, found in line.items() for row in found)


def delete(root: Path) -> None:
    for file in (root / ".tx").glob("graph.db*"):
        file.unlink()


@pytest.mark.parametrize("number", range(ROUNDS))
def test_between_commands_it_goes_unnoticed(copied: Copied, forks: Forks, tmp_path: Path, number: int) -> None:
    chance = Random(f"{SEED} {number}")
    root = copied(tmp_path / "victim").root
    commands = chance.choices(WRITE, k=len(WRITE))
    for step, command in enumerate(commands):
        ended = forks.run(root, *shlex.split(command), stdin=LINES)
        assert ended.status != 70, (command, ended)
        if chance.random() < 0.15 or step == len(commands) - 1:
            before = exactly(root)
            delete(root)
            after = exactly(root)
            for key, value in before.items():
                assert after[key] == value, (key, commands[: step + 1])
            assert problems(root) == []


@pytest.fixture(scope="module")
def before(origin: GitSandbox, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What is said before any command."""
    directory = tmp_path_factory.mktemp("before")
    with pytest.MonkeyPatch.context() as monkeypatch:
        surrounded(monkeypatch, directory)
        return said(origin.copied(directory / "project", monkeypatch).root)


@pytest.mark.parametrize("command", WRITE)
def test_under_a_command_that_is_killed_what_it_acknowledged_stays(
    copied: Copied,
    forks: Forks,
    whole: Callable[[str], Whole],
    before: dict[str, object],
    tmp_path: Path,
    command: str,
) -> None:
    chance = Random(f"{SEED} lasting {command}")
    seconds, after = whole(command).ended.seconds, said(whole(command).root)
    for number in range(ROUNDS):
        root = copied(tmp_path / f"victim-{number}").root
        killed = forks.run(root, *shlex.split(command), stdin=LINES, kill=chance.uniform(0.3, 1.05) * seconds)
        delete(root)
        left = said(root)
        for key in after:
            assert left[key] in (before[key], after[key]), (key, killed)
        if killed.status != KILLED:
            assert left == after, killed
        if chance.random() < 0.3:  # all that is told is much to compare
            once = exactly(root)
            delete(root)
            assert exactly(root) == once
        assert problems(root) == []
