"""A disk that is full, and a file that may not grow: status 5 and a sentence, nothing lost, and all well with space."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest

from tests.attack.conftest import ROUNDS, SEED, Copied, Whole
from tests.attack.forks import Forks
from tests.attack.world import LINES, WRITE, kept, problems

SIZE = 8 << 20
"""Bytes of the disk; the project with its database takes two of the eight megabytes."""


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    directory = tmp_path / "disk"
    directory.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(directory)]
    if os.name != "posix" or os.geteuid() or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("mounting is forbidden here")
    try:
        yield directory
    finally:
        subprocess.run(["umount", directory], check=True)


def filled(directory: Path, *, but: int) -> Path:
    """Fill a disk up to so many bytes."""
    filler, free = directory / "filler", os.statvfs(directory)
    rest = free.f_bavail * free.f_frsize - but
    with filler.open("wb", buffering=0) as stream, suppress(OSError):
        for _ in range(max(0, rest) // 4096):
            stream.write(b"x" * 4096)
    return filler


@pytest.mark.parametrize("command", WRITE)
def test_on_a_full_disk_a_command_is_refused_in_words_or_done(
    copied: Copied, forks: Forks, whole: Callable[[str], Whole], disk: Path, command: str
) -> None:
    chance, words = Random(f"{SEED} disk {command}"), shlex.split(command)
    _, done, before, after = whole(command)
    for room in chance.choices([0, 4096, 40_960, 81_920, 163_840], k=ROUNDS):
        victim = copied(disk / "project")
        filler = filled(disk, but=room)
        ended = forks.run(victim.root, *words, stdin=LINES)
        filler.unlink()
        assert ended.status in (5, done.status), ended
        assert ended.status != 5 or ended.err.startswith("tx: ") or "\ntx: " in ended.err, ended
        left = kept(victim.root)
        assert left in ((before, after) if ended.status == 5 else (after,)), ended
        assert problems(victim.root) == []
        again = forks.run(victim.root, *words, stdin=LINES)
        assert again.status in (0, 1, 2, 3), again
        shutil.rmtree(victim.root)


@pytest.mark.parametrize("command", WRITE)
def test_where_no_file_may_grow_a_command_is_refused_in_words_or_done(
    copied: Copied, forks: Forks, whole: Callable[[str], Whole], tmp_path: Path, command: str
) -> None:
    chance, words = Random(f"{SEED} limit {command}"), shlex.split(command)
    _, done, before, after = whole(command)
    for limit in chance.choices([100, 1_000, 33_000, 60_000, 200_000], k=ROUNDS):
        victim = copied(tmp_path / "project")
        ended = forks.run(victim.root, *words, stdin=LINES, limit=limit)
        assert ended.status in (5, done.status), ended
        left = kept(victim.root)
        assert left in ((before, after) if ended.status == 5 else (after,)), ended
        assert problems(victim.root) == []
        shutil.rmtree(victim.root)
