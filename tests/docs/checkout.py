"""A clone of this repository as its working tree is now, whatever was committed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.docs.blocks import ROOT
from tests.git_sandbox import SETTINGS

_IS_CHECKOUT = (ROOT / ".git").exists()
_BUILT = {".venv", "__pycache__", "build", "dist"}
_READINGS = Path(".git", "tx", "readings.db")
_HISTORY = 50
"""Commits that are enough for what pages show of this repository."""


def clone(target: Path) -> None:
    """Make a clone that knows what its files say, as one has in which `tx` was used before."""
    _clone(target)
    readings = target / _READINGS
    readings.parent.mkdir()
    readings.write_bytes(_readings())


@cache
def _readings() -> bytes:
    """Return what reading the files brings: for one clone, not for that of each page."""
    with tempfile.TemporaryDirectory() as directory:
        target = Path(directory, "tx")
        _clone(target)
        environment = os.environ | SETTINGS | {"TX_MODEL_DIR": str(Path(directory, "no-model"))}
        command = [sys.executable, "-P", "-m", "tx_graph", "index"]
        subprocess.run(command, cwd=target, env=environment, check=True, capture_output=True)
        return (target / _READINGS).read_bytes()


def _clone(target: Path) -> None:
    """Make a clone in which what is not committed here is committed; without a history, one commit has it all."""
    if has_history():
        git("clone", "--quiet", str(ROOT), str(target), at=target.parent)
        git("remote", "remove", "origin", at=target)
        git("switch", "--quiet", "--force-create", "main", at=target)
        _overlay(target, "--modified")
    else:
        git("init", "--quiet", "--initial-branch=main", str(target), at=target.parent)
        _overlay(target, "--cached")
    git("add", "--all", at=target)
    git("commit", "--quiet", "--allow-empty", "--message=What is being worked on", at=target)


@cache
def has_history() -> bool:
    """Tell whether this checkout has enough of a history to show; one made for a service may have one commit."""
    return _IS_CHECKOUT and int(git("rev-list", "--count", "HEAD", at=ROOT)) >= _HISTORY


def equip(target: Path, *, programs: Path) -> None:
    """Make a clone one in which `scripts/bootstrap dev` has run, with programs that are here already."""
    binaries = target / ".venv" / "bin"
    binaries.mkdir(parents=True)
    for program in programs.iterdir():
        (binaries / program.name).symlink_to(program)
    wanted = f"{target}\n" + "".join(
        (target / name).read_text("utf-8") for name in ("pyproject.toml", "hatch_build.py", "requirements-dev.txt")
    )
    (target / ".venv" / "installed-dev").write_text(wanted, encoding="utf-8")


def git(*arguments: str, at: Path, time: int | None = None) -> str:
    """Run git, at a time in seconds since the epoch if one is given, and return what it prints."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")} | SETTINGS
    if time is not None:
        environment |= {"GIT_AUTHOR_DATE": f"{time} +0000", "GIT_COMMITTER_DATE": f"{time} +0000"}
    return subprocess.run(
        ["git", *arguments], cwd=at, env=environment, check=True, capture_output=True, text=True
    ).stdout


def _overlay(target: Path, which: str) -> None:
    """Make files of the clone, and those that git does not know yet, what they are in the working tree."""
    for name in _names(which) if _IS_CHECKOUT else _unpacked():
        source, place = ROOT / name, target / name
        if source.is_file():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, place)
        else:
            place.unlink(missing_ok=True)


def _names(which: str) -> list[str]:
    return git("ls-files", "-z", which, "--others", "--exclude-standard", at=ROOT).split("\0")[:-1]


def _unpacked() -> Iterator[str]:
    """Yield the files of an archive that somebody unpacked, but for what was built in it."""
    for directory, below, files in os.walk(ROOT):
        below[:] = [name for name in below if name not in _BUILT and not name.endswith("_cache")]
        yield from (os.path.relpath(Path(directory, name), ROOT) for name in files)
