"""The gate: direct matches of a question, and whether a learning that was found is likely to help."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from math import exp
from typing import NamedTuple

from tx_graph.core.database import Database
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import BUILT_IN_RETRIEVERS, OWN_RETRIEVER
from tx_graph.graph.edges import NodeId
from tx_graph.graph.expand import Reached
from tx_graph.graph.search import Matcher, Matches, Question, matched, read_question
from tx_graph.graph.word_store import TextSearch
from tx_graph.records.anchor_store import AnchorStore
from tx_graph.records.learning_store import Brief, LearningStore, learnings

CANDIDATES = 50
"""Learnings each ranking contributes to the fusion; more where more results are asked for."""


def standard_retriever(kernel: Kernel) -> str:
    """Return who finds direct matches where nobody else is named: hybrid, where the one in the settings is not here."""
    if kernel.retriever:
        return OWN_RETRIEVER
    return BUILT_IN_RETRIEVERS[0] if kernel.lacking_retriever else str(kernel.config.get("search.retriever"))


def matcher(kernel: Kernel, name: str | None = None) -> Matcher:
    """Return the retriever called `name`, the standard one for None; plug-ins are only looked for by other names."""
    name = standard_retriever(kernel) if name is None else name
    if name not in BUILT_IN_RETRIEVERS:
        from tx_graph.context.retrievers import plugged

        return plugged(kernel, name)
    source, (hybrid, _) = learnings(kernel), BUILT_IN_RETRIEVERS
    return partial(matched, source if name == hybrid else source._replace(indexes={"bm25": source.indexes["bm25"]}))


class Direct(NamedTuple):
    """A question, and the learnings that match it by themselves."""

    question: Question
    matches: Matches


def direct_matches(
    kernel: Kernel,
    text: str,
    *,
    retriever: str | None = None,
    count: int = CANDIDATES,
    allowed: Collection[int] | None = None,
) -> Direct:
    """Return what a text asks for and what matches it, about `count` of each index; nothing where nothing is asked."""
    question = read_question(text, TextSearch(kernel.database))
    if not text.strip():
        return Direct(question, Matches())
    return Direct(question, matcher(kernel, retriever)(question, count=count, allowed=allowed))


_FITTED = {
    (True, True): (6.8, 5.9, 4.4, -7.6),
    (True, False): (8.3, 7.6, 0.0, -6.3),
    (False, True): (0.0, 8.9, 4.9, -6.9),
    (False, False): (0.0, 11.0, 0.0, -5.2),
}
"""The coefficients of a logistic regression, by whether there are vectors, and whether files say anything. Fitted on
150 questions about ten repositories, where all learnings that commits propose were judged before any search."""
LIKELY = 0.25
"""The least probability with which a learning counts for its files, or is shown where nothing is asked."""
_FIRST, _FURTHER, _ENOUGH = 0.15, 0.05, 0.5
"""The least probability with which the likeliest answer is shown, how much more each further one needs, up to what is
always enough. What is best of all that is known may be shown in doubt, a fifth one not."""


def least_likely(chances: Iterable[float]) -> float:
    """Return the least of these probabilities with which a learning is shown to somebody who did not ask for any."""
    needed = enumerate(sorted(chances, reverse=True))
    shown = [one for place, one in needed if one >= min(_ENOUGH, _FIRST + place * _FURTHER)]
    return min(shown, default=1.0)


def likely(*, meaning: float | None, words: float, file: float | None = None, others: int = 1) -> float:
    """Return the probability in (0, 1) that a learning helps.

    `meaning` is its cosine with the question, None where there are no vectors; `words` the share in [0, 1] of what the
    question's words tell that it has. `file` says in [0, 1] how much the best of its files has to do with the question,
    None where it has none or nobody ranked them. With `others` tied to that file it has less to do with each question.
    """
    evidence = (meaning or 0.0, words, (file or 0.0) / others**0.25, 1.0)
    weights = _FITTED[meaning is not None, file is not None]
    return 1 / (1 + exp(-sum(weight * one for weight, one in zip(weights, evidence, strict=True))))


class Nearby(NamedTuple):
    """Learnings near some files, each with its best way there, and how much these files count.

    `crowd` says how many learnings are tied to each of them, and `ranked` why those are among them that are not open.
    """

    learnings: Mapping[NodeId, Reached] = {}
    places: Mapping[NodeId, float] = {}
    crowd: Mapping[NodeId, int] = {}
    ranked: Mapping[NodeId, str] = {}


def judged_by(
    database: Database, question: Question, matches: Matches, near: Nearby | None, briefs: Sequence[Brief]
) -> dict[NodeId, float]:
    """Return by node how likely each learning helps, by the question and, where these are known, the files near it."""
    if not question.text.strip():
        return {node: min(1.0, 2 * tie.score**2) for node, tie in near.learnings.items()} if near else {}
    words = TextSearch(database).covered(question.words, [brief.id for brief in briefs])
    cosines = matches.by("vector") if "vector" in matches.scores else None
    anchored = {one.learning for one in AnchorStore(database).rows([brief.node for brief in briefs])}
    chances = {}
    for brief in briefs:
        tie = near.learnings.get(brief.node) if near else None
        is_open = near and tie and tie.seed not in near.ranked
        score = 1.0 if is_open else tie.score if tie else 0.0
        chances[brief.node] = likely(
            meaning=None if cosines is None else cosines.get(brief.id, 0.0),
            words=words.get(brief.id, 0.0),
            file=score if near and brief.node in anchored else None,
            others=near.crowd[tie.seed] if near and tie else 1,
        )
    return chances


def relevant_learnings(kernel: Kernel, direct: Direct) -> dict[NodeId, float]:
    """Return the learnings that are likely to help with a question, whatever files they are tied to, and how likely."""
    found = direct.matches.relevance
    briefs = LearningStore(kernel.database).briefs(numbers=found) if found else []
    chances = judged_by(kernel.database, direct.question, direct.matches, None, briefs)
    return {node: chance for node, chance in chances.items() if chance >= LIKELY}
