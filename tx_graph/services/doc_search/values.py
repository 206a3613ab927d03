"""Questions to documents and their answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from tx_graph.domain.edges import Direction, Relation
from tx_graph.domain.labels import checked_limit
from tx_graph.domain.learning import unit_interval
from tx_graph.domain.section import Unit
from tx_graph.errors import UsageError
from tx_graph.retrieval.expansion import MAX_DEPTH, Hops

SEEDS = 10
"""Sections that a walk starts from (Oasis, Graph RAG)."""
_MOST_SEEDS = 1_000


def relations_named(names: Iterable[str]) -> tuple[Relation, ...]:
    """Return the relations of these names, all of them where there are no names.

    Raises:
        UsageError: A relation is unknown.
    """
    known = {relation.value: relation for relation in Relation}
    wanted = {name: known.get(name.strip().lower().replace("-", "_")) for name in names}
    if unknown := next((name for name, relation in wanted.items() if relation is None), None):
        raise UsageError(f"'{unknown}' is no relation.", hint=f"Choose from {', '.join(known)}.")
    return tuple(dict.fromkeys(filter(None, wanted.values()))) or tuple(Relation)


class State(StrEnum):
    """Whether a document still is what was read of it."""

    FRESH = "fresh"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True, kw_only=True)
class DocQuery:
    """What to find in documents.

    The best `seeds` sections (None: the standard, or as many as are asked for) answer by themselves. They are chosen
    by the cosine of vectors; `keyword_weight` in [0, 1] says how much words count in that choice. From there relations
    are followed for `hops` edges. `source` (globs over paths) and `since` (a date or an age) narrow the seeds alone.
    Of the results `graph_slots` at least are such as only relations lead to, where there are so many, and the others
    those of the best scores. With None the best half by score is shown, and beside it what is worth most: likeness
    and how much the seeds speak for it (see `choosing`).
    """

    text: str
    limit: int = 5
    hops: int = 2
    scoring: Hops = field(default_factory=Hops)
    direction: Direction = Direction.BOTH
    relations: Sequence[Relation] = tuple(Relation)
    min_edge_weight: float = 0.0
    seeds: int | None = None
    keyword_weight: float = 0.0
    source: Sequence[str] = ()
    since: str | None = None
    graph_slots: int | None = None

    def __post_init__(self) -> None:
        """Raise UsageError for what cannot be asked."""
        if not self.text.strip():
            raise UsageError("The query is empty.", hint="Say what to look for, in quotes.")
        checked_limit(self.limit)
        unit_interval(self.keyword_weight, what="weight of words")
        unit_interval(self.min_edge_weight, what="least weight of edges")
        if not 0 <= self.hops <= MAX_DEPTH:
            raise UsageError(f"The hops must be from 0 to {MAX_DEPTH}, not {self.hops}.")
        if self.seeds is not None and not 1 <= self.seeds <= _MOST_SEEDS:
            raise UsageError(f"The seeds must be from 1 to {_MOST_SEEDS:,}, not {self.seeds}.")
        if self.graph_slots is not None and not 0 <= self.graph_slots <= self.limit:
            raise UsageError(f"The places for the graph must be from 0 to the limit, not {self.graph_slots}.")

    @property
    def seed_count(self) -> int:
        """How many sections are to answer by themselves."""
        return max(SEEDS, self.limit) if self.seeds is None else self.seeds


@dataclass(frozen=True, slots=True, kw_only=True)
class DocTie:
    """Why the graph led to a result: its relation with `other`, a section, file or symbol that was met before.

    `forward` says that the edge leads from `other` to the result. `hops` counts the edges from a seed to the result.
    """

    other: str
    relation: str
    description: str
    weight: float
    forward: bool
    hops: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """The lines of a section that answer best; lines count from 1 in the file. `is_whole`: there are no others."""

    text: str
    line_start: int
    line_end: int
    is_whole: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DocResult:
    """A section and why it is there. All scores lie in [0, 1].

    `similarity` is its cosine with the question and `keyword_score` how well its words match beside the best, None
    where nobody looked. `ties` are the edges by which the graph led there, the best first; a seed has none.
    `superseded_by` is what took its place, a reference or what a note names.
    """

    unit: Unit
    score: float
    hops: int
    similarity: float | None
    keyword_score: float | None
    excerpt: Excerpt
    state: State
    ties: tuple[DocTie, ...] = ()
    superseded_by: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocStats:
    """What the answer rests on.

    `documents` are those there are, `searched` those that the filters let through, None without filters. `model` is
    None where words alone chose the seeds. `found` counts what the graph led to beyond the seeds. `notices` are
    sentences about what could not be done.
    """

    documents: int
    searched: int | None
    seeds: int
    found: int
    matched: int
    nodes_visited: int
    model: str | None
    lacking_vectors: int
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DocAnswer:
    """The results, best first, and what they rest on."""

    query: DocQuery
    results: tuple[DocResult, ...]
    stats: DocStats
