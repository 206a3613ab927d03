"""The directory of record files: read, written and replaced so that a crash leaves whole files."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tx_graph.errors import StorageError

_SUFFIX = ".md"
_TEMPORARY = ".tmp-"
_BATCH = ".batch-"
_COMPLETE = "COMPLETE"
"""The file that says a batch is whole: from there on it will be moved in, whatever happens."""


class RecordDirectory:
    """One directory of records, `<uid>-<slug>.md` each. Names that start with a dot are its own business."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def scan(self) -> dict[str, tuple[int, int]]:
        """Return (size, mtime in ns) of every record by file name; symbolic links are not followed.

        A batch that is under way or was interrupted is listed too: no record has its name, so it shows as a
        change, and whoever looks into that holds the write lock and calls `recover`.
        """
        try:
            with os.scandir(self.path) as entries:
                return {
                    entry.name: (stat.st_size, stat.st_mtime_ns)
                    for entry in entries
                    if _is_listed(entry) and (stat := entry.stat(follow_symlinks=False))
                }
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StorageError(f"{self.path} cannot be read: {error.strerror}.") from error

    def stat(self, name: str) -> tuple[int, int]:
        """Return (size, mtime in ns) of one record."""
        stat = (self.path / name).stat()
        return stat.st_size, stat.st_mtime_ns

    def read(self, name: str) -> bytes | None:
        """Return a record's bytes, None when it vanished meanwhile.

        Raises:
            StorageError: It cannot be read.
        """
        try:
            return (self.path / name).read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StorageError(f"{self.path / name} cannot be read: {error.strerror}.") from error

    @contextmanager
    def written(self, name: str, text: str) -> Iterator[None]:
        """Write a record durably for the block; when the block fails, put back what was there before."""
        before = self.read(name)
        self.write(name, text)
        try:
            yield
        except BaseException:
            self._put_back(name, before)
            raise

    def write(self, name: str, text: str) -> None:
        """Create or replace a record in one step, on disk before this returns.

        Raises:
            StorageError: The directory cannot be written or the disk is full.
        """
        temporary = self.path / f"{_TEMPORARY}{os.getpid()}-{secrets.token_hex(4)}"
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            with temporary.open("xb") as stream:
                stream.write(text.encode())
                stream.flush()
                os.fsync(stream.fileno())
            temporary.replace(self.path / name)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise StorageError(f"{self.path / name} cannot be written: {error.strerror}.") from error

    def _put_back(self, name: str, before: bytes | None) -> None:
        if before is None:
            (self.path / name).unlink(missing_ok=True)
        else:
            self.write(name, before.decode())

    def write_batch(self, texts: Mapping[str, str]) -> None:
        """Write many records, all or none: a batch that a crash interrupts is finished or dropped by `recover`.

        Raises:
            StorageError: The directory cannot be written or the disk is full; nothing was added.
        """
        batch = self.path / f"{_BATCH}{os.getpid()}-{secrets.token_hex(4)}"
        try:
            batch.mkdir(parents=True)
            for name, text in texts.items():
                (batch / name).write_bytes(text.encode())
            _sync_filesystem()
            (batch / _COMPLETE).touch()
        except OSError as error:
            shutil.rmtree(batch, ignore_errors=True)
            raise StorageError(f"{batch} cannot be written: {error.strerror}.") from error
        self._move_in(batch)

    def recover(self) -> None:
        """Finish the batches that were whole when their process died; drop the others. Needs the write lock."""
        for batch in self.path.glob(f"{_BATCH}*"):
            if (batch / _COMPLETE).exists():
                self._move_in(batch)
            else:
                shutil.rmtree(batch, ignore_errors=True)

    def _move_in(self, batch: Path) -> None:
        for file in sorted(batch.glob(f"*{_SUFFIX}")):
            file.replace(self.path / file.name)
        shutil.rmtree(batch, ignore_errors=True)


def _is_listed(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith("."):
        return entry.name.startswith(_BATCH)
    return entry.name.endswith(_SUFFIX) and entry.is_file(follow_symlinks=False)


def _sync_filesystem() -> None:
    """One flush for a whole batch costs less than one for each of its files; Windows has no such call."""
    if hasattr(os, "sync"):
        os.sync()
