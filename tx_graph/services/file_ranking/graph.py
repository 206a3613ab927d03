"""The graph that a ranking of files walks: files tied by history, imports, learnings and names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from tx_graph.domain.edges import EdgeType, NodeId, Strand
from tx_graph.retrieval.expansion import Ask
from tx_graph.retrieval.scoring import commit_recency
from tx_graph.services.file_ranking.evidence import commit_of_node, node_of_commit
from tx_graph.services.graph_view import GraphView
from tx_graph.storage.commits import CommitId, Touch
from tx_graph.storage.stores import Stores

HISTORY = "HISTORY"
"""The type of the edges from a file to its commits. Like those below they exist for the time of one ranking."""
TOUCHED = "TOUCHED"
"""The type of the edges from a commit to its files: all that it can pass on takes them, whatever history counts."""
ANCHORS = "ANCHORS"
"""The type of the edges from a learning to its files: these too it leads to whatever learnings count between files."""
NAMES = "SAME_NAME"
"""The type of the edges between files whose names differ only in what makes one the test or header of the other."""
_COMMITS_OF_A_FILE = 40
"""Commits of a file that are followed: its last ones."""


class FileGraph:
    """Answers for one walk what is tied to files, commits and learnings.

    What a node passes on along edges of one type is shared by their weights, and adds up to 1 for each type: how much
    of its mass takes which type does not depend on how many edges there are of each. `touched` are the files of
    commits that are known already.
    """

    def __init__(
        self, *, stores: Stores, view: GraphView, now: datetime, touched: Mapping[CommitId, Sequence[Touch]]
    ) -> None:
        self._stores = stores
        self._view = view
        self._now = now.timestamp()
        self._touched = touched

    def neighbors_of(self, ask: Ask) -> list[Strand]:
        """Return the edges that lead away from the nodes asked about."""
        commits = [commit for node in ask.nodes if (commit := commit_of_node(node)) is not None]
        others = [node for node in ask.nodes if commit_of_node(node) is None]
        stored = map(_from_learnings, self._view.neighbors_of(ask._replace(nodes=others)))
        strands = [*stored, self._twins(others)]
        return [self._of_commits(commits), self._of_files(others), *_normalised(strands)]

    def _of_commits(self, commits: Collection[CommitId]) -> Strand:
        known = {commit: self._touched[commit] for commit in commits if commit in self._touched}
        touched = known | self._stores.commits.touched_by([commit for commit in commits if commit not in known])
        rows = [
            (node_of_commit(commit), touch.file, 1.0 / len(touches))
            for commit, touches in touched.items()
            for touch in touches
        ]
        return Strand(TOUCHED, forward=True, rows=rows)

    def _of_files(self, nodes: Collection[NodeId]) -> Strand:
        """Return the last commits of files, the more weight the later they are."""
        rows = [
            (file, node_of_commit(commit), commit_recency(time, now=self._now))
            for file, commit, time in self._stores.commits.touching(nodes, most=_COMMITS_OF_A_FILE)
        ]
        return next(_normalised([Strand(HISTORY, forward=False, rows=rows)]))

    def _twins(self, nodes: Collection[NodeId]) -> Strand:
        return Strand(NAMES, forward=True, rows=[(one, other, 1.0) for one, other in self._stores.files.twins(nodes)])


def _from_learnings(strand: Strand) -> Strand:
    """Return a strand, of a type of its own where it leads from learnings to their files."""
    return strand._replace(type=ANCHORS) if strand.type == EdgeType.ANCHORED_TO and strand.forward else strand


def _normalised(strands: Iterable[Strand]) -> Iterator[Strand]:
    """Yield the strands with weights that add up to 1 for each node and type."""
    strands = list(strands)
    totals: dict[str, dict[NodeId, float]] = defaultdict(lambda: defaultdict(float))
    for strand in strands:
        sums = totals[strand.type]
        for source, _, weight in strand.rows:
            sums[source] += weight
    for strand in strands:
        sums = totals[strand.type]
        yield strand._replace(
            rows=[(source, end, weight / sums[source]) for source, end, weight in strand.rows if weight]
        )


FOLLOWED = (EdgeType.ANCHORED_TO, EdgeType.IMPORTS, EdgeType.LINKS_TO)
"""The stored edges that the walk follows. Co-changes are not among them: commits say the same, and which they were. Nor
are the edges of sections, although they are links too: on eight replayed repositories they gained nothing."""
