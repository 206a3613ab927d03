"""Asks git."""

from __future__ import annotations

import subprocess
from pathlib import Path


def git_output(directory: Path | None, *arguments: str, question: bytes | None = None) -> bytes:
    """Return what git says in a directory, told `question` on its standard input.

    Raises:
        subprocess.CalledProcessError: Git fails.
    """
    command = ["git", *(("-C", str(directory)) if directory else ()), *arguments]
    return subprocess.run(command, input=question, stdout=subprocess.PIPE, check=True).stdout
