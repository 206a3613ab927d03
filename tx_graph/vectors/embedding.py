"""Use cases about vectors: embed what lacks one, and say how many there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import AbstractContextManager, closing, nullcontext
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple, cast

from tx_graph.core.content_cache import ContentCache
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import ModelError, StorageError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Embedder, Progress, Stages, Vector, no_progress
from tx_graph.core.shape import Answer
from tx_graph.vectors.store import (
    CARDS,
    CHUNKS,
    ENTITIES,
    FACTS,
    LEARNINGS,
    VectorStatus,
    VectorStore,
    VectorTable,
    content_hash,
)

NO_EMBEDDER = "none"  # the name that turns vectors off
Sort = Literal["learnings", "chunks", "entities", "facts", "cards"]
"""What has vectors: learnings, chunks of documents, entities, facts, or the cards of files."""
SORTS: Mapping[Sort, tuple[VectorTable, str]] = {
    "learnings": (LEARNINGS, "learnings"),
    "chunks": (CHUNKS, "pieces of documents"),
    "entities": (ENTITIES, "entities"),
    "facts": (FACTS, "facts"),
    "cards": (CARDS, "files"),
}
"""Where each sort is, and what it is called."""
UNITS: Mapping[Sort, str] = {"cards": "files"}
"""What progress counts, where that is not called as the sort is."""
_BATCH = 256  # texts per transaction: an interrupted run keeps what it has done
_FLOAT = 4  # bytes of a number in a vector
_MOST_BYTES = 200_000_000  # of vectors that are kept for other clones: 130,000 of the default model
SYNCED = 5_000  # things of a sort that 'tx sync' embeds at once, a minute or two of pieces; '--all' embeds any number
_FEW = 16  # texts that the engine of highest throughput does not embed faster, counting its start


@dataclass(frozen=True, slots=True, kw_only=True)
class CaughtUp:
    """How many things of one sort got the vector they lacked, and why the rest did not, if that failed."""

    embedded: int = 0
    problem: str = ""

    JSON: ClassVar = "embedded embedding_problem?=problem"


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingStatus(Answer):
    """The model in force, whether it can be opened, what is stored of learnings, and how many have no vector of it."""

    JSON: ClassVar = "model installed lacking lacking_entities stored"

    model: str
    installed: bool
    lacking: int
    stored: tuple[VectorStatus, ...]
    lacking_entities: int = 0


def bringing(lacking: int) -> str:
    """Return the command that brings so many vectors."""
    return "tx sync" if lacking <= SYNCED else "tx sync --all"


class Asked(NamedTuple):
    """A question as a vector, with those that may be near it."""

    vector: bytes
    model: str
    dimension: int
    vectors: VectorStore

    def nearest(self, allowed: Collection[int] | None, limit: int) -> list[tuple[int, float]]:
        """Return (number, cosine similarity in [-1, 1]) of the nearest that are allowed (None: all are), best first."""
        vector, model, dimension, vectors = self
        return vectors.nearest(vector, model=model, dimension=dimension, allowed=allowed, limit=limit)


class Embedding:
    """Gives learnings, chunks of documents and entities their vectors."""

    def __init__(self, kernel: Kernel) -> None:
        self._database = kernel.database
        self._vectors = {sort: VectorStore(kernel.database, table) for sort, (table, _) in SORTS.items()}
        self._given = kernel.embedder
        self._clock = kernel.clock
        self.name = self._given.model if self._given else str(kernel.config.get("embedder"))
        self._last: tuple[str, Vector] | None = None

    def forget(self) -> None:
        """Keep the model: it does not change while a workspace is open."""

    @property
    def available(self) -> bool:
        """Whether there is a model to embed with."""
        return self.name != NO_EMBEDDER and self._is_installed()

    @property
    def is_missed(self) -> bool:
        """Whether a model is wanted that is not installed."""
        return self.name != NO_EMBEDDER and not self._is_installed()

    def _is_installed(self) -> bool:
        from tx_graph.vectors.models import is_installed

        return self._given is not None or is_installed(self.name)

    def _open_embedder(self, *, bulk: bool) -> Embedder:
        from tx_graph.vectors.models import open_embedder

        return self._given or open_embedder(self.name, bulk=bulk)

    @cached_property
    def quick(self) -> Embedder:
        """The engine that starts fastest: for a question, or one learning."""
        return self._open_embedder(bulk=False)

    def asked(self, text: str, sort: Sort = "learnings") -> Asked | None:
        """Return a question as a vector, None where none could be near it."""
        vectors = self._vectors[sort]
        vector = self.question(text) if self.available and vectors.any_of(self.name) else None
        return Asked(vector, self.name, self.quick.dimension, vectors) if vector else None

    def question(self, text: str) -> Vector | None:
        """Return the vector of a question, None where there is no model or it says nothing; the last is at hand."""
        if not self.available:
            return None
        if self._last is None or self._last[0] != text:
            # A terminal passes bytes that are not UTF-8 on as lone surrogates, which no tokenizer takes.
            self._last = (text, self.quick.embed([text.encode("utf-8", "replace").decode()])[0])
        return self._last[1] if any(self._last[1]) else None

    def lacking(self, sort: Sort = "learnings") -> int:
        """Return how many of these things have no vector of the model in force."""
        return self._vectors[sort].lacking_count(self.name)

    def embed_new(self, number: int, content: str) -> bool:
        """Give one learning its vector if there is a model; return whether it has one now."""
        if not self.available:
            return False
        vector = self.quick.embed([content])[0]
        with self._database.transaction():
            rows = [(number, content, vector)]
            self._vectors["learnings"].save(rows, model=self.name, dimension=self.quick.dimension)
        return True

    def embed_some(self, sort: Sort, numbers: Collection[int]) -> int:
        """Give those of these things that lack one their vectors, if there is a model; return how many got one."""
        store = self._vectors[sort]
        pending = store.lacking(self.name, among=numbers) if numbers and self.available else []
        if pending:
            self._embed_batch(store, self.quick, pending)
        return len(pending)

    def embed_lacking(
        self,
        sort: Sort = "learnings",
        *,
        again: bool = False,
        most: int | None = None,
        progress: Progress = no_progress,
    ) -> int:
        """Embed all of these things that have no vector of the model in force, or all `again`; return how many.

        Where more than `most` have none in the cache either, only those that are there get theirs.
        """
        from tx_graph.vectors.models import require_installed

        if self.name == NO_EMBEDDER:
            off = "Embedding is turned off: the setting 'embedder' is none."
            raise UsageError(off, hint="tx config set embedder …")
        if self._given is None:
            require_installed(self.name)
        store = self._vectors[sort]
        pending = store.all_contents() if again else store.lacking(self.name)
        if not pending:
            return 0
        with self._opened_cache() as cache:
            known = cache.get({content_hash(text) for _, text in pending}) if cache and not again else {}
            found = [one for one in pending if content_hash(one[1]) in known]
            lacking = [one for one in pending if content_hash(one[1]) not in known]
            for start in range(0, len(found), _BATCH):
                rows = [(number, text, known[content_hash(text)]) for number, text in found[start : start + _BATCH]]
                with self._database.transaction():
                    store.save(rows, model=self.name, dimension=len(rows[0][2]) // _FLOAT)
                progress(start + len(rows), len(pending))
            if cache and found:
                cache.keep((), used=known)
            if most is not None and len(lacking) > most:
                return len(found)
            embedder = self._open_embedder(bulk=True) if len(lacking) > _FEW else self.quick if lacking else None
            for start in range(0, len(lacking) if embedder else 0, _BATCH):
                batch = lacking[start : start + _BATCH]
                made = self._embed_batch(store, cast(Embedder, embedder), batch)
                if cache:
                    cache.keep((content_hash(text), vector) for (_, text), vector in zip(batch, made, strict=True))
                progress(len(found) + start + len(batch), len(pending))
        return len(pending)

    def _opened_cache(self) -> AbstractContextManager[ContentCache | None]:
        """Open the cache of vectors that clones share; there is none for an embedder of somebody's own."""
        from tx_graph.vectors.models import vector_cache

        path = None if self._given else vector_cache()
        if path is None:
            return nullcontext()
        today = self._clock.now().date()
        return closing(ContentCache(path, made_by=self.name, today=today, most_bytes=_MOST_BYTES))

    def catch_up(
        self, sort: Sort = "learnings", *, most: int | None = None, progress: Progress = no_progress
    ) -> CaughtUp:
        """Embed what lacks a vector, as after a clone, where there is a model; a failure is told, not raised.

        Where more than `most` have to be embedded, none is, and the problem says so.
        """
        if not self.available:
            return CaughtUp()
        before, (_, called) = self.lacking(sort), SORTS[sort]
        try:
            embedded = self.embed_lacking(sort, most=most, progress=progress) if before else 0
            left = before - embedded
            problem = f"{left:,} {called} have no vector yet: run '{bringing(left)}'." if left else ""
            return CaughtUp(embedded=embedded, problem=problem)
        except (ModelError, StorageError, UsageError) as error:
            problem = f"Not all {called} have a vector: {error.message} {error.hint}".rstrip()
            return CaughtUp(embedded=before - self.lacking(sort), problem=problem)

    def catch_up_each(
        self, *sorts: Sort, stages: Stages, limits: Mapping[Sort, int | None] | None = None
    ) -> dict[str, CaughtUp]:
        """Catch up with one sort after the other, each a stage; return by their names what came of it."""
        found: dict[str, CaughtUp] = {}
        for sort in sorts:
            with stages("Embedding", unit=UNITS.get(sort, sort)) as progress:
                found[sort] = self.catch_up(sort, most=limits.get(sort) if limits else None, progress=progress)
        return found

    def _embed_batch(self, vectors: VectorStore, embedder: Embedder, batch: list[tuple[int, str]]) -> list[Vector]:
        made = embedder.embed([text for _, text in batch])
        rows = [(number, text, vector) for (number, text), vector in zip(batch, made, strict=True)]
        with self._database.transaction():
            vectors.save(rows, model=self.name, dimension=embedder.dimension)
        return made

    def status(self) -> EmbeddingStatus:
        """Return what is stored, and how many learnings lack a vector."""
        return EmbeddingStatus(
            model=self.name,
            installed=self.available,
            lacking=self.lacking(),
            stored=tuple(self._vectors["learnings"].status()),
            lacking_entities=self.lacking("entities"),
        )
