"""doc:extract --apply: takes what an agent replied to printed batches."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from tx_graph.analysis.relations.batch import Batch, BatchName, key_of, name_from
from tx_graph.analysis.relations.edges import Pruning
from tx_graph.analysis.relations.replies import UnreadableReply, edges_in
from tx_graph.errors import UsageError
from tx_graph.services.extracting.answering import Answering
from tx_graph.services.extracting.scope import Scope, Windowed
from tx_graph.services.extracting.values import AGENT, Applied, Failure, Reply

_FORM = 'Each line is {"batch": "…", "reply": {"edges": […]}}; nothing was stored.'


class Applying:
    """Stores an agent's replies by the rules that hold for a model's."""

    def __init__(self, *, scope: Scope, answering: Answering) -> None:
        self._scope = scope
        self._answering = answering

    def run(self, lines: Sequence[str], *, pruning: Pruning) -> Applied:
        """Store the edges in replies, one JSON object a line; of several to one batch the last counts.

        Raises:
            NotFound: There are no documents yet.
            UsageError: A line is no reply; nothing is stored then.
        """
        replies = [_reply_from(text, line) for line, text in enumerate(lines, start=1) if text.strip()]
        named = [(name_from(reply.batch), reply) for reply in replies]
        windowed = self._as_printed(name for name, _ in named if name)
        present = {key_of(batch): batch for batch in windowed.batches}
        found = {present[name.key]: reply for name, reply in named if name and name.key in present}
        harvest = self._answering.harvest(list(found), units=windowed.units, origin=AGENT, pruning=pruning)
        unreadable = []
        for batch, reply in found.items():
            try:
                self._take(batch, reply)
            except UnreadableReply as error:
                harvest.settle(batch)
                unreadable.append(_failure(batch, reply, error))
            else:
                harvest.take(batch, reply.text)
        harvest.finish()
        return Applied(
            applied=len(found) - len(unreadable),
            outdated=sum(1 for name, _ in named if name and name.key not in present),
            unknown=sum(1 for name, _ in named if not name),
            unreadable=tuple(unreadable),
            edges=harvest.edges,
            dropped=dict(harvest.dropped),
        )

    def _take(self, batch: Batch, reply: Reply) -> None:
        edges_in(reply.text)  # what cannot be read is not kept as an answer
        self._answering.keep(batch, reply.text, model=AGENT)

    def _as_printed(self, names: Iterable[BatchName]) -> Windowed:
        """Return the batches of now, put together in every way in which some of these were."""
        ways = sorted({(name.size, name.overlap) for name in names})
        everything = [self._scope.windowed((), size=size, overlap=overlap) for size, overlap in ways]
        return Windowed(
            batches=[batch for windowed in everything for batch in windowed.batches],
            units={key: unit for windowed in everything for key, unit in windowed.units.items()},
        )


def _reply_from(text: str, line: int) -> Reply:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError(f"Line {line} is not valid JSON: {error}.", hint=_FORM) from None
    if not isinstance(value, dict) or not isinstance(value.get("batch"), str):
        raise UsageError(f'Line {line} is no object with a "batch" that is text.', hint=_FORM)
    reply = value.get("reply")
    if not isinstance(reply, str | dict | list):
        raise UsageError(f'Line {line} has no "reply" that is text or an object.', hint=_FORM)
    edges = {"edges": reply} if isinstance(reply, list) else reply
    return Reply(batch=value["batch"], text=edges if isinstance(edges, str) else json.dumps(edges), line=line)


def _failure(batch: Batch, reply: Reply, error: UnreadableReply) -> Failure:
    reason = f"The reply on line {reply.line} cannot be used: {error}."
    return Failure(document=batch.document, batch=reply.batch, reason=reason)
