"""Where a command writes a file that a user names: never over what it did not write, and whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG
from typing import BinaryIO

from tx_graph.core.errors import OutsideRepository, StorageError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY


def destination(kernel: Kernel, file: str, *, command: str, is_own: Callable[[Path], object]) -> Path:
    """Return where a file goes: where the user says, but through no link that leads out, and only over one of its own.

    `is_own` says whether the command wrote the file that is there.
    """
    if "\0" in file:
        raise UsageError("The path has a NUL byte.")
    typed = kernel.cwd / file
    path = Path(os.path.realpath(typed.parent), typed.name)
    if Path(os.path.normpath(typed)).is_relative_to(kernel.root) and not path.is_relative_to(kernel.root):
        raise OutsideRepository(f"'{file}' leads out of the repository through a link.", hint="Name the place itself.")
    if {".git", DIRECTORY} & {part.lower() for part in path.parts}:
        raise UsageError(f"'{file}' is among what belongs to git or tx.", hint="Name another file.")
    try:
        if not os.path.lexists(path):
            return path
        is_other = S_ISREG(path.lstat().st_mode) and not path.samefile(kernel.database.path)
        if is_other and is_own(path):
            return path
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}.") from error
    raise UsageError(f"'{file}' is there, and '{command}' did not write it.", hint="Name another file, or remove it.")


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Give a stream to what will be at `path` when this ends, and nothing of it where that fails."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)  # it may be a link
        try:
            with part.open("xb") as stream:
                yield stream
            part.replace(path)
        except BaseException:
            with suppress(OSError):
                part.unlink()
            raise
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from error


def sync_directory(path: Path) -> None:
    """Put the directory's entries on the disk too, else a new name may be lost; Windows has no such call."""
    if os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
