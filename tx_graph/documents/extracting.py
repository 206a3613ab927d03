"""Relations between sections that a model, an agent or vectors find, and how a model is asked for them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby, islice
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.database import Database
from tx_graph.core.errors import ModelError, ModelUnusable, NotFound, QuestionRefused, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.guard import without_secrets
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import RELATIONS
from tx_graph.core.ports import Model, Progress, no_progress
from tx_graph.core.reply_store import ReplyStore, open_replies
from tx_graph.core.text import by_bytes, inert_line
from tx_graph.core.tracing import span
from tx_graph.documents.chunk_store import ChunkStore, SectionMatrix
from tx_graph.documents.document import SectionEdge, Unit
from tx_graph.documents.edge_store import VECTORS, SectionEdgeStore
from tx_graph.documents.links import Linking
from tx_graph.documents.relating import REPLY, is_noted, note_records, read_records, settle_by_hand, write_records
from tx_graph.documents.relations import (
    LEAST_TOGETHER,
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
    Kept,
    OnFailure,
    Plan,
    Pruning,
    Question,
    UnreadableReply,
    checked,
    distinct,
    edges_in,
    former_key_of,
    key_of,
    key_of_texts,
    laid_out,
    name_from,
    name_of,
    oriented,
    packed,
    prompt_for,
    pruned,
)
from tx_graph.documents.store import DocumentStore, SectionStore
from tx_graph.graph.edges import NodeId, Relation
from tx_graph.records.watch import record_directory
from tx_graph.vectors.embedding import Embedding
from tx_graph.vectors.store import CHUNKS, VectorStore

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

AGENT = "agent"  # who replied, where it was no model that tx asked
_SECTIONS = "sections:"  # begins the keys of replies about sections by their content
_NEAR = "near"
Laid = list[tuple[Batch, str | None]]
"""Batches, each with its reply where one is kept."""
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
        model: str | Model | None = None,
        on_failure: OnFailure | None = None,
        progress: Progress = no_progress,
    ) -> Extracted:
        """Return what a language model said of how the sections of each document are related; it is stored.

        It takes the place of what models and agents said of that document, once all of it is answered. Nothing is
        asked twice. `model` is a name or alias of the library llm, or one of your own, None the one that the user set.

        Raises:
            ModelError: The model cannot be asked, or answered nothing.
        """
        wanted = options or ExtractOptions()
        asked = _open_model(model or self._kernel.model, wanted.asking.workers)
        laid = self._laid(wanted, asked.name)
        return self._answered(laid, asked, wanted.asking, wanted.pruning, on_failure, progress)

    def plan_extraction(self, options: ExtractOptions | None = None, *, model: str | Model | None = None) -> Plan:
        """Return what `extract` would ask, and how long that is; nobody is asked."""
        wanted = options or ExtractOptions()
        name = _open_model(model or self._kernel.model, wanted.asking.workers).name
        laid = self._laid(wanted, name)
        asked = {key_of(batch): batch for batch, reply in laid if reply is None}
        return Plan(
            model=name,
            documents=len({batch.document for batch, _ in laid}),
            batches=len(laid),
            cached=sum(reply is not None for _, reply in laid),
            tokens=sum(map(_tokens, asked.values())),
        )

    def questions(self, options: ExtractOptions | None = None, *, every: bool = False) -> tuple[Question, ...]:
        """Return what an agent is to be asked instead of a model, or `every` question again; `apply` takes its replies.

        Replies that were kept and that the graph lacks are taken in first.
        """
        wanted = options or ExtractOptions()
        recall(self._kernel, wanted)
        laid = self._laid(wanted, None if every else AGENT)
        several = {key_of(batch): batch for batch, reply in reversed(laid) if reply is None}
        return tuple(
            Question(
                batch=name_of(one), document=one.document, ids=tuple(one.named), system=SYSTEM, prompt=prompt_for(one)
            )
            for one in reversed(several.values())
        )

    def apply(self, lines: Sequence[str], *, pruning: Pruning | None = None) -> Applied:
        """Return what came of an agent's replies, one JSON object a line: `{"batch": …, "reply": {"edges": […]}}`.

        They are stored; of several to one batch the last counts.

        Raises:
            UsageError: A line is no reply; nothing is stored then.
        """
        replies = [_reply_from(text, line) for line, text in enumerate(lines, start=1) if text.strip()]
        named = [(name_from(reply.batch), reply) for reply in replies]
        # Whatever stands together now as it did then, however it is put together today.
        present: dict[str, Batch] = {}
        several = list(_units_of(self._kernel, None))
        for size, overlap in sorted({(name.size, name.overlap) for name, _ in named if name}):
            for units in several:
                for count in range(LEAST_TOGETHER, size + 1):
                    for start in range(len(units) - count + 1):
                        batch = Batch(f"{size}-{overlap}", tuple(units[start : start + count]))
                        present.setdefault(name_of(batch), batch)
        found = {present[reply.batch]: reply for _, reply in named if reply.batch in present}
        unreadable, kept = [], []
        for batch, reply in found.items():
            try:
                edges_in(reply.text)  # what cannot be read is not kept as an answer
            except UnreadableReply as error:
                reason = f"The reply on line {reply.line} cannot be used: {error}."
                unreadable.append(Failure(document=batch.document, batch=reply.batch, reason=reason))
            else:
                kept.append((batch, reply.text))
        self._keep(kept, model=AGENT)
        edges, dropped = 0, Counter[Dropped]()
        ways = {batch.document: batch.windowing for batch, _ in kept}
        for windowing in sorted(set(ways.values())):
            size, overlap = map(int, windowing.split("-"))
            paths = [path for path, way in ways.items() if way == windowing]
            laid = self._laid(ExtractOptions(size=size, overlap=overlap), AGENT, paths)
            harvest = Harvest(self._database, laid, origin=AGENT, pruning=pruning or Pruning())
            harvest.take_all(laid)
            edges, dropped = edges + harvest.edges, dropped + harvest.dropped
            self._share(laid, AGENT)
        return Applied(
            applied=len(kept),
            outdated=sum(1 for name, reply in named if name and reply.batch not in present),
            unknown=sum(1 for name, _ in named if not name),
            unreadable=tuple(unreadable),
            edges=edges,
            dropped=dict(dropped),
        )

    def link(
        self,
        options: CrossLinkOptions | None = None,
        *,
        model: str | Model | None = None,
        on_failure: OnFailure | None = None,
        progress: Progress = no_progress,
    ) -> CrossLinked:
        """Return what a language model said of near sections of different documents; it is stored.

        It takes the place of what models said across these documents, once all of it is answered.

        Raises:
            ModelError: The model cannot be asked or answered nothing, or there are no vectors.
        """
        wanted = options or CrossLinkOptions()
        asked = _open_model(model or self._kernel.model, wanted.asking.workers)
        pairs, units, sections = self._near(wanted)
        together = packed(((pair.source, pair.target) for pair in pairs), size=wanted.size)
        laid: Laid = [(Batch(_NEAR, tuple(units[node] for node in nodes)), None) for nodes in together]
        laid = self._with_replies(laid, kept_replies(self._replies, asked.name), model=asked.name)
        across = _named(self._kernel, wanted.documents) or ()
        extracted = self._answered(laid, asked, wanted.asking, wanted.pruning, on_failure, progress, across=across)
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

    def _laid(self, options: ExtractOptions, model: str | None, paths: Collection[str] | None = None) -> Laid:
        """Return the batches of the documents, by document, with what a model replied to them before, if anything."""
        is_anew = options.asking.is_anew or model is None
        kept = [] if is_anew or model is None else kept_replies(self._replies, model)
        several = _units_of(self._kernel, _named(self._kernel, options.documents) if paths is None else paths)
        laid = recalled(several, kept, options)
        return laid if is_anew or model is None else self._with_replies(laid, kept, model=model)

    def _with_replies(self, laid: Laid, kept: Sequence[Kept], *, model: str) -> Laid:
        """Return the batches, those without a reply with the one to just these texts, however they came together."""
        by_texts = {one.texts: one for one in reversed(kept)}
        former = self._replies.find([former_key_of(batch) for batch, _ in laid], model=model)
        found: Laid = []
        for batch, reply in laid:
            same = by_texts.get(tuple(unit.content_hash for unit in batch.units))
            if reply is None and same:
                found.append((batch._replace(ids=same.ids), same.reply))
            else:
                found.append((batch, reply or former.get(former_key_of(batch))))
        return found

    def _keep(self, answered: Iterable[tuple[Batch, str]], *, model: str) -> None:
        now, rows = self._kernel.now(), []
        for batch, reply in answered:
            texts = tuple(unit.content_hash for unit in batch.units)
            rows.append(stored_form(Kept(model, batch.windowing, tuple(batch.named), texts, reply, now)))
        self._replies.keep(rows, model=model, now=now)

    def _share(self, laid: Laid, model: str) -> None:
        """Write what a model replied about these texts to where git carries it, if that is wanted."""
        if self._kernel.config.get("documents.share_relations") == "on":
            texts = {unit.content_hash for batch, _ in laid for unit in batch.units}
            kept = kept_replies(self._replies, model)
            share(self._kernel, [one for one in kept if texts.issuperset(one.texts)])

    def _answered(
        self,
        laid: Laid,
        model: Model,
        options: AskingOptions,
        pruning: Pruning,
        on_failure: OnFailure | None,
        progress: Progress,
        across: Collection[str] | None = None,
    ) -> Extracted:
        """Have batches answered and store the edges; whatever ends it early, what was answered is stored."""
        with self._database.transaction():
            pass  # what cannot be stored is not paid for
        harvest = Harvest(self._database, laid, origin=model.name, pruning=pruning, across=across)
        failures: list[Failure] = []
        done = Counter[str]()
        twins = defaultdict[str, list[Batch]](list)  # the same texts in several documents are asked about once
        unanswered: list[Batch] = []
        tokens = 0

        def settled(how: str, count: int = 1) -> None:
            done[how] += count
            progress(done.total(), len(laid))

        def answered(batch: Batch, reply: str) -> None:
            self._keep([(batch, reply)], model=model.name)
            for place, twin in enumerate(twins[key_of(batch)]):
                harvest.take(twin._replace(ids=tuple(batch.named)), reply)
                settled("recalled" if place else "answered")

        def failed(batch: Batch, reason: str) -> None:
            failures.append(Failure(document=batch.document, batch=name_of(batch), reason=reason))
            if on_failure:
                on_failure(failures[-1])
            settled("failed", len(twins[key_of(batch)]))

        try:
            for batch, reply in laid:
                with suppress(UnreadableReply):  # kept by a version that read more
                    if reply is not None:
                        harvest.take(batch, reply)
                        settled("recalled")
                        continue
                twins[key_of(batch)].append(batch)
            for first, *_ in twins.values():
                more = _tokens(first)
                is_over = options.most_tokens and tokens + more > options.most_tokens
                if is_over or (options.most_calls and len(unanswered) == options.most_calls):
                    break
                unanswered.append(first)
                tokens += more
            if unanswered:
                import asyncio  # only who asks models waits for it

                from tx_graph.core.language_models import run

                sleep = self.sleep or asyncio.sleep
                run(ask_all(model, unanswered, options, answered=answered, failed=failed, sleep=sleep))
        finally:
            harvest.finish()
            self._share(laid, model.name)
        if failures and done["failed"] == done.total():
            raise ModelError(
                f"No batch was answered. {failures[0].reason}",
                hint="What needs no model works all the same; run this again when the model answers.",
            )
        return Extracted(
            model=model.name,
            documents=len({batch.document for batch, _ in laid}),
            batches=len(laid),
            cached=done["recalled"],
            answered=done["answered"],
            failures=tuple(failures),
            unasked=len(laid) - done.total(),
            edges=harvest.edges,
            dropped=dict(harvest.dropped),
            tokens=tokens,
        )


def recall(kernel: Kernel, options: ExtractOptions) -> int:
    """Take in what an agent replied before where the graph lacks it, as in another worktree; return how many edges."""
    if AGENT in SectionEdgeStore(kernel.database).origins():
        return 0
    replies = open_replies(kernel, prompt_version=PROMPT_VERSION)
    laid = recalled(_units_of(kernel, None), kept_replies(replies, AGENT), options)
    harvest = Harvest(kernel.database, laid, origin=AGENT, pruning=options.pruning)
    harvest.take_all(laid)
    return harvest.edges


def _speakable(unit: Unit) -> Unit:
    """Return a section as a model may read it: what may be a secret stays here."""
    headings = tuple(map(without_secrets, unit.headings))
    return replace(unit, text=without_secrets(unit.text), headings=headings)


def _units_of(kernel: Kernel, paths: Collection[str] | None) -> Iterator[list[Unit]]:
    """Yield the sections of each of these documents, None for all."""
    units = map(_speakable, SectionStore(kernel.database).units(paths))
    return (list(group) for _, group in groupby(units, key=attrgetter("document")))


def recalled(several: Iterable[Sequence[Unit]], kept: Sequence[Kept], options: ExtractOptions) -> Laid:
    """Return the batches of the documents with the kept replies that answer them."""
    by_text = defaultdict[str, set[int]](set)
    for place, one in enumerate(kept):
        for text in one.texts:
            by_text[text].add(place)
    laid: Laid = []
    for units in several:
        places = sorted(set().union(*(by_text[unit.content_hash] for unit in units if unit.content_hash in by_text)))
        known, asked = laid_out(units, [kept[one] for one in places], size=options.size, overlap=options.overlap)
        laid += [*known, *((batch, None) for batch in asked)]
    return laid


def pruning_of(kernel: Kernel, min_weight: float | None = None, max_edges: int | None = None) -> Pruning:
    """Return what to leave out, by the settings where nothing is given."""
    get = kernel.config.get
    return Pruning(
        min_weight=float(get("documents.min_weight")) if min_weight is None else min_weight,
        most=int(get("documents.max_edges")) if max_edges is None else max_edges,
    )


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


def kept_replies(replies: ReplyStore, model: str | None) -> list[Kept]:
    """Return what a model replied, by content, the newest first; None for what any did."""
    found = []
    for _, name, text, at in replies.every(_SECTIONS, model=model):
        said = json.loads(text)
        found.append(Kept(name, said["windowing"], tuple(said["ids"]), tuple(said["texts"]), said["reply"], at))
    return found


def _tokens(batch: Batch) -> int:
    return by_bytes(SYSTEM) + by_bytes(prompt_for(batch))


def _open_model(model: str | Model | None, most_at_once: int) -> Model:
    """Return a language model by name, None for the one that the user has set; its library is loaded now."""
    if model is not None and not isinstance(model, str):
        return model
    from tx_graph.core.language_models import open_model

    return open_model(model, most_at_once=most_at_once)


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
    """Collects edges by document and stores each when its batches are settled: overlapping ones say things twice.

    `across` documents (none: all) there is but one lot. What is complete takes the place of all that models and agents
    said there; what is not, of what this one said of the sections that were asked about together.
    """

    def __init__(
        self,
        database: Database,
        laid: Laid,
        *,
        origin: str,
        pruning: Pruning,
        across: Collection[str] | None = None,
    ) -> None:
        self._database = database
        self._units: dict[str, Unit] = {}
        self._origin = origin
        self._pruning = pruning
        self._across = across
        self._open = Counter(self._lot(batch) for batch, _ in laid)
        self._order = {(batch.document, key_of(batch)): place for place, (batch, _) in enumerate(laid)}
        self._found: dict[str, list[tuple[int, Batch, list[FoundEdge]]]] = defaultdict(list)
        self.edges = 0
        self.dropped = Counter[Dropped]()

    def _lot(self, batch: Batch) -> str:
        return batch.document if self._across is None else ""

    def take(self, batch: Batch, reply: str) -> None:
        """Take the edges of a reply; UnreadableReply where it holds no list of them."""
        named = batch.named
        kept, dropped = checked(edges_in(reply), ids={*named, *batch.gone})
        self.dropped += dropped
        refs = {name: inert_line(unit.ref) for name, unit in named.items()}
        self._units |= {refs[name]: unit for name, unit in named.items()}
        there = (
            one._replace(source=refs[one.source], target=refs[one.target])
            for one in kept
            if one.source in refs and one.target in refs
        )
        nodes = {ref: self._units[ref].node for ref in refs.values()}
        lot = self._lot(batch)
        place = self._order.get((batch.document, key_of(batch)), 0)
        self._found[lot].append((place, batch, [oriented(edge, nodes) for edge in there]))
        self._open[lot] -= 1
        if not self._open[lot]:
            self._save(lot, is_whole=True)

    def take_all(self, laid: Laid) -> None:
        """Take all replies that can be read, and store what they say."""
        for batch, reply in laid:
            with suppress(UnreadableReply):  # kept by a version that read more
                if reply is not None:
                    self.take(batch, reply)
        self.finish()

    def finish(self) -> None:
        """Store what was found in documents of which not all batches are answered."""
        for lot in list(self._found):
            self._save(lot, is_whole=False)

    def _save(self, lot: str, *, is_whole: bool) -> None:
        taken = sorted(self._found.pop(lot), key=itemgetter(0))
        found = [edge for *_, edges in taken for edge in edges]
        several = distinct(found)
        kept, dropped = pruned(several, self._pruning)
        self.dropped += dropped + Counter({Dropped.DUPLICATE: len(found) - len(several)})
        asked = {end: self._units[end] for edge in kept for end in (edge.source, edge.target)}
        with self._database.transaction():
            store = SectionEdgeStore(self._database)
            if is_whole:
                forgotten = store.forget_said(within=lot, across=self._across)
            else:
                forgotten = sum(
                    store.forget_said(between=[unit.node for unit in batch.units], by=self._origin)
                    for _, batch, _ in taken
                )
            # Documents are read anew during a long run: what was asked about may be said no longer.
            now = SectionStore(self._database).units_by_nodes([unit.node for unit in asked.values()])
            nodes = {
                end: unit.node
                for end, unit in asked.items()
                if unit.node in now and now[unit.node].content_hash == unit.content_hash
            }
            there = [edge for edge in kept if edge.source in nodes and edge.target in nodes]
            self.edges += store.assert_edges(
                SectionEdge(nodes[e.source], nodes[e.target], e.relation, e.weight, e.description, self._origin)
                for e in there
            )
            if forgotten:
                Linking(self._database).write_outdated()
        self.dropped += Counter({Dropped.OUTDATED: len(kept) - len(there)})


def share(kernel: Kernel, kept: Iterable[Kept]) -> None:
    """Write replies to where git carries them, one file each, which nobody ever changes: they merge by themselves."""
    directory, records = record_directory(kernel, RELATIONS), []
    for one in kept:
        edges, _ = checked(edges_in(one.reply), ids=one.ids)
        places = {name: place for place, name in enumerate(one.ids)}
        said = {"model": one.model, "prompt": PROMPT_VERSION, "at": one.at, "windowing": one.windowing}
        said["texts"] = [*one.texts]
        said["edges"] = [
            [places[e.source], places[e.target], e.relation.value, e.weight, without_secrets(e.description)]
            for e in edges
        ]
        records.append(said)
    write_records(directory, REPLY, records)
    note_records(kernel, directory)


def take_in_shared(kernel: Kernel) -> None:
    """Take in what git brought of relations: what people said, and what models replied. Nobody is asked.

    What the newest model said of a document is stated of it, by the pruning of the settings.
    """
    directory = record_directory(kernel, RELATIONS)
    if is_noted(kernel, directory):
        return
    replies = open_replies(kernel, prompt_version=PROMPT_VERSION)
    known = {(one.model, one.texts): one.at for one in kept_replies(replies, None)}
    shared: list[Kept] = []
    for said in read_records(directory, REPLY):
        if said["prompt"] != PROMPT_VERSION:
            continue
        ids = tuple(map(str, range(len(said["texts"]))))
        names = ("source", "target", "relation", "weight", "description")
        edges = [dict(zip(names, (str(e[0]), str(e[1]), *e[2:]), strict=True)) for e in said["edges"]]
        reply = json.dumps({"edges": edges})
        one = Kept(said["model"], said["windowing"], ids, tuple(said["texts"]), reply, said["at"])
        shared.append(one)
        if known.get((one.model, one.texts), "") < one.at:
            replies.keep([stored_form(one)], model=one.model, now=one.at)
    shared.sort(key=attrgetter("at"), reverse=True)
    pruning, several = pruning_of(kernel), list(_units_of(kernel, None))
    with kernel.database.transaction():
        settle_by_hand(kernel)
        for units in several:
            texts = {unit.content_hash for unit in units}
            own = [one for one in shared if one.windowing != _NEAR and len(texts.intersection(one.texts)) > 1]
            if own:
                size, overlap = map(int, own[0].windowing.split("-"))
                mine = [one for one in own if one.model == own[0].model]
                laid = recalled([units], mine, ExtractOptions(size=size, overlap=overlap))
                Harvest(kernel.database, laid, origin=own[0].model, pruning=pruning).take_all(laid)
        by_text = {unit.content_hash: unit for units in several for unit in units}
        for one in shared:
            if one.windowing == _NEAR and all(text in by_text for text in one.texts):
                near: Laid = [(Batch(_NEAR, tuple(by_text[text] for text in one.texts), one.ids), one.reply)]
                Harvest(kernel.database, [*near, *near], origin=one.model, pruning=pruning, across=()).take_all(near)
        note_records(kernel, directory)


def stored_form(one: Kept) -> tuple[str, str]:
    """Return the key and the text by which a reply is kept."""
    said = {"windowing": one.windowing, "ids": one.ids, "texts": one.texts, "reply": one.reply}
    # JSON may hold half a character, SQLite may not.
    return f"{_SECTIONS}{key_of_texts(one.texts)}", json.dumps(said).encode("utf-8", "replace").decode()


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
