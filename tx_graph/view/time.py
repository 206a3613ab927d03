"""What became of knowledge over time: when it was written, confirmed and lost, with commits beside it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import PurePosixPath
from statistics import median
from typing import Any, NamedTuple

from tx_graph.anchors.anchors import Anchors
from tx_graph.anchors.verdict import EventKind
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Word
from tx_graph.graph.edges import NodeId
from tx_graph.knowledge.fact import FactStatus
from tx_graph.knowledge.fact_store import FactStore
from tx_graph.records.anchor import Drift
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning import Status
from tx_graph.view.look import Look, fact_place, title
from tx_graph.view.store import PictureStore

_TOLD = {
    EventKind.CONFIRMED: "confirmed",
    EventKind.DRIFTED: "drifted",
    EventKind.HEALED: "restored",
    EventKind.INVALID: "gone",
    EventKind.INVALIDATED: "gone",
    EventKind.RELOCATED: "relocated",
    EventKind.RESTORED: "restored",
}
"""What is told of the log of anchors; to be pinned and the like makes nothing more or less true."""
_ALL = -1
_Group = tuple[str, str]  # directory or category, and which


class Event(NamedTuple):
    """Something that happened to a learning or fact at a UTC time."""

    at: str
    ref: str
    kind: str
    what: str
    title: str
    places: tuple[str, ...]


def time(kernel: Kernel) -> dict[str, Any]:
    """Return what happened to learnings and facts, oldest first, commits by day, and what gets old fastest."""
    events = sorted({*_of_learnings(kernel), *_of_facts(kernel)})
    return {
        "events": [one._asdict() for one in events],
        "commits": PictureStore(kernel.database).commits_by_day(),
        "rot": _rot(kernel, events),
    }


def _of_learnings(kernel: Kernel) -> Iterator[Event]:
    """Yield what records say of learnings, and what the log says of their anchors."""
    known = {}
    for one in kernel.one(Look).every:
        learning = one.stored.learning
        known[learning.uid] = one
        ref, told, places = one.stored.ref, title(learning.content), tuple(one.paths)
        yield Event(learning.created_at, ref, "learning", "written", told, places)
        if learning.status is not Status.ACTIVE:
            yield Event(one.stored.updated_at, ref, "learning", learning.status.value, told, places)
    for happened in kernel.one(Anchors).history():
        event = happened.event
        if happened.uid in known and event.kind in _TOLD and event.drift is not Drift.FORMAT:
            stored = known[happened.uid].stored
            told = title(stored.learning.content)
            yield Event(event.at, stored.ref, "learning", _TOLD[event.kind], told, (event.anchor.path,))
    yield from _unlogged(kernel)


def _unlogged(kernel: Kernel) -> Iterator[Event]:
    """Yield what no verification has noted yet, as of now: the last of a learning's events is always its verdict."""
    states = defaultdict[NodeId, set[str]](set)
    for row in AnchorStore(kernel.database).rows():
        is_gone, has_drifted = row.anchor.invalidated or row.state.status == "invalid", row.state.status == "drifted"
        if is_gone or (has_drifted and row.state.drift is not Drift.FORMAT):
            states[row.learning].add("gone" if is_gone else "drifted")
    for one in kernel.one(Look).learnings:
        noted, word = max(states[one.stored.node], default=""), one.standing.word  # gone is behind drifted
        lost = word.value if word in (Word.DRIFTED, Word.GONE) else ""
        if lost != noted:
            told = title(one.stored.learning.content)
            yield Event(kernel.now(), one.stored.ref, "learning", lost or "restored", told, tuple(one.paths))


def _of_facts(kernel: Kernel) -> Iterator[Event]:
    every = FactStore(kernel.database).listed(limit=_ALL, past=True)
    for stored in filter(kernel.one(Look).shows, every):
        fact = stored.fact
        told = title(f"{stored.subject_name} {fact.predicate}: {stored.told}")
        places = tuple(filter(None, [fact_place(fact)]))
        yield Event(fact.created_at, stored.ref, "fact", "written", told, places)
        if fact.valid_until and fact.status in (FactStatus.SUPERSEDED, FactStatus.RETRACTED):
            yield Event(fact.valid_until, stored.ref, "fact", fact.status.value, told, places)


def _rot(kernel: Kernel, events: Sequence[Event]) -> list[dict[str, Any]]:
    """Return how many learnings of each directory and category there are, and how many of them are lost by now.

    Lost is what may be wrong by now, and what was superseded or retracted. `median_days` tells how long those held of
    which it is known.
    """
    losses = ("drifted", "gone", Status.SUPERSEDED, Status.RETRACTED)
    lost_at = {event.ref: event.at for event in events if event.what in losses}
    written, lost, days = Counter[_Group](), Counter[_Group](), defaultdict[_Group, list[float]](list)
    for one in kernel.one(Look).every:
        learning = one.stored.learning
        groups = {("directory", str(above)) for path in one.paths for above in PurePosixPath(path).parents}
        groups |= {("category", learning.category)} if learning.category else set()
        written.update(groups)
        if one.standing.is_stale or learning.status is not Status.ACTIVE:
            lost.update(groups)
            for group in groups if one.stored.ref in lost_at else ():
                held = datetime.fromisoformat(lost_at[one.stored.ref]) - datetime.fromisoformat(learning.created_at)
                days[group].append(held / timedelta(days=1))
    return [
        {
            "of": group[1],
            "kind": group[0],
            "written": count,
            "lost": lost[group],
            "median_days": round(median(days[group]), 1) if days[group] else None,
        }
        for group, count in sorted(written.items())
    ]
