"""What one search found, and how each learning among it was found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.retrieval.expansion import Exploration, Hops, Reached, Scoring, Spread
from tx_graph.retrieval.scoring import boosted, feedback
from tx_graph.services.search.matching import Matches
from tx_graph.services.search.seeding import OPEN, SeedFiles
from tx_graph.services.search.weighing import Candidate, candidate
from tx_graph.storage.learnings import Brief


class Found(NamedTuple):
    """What one search found: direct matches (by number, and their scores by node), the walk, and where it started.

    `briefs` are the learnings among all that; what the walk says of one is multiplied by `scale`.
    """

    matches: Matches
    direct: Mapping[NodeId, float]
    near: Mapping[NodeId, Reached]
    walk: Exploration
    files: SeedFiles
    briefs: Sequence[Brief]
    scale: float = 1.0

    def candidates(self) -> list[Candidate]:
        """Return each learning with the best of its scores: as a direct match, near an open file, or ending a walk.

        A walk reaches many times more than the two others find, so what only it found is dealt with in short, and
        what nobody used is not asked for its feedback, which would leave it as it is.
        """
        scores, scale, hops_of, direct, near = self.walk.scores, self.scale, self.walk.hops, self.direct, self.near
        found = []
        for brief in self.briefs:
            node = brief.node
            if brief.used or brief.helpful or node in direct or node in near:
                found.append(self._candidate(brief))
                continue
            relevance, hops = min(1.0, scores.get(node, 0.0) * scale), hops_of(node)
            found.append(Candidate((-relevance, 0.0, hops, brief.id), relevance, brief, hops, 0.0))
        return found

    def _candidate(self, brief: Brief) -> Candidate:
        node, score = brief.node, feedback(helpful=brief.helpful, used=brief.used)
        if self.is_beyond(node):
            relevance = boosted(self._walked(node), feedback_score=score)
            return candidate(brief, relevance, hops=self.walk.hops(node))
        direct, near = self.direct.get(node, 0.0), self._nearness(node)
        relevance = max(direct, near, self._walked(node))
        hops, support = self._hops(node, relevance), min(direct, near)
        return candidate(brief, boosted(relevance, feedback_score=score), hops=hops, support=support)

    def _nearness(self, node: NodeId) -> float:
        return self.near[node].score if node in self.near else 0.0

    def _walked(self, node: NodeId) -> float:
        return self.walk.scores.get(node, 0.0) * self.scale

    def _hops(self, node: NodeId, relevance: float) -> int:
        if self.direct.get(node, 0.0) >= relevance:
            return 0
        return self.near[node].hops if self._nearness(node) >= relevance else self.walk.hops(node)

    def reached(self, one: Candidate) -> Reached:
        """Return how a candidate was found."""
        node = one.brief.node
        if not one.hops:
            return Reached(node=node, score=one.relevance)
        is_near = self._nearness(node) >= self._walked(node)
        return self.near[node] if is_near else self.walk.reached_at(node)

    def reason(self, reached: Reached) -> str:
        """Return why a walk started at a file; nothing for a walk from a learning, or for a direct match."""
        if not reached.path:
            return ""
        return self.files[reached.seed][1] if reached.seed in self.files else OPEN if reached.node in self.near else ""

    def is_beyond(self, node: NodeId) -> bool:
        """Whether only the walk found it."""
        return node not in self.direct and node not in self.near


def scale_of(walk: Exploration, briefs: Sequence[Brief], scoring: Scoring) -> float:
    """Return by what the scores of a walk are multiplied: under `spread`, so that the best learning has 1."""
    if not isinstance(scoring, Spread):
        return 1.0
    best = max((walk.scores.get(brief.node, 0.0) for brief in briefs), default=0.0)
    return 1 / best if best else 1.0


def direct_score(matches: Matches, number: int, scoring: Scoring) -> float:
    """Return what a direct match scores in [0, 1]: its relevance, and under `hops` what a seed scores there."""
    relevance = matches.relevance[number]
    return scoring.seed_score(matches.similarity(number) or relevance) if isinstance(scoring, Hops) else relevance


def limited(ranked: Sequence[Candidate], found: Found, most: int) -> list[Candidate]:
    """Return the direct matches and what is near open files, and the best of those that only the walk found."""
    beyond = [one for one in ranked if found.is_beyond(one.brief.node)]
    cut = {one.brief.id for one in beyond[most:]}
    return [one for one in ranked if one.brief.id not in cut]
