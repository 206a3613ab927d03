"""The three ways to score what an expansion reaches, as values: `decay`, `hops` and `spread`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tx_graph.errors import UsageError


class Profile(StrEnum):
    """The names of the profiles."""

    DECAY = "decay"
    HOPS = "hops"
    SPREAD = "spread"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decay:
    """Each hop multiplies the score by the edge's weight and by `Limits.decay`; the best path wins (PRD-016)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hops:
    """A node scores by the best edge that leads there, at whichever hop it is walked (Oasis, Graph RAG).

    `graph_weight` × edge weight × `hop_decay[hop]`, where index 0 stands for seeds and is not used, and the last
    value goes for all hops beyond. What the node before it scored does not matter.
    """

    vector_weight: float = 0.7
    graph_weight: float = 0.3
    hop_decay: tuple[float, ...] = (1.0, 0.7, 0.5)

    def __post_init__(self) -> None:
        """Raise UsageError for numbers that could lead out of [0, 1]."""
        # Put so that NaN, which compares with nothing, is refused too.
        if not (self.vector_weight >= 0 and self.graph_weight >= 0 and self.vector_weight + self.graph_weight <= 1):
            raise UsageError("The weights of vectors and graph must be at least 0, and at most 1 together.")
        if not self.hop_decay or not all(0 <= factor <= 1 for factor in self.hop_decay):
            raise UsageError("The decay of hops needs at least one factor, each from 0 to 1.")

    def seed_score(self, cosine: float) -> float:
        """Return in [0, 1] what a seed scores that resembles the question so much (cosine in [0, 1])."""
        return self.vector_weight * cosine + self.graph_weight

    def factor(self, hop: int) -> float:
        """Return by what the weight of an edge walked at this hop, from 1, is multiplied."""
        return self.graph_weight * self.decay(hop)

    def decay(self, hop: int) -> float:
        """Return the factor in [0, 1] of a hop, counted from 1; the last of the table goes for all beyond."""
        return self.hop_decay[min(hop, len(self.hop_decay) - 1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A random walk with restart from the seeds: a node scores by how often the walk is there (personalised PageRank).

    From u the walk goes to v with a probability ∝ weight × `type_weights[type]` / degree(v)^`hub_damping`, and with
    the probability `restart` back to a seed (0.5 serves retrieval: HippoRAG, Gutiérrez et al. 2024). A damping of 0.5
    makes the transitions those of the symmetrically normalised graph (Zhou et al. 2004), 0 leaves hubs as they are.
    Mass that is less than `epsilon` per edge of a node is not pushed on (Andersen, Chung and Lang 2006), which bounds
    the edges that are walked by 1 / (`restart` × `epsilon`). No more than `max_rounds` questions are asked in
    sequence, about no more than `max_asked` nodes in all: those with most mass for their degree.
    """

    restart: float = 0.5
    epsilon: float = 1e-4
    hub_damping: float = 0.5
    type_weights: Mapping[str, float] = field(default_factory=dict)
    max_rounds: int = 20
    max_asked: int = 300

    def __post_init__(self) -> None:
        """Raise UsageError for numbers out of range."""
        if not 0 < self.restart <= 1:
            raise UsageError(f"The restart must be above 0 and at most 1, not {self.restart:g}.")
        if not 0 < self.epsilon < 1:
            raise UsageError(f"Epsilon must lie between 0 and 1, not be {self.epsilon:g}.")
        if not 0 <= self.hub_damping <= 1:
            raise UsageError(f"The damping of hubs must be from 0 to 1, not {self.hub_damping:g}.")
        if not all(weight >= 0 for weight in self.type_weights.values()):
            raise UsageError("The weights of edge types must be at least 0.")
        if min(self.max_rounds, self.max_asked) < 1:
            raise UsageError("The most rounds, and the most nodes to ask about, must be at least 1.")


Scoring = Decay | Hops | Spread
"""How an expansion scores, with the numbers of its profile."""


def scoring_of(profile: Profile) -> Scoring:
    """Return a profile with its standard numbers."""
    standard: Mapping[Profile, type[Decay | Hops | Spread]] = {
        Profile.DECAY: Decay,
        Profile.HOPS: Hops,
        Profile.SPREAD: Spread,
    }
    return standard[profile]()
