"""Arguments and stdin of every command: whatever they are, a command ends in time, in words, and nothing is lost."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from tests.attack.conftest import ROUNDS, lost, surrounded, within, withstood
from tests.attack.values import stdin, words_of
from tests.faces.cli.terminal import CommandLine
from tx_graph.faces.operations import COMMANDS

CALLS = 4
EXPENDABLE = ("May be changed: sessions end", "May be removed: tokens expire")
"""Learnings 4 and 5: no call names others."""
ENDING = {"view": ("--out", "../page.html")}
"""Words behind all others by which a command does not serve until somebody ends it."""
SERVES, DOWNLOADS = ("mcp", "lsp"), "install"
"""What reads the process's own stdin, which `test_frames.py` attacks, and what asks others."""


@pytest.fixture(scope="module")
def prepared(intact: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The repository with these two."""
    directory = tmp_path_factory.mktemp("prepared")
    root = Path(shutil.copytree(intact, directory / "project", symlinks=True))
    with pytest.MonkeyPatch.context() as monkeypatch:
        surrounded(monkeypatch, directory)
        for content in EXPENDABLE:
            CommandLine(root).add(content, "--anchor", "src/auth.py")
    return root


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in SERVES])
def test_no_argument_and_no_text_on_stdin_breaks_a_command(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, chance: Random
) -> None:
    surrounded(monkeypatch, tmp_path)
    victim = Path(shutil.copytree(prepared, tmp_path / "project", symlinks=True))
    tx = CommandLine(victim)
    for _ in range(CALLS * ROUNDS):
        words, given = [*words_of(command, chance), *ENDING.get(command, ())], stdin(chance)
        if DOWNLOADS not in words:
            with within(words):
                outcome = tx(*words, stdin=given)
            withstood(outcome, words)
    assert lost(victim) == []
