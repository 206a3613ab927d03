"""Protocols for what has two real answers: an embedder, a language model, a clock and a retriever."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from typing import NamedTuple, Protocol

Vector = bytes
"""An L2-normalised embedding: `4 × dimension` bytes of little-endian float32."""

Progress = Callable[[int, int | None], None]
"""Called with the units done so far and the total, or None while the total is unknown."""


def no_progress(done: int, total: int | None) -> None:
    """Report nothing."""


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their cosine similarity."""

    @property
    def model(self) -> str:
        """The model's name; vectors of different models are never compared."""

    @property
    def dimension(self) -> int:
        """Components per vector."""

    def embed(self, texts: Sequence[str], *, progress: Progress = no_progress) -> list[Vector]:
        """Return one vector per text, in order.

        Raises:
            ModelError: The model cannot be loaded.
        """


class Model(Protocol):
    """Answers questions in natural language."""

    @property
    def name(self) -> str:
        """What the model is called; an answer is taken for that of another time only if it has the same."""

    async def ask(self, question: str, *, system: str, within: float) -> str:
        """Return the answer to one question, `system` being what holds for all of them, in at most `within` seconds.

        Many may be asked at a time. Cancelled, it drops the connection.

        Raises:
            ModelError: There is no answer; asked again, there may be.
            QuestionRefused: This question will not be answered.
            ModelUnusable: None will.
        """


class Clock(Protocol):
    """Says what time it is."""

    def now(self) -> datetime:
        """The current time, in UTC."""


class CorpusText(NamedTuple):
    """One learning as a retriever sees it; `uid` is the same in every clone, `places` are its anchors as written."""

    uid: str
    content: str
    category: str | None = None
    keywords: tuple[str, ...] = ()
    places: tuple[str, ...] = ()
    status: str = "active"


class Corpus(NamedTuple):
    """What a retriever is opened with: every learning but removed ones, by uid, and the options of its user.

    `options` are those of the setting `search.retriever_options`, such as the address of a server.
    """

    texts: Sequence[CorpusText]
    options: Mapping[str, str]


class Hit(NamedTuple):
    """A learning that answers a question, by its uid, and how well it does, in [0, 1]."""

    uid: str
    score: float


class Retriever(Protocol):
    """Finds learnings that answer a question; whatever is tied to them, tx finds by itself."""

    def retrieve(self, text: str, *, limit: int, allowed: AbstractSet[str]) -> Iterable[Hit]:
        """Return at most `limit` hits, in any order, among the uids in `allowed`: filters are applied already."""


OpenRetriever = Callable[[Corpus], Retriever]
"""What an entry point of the group names, and what a program gives to `open_workspace`: a class is one."""

RETRIEVER_GROUP = "tx_graph.retrievers"
"""The group of entry points in which packages offer retrievers."""

BUILT_IN_RETRIEVERS = ("hybrid", "bm25")
"""Those that nobody has to install: words and meaning, and words alone."""


OWN_RETRIEVER = "own"
"""What the retriever is called that a program brought along when it opened the workspace."""


class Stages(Protocol):
    """Watches work that has several stages."""

    def __call__(self, what: str, *, unit: str) -> AbstractContextManager[Progress]:
        """Return what reports the progress of one stage, for as long as that takes."""


def alike(progress: Progress) -> Stages:
    """Return stages that all report to the same place."""

    def stage(what: str, *, unit: str) -> AbstractContextManager[Progress]:
        del what, unit
        return nullcontext(progress)

    return stage
