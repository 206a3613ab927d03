"""Questions and answers: what a search is asked, and what it gives back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from tx_graph.domain.edges import Direction, EdgeType
from tx_graph.domain.learning import Status, StoredLearning
from tx_graph.domain.verdict import Judgement, Standing
from tx_graph.errors import UsageError
from tx_graph.retrieval.expansion import ExpansionStats, Limits, Profile
from tx_graph.services.paths import Step

DIVERSITY = 0.3
"""How much novelty counts beside relevance: the 1 − λ of PRD-016."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """What to find: what a text asks for, what is near `context_files`, or both, each learning by its better score.

    `expansion` None looks at direct matches alone, `profile` says how an expansion scores, and `types_at` which edges
    it follows at single hops, counted from 1, instead of `types`; filters apply before ranking. `context_files` are
    open files and symbols as one types them (see `services.open_files`). `diversity` in [0, 1] says how much novelty
    counts beside relevance, 0 not at all. `retriever` names who finds direct matches, None the one in the settings.

    A result is stale when its code has changed since or is gone; it counts less than one that holds. `fresh_only`
    leaves such results out; `include_stale` ranks them like others, and takes in what was superseded or retracted.
    """

    text: str = ""
    limit: int = 10
    min_score: float = 0.0
    category: str | None = None
    status: Status | None = None
    file: str | None = None
    expansion: Limits | None = None
    profile: Profile = Profile.DECAY
    types: Sequence[EdgeType] = tuple(EdgeType)
    types_at: Mapping[int, Sequence[EdgeType]] = field(default_factory=dict)
    direction: Direction = Direction.BOTH
    fresh_only: bool = False
    include_stale: bool = False
    context_files: Sequence[str] = ()
    diversity: float = DIVERSITY
    retriever: str | None = None

    def __post_init__(self) -> None:
        """Refuse what cannot be meant."""
        if self.fresh_only and self.include_stale:
            raise UsageError("--fresh-only leaves stale results out, --include-stale takes them in: use one of them.")


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """A learning and why it is there. All scores lie in [0, 1].

    `relevance` is what the result ranks by; for a stale one it counts less than what was found. `anchors` are the
    verdicts on its anchors. `rrf` is the fused score, 0 for what only the graph found; `steps` lead from the seed,
    itself a learning or a file, to this learning; `seed_reason` says why the walk started at that file. `retrieved`
    is what a plug-in gave it. `position` counts from 1; by relevance alone it would be `relevance_position`, and
    `similar_to` is what above it is most like it, `similarity` how much.
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
    retrieved: float = 0.0
    position: int = 1
    relevance_position: int = 1
    similar_to: str | None = None
    similarity: float = 0.0

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

    `retrieved` counts the hits of a plug-in, `dropped` by reason those that meant nothing; `open_files` are the files
    and symbols in question, `near` the learnings near them. `walk` says how much an expansion looked at, files too.

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
    retriever: str
    retrieved: int = 0
    dropped: Mapping[str, int] = field(default_factory=dict)
    open_files: tuple[str, ...] = ()
    near: int = 0
    walk: ExpansionStats | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAnswer:
    """The results, best first, and what they rest on."""

    query: Query
    results: tuple[SearchResult, ...]
    stats: SearchStats
