"""Statements: which sentences of a user say how things are done here, and not only what is to be done now."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tx_graph.analysis.identifiers import content_words
from tx_graph.analysis.proposals.commits import bounded
from tx_graph.analysis.proposals.sessions.lesson import Rule
from tx_graph.analysis.proposals.sessions.phrases import (
    ANSWERS,
    ASKED,
    CUES,
    DEICTIC,
    DISCOUNTS,
    EMPTY,
    GENERAL,
    NAMES,
    OF_THE_MOMENT,
    WEAK,
)
from tx_graph.analysis.proposals.sessions.speech import is_question, is_sayable
from tx_graph.analysis.proposals.why import certainty, cues
from tx_graph.domain.proposal import Reason

LEAST = 0.5
"""The confidence below which a sentence is an order for now, or chatter."""
_ASKED_STRONGLY, _ASKED = Reason("asked to remember", 0.75), Reason("asked to note", 0.58)
_NAMES_CODE = Reason("names code", 0.12)
_OTHERWISE_TOLD = frozenset({"instead of", "constraint", "before"})
"""Words that explain a commit, and are everyday words of a chat or told by its own cues."""
_MOST_WHY = 2
_FEWEST_TO_REMEMBER = 3
_FEWEST_TELLING = 2
_UNCLEAR = 0.5
"""What is left of the worth of a sentence that does not say what it is about."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """A sentence worth learning from; `is_general` where it holds beyond the files at hand.

    `share`, in (0, 1], is what is left of its worth by how it was said.
    """

    text: str
    rule: Rule
    reasons: tuple[Reason, ...]
    share: float
    is_general: bool

    @property
    def confidence(self) -> float:
        """How sure it is, in (0, 1)."""
        return bounded(certainty(self.reasons) * self.share)


def asked_to_remember(text: str) -> Statement | None:
    """Return what a sentence asks to remember, None where it asks for no such thing."""
    found = ASKED.match(text)
    if not found or is_question(text) or not is_sayable(found["rest"], fewest=_FEWEST_TO_REMEMBER):
        return None
    low = text.lower()
    statement = Statement(
        text=text,
        rule=Rule.REMEMBER,
        reasons=(_ASKED_STRONGLY if found["strong"] else _ASKED, *_why(low)),
        share=_share(low, OF_THE_MOMENT),
        is_general=True,
    )
    return statement if statement.confidence >= LEAST else None


def corrected(text: str, *, is_answer: bool) -> Statement | None:
    """Return how a sentence says that things are done here, None where it does not.

    `is_answer` says whether it comes right after an agent did or said something, and its message begins with it.
    """
    if is_question(text) or not is_sayable(text):
        return None
    low = text.lower()
    found = [reason for reason, cue in CUES if (is_answer or reason.name not in ANSWERS) and cue.search(low)]
    names = {reason.name for reason in found}
    if not _says_how(names, low):
        return None
    statement = Statement(
        text=text,
        rule=Rule.CORRECTION,
        reasons=(*found, *_why(low), *([_NAMES_CODE] if NAMES.search(text) else [])),
        share=_share(low, DISCOUNTS),
        is_general=not names.isdisjoint(GENERAL),
    )
    return statement if statement.confidence >= LEAST else None


def _says_how(names: Collection[str], low: str) -> bool:
    """Whether cues make a rule together: what is wished, or to be done, holds only for now unless it says more."""
    weak, strong = WEAK.intersection(names), set(names) - WEAK
    if not strong:
        return "no" in weak and ("do not" in weak or bool(_why(low)))
    return strong != {"in general"} or bool(weak)


def _why(low: str) -> list[Reason]:
    return [reason for reason in cues(low) if reason.name not in _OTHERWISE_TOLD][:_MOST_WHY]


def _share(low: str, discounts: Sequence[tuple[float, re.Pattern[str]]]) -> float:
    """Return what is left of a sentence's worth: little where it speaks of the moment, or of what only a chat knows."""
    share = 1.0
    for discount, pattern in discounts:
        if pattern.search(low):
            share *= discount
    telling = len(content_words(low) - EMPTY)
    is_pointing = telling < 2 * _FEWEST_TELLING and DEICTIC.search(low)
    return share * _UNCLEAR if is_pointing or telling < _FEWEST_TELLING else share
