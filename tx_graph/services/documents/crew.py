"""Reading many documents: in this process until there is enough to do for others."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from tx_graph.analysis.chunking import ChunkOptions, Strategy
from tx_graph.codebase.processes import CannotStart, Crew, in_order, serve
from tx_graph.services.documents.drafting import DocumentDraft, Drafting

WORTHWHILE = 1_500_000
"""Characters of documents from which on other processes are started: starting them takes a tenth of a second."""
_BATCH = 200_000
_PATIENCE = 120.0
"""Seconds that a batch may take: a thousand times what it needs."""
_PROGRAM = "from tx_graph.services.documents.crew import run; run({strategy!r})"


class Text(NamedTuple):
    """A document to read, decoded."""

    path: str
    text: str


class DraftingCrew:
    """Drafts documents; those of a way of cutting that asks a model are drafted in this process."""

    def __init__(self, options: ChunkOptions, drafting: Drafting, *, processes: int) -> None:
        self._options = options
        self._drafting = drafting
        self._processes = processes if options.strategy is not Strategy.SEMANTIC else 1

    def drafts(self, texts: Iterable[Text]) -> Iterator[DocumentDraft]:
        """Yield each document as it is to be stored, in order. Texts are asked for while others are being drafted."""
        waiting = iter(texts)
        first = list(_taken(waiting, WORTHWHILE)) if self._processes > 1 else []
        if sum(len(one.text) for one in first) < WORTHWHILE:
            yield from (self._drafting.draft(*one) for one in chain(first, waiting))
            return
        program = _PROGRAM.format(strategy=self._options.strategy.value)
        with Crew(program, patience=_PATIENCE) as crew:
            batches = _batches(chain(first, waiting))
            for _, draft in in_order(batches, lambda batch: self._asked(crew, batch), processes=self._processes):
                yield draft

    def _asked(self, crew: Crew, batch: list[Text]) -> list[DocumentDraft]:
        """Return the drafts of a batch, made here where another process cannot."""
        try:
            return [pickle.loads(one) for one in crew.ask([tuple(one) for one in batch])]  # noqa: S301 - our own process
        except (CannotStart, EOFError):
            return [self._drafting.draft(*one) for one in batch]


def run(strategy: str) -> None:
    """Draft what is asked for until nobody asks any more: what another process of a crew does."""
    drafting = Drafting(ChunkOptions(strategy=Strategy(strategy)))
    serve(lambda one: pickle.dumps(drafting.draft(*one), pickle.HIGHEST_PROTOCOL))


def _taken(texts: Iterator[Text], size: int) -> Iterator[Text]:
    """Yield texts until there are so many characters of them."""
    for one in texts:
        yield one
        size -= len(one.text)
        if size <= 0:
            return


def _batches(texts: Iterator[Text]) -> Iterator[list[Text]]:
    while batch := list(_taken(texts, _BATCH)):
        yield batch
