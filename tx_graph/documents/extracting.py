"""Relations between sections that a model, an agent or vectors find, and how a model is asked for them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.database import Database
from tx_graph.core.errors import ModelError, ModelUnusable, NotFound, QuestionRefused, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.guard import without_secrets
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Model, Progress, no_progress
from tx_graph.core.reply_store import ReplyStore, open_replies
from tx_graph.core.text import by_bytes
from tx_graph.core.tracing import span
from tx_graph.documents.chunk_store import ChunkStore, SectionMatrix
from tx_graph.documents.document import SectionEdge, Unit
from tx_graph.documents.edge_store import SectionEdgeStore
from tx_graph.documents.links import Linking
from tx_graph.documents.relations import (
    PROMPT_VERSION,
    SYSTEM,
    Applied,
    AskingOptions,
    Batch,
    CrossLinked,
    CrossLinkOptions,
    Dropped,
    Extracted,
    ExtractOptions,
    Failure,
    FoundEdge,
    OnFailure,
    Plan,
    Pruning,
    Question,
    UnreadableReply,
    checked,
    distinct,
    edges_in,
    key_of,
    name_from,
    name_of,
    oriented,
    packed,
    prompt_for,
    pruned,
    windows,
)
from tx_graph.documents.store import DocumentStore, SectionStore
from tx_graph.graph.edges import NodeId, Relation
from tx_graph.vectors.embedding import Embedding
from tx_graph.vectors.store import CHUNKS, VectorStore

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

AGENT = "agent"  # who replied, where it was no model that tx asked
VECTORS = "vectors"  # who says so, where nobody was asked
_FORM = 'Each line is {"batch": "…", "reply": {"edges": […]}}; nothing was stored.'


class Extracting:
    """Finds relations. No batch is answered twice by one model: a reply is kept as soon as it is there."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._database = kernel.database
        self._replies = open_replies(kernel, prompt_version=PROMPT_VERSION)
        self.sleep: Sleep | None = None

    @span("extract")
    def extract(
        self,
        options: ExtractOptions | None = None,
        *,
        model: str | None = None,
        on_failure: OnFailure | None = None,
        progress: Progress = no_progress,
    ) -> Extracted:
        """Return what a language model said of how the sections of each document are related; it is stored.

        Nothing is asked twice. `model` is a name or alias of the library llm, None the one that the user has set.

        Raises:
            ModelError: The model cannot be asked, or answered nothing.
        """
        wanted = options or ExtractOptions()
        batches = _windowed(self._kernel, wanted)
        asked = _open_model(model, wanted.asking.workers)
        return self._answered(batches, asked, wanted.asking, wanted.pruning, on_failure, progress)

    def plan_extraction(self, options: ExtractOptions | None = None, *, model: str | None = None) -> Plan:
        """Return what `extract` would ask, and how long that is; nobody is asked."""
        wanted = options or ExtractOptions()
        batches = _windowed(self._kernel, wanted)
        name = _open_model(model, wanted.asking.workers).name
        known = _known(self._replies, batches, model=name)
        questions = [prompt_for(batch) for batch in batches if key_of(batch) not in known]
        return Plan(
            model=name,
            documents=len({batch.document for batch in batches}),
            batches=len(batches),
            cached=len(batches) - len(questions),
            tokens=sum(by_bytes(SYSTEM) + by_bytes(question) for question in questions),
        )

    def questions(self, options: ExtractOptions | None = None, *, every: bool = False) -> tuple[Question, ...]:
        """Return what an agent is to be asked instead of a model, or `every` question again; `apply` takes its replies.

        Replies that were kept and that the graph lacks are taken in first.
        """
        wanted = options or ExtractOptions()
        recall(self._kernel, wanted)
        batches = _windowed(self._kernel, wanted)
        known = {} if every else _known(self._replies, batches, model=AGENT)
        return tuple(
            Question(
                batch=name_of(one), document=one.document, ids=tuple(one.named), system=SYSTEM, prompt=prompt_for(one)
            )
            for one in batches
            if key_of(one) not in known
        )

    def apply(self, lines: Sequence[str], *, pruning: Pruning | None = None) -> Applied:
        """Return what came of an agent's replies, one JSON object a line: `{"batch": …, "reply": {"edges": […]}}`.

        They are stored; of several to one batch the last counts.

        Raises:
            UsageError: A line is no reply; nothing is stored then.
        """
        replies = [_reply_from(text, line) for line, text in enumerate(lines, start=1) if text.strip()]
        named = [(name_from(reply.batch), reply) for reply in replies]
        # The batches of now, put together in every way in which some of these were.
        ways = sorted({(name.size, name.overlap) for name, _ in named if name})
        several = [_windowed(self._kernel, ExtractOptions(size=size, overlap=overlap)) for size, overlap in ways]
        present = {key_of(batch): batch for batches in several for batch in batches}
        found = {present[name.key]: reply for name, reply in named if name and name.key in present}
        harvest = Harvest(self._database, list(found), origin=AGENT, pruning=pruning or Pruning())
        unreadable = []
        for batch, reply in found.items():
            try:
                edges_in(reply.text)  # what cannot be read is not kept as an answer
            except UnreadableReply as error:
                reason = f"The reply on line {reply.line} cannot be used: {error}."
                unreadable.append(Failure(document=batch.document, batch=reply.batch, reason=reason))
                harvest.settle(batch)
            else:
                self._keep(batch, reply.text, model=AGENT)
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

    def link(
        self,
        options: CrossLinkOptions | None = None,
        *,
        model: str | None = None,
        on_failure: OnFailure | None = None,
        progress: Progress = no_progress,
    ) -> CrossLinked:
        """Return what a language model said of near sections of different documents; it is stored.

        Raises:
            ModelError: The model cannot be asked or answered nothing, or there are no vectors.
        """
        wanted = options or CrossLinkOptions()
        asked = _open_model(model, wanted.asking.workers)
        pairs, units, sections = self._near(wanted)
        together = packed(((pair.source, pair.target) for pair in pairs), size=wanted.size)
        batches = [Batch(windowing="near", units=tuple(units[node] for node in nodes)) for nodes in together]
        extracted = self._answered(batches, asked, wanted.asking, Pruning(), on_failure, progress)
        return CrossLinked(sections=sections, pairs=len(pairs), extracted=extracted)

    def link_similar(self, options: CrossLinkOptions | None = None) -> CrossLinked:
        """Return how many near sections of different documents were tied as similar; no language model is asked.

        Of all documents this takes the place of what vectors said before; of some it is added to that.

        Raises:
            ModelError: There are no vectors.
        """
        wanted = options or CrossLinkOptions()
        pairs, units, sections = self._near(wanted)
        with self._database.transaction():
            if not wanted.documents:
                SectionEdgeStore(self._database).retract(VECTORS)
                Linking(self._database).write_outdated()
            SectionEdgeStore(self._database).assert_edges(
                SectionEdge(pair.source, pair.target, Relation.SIMILAR_TO, pair.cosine, origin=VECTORS)
                for pair in pairs
            )
        documents = len({unit.document for unit in units.values()})
        extracted = Extracted(model=VECTORS, documents=documents, batches=0, edges=len(pairs))
        return CrossLinked(sections=sections, pairs=len(pairs), extracted=extracted)

    def _near(self, options: CrossLinkOptions) -> tuple[list[Pair], Mapping[NodeId, Unit], int]:
        """Return the pairs with their sections, and how many sections have vectors."""
        database = self._database
        paths, nodes = _named(self._kernel, options.documents), DocumentStore(database).nodes()
        model = self._kernel.one(Embedding).name
        if not VectorStore(database, CHUNKS).any_of(model):
            raise ModelError(
                f"No section has a vector of {model}, by which near ones are found.",
                hint="Run 'tx model install', then 'tx sync'.",
            )
        matrices = ChunkStore(database).matrices(model=model)
        among = None if paths is None else [nodes[path] for path in paths]
        pairs = near_pairs(matrices, threshold=options.threshold, most=options.most_pairs, among=among)
        units = SectionStore(database).units_by_nodes({end for pair in pairs for end in (pair.source, pair.target)})
        units = {node: _speakable(unit) for node, unit in units.items()}
        return pairs, units, len({section for matrix in matrices for section in matrix.sections})

    def _keep(self, batch: Batch, reply: str, *, model: str) -> None:
        speakable = reply.encode("utf-8", "replace").decode()  # JSON may hold half a character, SQLite may not
        self._replies.keep([(key_of(batch), speakable)], model=model, now=self._kernel.now())

    def _answered(
        self,
        batches: Sequence[Batch],
        model: Model,
        options: AskingOptions,
        pruning: Pruning,
        on_failure: OnFailure | None,
        progress: Progress,
    ) -> Extracted:
        """Have batches answered and store the edges; whatever ends it early, what was answered is stored."""
        with self._database.transaction():
            pass  # what cannot be stored is not paid for
        known = _known(self._replies, batches, model=model.name)
        harvest = Harvest(self._database, batches, origin=model.name, pruning=pruning)
        failures: list[Failure] = []
        done = Counter[str]()

        def settled(how: str) -> None:
            done[how] += 1
            progress(done.total(), len(batches))

        def answered(batch: Batch, reply: str) -> None:
            self._keep(batch, reply, model=model.name)
            harvest.take(batch, reply)
            settled("answered")

        def failed(batch: Batch, reason: str) -> None:
            harvest.settle(batch)
            failures.append(Failure(document=batch.document, batch=name_of(batch), reason=reason))
            if on_failure:
                on_failure(failures[-1])
            settled("failed")

        try:
            unanswered = []
            for batch in batches:
                try:
                    harvest.take(batch, known[key_of(batch)])
                except (KeyError, UnreadableReply):  # unreadable: kept by a version that read more
                    unanswered.append(batch)
                else:
                    settled("recalled")
            if unanswered:
                import asyncio  # only who asks models waits for it

                sleep = self.sleep or asyncio.sleep
                asyncio.run(ask_all(model, unanswered, options, answered=answered, failed=failed, sleep=sleep))
        finally:
            harvest.finish()
        if failures and len(failures) == done.total():
            raise ModelError(
                f"No batch was answered. {failures[0].reason}",
                hint="What needs no model works all the same; run this again when the model answers.",
            )
        return Extracted(
            model=model.name,
            documents=len({batch.document for batch in batches}),
            batches=len(batches),
            cached=done["recalled"],
            answered=done["answered"],
            failures=tuple(failures),
            unasked=len(batches) - done.total(),
            edges=harvest.edges,
            dropped=dict(harvest.dropped),
        )


def recall(kernel: Kernel, options: ExtractOptions) -> int:
    """Take in what an agent replied before where the graph lacks it, as in another worktree; return how many edges."""
    database, batches = kernel.database, _windowed(kernel, replace(options, documents=()))
    if AGENT in SectionEdgeStore(database).origins():
        return 0
    known = _known(open_replies(kernel, prompt_version=PROMPT_VERSION), batches, model=AGENT)
    asked = [batch for batch in batches if key_of(batch) in known]
    harvest = Harvest(database, asked, origin=AGENT, pruning=options.pruning)
    for batch in asked:
        with suppress(UnreadableReply):  # kept by a version that read more
            harvest.take(batch, known[key_of(batch)])
    harvest.finish()
    return harvest.edges


def _speakable(unit: Unit) -> Unit:
    """Return a section as a model may read it: what may be a secret stays here."""
    headings = tuple(map(without_secrets, unit.headings))
    return replace(unit, text=without_secrets(unit.text), headings=headings)


def _windowed(kernel: Kernel, options: ExtractOptions) -> list[Batch]:
    """Return the sliding windows over the sections of each document."""
    units = map(_speakable, SectionStore(kernel.database).units(_named(kernel, options.documents)))
    by_document = groupby(units, key=attrgetter("document"))
    several = (windows(list(group), size=options.size, overlap=options.overlap) for _, group in by_document)
    windowing = f"{options.size}-{options.overlap}"
    return [Batch(windowing=windowing, units=window) for window in chain.from_iterable(several)]


def _named(kernel: Kernel, typed: Sequence[str]) -> list[str] | None:
    """Return the documents that paths, directories and globs name; None, for all of them, where there is none."""
    known = PathMatcher(DocumentStore(kernel.database).nodes())
    if not known.paths:
        raise NotFound("No documents were read yet.", hint="Run 'tx sync' first.")
    tree = kernel.checkout.tree
    every: set[str] = set()
    for one in typed:
        path = tree.existing(one)
        if path is None:
            found = known.matching(one)
        elif tree.is_directory(path):
            found = known.paths if path == "." else known.matching(f"/{path}/**")
        else:
            found = [path] if path in known else []
        if not found:
            raise NotFound(
                f"'{one}' names no document that was read.",
                hint="'tx doc:list' shows them; 'tx sync' reads new ones.",
                candidates=known.nearest(one),
            )
        every.update(found)
    return sorted(every) if typed else None


def _known(replies: ReplyStore, batches: Sequence[Batch], *, model: str) -> dict[str, str]:
    """Return what a model replied to those of the batches that it was asked about, by their keys."""
    return replies.find([key_of(batch) for batch in batches], model=model)


def _open_model(name: str | None, most_at_once: int) -> Model:
    """Return a language model by name, None for the one that the user has set; its library is loaded now."""
    from tx_graph.core.language_models import open_model

    return open_model(name, most_at_once=most_at_once)


class _Reply(NamedTuple):
    """An agent's answer to the batch of that name, as text; `line` counts from 1."""

    batch: str
    text: str
    line: int


def _reply_from(text: str, line: int) -> _Reply:
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
    return _Reply(value["batch"], edges if isinstance(edges, str) else json.dumps(edges), line)


Sleep = Callable[[float], Awaitable[None]]
"""Waits for some seconds."""
_FIRST_PAUSE = 1.0  # seconds before a batch is tried again; each further pause is twice as long
_MOST_FAILURES_IN_A_ROW = 10
"""Batches that may fail one after the other: a provider that is down stays so longer than anybody wants to wait."""


async def ask_all(
    model: Model,
    batches: Sequence[Batch],
    options: AskingOptions,
    *,
    answered: Callable[[Batch, str], None],
    failed: Callable[[Batch, str], None],
    sleep: Sleep,
) -> None:
    """Ask about all batches, telling the fate of each at once; where too many fail in a row the rest is left."""
    import asyncio

    waiting = iter(batches)  # several workers share what is waiting
    failures_in_a_row = 0

    async def ask_once(question: str) -> str:
        reply = await model.ask(question, system=SYSTEM, within=options.timeout)
        try:
            edges_in(reply)
        except UnreadableReply as error:
            raise ModelError(f"The reply of {model.name} cannot be used: {error}.") from None
        return reply

    async def ask(question: str) -> str:
        for number in range(options.tries - 1):
            try:
                return await ask_once(question)
            except (ModelUnusable, QuestionRefused):
                raise
            except ModelError:
                await sleep(_FIRST_PAUSE * 2**number)
        return await ask_once(question)

    async def work() -> None:
        nonlocal failures_in_a_row
        while failures_in_a_row < _MOST_FAILURES_IN_A_ROW and (batch := next(waiting, None)):
            try:
                reply = await ask(prompt_for(batch))
            except ModelUnusable:
                raise
            except ModelError as error:
                failures_in_a_row += 1
                failed(batch, error.message)
            else:
                failures_in_a_row = 0
                answered(batch, reply)

    await asyncio.gather(*(work() for _ in range(min(options.workers, len(batches)))))


class Harvest:
    """Collects edges by document and stores each when its batches are settled: overlapping ones say things twice."""

    def __init__(self, database: Database, batches: Sequence[Batch], *, origin: str, pruning: Pruning) -> None:
        self._database = database
        self._units = {key: unit for batch in batches for key, unit in batch.named.items()}
        self._origin = origin
        self._pruning = pruning
        self._open = Counter(batch.document for batch in batches)
        self._order = {batch: place for place, batch in enumerate(batches)}
        self._found: dict[str, list[tuple[int, list[FoundEdge]]]] = defaultdict(list)
        self.edges = 0
        self.dropped = Counter[Dropped]()

    def take(self, batch: Batch, reply: str) -> None:
        """Take the edges of a reply; UnreadableReply where it holds no list of them."""
        kept, dropped = checked(edges_in(reply), ids=batch.named)
        self.dropped += dropped
        nodes = {key: unit.node for key, unit in batch.named.items()}
        self._found[batch.document].append((self._order[batch], [oriented(edge, nodes) for edge in kept]))
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
        if not kept:
            return
        asked = {end: self._units[end] for edge in kept for end in (edge.source, edge.target)}
        with self._database.transaction():
            # Documents are read anew during a long run: what was asked about may be said no longer.
            now = SectionStore(self._database).units_by_nodes([unit.node for unit in asked.values()])
            nodes = {
                end: unit.node
                for end, unit in asked.items()
                if unit.node in now and now[unit.node].content_hash == unit.content_hash
            }
            stored = SectionEdgeStore(self._database).assert_edges(
                SectionEdge(nodes[e.source], nodes[e.target], e.relation, e.weight, e.description, self._origin)
                for e in kept
                if e.source in nodes and e.target in nodes
            )
        self.edges += stored
        self.dropped += Counter({Dropped.OUTDATED: len(kept) - stored})


_BLOCK = 256  # sections compared at a time: their pieces against 10,000 others are some 20 MB of cosines
_ROUNDING = 1e-6  # what float32 may be off: a threshold of 1 means the same vector


class Pair(NamedTuple):
    """Two sections of different documents, the smaller node first, and their cosine similarity, in (0, 1]."""

    source: NodeId
    target: NodeId
    cosine: float


def near_pairs(
    matrices: Sequence[SectionMatrix], *, threshold: float, most: int, among: Collection[NodeId] | None
) -> list[Pair]:
    """Return for each section (of documents `among`, None: all) its nearest in others, by pieces; each pair once."""
    import numpy as np

    found: dict[tuple[NodeId, NodeId], Pair] = {}
    for matrix in matrices:
        sections = np.asarray(matrix.sections, dtype=np.int64)
        starts = np.flatnonzero(np.diff(sections, prepend=-1))  # where each section's rows begin
        nodes, documents = sections[starts], np.asarray(matrix.documents)[starts]
        for first in range(0, len(nodes), _BLOCK):
            last = min(first + _BLOCK, len(nodes))
            end = starts[last] if last < len(starts) else len(sections)
            pieces = matrix.vectors[starts[first] : end] @ matrix.vectors.T
            by_section = np.maximum.reduceat(pieces, starts, axis=1)
            cosines = np.maximum.reduceat(by_section, starts[first:last] - starts[first], axis=0)
            cosines[documents[first:last, None] == documents[None, :]] = -1.0
            for row, place in _best(cosines, threshold=threshold - _ROUNDING, most=most):
                if among is None or int(documents[first + row]) in among:
                    source, target = sorted((int(nodes[first + row]), int(nodes[place])))
                    pair = Pair(source, target, min(1.0, float(cosines[row, place])))
                    found.setdefault((source, target), pair)
    return list(found.values())


def _best(cosines: npt.NDArray[np.float32], *, threshold: float, most: int) -> Iterator[tuple[int, int]]:
    """Yield row and column of the highest values of each row, highest first, the first column among equals."""
    import numpy as np

    kept = min(most, cosines.shape[1])
    least = np.partition(cosines, -kept, axis=1)[:, -kept]  # sorting whole rows takes ten times as long
    rows, places = np.nonzero(cosines >= np.maximum(least, threshold)[:, None])
    order = np.lexsort((places, -cosines[rows, places], rows))
    for row, group in groupby(order, key=lambda place: int(rows[place])):
        for place in islice(group, most):
            yield row, int(places[place])
