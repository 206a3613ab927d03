"""The most memory that this process, and those that it starts, have held."""

from __future__ import annotations

import sys
from pathlib import Path
from threading import Event, Thread

_KILOBYTE = 1024
_PROC = Path("/proc")
_EVERY = 0.02
"""Seconds between two looks at other processes."""


def peak() -> int:
    """Return the peak of this process's resident set in bytes.

    Not by getrusage where /proc tells: its peak is handed down from the parent process.
    """
    own = _peak_of("self")
    if own is not None:
        return own
    import resource

    reported = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return reported if sys.platform == "darwin" else reported * _KILOBYTE


class ChildrenWatch(Thread):
    """Looks, until it is stopped, how much each process that this one started has held; only where /proc tells."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._stopped = Event()
        self._peaks: dict[str, int] = {}

    def run(self) -> None:
        """Look again and again."""
        while not self._stopped.wait(_EVERY):
            for child in children():
                self._peaks[child] = _peak_of(child) or self._peaks.get(child, 0)

    def stop(self) -> list[int]:
        """Return the peaks that were seen, in bytes, the largest first."""
        self._stopped.set()
        self.join()
        return sorted(self._peaks.values(), reverse=True)


def children() -> list[str]:
    """Return the processes that this one started and that still run; none where /proc does not tell."""
    return [pid for task in _PROC.glob("self/task/*/children") for pid in _read(task).split()]


def resident(process: str) -> int:
    """Return the resident set of a process in bytes, 0 where /proc does not tell."""
    return _bytes_of(process, "VmRSS:") or 0


def _peak_of(process: str) -> int | None:
    return _bytes_of(process, "VmHWM:")


def _bytes_of(process: str, entry: str) -> int | None:
    lines = (line.split() for line in _read(_PROC / process / "status").splitlines())
    return next((int(words[1]) * _KILOBYTE for words in lines if words[0] == entry), None)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace")
    except OSError:
        return ""
