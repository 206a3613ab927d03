"""Files that a command writes where its user says: through no link that leads out, and whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from tx_graph.core.errors import OutsideRepository, StorageError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import DIRECTORY


def destination(kernel: Kernel, file: str) -> Path:
    """Return the path that a user names for a file to be written; it must not be among what belongs to git or tx."""
    if "\0" in file:
        raise UsageError("The path has a NUL byte.")
    typed = kernel.cwd / file
    path = Path(os.path.realpath(typed.parent), typed.name)
    if Path(os.path.normpath(typed)).is_relative_to(kernel.root) and not path.is_relative_to(kernel.root):
        raise OutsideRepository(f"'{file}' leads out of the repository through a link.", hint="Name the place itself.")
    if {".git", DIRECTORY} & {part.lower() for part in path.parts}:
        raise UsageError(f"'{file}' is among what belongs to git or tx.", hint="Name another file.")
    return path


@contextmanager
def written(path: Path) -> Iterator[IO[bytes]]:
    """Write a file that takes its name when all of it is there; what was there before stays until then."""
    part = path.with_name(f".{path.name}.part")
    try:
        part.unlink(missing_ok=True)  # it may be a link
        with part.open("xb") as stream:
            yield stream
        part.replace(path)
    except OSError as error:
        raise StorageError(f"{path} cannot be written: {error.strerror}.") from error
    finally:
        with suppress(OSError):
            part.unlink()
