"""doc:extract: relations between the sections of each document, by a model or an agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tx_graph.analysis.relations.batch import Batch, key_of
from tx_graph.analysis.relations.edges import Pruning
from tx_graph.analysis.relations.prompt import SYSTEM, prompt_for
from tx_graph.domain.tokens import by_bytes
from tx_graph.ports import Model, Progress, no_progress
from tx_graph.services.extracting.answering import Answering
from tx_graph.services.extracting.applying import Applying
from tx_graph.services.extracting.scope import Scope, Windowed
from tx_graph.services.extracting.values import (
    AGENT,
    Applied,
    Extracted,
    ExtractOptions,
    OnFailure,
    Plan,
    no_report,
)

OpenModel = Callable[[str | None, int], Model]
"""Opens a model by name, None for the one that the user has set, to be asked so many questions at a time."""


class Extracting:
    """Asks about windows over the sections of each document."""

    def __init__(self, *, scope: Scope, answering: Answering, open_model: OpenModel) -> None:
        self._scope = scope
        self._answering = answering
        self._open_model = open_model

    def run(
        self,
        options: ExtractOptions,
        *,
        model: str | None = None,
        on_failure: OnFailure = no_report,
        progress: Progress = no_progress,
    ) -> Extracted:
        """Have a model say how sections of one document are related, and store that.

        Raises:
            ModelError: The model cannot be asked, or answered nothing.
            NotFound: There is no such document.
        """
        windowed = self._windowed(options)
        return self._answering.run(
            windowed,
            self._open_model(model, options.asking.workers),
            asking=options.asking,
            pruning=options.pruning,
            on_failure=on_failure,
            progress=progress,
        )

    def plan(self, options: ExtractOptions, *, model: str | None = None) -> Plan:
        """Return what such a run would ask.

        Raises:
            ModelError: There is no such model.
            NotFound: There is no such document.
        """
        windowed = self._windowed(options)
        name = self._open_model(model, options.asking.workers).name
        known = self._answering.known(windowed.batches, model=name)
        questions = [prompt_for(batch) for batch in windowed.batches if key_of(batch) not in known]
        return Plan(
            model=name,
            documents=windowed.documents,
            batches=len(windowed.batches),
            cached=len(windowed.batches) - len(questions),
            tokens=sum(by_bytes(SYSTEM) + by_bytes(question) for question in questions),
        )

    def recall(self, options: ExtractOptions) -> int:
        """Take in what an agent replied before, where the graph has none of it; return how many edges that are.

        So it is in another worktree, or after the database was deleted: nobody would be asked about it again.

        Raises:
            NotFound: There are no documents yet.
            StorageError: The database cannot be written.
        """
        windowed = self._scope.windowed((), size=options.size, overlap=options.overlap)
        return self._answering.recall(windowed, model=AGENT, pruning=options.pruning)

    def unanswered(self, options: ExtractOptions, *, every: bool = False) -> list[Batch]:
        """Return the batches that no agent has answered yet, or `every` one.

        Raises:
            NotFound: There is no such document.
        """
        batches = self._windowed(options).batches
        known = {} if every else self._answering.known(batches, model=AGENT)
        return [batch for batch in batches if key_of(batch) not in known]

    def apply(self, lines: Sequence[str], *, pruning: Pruning) -> Applied:
        """Store what an agent replied to printed batches, one JSON object a line.

        Raises:
            NotFound: There are no documents yet.
            UsageError: A line is no reply; nothing is stored then.
        """
        return Applying(scope=self._scope, answering=self._answering).run(lines, pruning=pruning)

    def _windowed(self, options: ExtractOptions) -> Windowed:
        return self._scope.windowed(options.documents, size=options.size, overlap=options.overlap)
