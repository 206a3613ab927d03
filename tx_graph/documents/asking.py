"""Has batches answered, from what is kept or by a model, and keeps what comes of it."""

from __future__ import annotations

import asyncio
import math
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter

from tx_graph.core.database import Database
from tx_graph.core.errors import ModelError, ModelUnusable, NotFound, QuestionRefused, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.ports import Clock, Model, Progress, no_progress
from tx_graph.core.reply_store import ReplyStore
from tx_graph.core.text import inert_line
from tx_graph.core.working_tree import WorkingTree, iso
from tx_graph.documents.document import ExtractedEdge, Unit
from tx_graph.documents.edge_store import SectionEdgeStore
from tx_graph.documents.relations import (
    SYSTEM,
    Batch,
    Dropped,
    FoundEdge,
    Passage,
    Pruning,
    UnreadableReply,
    check_windows,
    checked,
    distinct,
    edges_in,
    key_of,
    name_of,
    oriented,
    prompt_for,
    pruned,
    windowing_of,
    windows,
)
from tx_graph.documents.store import DocumentStore, SectionStore

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Windowed:
    """Batches in the order of documents and their sections, and the section of every id in them, as it was then."""

    batches: Sequence[Batch]
    units: Mapping[str, Unit]

    @property
    def documents(self) -> int:
        """How many documents they are from."""
        return len({batch.document for batch in self.batches})


class Scope:
    """Finds documents by how somebody names them, and puts their sections together."""

    def __init__(self, *, documents: DocumentStore, sections: SectionStore, tree: WorkingTree) -> None:
        self._documents = documents
        self._sections = sections
        self._tree = tree

    def paths(self, typed: Sequence[str]) -> list[str] | None:
        """Return the documents that paths, directories and globs name; None, for all of them, where there is none.

        Raises:
            NotFound: There are no documents yet, or one of these names none.
            UsageError: A path leads out of the repository.
        """
        known = PathMatcher(self._documents.nodes())
        if not known.paths:
            raise NotFound("No documents were read yet.", hint="Run 'tx doc:ingest' first.")
        if not typed:
            return None
        return sorted({path for one in typed for path in self._named(one, known)})

    def _named(self, typed: str, known: PathMatcher) -> Iterable[str]:
        path = self._tree.existing(typed)
        if path is None:
            found = known.matching(typed.removeprefix("./"))
        elif self._tree.is_directory(path):
            found = known.paths if path == "." else known.matching(f"/{path}/**")
        else:
            found = [path] if path in known else []
        if not found:
            raise NotFound(
                f"'{typed}' names no document that was read.",
                hint="'tx doc:list' shows them; 'tx doc:ingest' reads new ones.",
                candidates=known.nearest(typed),
            )
        return found

    def windowed(self, typed: Sequence[str], *, size: int, overlap: int) -> Windowed:
        """Return the sliding windows over the sections of each document."""
        units = self._sections.units(self.paths(typed))
        name = windowing_of(size=size, overlap=overlap)
        batches = [
            Batch(document=document, windowing=name, passages=passages)
            for document, group in groupby(units, key=attrgetter("document"))
            for passages in windows([passage_of(unit) for unit in group], size=size, overlap=overlap)
        ]
        return Windowed(batches=batches, units=by_ids(units))


def passage_of(unit: Unit) -> Passage:
    """Return a section as a model sees it; its id is the reference, in one line whatever the path."""
    return Passage(id=inert_line(unit.ref), headings=unit.headings, text=unit.text)


def by_ids(units: Iterable[Unit]) -> dict[str, Unit]:
    """Return the section of each id that passages have."""
    return {inert_line(unit.ref): unit for unit in units}


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


class Harvest:
    """Collects edges by document: overlapping batches of one say things twice, and a cap counts all of them.

    A document is stored, in a transaction of its own, when all of its batches are settled; `finish` stores the rest.
    `edges` counts what was stored, `dropped` what was not, by reason.
    """

    def __init__(
        self,
        batches: Sequence[Batch],
        *,
        units: Mapping[str, Unit],
        origin: str,
        pruning: Pruning,
        database: Database,
        sections: SectionStore,
        store: SectionEdgeStore,
    ) -> None:
        self._units = units
        self._nodes = {key: unit.node for key, unit in units.items()}
        self._origin = origin
        self._pruning = pruning
        self._database = database
        self._sections = sections
        self._store = store
        self._open = Counter(batch.document for batch in batches)
        self._order = {batch: place for place, batch in enumerate(batches)}
        self._found: dict[str, list[tuple[int, list[FoundEdge]]]] = defaultdict(list)
        self.edges = 0
        self.dropped = Counter[Dropped]()

    def take(self, batch: Batch, reply: str) -> None:
        """Take the edges of a reply.

        Raises:
            UnreadableReply: It holds no list of edges.
        """
        kept, dropped = checked(edges_in(reply), ids=frozenset(batch.ids))
        self.dropped += dropped
        self._found[batch.document].append((self._order[batch], [oriented(edge, self._nodes) for edge in kept]))
        self.settle(batch)

    def settle(self, batch: Batch) -> None:
        """Take note that nothing more will come of a batch."""
        self._open[batch.document] -= 1
        if not self._open[batch.document]:
            self._save(batch.document)

    def finish(self) -> None:
        """Store what was found in documents of which not all batches are settled."""
        for document in list(self._found):
            self._save(document)

    def _save(self, document: str) -> None:
        found = [edge for _, edges in sorted(self._found.pop(document, [])) for edge in edges]
        several = distinct(found)
        kept, dropped = pruned(several, self._pruning)
        self.dropped += dropped + Counter({Dropped.DUPLICATE: len(found) - len(several)})
        if kept:
            with self._database.transaction():
                holding = self._holding(kept)
                self._store.assert_edges(map(self._stored, holding))
            self.edges += len(holding)
            self.dropped += Counter({Dropped.OUTDATED: len(kept) - len(holding)})

    def _holding(self, edges: Sequence[FoundEdge]) -> list[FoundEdge]:
        """Return the edges whose ends still say what was asked about: documents are read anew during a long run."""
        asked = {end: self._units[end] for edge in edges for end in (edge.source, edge.target)}
        now = self._sections.units_by_nodes([unit.node for unit in asked.values()])
        same = {
            end for end, unit in asked.items() if unit.node in now and now[unit.node].content_hash == unit.content_hash
        }
        return [edge for edge in edges if edge.source in same and edge.target in same]

    def _stored(self, edge: FoundEdge) -> ExtractedEdge:
        return ExtractedEdge(
            source=self._nodes[edge.source],
            target=self._nodes[edge.target],
            relation=edge.relation,
            weight=edge.weight,
            description=edge.description,
            origin=self._origin,
        )


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
