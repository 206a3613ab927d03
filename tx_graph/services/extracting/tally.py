"""Counts what becomes of batches, and reports it as it happens."""

from __future__ import annotations

from tx_graph.analysis.relations.batch import Batch, name_of
from tx_graph.errors import ModelError
from tx_graph.ports import Progress
from tx_graph.services.extracting.harvest import Harvest
from tx_graph.services.extracting.scope import Windowed
from tx_graph.services.extracting.values import Extracted, Failure, OnFailure


class Tally:
    """The batches of one run."""

    def __init__(self, *, total: int, on_failure: OnFailure, progress: Progress) -> None:
        self._total = total
        self._on_failure = on_failure
        self._progress = progress
        self._recalled = 0
        self._answered = 0
        self._failures: list[Failure] = []

    def recall(self) -> None:
        """Count a batch that was answered before."""
        self._recalled += 1
        self._report()

    def answer(self) -> None:
        """Count a batch that was answered."""
        self._answered += 1
        self._report()

    def fail(self, batch: Batch, reason: str) -> None:
        """Count a batch that was given up."""
        self._failures.append(Failure(document=batch.document, batch=name_of(batch), reason=reason))
        self._on_failure(self._failures[-1])
        self._report()

    def outcome(self, windowed: Windowed, harvest: Harvest, *, model: str) -> Extracted:
        """Return what became of all of them.

        Raises:
            ModelError: Nothing is answered, now or before, and everything that was asked failed.
        """
        if self._failures and not self._answered and not self._recalled:
            raise ModelError(
                f"No batch was answered. {self._failures[0].reason}",
                hint="What needs no model works all the same; run this again when the model answers.",
            )
        return Extracted(
            model=model,
            documents=windowed.documents,
            batches=self._total,
            cached=self._recalled,
            answered=self._answered,
            failures=tuple(self._failures),
            unasked=self._total - self._done,
            edges=harvest.edges,
            dropped=dict(harvest.dropped),
        )

    @property
    def _done(self) -> int:
        return self._recalled + self._answered + len(self._failures)

    def _report(self) -> None:
        self._progress(self._done, self._total)
