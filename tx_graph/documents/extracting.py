"""Relations between sections that a model, an agent or vectors find."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.errors import ModelError, UsageError
from tx_graph.core.ports import Model, Progress, no_progress
from tx_graph.core.stores import Stores
from tx_graph.core.text import by_bytes
from tx_graph.documents.asking import (
    AGENT,
    VECTORS,
    Answering,
    Applied,
    CrossLinked,
    CrossLinkOptions,
    Extracted,
    ExtractOptions,
    Failure,
    OnFailure,
    Plan,
    Reply,
    Scope,
    Windowed,
    by_ids,
    no_report,
    passage_of,
)
from tx_graph.documents.chunk_store import SectionMatrix
from tx_graph.documents.document import ExtractedEdge, Unit
from tx_graph.documents.links import Linking
from tx_graph.documents.relations import (
    SYSTEM,
    Batch,
    BatchName,
    Pruning,
    UnreadableReply,
    edges_in,
    key_of,
    name_from,
    packed,
    prompt_for,
)
from tx_graph.graph.edges import NodeId, Relation

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


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


_BLOCK = 256
"""Sections compared at a time: their pieces against 10,000 others are some 20 MB of cosines."""
_ROUNDING = 1e-6
"""What float32 may be off: a threshold of 1 means the same vector."""


class Pair(NamedTuple):
    """Two sections of different documents, the smaller node first, and their cosine similarity, in (0, 1]."""

    source: NodeId
    target: NodeId
    cosine: float


def near_pairs(
    matrices: Sequence[SectionMatrix], *, threshold: float, most: int, among: Collection[NodeId] | None
) -> list[Pair]:
    """Return for each section its nearest ones in other documents, each pair once, in the order of the sections.

    Two sections are as near as their nearest pieces. `among` are the documents whose sections to start from, None
    for all; the other end may be anywhere. Of one section the nearest pair comes first.
    """
    found: dict[tuple[NodeId, NodeId], Pair] = {}
    for matrix in matrices:
        for one, other, cosine in _nearest(matrix, threshold, most, among):
            source, target = sorted((one, other))
            found.setdefault((source, target), Pair(source, target, min(1.0, cosine)))
    return list(found.values())


def _nearest(
    matrix: SectionMatrix, threshold: float, most: int, among: Collection[NodeId] | None
) -> Iterator[tuple[NodeId, NodeId, float]]:
    starts, nodes, documents = _sections(matrix)
    for first in range(0, len(nodes), _BLOCK):
        last = min(first + _BLOCK, len(nodes))
        cosines = _cosines(matrix.vectors, starts, first, last)
        cosines[documents[first:last, None] == documents[None, :]] = -1.0
        for row, place in _best(cosines, threshold=threshold - _ROUNDING, most=most):
            if among is None or int(documents[first + row]) in among:
                yield int(nodes[first + row]), int(nodes[place]), float(cosines[row, place])


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


def _sections(matrix: SectionMatrix) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return where each section's rows begin, its node, and its document."""
    import numpy as np

    starts, at = [], 0
    for _, rows in groupby(matrix.sections):
        starts.append(at)
        at += sum(1 for _ in rows)
    places = np.asarray(starts, dtype=np.int64)
    return places, np.asarray(matrix.sections, dtype=np.int64)[places], np.asarray(matrix.documents)[places]


def _cosines(
    vectors: npt.NDArray[np.float32], starts: npt.NDArray[np.int64], first: int, last: int
) -> npt.NDArray[np.float32]:
    """Return how near each of some sections is to each of all: the best of their pieces."""
    import numpy as np

    end = starts[last] if last < len(starts) else len(vectors)
    pieces = vectors[starts[first] : end] @ vectors.T
    by_section = np.maximum.reduceat(pieces, starts, axis=1)
    return np.maximum.reduceat(by_section, starts[first:last] - starts[first], axis=0)


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


_WINDOWING = "near"
"""How the batches of pairs are called."""


class CrossLinking:
    """Compares every section with those of other documents by their vectors."""

    def __init__(
        self, *, stores: Stores, scope: Scope, answering: Answering, open_model: OpenModel, embedder: str
    ) -> None:
        self._stores = stores
        self._scope = scope
        self._answering = answering
        self._open_model = open_model
        self._embedder = embedder

    def run(
        self,
        options: CrossLinkOptions,
        *,
        model: str | None = None,
        on_failure: OnFailure = no_report,
        progress: Progress = no_progress,
    ) -> CrossLinked:
        """Have a model say how near sections are related, and store that.

        Raises:
            ModelError: The model cannot be asked or answered nothing, or there are no vectors.
            NotFound: There is no such document.
        """
        asked = self._open_model(model, options.asking.workers)
        pairs, sections = self._near(options)
        extracted = self._answering.run(
            self._batches(pairs, size=options.size),
            asked,
            asking=options.asking,
            pruning=Pruning(),
            on_failure=on_failure,
            progress=progress,
        )
        return CrossLinked(sections=sections, pairs=len(pairs), extracted=extracted)

    def run_without_model(self, options: CrossLinkOptions) -> CrossLinked:
        """Store that near sections are similar, by how near they are.

        Of all documents this takes the place of what vectors said before; of some it is added to that.

        Raises:
            ModelError: There are no vectors.
            NotFound: There is no such document.
        """
        pairs, sections = self._near(options)
        with self._stores.database.transaction():
            if not options.documents:
                self._stores.section_edges.retract(VECTORS)
                Linking(self._stores).write_outdated()
            self._stores.section_edges.assert_edges(map(_similar, pairs))
        extracted = Extracted(model=VECTORS, documents=self._count_documents(pairs), batches=0, edges=len(pairs))
        return CrossLinked(sections=sections, pairs=len(pairs), extracted=extracted)

    def _near(self, options: CrossLinkOptions) -> tuple[list[Pair], int]:
        """Return the pairs, and how many sections have vectors."""
        documents = self._documents(options)
        if not self._stores.chunk_vectors.any_of(self._embedder):
            raise ModelError(
                f"No section has a vector of {self._embedder}, by which near ones are found.",
                hint="Run 'tx model install', then 'tx doc:ingest'.",
            )
        matrices = self._stores.section_vectors.matrices(model=self._embedder)
        pairs = near_pairs(matrices, threshold=options.threshold, most=options.most_pairs, among=documents)
        return pairs, len({section for matrix in matrices for section in matrix.sections})

    def _documents(self, options: CrossLinkOptions) -> list[NodeId] | None:
        """Return the documents that the options name, None for all."""
        paths = self._scope.paths(options.documents)
        nodes = self._stores.documents.nodes()
        return None if paths is None else [nodes[path] for path in paths]

    def _batches(self, pairs: Sequence[Pair], *, size: int) -> Windowed:
        units = self._units(pairs)
        together = packed(((pair.source, pair.target) for pair in pairs), size=size)
        batches = [
            Batch(
                document=units[nodes[0]].document,
                windowing=_WINDOWING,
                passages=tuple(passage_of(units[node]) for node in nodes),
            )
            for nodes in together
        ]
        return Windowed(batches=batches, units=by_ids(units.values()))

    def _units(self, pairs: Sequence[Pair]) -> Mapping[NodeId, Unit]:
        return self._stores.sections.units_by_nodes({end for pair in pairs for end in (pair.source, pair.target)})

    def _count_documents(self, pairs: Sequence[Pair]) -> int:
        return len({unit.document for unit in self._units(pairs).values()})


def _similar(pair: Pair) -> ExtractedEdge:
    return ExtractedEdge(
        source=pair.source, target=pair.target, relation=Relation.SIMILAR_TO, weight=pair.cosine, origin=VECTORS
    )
