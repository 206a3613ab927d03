"""Graph expansion: one engine over the neighbours of a frontier, and three profiles to score what it reaches."""

from __future__ import annotations

from tx_graph.retrieval.expansion.asking import Ask, FactorsOf, NeighborsOf, nothing_known
from tx_graph.retrieval.expansion.explore import expand, explore
from tx_graph.retrieval.expansion.limits import MAX_DEPTH, Limits, chosen_types, types_by_hop
from tx_graph.retrieval.expansion.profiles import Decay, Hops, Profile, Scoring, Spread, scoring_of
from tx_graph.retrieval.expansion.reached import ExpansionStats, Exploration, Reached
from tx_graph.retrieval.expansion.walk import Walk

__all__ = [
    "MAX_DEPTH",
    "Ask",
    "Decay",
    "ExpansionStats",
    "Exploration",
    "FactorsOf",
    "Hops",
    "Limits",
    "NeighborsOf",
    "Profile",
    "Reached",
    "Scoring",
    "Spread",
    "Walk",
    "chosen_types",
    "expand",
    "explore",
    "nothing_known",
    "scoring_of",
    "types_by_hop",
]
