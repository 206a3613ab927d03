"""Whenever a command is killed: it happened wholly or not at all, and the next one works without any repair."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.attack.conftest import ROUNDS, SEED
from tests.attack.forks import KILLED, Forks
from tests.attack.world import WRITE, built, kept
from tests.faces.cli.terminal import CommandLine
from tests.git_sandbox import GitSandbox

LINES = "".join(f'{{"content": "Imported {number}"}}\n' for number in range(50))


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GitSandbox]:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("TX_MODEL_DIR", str(tmp_path_factory.mktemp("no-model")))
        yield built(tmp_path_factory.mktemp("origin") / "project", monkeypatch)


@pytest.fixture(scope="module")
def forks(tmp_path_factory: pytest.TempPathFactory, origin: GitSandbox) -> Iterator[Forks]:
    with Forks(tmp_path_factory.mktemp("streams")) as forks:
        yield forks


@pytest.mark.parametrize("command", WRITE)
def test_what_is_killed_happened_wholly_or_not_at_all(
    origin: GitSandbox, forks: Forks, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    chance = Random(f"{SEED} {command}")
    whole = origin.copied(tmp_path / "whole", monkeypatch)
    before = kept(whole.root)
    ended = forks.run(whole.root, *shlex.split(command), stdin=LINES)
    assert ended.status in (0, 1), ended
    after = kept(whole.root)
    derived = again(whole.root)
    for _ in range(2 * ROUNDS):
        victim = origin.copied(tmp_path / "victim", monkeypatch)
        killed = forks.run(victim.root, *shlex.split(command), stdin=LINES, kill=chance.uniform(0, 1.1) * ended.seconds)
        left = kept(victim.root)
        if left != before:
            for key in after:
                assert left[key] == after[key], (key, killed)
        if killed.status != KILLED:
            assert left == after, killed
        assert [one for one in CommandLine(victim.root)("doctor --json").document["findings"] if one["level"] == "problem"] == []
        if left == after:
            assert again(victim.root) == derived
        shutil.rmtree(victim.root)


def again(root: Path) -> list[str]:
    """Bring everything up to date; return what is derived."""
    tx = CommandLine(root)
    tx.ok("index")
    tx("doc:ingest")
    return [tx.ok(*shlex.split(line)).out for line in ("graph:symbols --all", "graph:imports --all", "doc:list")]
