"""Has a language model look through proposals: it may drop them or put them better, and what fails changes nothing."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from tx_graph.analysis.proposals.sessions.refining import (
    SYSTEM,
    Refinement,
    UnreadableVerdicts,
    key_of,
    question_for,
    refinements_in,
)
from tx_graph.domain.proposal import Proposal
from tx_graph.errors import ModelError, ModelUnusable
from tx_graph.ports import Clock, Model
from tx_graph.services.proposing.values import Proposed
from tx_graph.services.stamps import iso
from tx_graph.storage.replies import ReplyStore

_TOGETHER = 10
"""Proposals of one question."""
_MOST = 100
"""Proposals that are asked about at a time: each costs money."""
_AT_ONCE = 3
_WITHIN = 120.0
"""Seconds to wait for an answer."""

OpenModel = Callable[[str | None, int], Model]
"""Opens a model by name, None for the one that the user has set, to be asked so many questions at a time."""


@dataclass(kw_only=True)
class Refined:
    """What a model said of proposals, by their sources, and why some have no answer."""

    model: str
    refinements: dict[str, Refinement] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)

    def applied(self, proposed: Sequence[Proposed]) -> list[Proposed]:
        """Return what the model would keep, as it would have it; what it did not answer stays as it is."""
        told = [(one, self.refinements.get(one.proposal.source_ref)) for one in proposed]
        return [
            replace(one, proposal=refinement.of(one.proposal)) if refinement else one
            for one, refinement in told
            if refinement is None or refinement.keep
        ]


class Refining:
    """Asks a model about proposals; a reply is kept, and nothing is asked twice while it stays as it is."""

    def __init__(self, *, replies: ReplyStore, open_model: OpenModel, clock: Clock) -> None:
        self._replies = replies
        self._open_model = open_model
        self._clock = clock

    def run(self, proposals: Sequence[Proposal], *, model: str | None) -> Refined:
        """Return what a model says of the first hundred proposals.

        Raises:
            ModelUnusable: There is no such model, or it answers nothing.
            StorageError: The file with replies cannot be used.
        """
        opened = self._open_model(model, _AT_ONCE)
        refined = Refined(model=opened.name)
        several = [
            proposals[:_MOST][start : start + _TOGETHER] for start in range(0, len(proposals[:_MOST]), _TOGETHER)
        ]
        groups = [(question_for(group), group) for group in several]
        known = self._replies.find([key_of(question) for question, _ in groups], model=opened.name)
        asked = [(question, group) for question, group in groups if not self._take(refined, known, question, group)]
        if asked:
            asyncio.run(self._ask_all(opened, asked, refined))
        return refined

    def _take(self, refined: Refined, known: dict[str, str], question: str, group: Sequence[Proposal]) -> bool:
        """Take a reply that is kept; return whether there is one that can be read."""
        try:
            refined.refinements |= refinements_in(known[key_of(question)], group)
        except (KeyError, UnreadableVerdicts):
            return False
        return True

    async def _ask_all(self, model: Model, asked: Sequence[tuple[str, Sequence[Proposal]]], refined: Refined) -> None:
        free = asyncio.Semaphore(_AT_ONCE)
        await asyncio.gather(*(self._ask(model, question, group, refined, free) for question, group in asked))

    async def _ask(
        self, model: Model, question: str, group: Sequence[Proposal], refined: Refined, free: asyncio.Semaphore
    ) -> None:
        async with free:
            try:
                reply = await model.ask(question, system=SYSTEM, within=_WITHIN)
                found = refinements_in(reply, group)
            except ModelUnusable:
                raise
            except ModelError as error:
                refined.failures.append(error.message)
                return
            except UnreadableVerdicts as error:
                refined.failures.append(f"The reply of {model.name} cannot be used: {error}.")
                return
        speakable = reply.encode("utf-8", "replace").decode()  # JSON may hold half a character, SQLite may not
        self._replies.keep([(key_of(question), speakable)], model=model.name, now=iso(self._clock.now()))
        refined.refinements |= found
