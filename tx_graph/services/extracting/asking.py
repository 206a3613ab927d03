"""Asks a model about batches: several at a time, again where it is worthwhile, and not for ever."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence

from tx_graph.analysis.relations.batch import Batch
from tx_graph.analysis.relations.prompt import SYSTEM, prompt_for
from tx_graph.analysis.relations.replies import UnreadableReply, edges_in
from tx_graph.errors import ModelError, ModelUnusable, QuestionRefused
from tx_graph.ports import Model
from tx_graph.services.extracting.values import AskingOptions

Sleep = Callable[[float], Awaitable[None]]
"""Waits for some seconds."""

_FIRST_PAUSE = 1.0
"""Seconds before a batch is tried again; each further pause is twice as long."""
_MOST_FAILURES_IN_A_ROW = 10
"""Batches that may fail one after the other: a provider that is down stays so longer than anybody wants to wait."""


class Asking:
    """Asks one model; `answered` and `failed` hear of every batch as soon as its fate is known."""

    def __init__(
        self,
        model: Model,
        options: AskingOptions,
        *,
        answered: Callable[[Batch, str], None],
        failed: Callable[[Batch, str], None],
        sleep: Sleep = asyncio.sleep,
    ) -> None:
        self._model = model
        self._options = options
        self._answered = answered
        self._failed = failed
        self._sleep = sleep
        self._failures_in_a_row = 0

    def run(self, batches: Sequence[Batch]) -> None:
        """Ask about all batches, unless too many fail in a row: then the rest is left.

        Raises:
            ModelUnusable: No question will be answered.
        """
        if batches:
            asyncio.run(self._run(batches))

    async def _run(self, batches: Sequence[Batch]) -> None:
        waiting = iter(batches)
        workers = min(self._options.workers, len(batches))
        await asyncio.gather(*(self._work(waiting) for _ in range(workers)))

    async def _work(self, waiting: Iterator[Batch]) -> None:
        """Take batch after batch; several workers share what is waiting."""
        while self._failures_in_a_row < _MOST_FAILURES_IN_A_ROW:
            batch = next(waiting, None)
            if batch is None:
                return
            await self._ask(batch)

    async def _ask(self, batch: Batch) -> None:
        try:
            reply = await self._reply(prompt_for(batch))
        except ModelUnusable:
            raise
        except ModelError as error:
            self._failures_in_a_row += 1
            self._failed(batch, error.message)
        else:
            self._failures_in_a_row = 0
            self._answered(batch, reply)

    async def _reply(self, question: str) -> str:
        """Return the first reply in which there are edges, or none, as asked for.

        Raises:
            ModelError: There was none in as many tries as there may be.
        """
        for pause in self._pauses():
            try:
                return await self._readable_reply(question)
            except (ModelUnusable, QuestionRefused):
                raise
            except ModelError:
                await self._sleep(pause)
        return await self._readable_reply(question)

    def _pauses(self) -> list[float]:
        return [_FIRST_PAUSE * 2**number for number in range(self._options.tries - 1)]

    async def _readable_reply(self, question: str) -> str:
        reply = await self._model.ask(question, system=SYSTEM, within=self._options.timeout)
        try:
            edges_in(reply)
        except UnreadableReply as error:
            raise ModelError(f"The reply of {self._model.name} cannot be used: {error}.") from None
        return reply
