"""The rules that an anchor can break, under the names that CI services keep, and how serious each is."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.records.anchor import Drift, Reason


class Level(StrEnum):
    """How serious it is, in SARIF's words."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Rule(NamedTuple):
    """One way not to hold: `summary` says what it is, `help` what to do about it."""

    id: str
    level: Level
    summary: str
    help: str

    @property
    def name(self) -> str:
        """The rule as one word: `DriftedBody`."""
        return "".join(part.capitalize() for part in self.id.removeprefix("tx/").split("-"))


_READ_AGAIN = (
    "Read the learning beside the code. If it is still true, 'tx graph:confirm LEARNING' says so; if not, correct it "
    "with 'tx learning:edit LEARNING'."
)
_TIE_AGAIN = (
    "If the code lives elsewhere now, tie the learning to it with 'tx graph:link LEARNING PATH::SYMBOL' and drop the "
    "old anchor with 'tx graph:unlink LEARNING ANCHOR'. If what the learning says went with it, 'tx learning:edit "
    "LEARNING --status retracted'."
)
_NOTHING_TO_DO = "Nothing has to be done; 'tx graph:verify --fix' writes it into the record."

_OF_DRIFT = {
    Drift.COMMENT: Rule("tx/drifted-comment", Level.NOTE, "Only comments of anchored code changed", _NOTHING_TO_DO),
    Drift.BODY: Rule("tx/drifted-body", Level.WARNING, "Anchored code changed", _READ_AGAIN),
    Drift.SIGNATURE: Rule("tx/drifted-signature", Level.WARNING, "The signature of anchored code changed", _READ_AGAIN),
}
_OF_REASON = {
    Reason.FILE_DELETED: Rule("tx/file-deleted", Level.ERROR, "The anchored file is gone", _TIE_AGAIN),
    Reason.SYMBOL_MISSING: Rule("tx/symbol-missing", Level.ERROR, "The anchored symbol is gone", _TIE_AGAIN),
    Reason.CONTENT_MISSING: Rule("tx/content-missing", Level.ERROR, "The anchored lines are gone", _TIE_AGAIN),
    Reason.PATTERN_MATCHES_NOTHING: Rule(
        "tx/pattern-matches-nothing", Level.ERROR, "The anchor's pattern matches no file", _TIE_AGAIN
    ),
    Reason.OUTSIDE_REPOSITORY: Rule(
        "tx/outside-repository", Level.ERROR, "The anchor leads out of the repository", _TIE_AGAIN
    ),
    Reason.INVALIDATED: Rule(
        "tx/invalidated",
        Level.ERROR,
        "Somebody said that the anchor holds no more",
        "Correct the learning with 'tx learning:edit LEARNING', or take the word back with 'tx graph:restore'.",
    ),
}
_RELOCATED = Rule("tx/relocated", Level.NOTE, "Anchored code is elsewhere now", _NOTHING_TO_DO)

RULES = (*_OF_REASON.values(), *reversed(_OF_DRIFT.values()), _RELOCATED)
"""All of them, the most serious first."""


def rule_of(judgement: Judgement) -> Rule | None:
    """Return the rule that an anchor breaks; None where there is nothing to say, as of formatting or pins."""
    if judgement.verdict is Verdict.RELOCATED:
        return _RELOCATED
    if judgement.verdict is Verdict.INVALID:
        return _OF_REASON[judgement.reason or Reason.INVALIDATED]
    return _OF_DRIFT.get(judgement.drift) if judgement.verdict is Verdict.DRIFTED and judgement.drift else None
