"""Prints the bytes that this process, which analyses the history of a workspace in full, takes at its peak."""

from __future__ import annotations

import sys
from pathlib import Path

from tx_graph.services.cochanges import CoChangeRequest
from tx_graph.workspace import open_workspace

_KILOBYTE = 1024
_STATUS = Path("/proc/self/status")


def main(root: str) -> None:
    """Analyse the workspace at `root`."""
    with open_workspace(root) as workspace:
        workspace.cochanges.run(CoChangeRequest(exclude=workspace.config.texts("cochanges.exclude"), full=True))
    print(_peak())


def _peak() -> int:
    """Not by getrusage where /proc tells: its peak is handed down from the parent process."""
    if _STATUS.exists():
        line = next(line for line in _STATUS.read_text(encoding="ascii").splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * _KILOBYTE
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * _KILOBYTE


if __name__ == "__main__":
    main(*sys.argv[1:])
