"""What verifying anchors costs."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.benchmarks import edge_database
from scripts.benchmarks.report import Quantity, Row, at_least
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import medians, timed
from tx_graph.codebase.globs import PathMatcher
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.services.anchoring import Anchoring


def rows(settings: Settings) -> Iterator[Row]:
    """Yield how many files a second are hashed again to verify the anchors that lead there."""
    root = settings.workdir.made("graph", edge_database.make)
    anchors = edge_database.anchored(root)
    tree = WorkingTree(root, cwd=root)

    def verify() -> None:
        anchoring = Anchoring(tree=tree, listed_files=lambda: PathMatcher(()))
        for anchor in anchors:
            anchoring.verify(anchor)

    (wall,) = medians([lambda: timed(verify)], rounds=settings.heavy_rounds)
    yield Row(
        what="anchor verification, files hashed again",
        measured=Quantity(value=len(anchors) / wall * 1000, unit="files/s"),
        budget=at_least(1000, "files/s"),
        note=f"{len(anchors):,} files",
    )
