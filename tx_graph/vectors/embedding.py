"""Use cases about vectors: embed what lacks one, and say how many there are."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import ModelError, StorageError, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Embedder, Progress, Vector, no_progress
from tx_graph.graph.edges import NodeId
from tx_graph.vectors.store import CARDS, CHUNKS, ENTITIES, LEARNINGS, VectorStatus, VectorStore, VectorTable

NO_EMBEDDER = "none"  # the name that turns vectors off
Sort = Literal["learnings", "chunks", "entities", "cards"]
"""What has vectors: learnings, chunks of documents, entities, or the cards of files."""
_SORTS: Mapping[Sort, tuple[VectorTable, str, str]] = {
    "learnings": (LEARNINGS, "learnings", "tx learning:embed"),
    "chunks": (CHUNKS, "pieces of documents", "tx doc:ingest"),
    "entities": (ENTITIES, "entities", "tx learning:embed"),
    "cards": (CARDS, "files", "tx learning:embed"),
}
"""Where each sort is, what it is called, and what embeds it."""
_BATCH = 256  # texts per transaction: an interrupted run keeps what it has done
_FEW = 16  # texts that the engine of highest throughput does not embed faster, counting its start


@dataclass(frozen=True, slots=True, kw_only=True)
class CaughtUp:
    """How many things of one sort got the vector they lacked, and why the rest did not, if that failed."""

    embedded: int = 0
    problem: str = ""

    def as_json(self) -> dict[str, object]:
        """Return how many got one, and the problem if there is any."""
        return {"embedded": self.embedded} | ({"embedding_problem": self.problem} if self.problem else {})


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingStatus:
    """The model in force, whether it can be opened, what is stored of learnings, and how many have no vector of it."""

    JSON: ClassVar = "model installed lacking lacking_entities stored"

    model: str
    installed: bool
    lacking: int
    stored: tuple[VectorStatus, ...]
    lacking_entities: int = 0


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
        self._vectors = {sort: VectorStore(kernel.database, table) for sort, (table, _, _) in _SORTS.items()}
        self._given = kernel.embedder
        self.name = self._given.model if self._given else str(kernel.config.get("embedder"))
        self._last: tuple[str, Vector] | None = None

    def forget(self) -> None:
        """Keep the model: it does not change while a workspace is open."""

    @property
    def available(self) -> bool:
        """Whether there is a model to embed with."""
        return self.name != NO_EMBEDDER and self._is_installed()

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
        """Return a question as a vector, None where none could be near it; that of the last one is at hand."""
        vectors = self._vectors[sort]
        if not self.available or not vectors.any_of(self.name):
            return None
        if self._last is None or self._last[0] != text:
            # A terminal passes bytes that are not UTF-8 on as lone surrogates, which no tokenizer takes.
            self._last = (text, self.quick.embed([text.encode("utf-8", "replace").decode()])[0])
        vector = self._last[1]
        return Asked(vector, self.name, self.quick.dimension, vectors) if any(vector) else None

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

    def embed_entities(self, nodes: Collection[NodeId]) -> int:
        """Give those of these entities that lack one their vectors, if there is a model; return how many got one."""
        store = self._vectors["entities"]
        pending = store.lacking(self.name, among=nodes) if nodes and self.available else []
        if pending:
            self._embed_batch(store, self.quick, pending)
        return len(pending)

    def embed_lacking(self, sort: Sort = "learnings", *, again: bool = False, progress: Progress = no_progress) -> int:
        """Embed all of these things that have no vector of the model in force, or all `again`; return how many."""
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
        embedder = self._open_embedder(bulk=True) if len(pending) > _FEW else self.quick
        for start in range(0, len(pending), _BATCH):
            self._embed_batch(store, embedder, pending[start : start + _BATCH])
            progress(min(start + _BATCH, len(pending)), len(pending))
        return len(pending)

    def catch_up(
        self, sort: Sort = "learnings", *, most: int | None = None, progress: Progress = no_progress
    ) -> CaughtUp:
        """Embed what lacks a vector, as after a clone, where there is a model; a failure is told, not raised.

        Where more than `most` lack one, none is embedded, and the problem says so.
        """
        if not self.available:
            return CaughtUp()
        before, (_, called, command) = self.lacking(sort), _SORTS[sort]
        if most is not None and before > most:
            return CaughtUp(problem=f"{before:,} {called} have no vector yet: run '{command}' to embed them.")
        try:
            return CaughtUp(embedded=self.embed_lacking(sort, progress=progress) if before else 0)
        except (ModelError, StorageError, UsageError) as error:
            problem = f"Not all {called} have a vector: {error.message} {error.hint}".rstrip()
            return CaughtUp(embedded=before - self.lacking(sort), problem=problem)

    def _embed_batch(self, vectors: VectorStore, embedder: Embedder, batch: list[tuple[int, str]]) -> None:
        made = embedder.embed([text for _, text in batch])
        rows = [(number, text, vector) for (number, text), vector in zip(batch, made, strict=True)]
        with self._database.transaction():
            vectors.save(rows, model=self.name, dimension=embedder.dimension)

    def status(self) -> EmbeddingStatus:
        """Return what is stored, and how many learnings lack a vector."""
        return EmbeddingStatus(
            model=self.name,
            installed=self.available,
            lacking=self.lacking(),
            stored=tuple(self._vectors["learnings"].status()),
            lacking_entities=self.lacking("entities"),
        )
