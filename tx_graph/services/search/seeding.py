"""The files that a question is about: where a walk starts besides the learnings that match."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nlargest

from tx_graph.domain.edges import NodeId
from tx_graph.retrieval.fusion import reciprocal_rank_fusion
from tx_graph.services.graph_view import GraphView
from tx_graph.services.search.question import Question
from tx_graph.storage.learnings import Brief
from tx_graph.storage.text_search import TextSearch

SeedFiles = Mapping[NodeId, tuple[float, str]]
"""Files with their score in (0, 1] and, in words, why the question is about them."""

OPEN = "an open file"
"""Why a walk starts at what somebody works on."""
_SEED_FILES = 5
"""Files a question may mean by the words of their paths."""
_MOST_ANCHORED = 50
"""Files of matching learnings that the walk starts from: a glob may match thousands."""
_NAMED_FILE, _WORDED_FILE = 1.0, 0.5
"""Score of a file that the question names, and most of one whose path merely shares words with it."""


def seed_files(
    question: Question,
    matches: Mapping[NodeId, float],
    briefs: Mapping[NodeId, Brief],
    open_places: Mapping[NodeId, float],
    *,
    text: TextSearch,
    view: GraphView,
) -> SeedFiles:
    """Return the open files, those that the question names or whose paths share its words, and those of the matches.

    A learning stands on its files, so the walk starts from these without paying a hop.
    """
    seeds: dict[NodeId, tuple[float, str]] = {}
    for node, score in open_places.items():
        _offer(seeds, node, score, OPEN)
    for node in question.files:
        _offer(seeds, node, _NAMED_FILE, "named by the query")
    found = [node for node, _ in text.files(question.rest, limit=_SEED_FILES)]
    for node, score in reciprocal_rank_fusion({"paths": found}).items():
        _offer(seeds, node, score * _WORDED_FILE, "its path has words of the query")
    anchored = [(matches[edge.source] * edge.weight, edge) for edge in view.seed_files(list(matches))]
    for score, edge in nlargest(_MOST_ANCHORED, anchored):
        _offer(seeds, edge.target, score, f"where {briefs[edge.source].ref} is anchored")
    return seeds


def _offer(seeds: dict[NodeId, tuple[float, str]], node: NodeId, score: float, reason: str) -> None:
    if node not in seeds or seeds[node][0] < score:
        seeds[node] = (score, reason)
