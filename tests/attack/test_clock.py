"""A clock that jumps by years, and files whose times prove nothing: what is said stays, and what changed is seen."""

from __future__ import annotations

import os
import time
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import pytest

from tests.attack.conftest import ROUNDS, SEED, Copied, withstood
from tests.attack.world import READ, WRITE, problems
from tests.faces.cli.terminal import CommandLine
from tx_graph.core.kernel import SystemClock

YEAR = 31_556_952
OFFSETS = (-50, -20, -1, 0, 1, 20, 70)
"""Years by which the clock is wrong."""
TIMES = (0, 1, 1_000_000_000, 2_000_000_000, 4_102_444_800)
"""Seconds since 1970 that files claim: then, in 2001, in 2033 and in 2100."""


@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_clock_that_jumps_and_files_of_any_age_lose_nothing(
    copied: Copied, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    chance, git = Random(f"{SEED} clock {number}"), copied(tmp_path / "project")
    tx, added, real = CommandLine(git.root), set[str](), time.time_ns
    commands = [*READ, *WRITE]
    chance.shuffle(commands)
    for command in commands:
        offset = chance.choice(OFFSETS) * YEAR * 1_000_000_000
        monkeypatch.setattr(time, "time_ns", lambda by=offset: real() + by)
        monkeypatch.setattr(time, "time", lambda by=offset: (real() + by) / 1e9)
        moment = datetime.fromtimestamp((real() + offset) / 1e9, UTC)
        monkeypatch.setattr(SystemClock, "now", lambda _, at=moment: at)
        for file in [*(git.root / ".tx").glob("*/*.md"), *(git.root / "src").glob("*.py")]:
            os.utime(file, times=(chance.choice(TIMES),) * 2)
        outcome = tx(command, stdin=b'{"content": "Imported"}\n')
        withstood(outcome, command)
        content = f"Said after {command}"
        tx.ok("learning:add", content, "--anchor", "src/auth.py::verify")
        added.add(content)
    shown = {one["content"] for one in tx.json("learning:list -n 1000")["learnings"]}
    assert added <= shown
    assert problems(git.root) == []


def written_alike(path: Path, old: str, new: str) -> None:
    """Change a file so that it is as long and as old as before."""
    before, text = path.stat(), path.read_text(encoding="utf-8")
    assert old in text
    assert len(old) == len(new)
    path.write_text(text.replace(old, new), encoding="utf-8")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.parametrize("moment", TIMES)
def test_another_content_of_the_same_size_and_time_is_seen(copied: Copied, tmp_path: Path, moment: int) -> None:
    git = copied(tmp_path / "project")
    tx, root = CommandLine(git.root), git.root
    (record,) = (root / ".tx" / "learnings").glob("*-compare-*")
    paths = (root / "src" / "auth.py", root / "README.md", record)
    for path in paths:
        os.utime(path, times=(moment, moment))
    for command in ("index", "doc:ingest"):
        tx.ok(command)
    time.sleep(0.1)
    tx.ok("status")
    news = (("verify", "revoke"), ("Zebrafish", "Aardvarks"), ("constant", "somewhat"))
    for path, (old, new) in zip(paths, news, strict=True):
        written_alike(path, old, new)
    assert "somewhat time" in tx.ok("learning:show 1").out
    assert tx("graph:verify").status == 1
    for command in ("index", "doc:ingest"):
        tx.ok(command)
    assert "revoke" in tx.ok("graph:symbols src/auth.py").out
    assert "Aardvarks" in tx.ok("doc:show README.md").out
