"""Prints the bytes that indexing a workspace takes at its peak: of this process, then of each that it starts."""

from __future__ import annotations

import json
import sys

from scripts.benchmarks.peak_memory import ChildrenWatch, peak
from scripts.opened import open_workspace


def main(root: str) -> None:
    """Index the workspace at `root`."""
    watch = ChildrenWatch()
    watch.start()
    with open_workspace(root) as workspace:
        workspace.indexing.run()
    print(json.dumps([peak(), *watch.stop()]))


if __name__ == "__main__":
    main(*sys.argv[1:])
