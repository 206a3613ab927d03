"""A checkout whose code changes under its learnings."""

from __future__ import annotations

import subprocess
from pathlib import Path

AUTH = """\
import os


def login(age: int) -> bool:
    # The law says so.
    return age >= 18


def logout() -> None:
    os.environ.pop("USER")
"""


class Checkout:
    """A git working tree."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def write(self, path: str, text: str) -> None:
        """Write a file, making its directories."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")

    def edit(self, old: str, new: str, *, path: str = "src/auth.py") -> None:
        """Replace a piece of a file that occurs in it."""
        text = (self.root / path).read_text(encoding="utf-8")
        assert old in text
        self.write(path, text.replace(old, new))

    def commit(self, message: str = "change") -> str:
        """Commit everything; return the commit's name."""
        self.git("add", "--all")
        self.git("commit", "--quiet", f"--message={message}")
        return self.git("rev-parse", "HEAD")

    def git(self, *arguments: str) -> str:
        """Run git and return what it prints."""
        command = ["git", "-c", "protocol.file.allow=always", *arguments]
        done = subprocess.run(command, cwd=self.root, check=True, capture_output=True, text=True)
        return done.stdout.strip()

    def clone(self, name: str, *options: str) -> Checkout:
        """Clone what is committed, beside this one."""
        self.git("clone", "--quiet", *options, self.root.as_uri(), str(self.root.parent / name))
        return Checkout(self.root.parent / name)

    def record(self) -> Path:
        """Return the one record file."""
        (record,) = (self.root / ".tx" / "learnings").glob("*.md")
        return record
