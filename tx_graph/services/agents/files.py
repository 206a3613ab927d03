"""Reads a client's files and replaces them whole: the bytes outside our edit stay, the mode too."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from tx_graph.errors import StorageError, UsageError

_BOM = b"\xef\xbb\xbf"
_MOST_BYTES = 4_000_000


class ConfigFiles:
    """The files of clients below the root of a repository."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: str) -> bytes | None:
        """Return what a file holds, None if there is none.

        Raises:
            UsageError: It is no file that could be edited.
            StorageError: It cannot be read.
        """
        target = self._target(path)
        try:
            if not target.exists():
                return None
            if not target.is_file() or target.stat().st_size > _MOST_BYTES:
                raise UsageError(f"{path} is no file of settings.", hint="Move it away first.")
            return target.read_bytes()
        except OSError as error:
            raise StorageError(f"{path} cannot be read: {error.strerror}.") from error

    def replace(self, path: str, data: bytes | None) -> None:
        """Let a file hold these bytes, with its directories; None removes it, and directories that it leaves empty.

        Raises:
            StorageError: It cannot be written.
        """
        target = self._target(path)
        try:
            if data is None:
                target.unlink()
                (self._root / path).unlink(missing_ok=True)  # a link that would lead nowhere now
                self._remove_empty(target.parent)
            else:
                self._write(target, data)
        except OSError as error:
            raise StorageError(f"{path} cannot be written: {error.strerror}.") from error

    def _target(self, path: str) -> Path:
        """Return the file itself: one that is a link in the repository is written where it leads."""
        target = (self._root / path).resolve()
        if not target.is_relative_to(self._root.resolve()):
            raise UsageError(f"{path} is a link that leads out of the repository.", hint="Nothing was written.")
        if (self._root / path).is_symlink() and not target.exists():
            raise UsageError(f"{path} is a link that leads nowhere.", hint="Nothing was written; remove it first.")
        return target

    def _write(self, target: Path, data: bytes) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
        mode = stat.S_IMODE(target.stat().st_mode) if target.exists() else None
        try:
            # Settings may hold secrets: what nobody else could read, nobody else reads on the way either.
            with open(temporary, "wb", opener=_private if mode is not None else None) as stream:
                stream.write(data)
            if mode is not None:
                temporary.chmod(mode)
            temporary.replace(target)
        except BaseException:
            with suppress(OSError):
                temporary.unlink()
            raise

    def _remove_empty(self, directory: Path) -> None:
        with suppress(OSError):
            while directory != self._root.resolve():
                directory.rmdir()
                directory = directory.parent


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def decoded(data: bytes, path: str) -> tuple[bytes, str]:
    """Return the byte order mark of a file, if it has one, and its text.

    Raises:
        UsageError: It is no UTF-8.
    """
    mark = _BOM if data.startswith(_BOM) else b""
    try:
        return mark, data[len(mark) :].decode("utf-8")
    except UnicodeDecodeError:
        raise UsageError(f"{path} is not valid UTF-8.", hint="Nothing was written; convert it first.") from None
