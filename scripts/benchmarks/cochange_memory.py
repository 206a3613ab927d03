"""Prints the bytes that this process, which analyses the history of a workspace in full, takes at its peak."""

from __future__ import annotations

import sys

from scripts.benchmarks.peak_memory import peak
from scripts.opened import open_workspace
from tx_graph.history.cochanges import CoChangeRequest


def main(root: str) -> None:
    """Analyse the workspace at `root`."""
    with open_workspace(root) as workspace:
        workspace.cochanges.run(CoChangeRequest(exclude=workspace.config.texts("cochanges.exclude"), full=True))
    print(peak())


if __name__ == "__main__":
    main(*sys.argv[1:])
