"""Paths as a session names them, told as paths of the repository where they lie in it."""

from __future__ import annotations

import os
import posixpath
import re
from functools import lru_cache
from pathlib import Path

_WORD = re.compile(r"[^\s'\"`;|&<>()$=,]+")
_LONGEST = 400
"""Characters of a path; what is longer is text."""
_MOST_WORDS = 200
"""Words of a command that are looked at: what follows is a script or data."""
_REMEMBERED = 20_000


class SessionPaths:
    """Turns absolute paths, and those relative to where an agent stood, into repository-relative ones."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._roots = tuple(dict.fromkeys(_slashes(str(one)).rstrip("/") for one in (root, root.resolve())))
        self._is_file = lru_cache(maxsize=_REMEMBERED)(self._look)

    def holds(self, directory: str) -> bool:
        """Whether a directory is the root of the repository, or below."""
        return self._below(_slashes(directory)) is not None

    def named(self, path: str, cwd: str | None) -> str | None:
        """Return a path of the repository, None for one that leads elsewhere, is a directory, or no path at all."""
        found = self._relative(path, cwd)
        return None if found is None or os.path.isdir(self._root / found) else found

    def in_command(self, command: str, cwd: str | None) -> tuple[str, ...]:
        """Return the files of the repository that words of a command line name; only such that are there now."""
        words = _WORD.findall(command[: _LONGEST * _MOST_WORDS])[:_MOST_WORDS]
        found = (self._relative(word, cwd) for word in words if "." in word or "/" in word)
        return tuple(dict.fromkeys(path for path in found if path and self._is_file(path)))

    def _relative(self, path: str, cwd: str | None) -> str | None:
        if not path or len(path) > _LONGEST or "\0" in path or "\n" in path:
            return None
        path = _slashes(path)
        if not _is_absolute(path):
            if not cwd:
                return None
            path = posixpath.join(_slashes(cwd), path)
        return self._below(path) or None

    def _below(self, path: str) -> str | None:
        """Return an absolute path relative to the root, empty for the root itself; None where it is not below."""
        path = posixpath.normpath(path)
        for root in self._roots:
            if path == root:
                return ""
            if path.startswith(f"{root}/"):
                below = path[len(root) + 1 :]
                return None if below == ".git" or below.startswith((".git/", ".tx/")) else below
        return None

    def _look(self, path: str) -> bool:
        return os.path.isfile(self._root / path)


def _is_absolute(path: str) -> bool:
    return path.startswith("/") or path[1:3] == ":/"


def _slashes(path: str) -> str:
    r"""Return a path of Windows with `/`; others may have `\` in names."""
    return path.replace("\\", "/") if path[1:3] == ":\\" or os.name == "nt" else path
