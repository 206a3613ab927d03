"""The gate between what was proposed and what is known: the evidence that a staged learning needs to be promoted."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tx_graph.analysis.proposals.sessions.lesson import is_users_word
from tx_graph.domain.learning import Learning, SourceType, StoredLearning, unit_interval
from tx_graph.domain.verdict import Judgement
from tx_graph.services.proposing.lookalikes import Lookalikes
from tx_graph.services.proposing.values import LEAST_CONFIDENCE, LEAST_OF_REPOSITORY
from tx_graph.services.standings import Standings
from tx_graph.storage.similarities import SimilarityStore

_OF_REPOSITORY = frozenset({SourceType.COMMIT, SourceType.COMMENT, SourceType.DOCUMENT})


class Demand(StrEnum):
    """What the gate asks of a learning."""

    ANCHORS = "anchors"
    """Its code stands as it did, or a person said it."""
    ORIGINALITY = "originality"
    """No active learning says much the same."""
    CONFIDENCE = "confidence"


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """Whether one demand is met; `detail` says by what, or what is missing, and `hint` what can be done about it."""

    demand: Demand
    met: bool
    detail: str
    hint: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """A staged learning with what the gate found, in the order of the demands."""

    stored: StoredLearning
    evidence: tuple[Evidence, ...]

    @property
    def passes(self) -> bool:
        """Whether all demands are met."""
        return all(one.met for one in self.evidence)


class Gate:
    """Looks at staged learnings as the code and the other learnings are now."""

    def __init__(self, *, standings: Standings, lookalikes: Lookalikes, similarities: SimilarityStore) -> None:
        self._standings = standings
        self._lookalikes = lookalikes
        self._similarities = similarities

    def check(self, staged: Sequence[StoredLearning], *, least: float | None = None) -> list[Checked]:
        """Return what is found of each learning; of two that say the same, the second one is no news.

        `least` is the confidence that all of them need; None stands for a standard by where they come from.

        Raises:
            UsageError: The least confidence is not from 0 to 1.
        """
        if least is not None:
            unit_interval(least, what="minimum confidence")
        judged = self._standings.now().judgements([stored.node for stored in staged])
        told = {number for number, _, _ in self._similarities.shown_contents()}
        checked = []
        for stored in staged:
            evidence = (
                _anchors(stored, judged[stored.node]),
                self._originality(stored, told),
                _confidence(stored, least),
            )
            checked.append(Checked(stored=stored, evidence=evidence))
            if checked[-1].passes:
                told.add(stored.id)
        return checked

    def _originality(self, stored: StoredLearning, told: Collection[int]) -> Evidence:
        found = self._lookalikes.of(stored.learning.content, among=set(told) - {stored.id})
        if found is None:
            return Evidence(demand=Demand.ORIGINALITY, met=True, detail="no active learning says much the same")
        by = "meaning" if found.basis == "cosine" else "words"
        return Evidence(
            demand=Demand.ORIGINALITY,
            met=False,
            detail=f"{found.stored.ref} says much the same ({found.weight:.2f} by {by})",
            hint=f"tx learning:merge {found.stored.id} {stored.id}",
        )


def _anchors(stored: StoredLearning, judged: Sequence[Judgement]) -> Evidence:
    bad = [f"{one.anchor.spec} {_trouble(one)}" for one in judged if one.is_finding]
    if bad:
        return Evidence(
            demand=Demand.ANCHORS,
            met=False,
            detail=", ".join(bad),
            hint=f"if it is still true: tx graph:confirm {stored.id}",
        )
    if judged:
        places = ", ".join(one.anchor.spec for one in judged)
        return Evidence(demand=Demand.ANCHORS, met=True, detail=f"{places} as it was")
    if _is_somebodys_word(stored.learning):
        return Evidence(demand=Demand.ANCHORS, met=True, detail="not tied to code, but a person said it")
    return Evidence(
        demand=Demand.ANCHORS,
        met=False,
        detail="not tied to code",
        hint=f"tie it to what it is about: tx graph:link {stored.id} PATH",
    )


def _trouble(judged: Judgement) -> str:
    return f"{judged.standing.value} ({judged.detail})" if judged.detail else judged.standing.value


def _is_somebodys_word(learning: Learning) -> bool:
    """Whether a person vouched for it, rather than a rule or an agent."""
    is_said = learning.source_type is SourceType.TRANSCRIPT and is_users_word(learning.source_ref or "")
    return learning.source_type is SourceType.MANUAL or is_said


def _confidence(stored: StoredLearning, given: float | None) -> Evidence:
    learning = stored.learning
    standard = LEAST_OF_REPOSITORY if learning.source_type in _OF_REPOSITORY else LEAST_CONFIDENCE
    least = standard if given is None else given
    met = learning.confidence >= least
    return Evidence(
        demand=Demand.CONFIDENCE,
        met=met,
        detail=f"{learning.confidence:g}, {'at least' if met else 'below'} {least:g}",
        hint="" if met else f"tx learning:promote {stored.id} --min-confidence {learning.confidence:g}",
    )
