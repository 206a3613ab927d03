"""Graph expansion: from a few seeds to what is connected with them, in one of three profiles."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from tx_graph.domain.edges import NodeId
from tx_graph.retrieval.expansion.asking import Ask, FactorsOf, NeighborsOf, nothing_known
from tx_graph.retrieval.expansion.limits import Limits
from tx_graph.retrieval.expansion.profiles import Decay, Hops, Scoring, Spread
from tx_graph.retrieval.expansion.push import Push
from tx_graph.retrieval.expansion.reached import Exploration, Reached
from tx_graph.retrieval.expansion.walk import Walk

_DECAY = Decay()


def expand(
    seeds: Mapping[NodeId, float],
    neighbors_of: NeighborsOf,
    *,
    limits: Limits,
    scoring: Scoring = _DECAY,
    degrees_of: FactorsOf = nothing_known,
    prior: FactorsOf = nothing_known,
) -> list[Reached]:
    """Return every node reached within the limits, seeds included, best first, each with the path that leads there.

    Under `decay` a hop multiplies the score by the edge's weight and the decay. The best-scoring path wins, not the
    first; a seed too may be reached better than it was found, though not through a node that `max_nodes` leaves out.
    Ties go to fewer hops, then to the smaller node. One question per hop is asked of `neighbors_of`.
    """
    return explore(seeds, neighbors_of, limits=limits, scoring=scoring, degrees_of=degrees_of, prior=prior).reached()


def explore(
    seeds: Mapping[NodeId, float],
    neighbors_of: NeighborsOf,
    *,
    limits: Limits,
    scoring: Scoring = _DECAY,
    at_last_hop: NeighborsOf | None = None,
    degrees_of: FactorsOf = nothing_known,
    prior: FactorsOf = nothing_known,
) -> Exploration:
    """Return the expansion that `expand` makes, for whoever wants a few of its nodes and need not build all paths.

    Seeds score in [0, 1] under `decay` and `hops` (there `Hops.seed_score` of a cosine); under `spread` any weights
    of at least 0 will do, of which only the proportions count. `at_last_hop` may answer the last question of a walk
    with only those edges whose targets are of interest, since nothing is walked on from there; `spread` does not ask
    it, because the share of each edge depends on the others. `degrees_of` and `prior` are for `spread` alone: how
    many edges a node has, and by what the mass that enters it is multiplied, such as the recency of what is old.
    """
    if isinstance(scoring, Spread):
        return Push(seeds, neighbors_of, limits=limits, spread=scoring, degrees_of=degrees_of, prior=prior).finished()
    by_hop = scoring if isinstance(scoring, Hops) else None
    return _walked(Walk(seeds, limits, by_hop), neighbors_of, limits, at_last_hop)


def _walked(walk: Walk, neighbors_of: NeighborsOf, limits: Limits, at_last_hop: NeighborsOf | None) -> Walk:
    frontier: Collection[NodeId] = list(walk.scores)
    for hop in range(1, limits.depth + 1):
        if not frontier:
            break
        is_narrow = hop == limits.depth and at_last_hop is not None
        # What is of interest to `at_last_hop` need not be among the best of all.
        least = 0.0 if is_narrow else walk.least_weight(frontier, hop)
        ask = at_last_hop if is_narrow and at_last_hop else neighbors_of
        strands = ask(Ask(frontier, hop, least))
        improved = walk.step(hop, frontier, strands, bar=0.0 if is_narrow else walk.bar())
        frontier = walk.worth_walking(improved, hop) if hop < limits.depth else ()
    return walk
