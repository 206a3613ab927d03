"""Arguments and stdin of every command: whatever they are, a command ends in time, in words, and nothing is lost."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from tests.attack.conftest import ROUNDS, lost, within, withstood
from tests.attack.values import stdin, words_of
from tests.faces.cli.terminal import CommandLine
from tx_graph.faces.operations import COMMANDS

CALLS = 5
EXPENDABLE = ("May be changed: sessions end", "May be removed: tokens expire")
"""Learnings 4 and 5: no call names others."""
ENDING = {"view": ("--out", "../page.html")}
"""Words behind all others by which a command does not serve until somebody ends it."""
SERVES, DOWNLOADS = ("mcp", "lsp"), "install"
"""What reads the process's own stdin, which `test_frames.py` attacks, and what asks others."""


@pytest.mark.parametrize("command", [name for name in COMMANDS if name not in SERVES])
def test_no_argument_and_no_text_on_stdin_breaks_a_command(victim: Path, command: str, chance: Random) -> None:
    tx = CommandLine(victim)
    for content in EXPENDABLE:
        tx.add(content, "--anchor", "src/auth.py")
    for _ in range(CALLS * ROUNDS):
        words, given = [*words_of(command, chance), *ENDING.get(command, ())], stdin(chance)
        if DOWNLOADS not in words:
            with within(60, words):
                outcome = tx(*words, stdin=given)
            withstood(outcome, words)
    assert lost(victim) == []
