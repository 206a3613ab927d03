"""Prints the bytes that this process, which reads a transcript into a workspace, takes at its peak."""

from __future__ import annotations

import sys

from scripts.benchmarks.peak_memory import peak
from scripts.opened import open_workspace
from tx_graph.work.transcripts import Transcripts


def main(root: str, transcript: str) -> None:
    """Read the transcript into the workspace at `root`."""
    with open_workspace(root) as workspace:
        workspace.kernel.one(Transcripts).ingest(transcript, keep="5000w")
    print(peak())


if __name__ == "__main__":
    main(*sys.argv[1:])
