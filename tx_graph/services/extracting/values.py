"""What extraction is asked for, and what it did."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from tx_graph.analysis.relations.edges import Dropped, Pruning
from tx_graph.analysis.relations.windows import check_windows
from tx_graph.errors import UsageError

AGENT = "agent"
"""Who replied, where it was no model that tx asked."""
VECTORS = "vectors"
"""Who says so, where nobody was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskingOptions:
    """How a model is asked.

    `timeout` is in seconds and for one try; at most `workers` questions are under way at a time; a batch that fails
    is tried `tries` times in all.

    Raises:
        UsageError: One of them is not possible.
    """

    workers: int = 3
    timeout: float = 120.0
    tries: int = 3

    def __post_init__(self) -> None:
        if self.workers < 1:
            raise UsageError(f"There must be at least 1 worker, not {self.workers}.")
        if self.tries < 1:
            raise UsageError(f"There must be at least 1 try, not {self.tries}.")
        if not (math.isfinite(self.timeout) and self.timeout > 0):
            raise UsageError(f"The timeout must be a number of seconds above 0, not {self.timeout:g}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractOptions:
    """What is asked about: windows of `size` sections that overlap, in the documents that paths and globs name.

    No `documents` stand for all of them.

    Raises:
        UsageError: The windows are not possible.
    """

    size: int = 5
    overlap: int = 0
    documents: tuple[str, ...] = ()
    pruning: Pruning = field(default_factory=Pruning)
    asking: AskingOptions = field(default_factory=AskingOptions)

    def __post_init__(self) -> None:
        check_windows(size=self.size, overlap=self.overlap)


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossLinkOptions:
    """Which sections of different documents belong together: the nearest `most_pairs` of each, by cosine similarity.

    Raises:
        UsageError: The threshold is not above 0 and at most 1, or there is no room for a pair.
    """

    threshold: float = 0.5
    most_pairs: int = 3
    size: int = 5
    documents: tuple[str, ...] = ()
    asking: AskingOptions = field(default_factory=AskingOptions)

    def __post_init__(self) -> None:
        if not 0 < self.threshold <= 1:
            raise UsageError(f"The threshold must be above 0 and at most 1, not {self.threshold:g}.")
        if self.most_pairs < 1:
            raise UsageError(f"The most pairs of a section must be at least 1, not {self.most_pairs}.")
        check_windows(size=self.size, overlap=0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """A batch that was given up, and why."""

    document: str
    batch: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Extracted:
    """What became of batches: answered now, known from before (`cached`), given up, or not asked after too many were.

    `edges` counts those that were kept and stored.
    """

    model: str
    documents: int
    batches: int
    cached: int = 0
    answered: int = 0
    failures: tuple[Failure, ...] = ()
    unasked: int = 0
    edges: int = 0
    dropped: Mapping[Dropped, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What became of replies that an agent gave: `outdated` batches are no longer as they were printed."""

    applied: int
    outdated: int
    unknown: int
    unreadable: tuple[Failure, ...]
    edges: int
    dropped: Mapping[Dropped, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run would ask: `tokens` are estimated, and those of the questions that are not answered yet."""

    model: str
    documents: int
    batches: int
    cached: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossLinked:
    """How many pairs of sections of different documents are near each other, and what came of them."""

    sections: int
    pairs: int
    extracted: Extracted


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """An agent's answer to the batch of that name, as text; `line` counts from 1."""

    batch: str
    text: str
    line: int


OnFailure = Callable[[Failure], None]
"""Hears of each batch that is given up, when it is."""


def no_report(failure: Failure) -> None:
    """Report nothing."""
