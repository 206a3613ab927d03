"""Has batches answered, from what is kept or by a model, and keeps what comes of it."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import suppress

from tx_graph.analysis.relations.batch import Batch, key_of
from tx_graph.analysis.relations.edges import Pruning
from tx_graph.analysis.relations.replies import UnreadableReply
from tx_graph.domain.section import Unit
from tx_graph.ports import Clock, Model, Progress, no_progress
from tx_graph.services.extracting.asking import Asking, Sleep
from tx_graph.services.extracting.harvest import Harvest
from tx_graph.services.extracting.scope import Windowed
from tx_graph.services.extracting.tally import Tally
from tx_graph.services.extracting.values import AskingOptions, Extracted, OnFailure, no_report
from tx_graph.services.stamps import iso
from tx_graph.storage.database import Database
from tx_graph.storage.replies import ReplyStore
from tx_graph.storage.section_edges import SectionEdgeStore
from tx_graph.storage.sections import SectionStore


class Answering:
    """Never has a batch answered twice by one model: a reply is kept as soon as it is there."""

    def __init__(
        self,
        *,
        database: Database,
        sections: SectionStore,
        edges: SectionEdgeStore,
        replies: ReplyStore,
        clock: Clock,
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._database = database
        self._sections = sections
        self._edges = edges
        self._replies = replies
        self._clock = clock
        self._sleep = sleep

    def known(self, batches: Sequence[Batch], *, model: str) -> dict[str, str]:
        """Return what a model replied to those of the batches that it was asked about, by their keys."""
        return self._replies.find([key_of(batch) for batch in batches], model=model)

    def keep(self, batch: Batch, reply: str, *, model: str) -> None:
        """Keep a reply, in a transaction of its own."""
        speakable = reply.encode("utf-8", "replace").decode()  # JSON may hold half a character, SQLite may not
        self._replies.keep([(key_of(batch), speakable)], model=model, now=iso(self._clock.now()))

    def harvest(self, batches: Sequence[Batch], *, units: Mapping[str, Unit], origin: str, pruning: Pruning) -> Harvest:
        """Return what takes replies to these batches."""
        return Harvest(
            batches,
            units=units,
            origin=origin,
            pruning=pruning,
            database=self._database,
            sections=self._sections,
            store=self._edges,
        )

    def recall(self, windowed: Windowed, *, model: str, pruning: Pruning) -> int:
        """Store what is kept of a model's replies, where the graph has nothing of it; return how many edges."""
        if model in self._edges.origins():
            return 0
        known = self.known(windowed.batches, model=model)
        batches = [batch for batch in windowed.batches if key_of(batch) in known]
        harvest = self.harvest(batches, units=windowed.units, origin=model, pruning=pruning)
        for batch in batches:
            with suppress(UnreadableReply):  # kept by a version that read more
                harvest.take(batch, known[key_of(batch)])
        harvest.finish()
        return harvest.edges

    def run(
        self,
        windowed: Windowed,
        model: Model,
        *,
        asking: AskingOptions,
        pruning: Pruning,
        on_failure: OnFailure = no_report,
        progress: Progress = no_progress,
    ) -> Extracted:
        """Have batches answered and store the edges; whatever ends it early, what was answered is stored.

        Raises:
            ModelError: No batch is answered, now or before.
            ModelUnusable: The model answers nothing.
        """
        with self._database.transaction():
            pass  # what cannot be stored is not paid for
        batches = windowed.batches
        known = self.known(batches, model=model.name)
        harvest = self.harvest(batches, units=windowed.units, origin=model.name, pruning=pruning)
        tally = Tally(total=len(batches), on_failure=on_failure, progress=progress)

        def answered(batch: Batch, reply: str) -> None:
            self.keep(batch, reply, model=model.name)
            harvest.take(batch, reply)
            tally.answer()

        def failed(batch: Batch, reason: str) -> None:
            harvest.settle(batch)
            tally.fail(batch, reason)

        try:
            unanswered = [batch for batch in batches if not _recalled(batch, known, harvest, tally)]
            Asking(model, asking, answered=answered, failed=failed, sleep=self._sleep).run(unanswered)
        finally:
            harvest.finish()
        return tally.outcome(windowed, harvest, model=model.name)


def _recalled(batch: Batch, known: Mapping[str, str], harvest: Harvest, tally: Tally) -> bool:
    """Take a reply that is known; return whether there was one that can still be read."""
    reply = known.get(key_of(batch))
    if reply is None:
        return False
    try:
        harvest.take(batch, reply)
    except UnreadableReply:  # kept by a version that read more
        return False
    tally.recall()
    return True
