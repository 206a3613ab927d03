"""Prints, as a JSON list, the MB that the first and the second query of this process take at their peak."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Callable
from pathlib import Path

from scripts.opened import open_workspace
from tx_graph.context.search import Query
from tx_graph.graph.expand import Limits

_MEGABYTE = 1024 * 1024
_KILOBYTE = 1024
_STATUS = Path("/proc/self/status")
_FORGET_PEAK = "5"
"""What makes Linux count the peak anew, written to clear_refs."""


def main(kind: str, root: str, question: str) -> None:
    """Measure the `heap` (tracemalloc) or the `resident` set."""
    measure = _heap if kind == "heap" else _resident
    with open_workspace(root) as workspace:
        query = Query(text=question, expansion=Limits())
        print(json.dumps([measure(lambda: workspace.search.run(query)) / _MEGABYTE for _ in range(2)]))


def _heap(action: Callable[[], object]) -> int:
    tracemalloc.start()
    action()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def _resident(action: Callable[[], object]) -> int:
    """Not by getrusage where /proc tells: its peak is handed down from the parent process."""
    if not _STATUS.exists():
        before = _peak_by_rusage()
        action()
        return _peak_by_rusage() - before
    Path("/proc/self/clear_refs").write_text(_FORGET_PEAK, encoding="ascii")
    before = _status("VmRSS")
    action()
    return _status("VmHWM") - before


def _status(name: str) -> int:
    line = next(line for line in _STATUS.read_text(encoding="ascii").splitlines() if line.startswith(f"{name}:"))
    return int(line.split()[1]) * _KILOBYTE


def _peak_by_rusage() -> int:
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * _KILOBYTE


if __name__ == "__main__":
    main(*sys.argv[1:])
