"""A real git repository in a temporary directory, deaf to the machine's own git configuration."""

from __future__ import annotations

import os
import shutil
import subprocess
from copy import copy
from pathlib import Path
from typing import Self

import pytest

from tests.templates import write_repository

SETTINGS = {
    "GIT_CONFIG_GLOBAL": str(Path(__file__).with_name("gitconfig")),
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "Ada",
    "GIT_AUTHOR_EMAIL": "ada@example.org",
    "GIT_COMMITTER_NAME": "Ada",
    "GIT_COMMITTER_EMAIL": "ada@example.org",
}

NEW_YEAR_2024 = 1_704_067_200
"""Seconds since the epoch, 2024-01-01T00:00:00Z: when the first commit of a sandbox is made."""

DAY = 86_400


def use_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let git know nothing but these settings."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    for name, value in SETTINGS.items():
        monkeypatch.setenv(name, value)


class GitSandbox:
    """A repository whose commits are one day apart."""

    def __init__(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.root = root
        self._time = NEW_YEAR_2024
        use_settings(monkeypatch)
        root.mkdir()
        write_repository(root)

    def copied(self, root: Path, monkeypatch: pytest.MonkeyPatch) -> Self:
        """Return a repository like this one in another place: copying costs less than making it again."""
        twin = copy(self)
        twin.root = root
        use_settings(monkeypatch)
        shutil.copytree(self.root, root, symlinks=True)
        return twin

    def git(self, *arguments: str, at: Path | None = None) -> str:
        """Run git in `at` or the root and return what it prints."""
        date = {"GIT_AUTHOR_DATE": f"{self._time} +0000", "GIT_COMMITTER_DATE": f"{self._time} +0000"}
        command = ["git", "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(
            command, cwd=at or self.root, env=os.environ | date, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    def write(self, *paths: str, text: str = "") -> None:
        """Write files that exist with a line more each time, so that each writing is a change."""
        for path in paths:
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("a", encoding="utf-8") as lines:
                lines.write(text or f"{self._time}\n")

    def commit(self, *paths: str, message: str = "change") -> str:
        """Change these files and commit everything; return the commit's name."""
        self.write(*paths)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", f"--message={message}")
        self._time += DAY
        git = self.root / ".git"
        head = (git / "HEAD").read_text(encoding="utf-8").strip()
        return (git / head.removeprefix("ref: ")).read_text(encoding="utf-8").strip() if "ref:" in head else head
