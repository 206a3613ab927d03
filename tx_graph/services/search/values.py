"""Questions and answers: what a search is asked, and what it gives back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tx_graph.domain.edges import Direction, EdgeType
from tx_graph.domain.learning import Status, StoredLearning
from tx_graph.domain.verdict import Judgement, Standing
from tx_graph.retrieval.expansion import Limits
from tx_graph.services.paths import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to find. `expansion` None looks at direct matches alone; filters apply before ranking.

    A result is stale when its code has changed since or is gone; it counts less than one that holds. `fresh_only`
    leaves such results out; `include_stale` ranks them like others, and takes in what was superseded or retracted.
    """

    text: str
    limit: int = 10
    min_score: float = 0.0
    category: str | None = None
    status: Status | None = None
    file: str | None = None
    expansion: Limits | None = None
    types: Sequence[EdgeType] = tuple(EdgeType)
    direction: Direction = Direction.BOTH
    fresh_only: bool = False
    include_stale: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A learning and why it is there. All scores lie in [0, 1].

    `relevance` is what the result ranks by; for a stale one it counts less than what was found. `anchors` are the
    verdicts on its anchors. `rrf` is the fused score, 0 for what only the graph found; `steps` lead from the seed,
    itself a learning or a file, to this learning; `seed_reason` says why the walk started at that file.
    """

    stored: StoredLearning
    relevance: float
    bm25: float
    vector: float
    recency: float
    rrf: float
    feedback: float
    standing: Standing
    anchors: tuple[Judgement, ...] = ()
    steps: tuple[Step, ...] = ()
    seed_reason: str = ""

    @property
    def hops(self) -> int:
        """Edges between the seed and this learning; 0 for a direct match."""
        return len(self.steps)

    @property
    def is_stale(self) -> bool:
        """Whether it may be wrong by now."""
        return self.standing.is_stale

    @property
    def path(self) -> tuple[str, ...]:
        """References from the seed to this learning, both included."""
        return (*(step.source for step in self.steps), self.stored.ref)

    @property
    def source_edge(self) -> str | None:
        """The type of the edge that led here, None for a direct match."""
        return self.steps[-1].type if self.steps else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchStats:
    """What the search rested on: matches of each ranking, seeds, nodes reached, and learnings without a vector.

    `matched` counts what could be shown with a higher limit, `stale_left_out` what was found and is not fresh, as
    far as anybody looked.
    """

    lexical: int
    vector: int
    seeds: int
    seed_files: int
    expanded: int
    matched: int
    lacking_vectors: int
    stale_left_out: int
    model: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """The results, best first, and what they rest on."""

    query: Query
    results: tuple[SearchResult, ...]
    stats: SearchStats
