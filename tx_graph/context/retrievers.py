"""Retrievers that other packages bring: they find direct matches in the place of words and vectors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.core.errors import ModelError, NotFound, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import BUILT_IN_RETRIEVERS, OWN_RETRIEVER, RETRIEVER_GROUP, Corpus, Hit, OpenRetriever
from tx_graph.graph.fuse import reciprocal_rank_fusion
from tx_graph.graph.search import Matcher, Matches, Question
from tx_graph.records.learning_store import LearningStore

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class InstalledRetriever(NamedTuple):
    """A retriever that can be chosen: where it comes from, and why it cannot be loaded, if so."""

    name: str
    origin: str
    problem: str = ""


def installed() -> list[InstalledRetriever]:
    """Return all that can be chosen, the built-in ones first; each plug-in is loaded to see whether it can be."""
    found = [InstalledRetriever(name, "built in") for name in BUILT_IN_RETRIEVERS]
    for name, point in _plug_ins().items():
        problem = ""
        try:
            point.load()
        except Exception as error:  # noqa: BLE001 - a plug-in may raise anything, and the doctor is to tell it
            problem = failed(name, error).message
        found.append(InstalledRetriever(name, point.dist.name if point.dist else point.value, problem))
    return found


def plugged(kernel: Kernel, name: str) -> Matcher:
    """Return what finds direct matches as the plug-in of this name says; what means nothing is dropped, and counted."""
    if name == OWN_RETRIEVER and kernel.retriever:
        return _opened_by(kernel, kernel.retriever, name)
    point = _plug_ins().get(name)
    if point is None:
        raise NotFound(
            f"There is no retriever '{name}'.",
            hint=f"A package offers one by an entry point of the group {RETRIEVER_GROUP}.",
            candidates=[*BUILT_IN_RETRIEVERS, *_plug_ins()],
        )
    try:
        opener = point.load()
    except Exception as error:  # whatever its modules raise, its user is to read it as one sentence
        raise failed(name, error) from error
    return _opened_by(kernel, opener, name)


def _opened_by(kernel: Kernel, opener: OpenRetriever, name: str) -> Matcher:
    options = _read(kernel.config.texts("search.retriever_options"))

    def matches(question: Question, *, count: int, allowed: Collection[int] | None = None) -> Matches:
        texts = dict(LearningStore(kernel.database).texts())
        numbers = {text.uid: number for number, text in texts.items()}
        shown = LearningStore(kernel.database).numbers() if allowed is None else allowed
        uids = frozenset(texts[number].uid for number in shown if number in texts)
        try:
            retriever = opener(Corpus(texts=list(texts.values()), options=options))
            hits: list[object] = list(retriever.retrieve(question.text, limit=count, allowed=uids))
        except Exception as error:  # as above
            raise failed(name, error) from error
        dropped: Counter[str] = Counter()
        scores = sound_hits(hits, known=numbers, allowed=uids, dropped=dropped)
        best = sorted(((numbers[uid], score) for uid, score in scores.items()), key=lambda one: (-one[1], one[0]))
        kept = dict(best[:count])
        return Matches(
            scores={"retriever": kept},
            fused=reciprocal_rank_fusion({name: list(kept)}),
            relevance=kept,
            dropped=dict(dropped),
            is_cut=len(scores) >= count,
        )

    return matches


def _plug_ins() -> Mapping[str, EntryPoint]:
    from importlib.metadata import entry_points

    found = sorted(entry_points(group=RETRIEVER_GROUP), key=lambda point: (point.name, point.value))
    return {point.name: point for point in reversed(found) if point.name not in BUILT_IN_RETRIEVERS}


def _read(options: Sequence[str]) -> dict[str, str]:
    """Return `NAME=VALUE` texts as a mapping."""
    pairs = [option.partition("=") for option in options]
    if odd := [name for name, equals, _ in pairs if not equals or not name.strip()]:
        raise UsageError(
            f"'{odd[0]}' in search.retriever_options is not of the form NAME=VALUE.", hint="See 'tx config'."
        )
    return {name.strip(): value.strip() for name, _, value in pairs}


_LONGEST_REASON = 200


def failed(name: str, error: Exception) -> ModelError:
    """Return the error that says how a plug-in failed."""
    lines = str(error).splitlines()
    what = f"{type(error).__name__}: {lines[0][:_LONGEST_REASON]}" if lines else type(error).__name__
    return ModelError(f"The retriever '{name}' failed: {what}", hint="'--retriever hybrid' does without it.")


NO_HIT = "no pair of a uid and a score"
NO_LEARNING = "no learning here has that uid"
NOT_ALLOWED = "withheld, or not what the filters ask for"
NO_SCORE = "a score that is no number from 0 to 1"
TWICE = "the same learning again"


def sound_hits(
    hits: Iterable[object], *, known: Collection[str], allowed: Collection[str], dropped: Counter[str]
) -> dict[str, float]:
    """Return the score of each learning that is hit; why others were left out is counted in `dropped`."""
    scores: dict[str, float] = {}
    for hit in hits:
        uid, score = tuple(hit) if isinstance(hit, tuple | list) and len(hit) == len(Hit._fields) else (None, None)
        if not isinstance(uid, str) or isinstance(score, bool) or not isinstance(score, Real):
            dropped[NO_HIT] += 1
        elif uid not in known:
            dropped[NO_LEARNING] += 1
        elif uid not in allowed:
            dropped[NOT_ALLOWED] += 1
        elif not 0 <= float(score) <= 1:  # nor is NaN
            dropped[NO_SCORE] += 1
        elif uid in scores:
            dropped[TWICE] += 1
        else:
            scores[uid] = float(score)
    return scores
