"""The working tree: paths as people type them, and what the files hold now."""

from __future__ import annotations

import os
import posixpath
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple

from tx_graph.core.errors import OutsideRepository, UsageError
from tx_graph.core.labels import is_unicode
from tx_graph.core.place import holds_git, touched
from tx_graph.core.repository import GitRepository, foreign_owner

_RACY_NS = 50_000_000
"""A file changed within 50 ms of being read may change again without showing in its time stamp (git's racy
entries)."""
_COARSE_NS = 2_000_000_000
"""The same where time stamps are whole seconds, or even ones, as FAT and some network file systems keep them."""
_SECOND_NS = 1_000_000_000
UNTRUSTED = -1
"""Stands for a time stamp that proves nothing: the file is hashed again next time."""
NOT_ON_DISK = -2
"""The time of change of what git or an editor holds: no file ever has it, so what is known of its stamp is not used."""


def trusted_mtime(mtime_ns: int) -> int:
    """Return the time stamp of a file that was just read, or UNTRUSTED when it is too young to prove anything."""
    racy = _RACY_NS if mtime_ns % _SECOND_NS else _COARSE_NS
    return mtime_ns if abs(time.time_ns() - mtime_ns) > racy else UNTRUSTED


_AS_LISTED = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
"""Flags that open no symbolic link, and do not wait for the other end of what became a pipe."""
_CAN_REFUSE_LINKS = hasattr(os, "O_NOFOLLOW")
"""Whether a file can be opened only if it is no symbolic link; on Windows it cannot."""


class Stamp(NamedTuple):
    """What tells that a file was touched: its size in bytes, and when it last changed (`touched`), in ns."""

    size: int
    changed_ns: int


class WorkingTree:
    """Files below one root, named by repository-relative paths with `/`.

    `cwd` is where the user stands; what they type is understood from there first. `sources` are folders outside, by
    what their files' paths begin with instead (see `core/sources.py`).
    """

    def __init__(self, root: Path, *, cwd: Path, sources: Callable[[], Mapping[str, Path]] = dict) -> None:
        self.root = root
        self._asked = sources
        self._prefix = os.path.join(root, "")
        self._here = _relative(cwd.resolve(), root) or ""
        self._sources: Mapping[str, Path] | None = None
        self._foreign: dict[str, str] = {}
        self._proven: dict[str, tuple[int, int]] = {}
        self.open_texts: Mapping[str, bytes] = {}

    def lay_over(self, texts: Mapping[str, str]) -> None:
        """Let files hold these texts: an editor has them open, and may not have saved them.

        What is saved in another encoding than UTF-8 stays as it is saved: an editor's text has other characters.
        """
        before, self.open_texts = self.open_texts, {}
        laid = {path: text.encode("utf-8", "surrogatepass") for path, text in texts.items()}
        self.open_texts = {path: data for path, data in laid.items() if before.get(path) == data or self._is_utf8(path)}

    def _is_utf8(self, path: str) -> bool:
        try:
            (self.read(path) or b"").decode()
        except UnicodeDecodeError:
            return False
        return True

    def candidates(self, typed: str) -> list[str]:
        """Return what a typed path may mean, likeliest first: from the working directory, then from the root."""
        typed = typed.replace("\\", "/") if os.name == "nt" else typed
        if "\0" in typed or not typed.strip():
            raise UsageError("The path is empty or has a NUL byte.")
        if not is_unicode(typed):
            raise UsageError("The path is not valid UTF-8.", hint="Rename the file: tx keeps paths as text.")
        if os.path.isabs(typed):
            return [self._inside(Path(typed), typed)]
        if self.is_outside(typed):
            if not self.is_outside(path := posixpath.normpath(typed)) or ".." in path.split("/"):
                raise _outside(typed)
            return [path]
        found = [self._normal(posixpath.join(self._here, typed), typed)]
        if self._here:
            found.append(self._normal(typed, typed, forgiving=True))
        return list(dict.fromkeys(path for path in found if path))

    def existing(self, typed: str) -> str | None:
        """Return the first candidate that exists, None when none does."""
        return next((path for path in self.candidates(typed) if self.exists(path)), None)

    @property
    def sources(self) -> Mapping[str, Path]:
        """The folders outside, by what their files' paths begin with instead."""
        if self._sources is None:
            self._sources = self._asked()
        return self._sources

    def is_outside(self, path: str) -> bool:
        """Whether `path` lies in a folder of the setting `documents.sources`."""
        return path.startswith("@") and path.partition("/")[0] in self.sources

    def _at(self, path: str) -> str:
        """Return where a file lies."""
        if not self.is_outside(path):
            return f"{self._prefix}{path}"
        name, _, rest = path.partition("/")
        return os.path.join(self.sources[name], rest)

    def _is_within(self, path: str) -> bool:
        """Whether `path`, symbolic links followed, lies in the repository, or in the source that it names."""
        root = self.sources[path.partition("/")[0]] if self.is_outside(path) else self.root
        return _relative(Path(os.path.realpath(self._at(path))), root) is not None

    def exists(self, path: str) -> bool:
        """Whether there is a file or directory at `path`."""
        return os.path.exists(self._at(path))

    def is_directory(self, path: str) -> bool:
        """Whether there is a directory at `path`."""
        return os.path.isdir(self._at(path))

    def stamp(self, path: str) -> Stamp | None:
        """Return the stamp of a file, None when there is no regular file at `path`."""
        if path in self.open_texts:
            return Stamp(len(self.open_texts[path]), NOT_ON_DISK)
        found = self._status(path)
        if found is None or not S_ISREG(found.st_mode):
            return None
        return Stamp(*touched(found))

    def _status(self, path: str) -> os.stat_result | None:
        try:
            return os.stat(self._at(path))
        except (OSError, ValueError):
            return None

    def links_outside(self, path: str) -> bool:
        """Whether `path` exists and, symbolic links followed, lies outside the repository."""
        return self.exists(path) and not self._is_within(path)

    def why_foreign(self, path: str) -> str:
        """Return why the file at `path` is no part of the project; nothing when it is."""
        if self.is_outside(path):
            return "it lies outside, in a folder of documents.sources"
        if path not in self._foreign:
            owner = foreign_owner(path)
            ignored = not owner and holds_git(self.root) and GitRepository(self.root).ignores(path)
            self._foreign[path] = "git ignores it" if ignored else owner
        return self._foreign[path]

    def forget(self) -> None:
        """Ask git anew what it ignores, and the settings where there are folders outside."""
        self._foreign.clear()
        self._sources = None

    def read(self, path: str) -> bytes | None:
        """Return a file's bytes, None when there is no readable regular file inside the repository at `path`."""
        if path in self.open_texts:
            return self.open_texts[path]
        if not _CAN_REFUSE_LINKS:
            return self._read_followed(path)
        if not self._holds(posixpath.dirname(path)):
            return None
        try:
            file = os.open(self._at(path), os.O_RDONLY | _AS_LISTED)
            try:
                if not S_ISREG(os.fstat(file).st_mode):
                    return None
                with open(file, "rb", buffering=0, closefd=False) as stream:
                    return stream.read()
            finally:
                os.close(file)
        except ValueError:
            return None
        except OSError:  # a symbolic link, which may lead to another file of the repository
            return self._read_followed(path)

    def _holds(self, directory: str) -> bool:
        """Whether a directory is there and, symbolic links followed, lies inside the repository.

        Once proven, it is known by its inode, whichever way leads there: one look, not one at each of its parents.
        """
        found = self._status(directory)
        if found is None:
            return False
        inode = (found.st_dev, found.st_ino)
        if self._proven.get(directory) == inode:
            return True
        if not self._is_within(directory):
            return False
        self._proven[directory] = inode
        return True

    def _read_followed(self, path: str) -> bytes | None:
        full = self._at(path)
        try:
            return Path(full).read_bytes() if os.path.isfile(full) and self._is_within(path) else None
        except OSError:
            return None

    def read_listed(self, path: str, *, most: int = -1) -> bytes | None:
        """Return the bytes of a file that was just listed, None when it has gone since or is not readable.

        Where `most` is given, it is so many from the beginning.

        A listing holds regular files in real directories only. `read` looks at the directory of each file again, and
        at what it opened; here only the file itself must not have become a symbolic link.
        """
        try:
            with open(self._at(path), "rb", buffering=0, opener=_open_listed) as file:
                return file.read(most if most < 0 else min(most, os.fstat(file.fileno()).st_size + 1))
        except OSError:
            return None

    def read_text(self, path: str) -> str | None:
        """Return a file as text (undecodable bytes replaced), None when it cannot be read."""
        data = self.read(path)
        return None if data is None else as_text(data)

    def _normal(self, path: str, typed: str, *, forgiving: bool = False) -> str:
        normal = posixpath.normpath(path)
        if normal == ".." or normal.startswith("../"):
            if forgiving:
                return ""
            raise _outside(typed)
        return self._inside(self.root / normal, typed)

    def _inside(self, full: Path, typed: str) -> str:
        """Return the repository-relative path of `full`, symbolic links followed."""
        relative = _relative(Path(os.path.realpath(full)), self.root)
        if relative is None:
            raise _outside(typed)
        return relative


def as_text(data: bytes) -> str:
    """Return a file's content as text; bytes that are no UTF-8 are replaced."""
    return data.decode("utf-8-sig", "replace")


def _open_listed(path: str, flags: int) -> int:
    return os.open(path, flags | _AS_LISTED)


def _relative(path: Path, root: Path) -> str | None:
    try:
        return path.relative_to(root).as_posix()
    except ValueError:
        return None


def _outside(typed: str) -> OutsideRepository:
    return OutsideRepository(
        f"'{typed}' is outside the repository.", hint="Only files inside it can be anchored, linked or asked about."
    )
