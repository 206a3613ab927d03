"""A lock between processes that ends with its holder, however that dies."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tx_graph.errors import ModelError

_POLL_SECONDS = 0.1


@contextmanager
def exclusive(path: Path, *, wait_seconds: float) -> Iterator[None]:
    """Hold the lock file while the block runs; the empty file stays behind, for removing it would be a race.

    Raises:
        ModelError: Another process still holds it after the given time.
        OSError: The file cannot be opened.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        deadline = time.monotonic() + wait_seconds
        while not _try_lock(descriptor):
            if time.monotonic() >= deadline:
                raise ModelError(
                    "Another process is installing or removing the model.",
                    hint="Wait for it, then try again.",
                )
            time.sleep(_POLL_SECONDS)
        yield
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool:
        """Take the lock if it is free; closing the file gives it back."""
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool:
        """Take the lock if it is free; closing the file gives it back."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
