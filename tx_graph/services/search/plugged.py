"""Direct matches that a plug-in finds: asked, looked through, and taken as far as they mean something."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from numbers import Real

from tx_graph.errors import ModelError
from tx_graph.ports import Corpus, CorpusText, Hit, OpenRetriever, Retriever
from tx_graph.retrieval.fusion import reciprocal_rank_fusion
from tx_graph.services.search.matching import Matches
from tx_graph.services.search.question import Question
from tx_graph.storage.corpus import CorpusStore
from tx_graph.storage.selection import Selection, SelectionStore

NO_HIT = "no pair of a uid and a score"
NO_LEARNING = "no learning here has that uid"
NOT_ALLOWED = "withheld, or not what the filters ask for"
NO_SCORE = "a score that is no number from 0 to 1"
TWICE = "the same learning again"
_LONGEST_REASON = 200


class Plugged:
    """Ranks learnings as a plug-in says."""

    def __init__(
        self,
        name: str,
        open_retriever: OpenRetriever,
        *,
        corpus: CorpusStore,
        selection: SelectionStore,
        options: Mapping[str, str],
    ) -> None:
        self._name = name
        self._open = open_retriever
        self._corpus = corpus
        self._selection = selection
        self._options = options

    def matches(self, question: Question, allowed: Collection[int] | None, *, count: int) -> Matches:
        """Return what the plug-in finds, of those that are allowed; what means nothing is dropped, and counted.

        Raises:
            ModelError: The plug-in raises, or gives no hits at all but something else.
        """
        texts = dict(self._corpus.texts())
        numbers = {text.uid: number for number, text in texts.items()}
        shown = self._selection.numbers(Selection()) if allowed is None else allowed
        uids = frozenset(texts[number].uid for number in shown if number in texts)
        dropped: Counter[str] = Counter()
        hits = self._hits(list(texts.values()), question.text, count, uids)
        scores = sound_hits(hits, known=numbers, allowed=uids, dropped=dropped)
        best = sorted(((numbers[uid], score) for uid, score in scores.items()), key=lambda one: (-one[1], one[0]))
        kept = dict(best[:count])
        return Matches(
            retrieved=kept,
            fused=reciprocal_rank_fusion({self._name: list(kept)}),
            relevance=kept,
            dropped=dict(dropped),
            is_cut=len(scores) >= count,
        )

    def _hits(self, texts: list[CorpusText], text: str, limit: int, allowed: frozenset[str]) -> list[object]:
        try:
            retriever: Retriever = self._open(Corpus(texts=texts, options=self._options))
            found: Iterable[Hit] = retriever.retrieve(text, limit=limit, allowed=allowed)
            return list(found)
        except Exception as error:  # whatever a plug-in raises, its user is to read it as one sentence
            raise failed(self._name, error) from error


def failed(name: str, error: Exception) -> ModelError:
    """Return the error that says how a plug-in failed."""
    lines = str(error).splitlines()
    what = f"{type(error).__name__}: {lines[0][:_LONGEST_REASON]}" if lines else type(error).__name__
    return ModelError(f"The retriever '{name}' failed: {what}", hint="'--retriever hybrid' does without it.")


def sound_hits(
    hits: Iterable[object], *, known: Collection[str], allowed: Collection[str], dropped: Counter[str]
) -> dict[str, float]:
    """Return the score of each learning that is hit; why others were left out is counted in `dropped`."""
    scores: dict[str, float] = {}
    for hit in hits:
        uid, score = _parts(hit)
        if problem := _problem(uid, score, scores, known, allowed):
            dropped[problem] += 1
        else:
            scores[str(uid)] = float(score)  # type: ignore[arg-type]
    return scores


def _parts(hit: object) -> tuple[object, object]:
    return tuple(hit) if isinstance(hit, tuple | list) and len(hit) == len(Hit._fields) else (None, None)


def _problem(
    uid: object, score: object, scores: Mapping[str, float], known: Collection[str], allowed: Collection[str]
) -> str:
    """Return what is wrong with a hit; nothing when it is sound."""
    if not isinstance(uid, str) or isinstance(score, bool) or not isinstance(score, Real):
        return NO_HIT
    value = float(score)
    if uid not in known:
        return NO_LEARNING
    if uid not in allowed:
        return NOT_ALLOWED
    if not math.isfinite(value) or not 0 <= value <= 1:
        return NO_SCORE
    return TWICE if uid in scores else ""
