"""The verifier's answers beside the truth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from scripts.benchmarks.survival.answers import Answer, Grade, Verdict
from scripts.benchmarks.survival.fates import Fate, Truth

LEFT = frozenset({Fate.MOVED, Fate.RENAMED, Fate.MOVED_AND_EDITED})
"""What is found only by looking elsewhere."""

CHANGED = frozenset({Fate.BODY, Fate.SIGNATURE, Fate.DRIFT, Fate.MOVED_AND_EDITED})
"""What does something else now."""

_COUNTED = frozenset({Grade.BODY, Grade.SIGNATURE})
"""Grades that say so."""

_FITTING: Mapping[Fate, frozenset[Grade | None]] = {
    Fate.UNCHANGED: frozenset({None, Grade.FORMAT}),
    Fate.FORMAT: frozenset({None, Grade.FORMAT}),
    Fate.COMMENT: frozenset({Grade.COMMENT}),
    Fate.BODY: frozenset({Grade.BODY}),
    Fate.SIGNATURE: frozenset({Grade.SIGNATURE}),
    Fate.DRIFT: _COUNTED,
    Fate.MOVED: frozenset({None, Grade.FORMAT, Grade.COMMENT}),
    Fate.RENAMED: frozenset({None, Grade.FORMAT, Grade.COMMENT}),
    Fate.MOVED_AND_EDITED: _COUNTED,
}
"""Which drift is right; None is no drift."""


class Outcome(StrEnum):
    """How one answer compares with the truth.

    `OTHER_GRADE` is right about whether the code still does the same. The last five are wrong: drift that was not
    seen, drift where there is none, the wrong place, no place although it never left, no answer.
    """

    CORRECT = "correct"
    OTHER_GRADE = "other grade"
    ABSTAINED = "abstained"
    MISSED_DRIFT = "missed drift"
    FALSE_DRIFT = "false drift"
    MISPLACED = "misplaced"
    LOST = "lost"
    UNANSWERED = "unanswered"


WRONG = frozenset(Outcome) - {Outcome.CORRECT, Outcome.OTHER_GRADE, Outcome.ABSTAINED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """How often each outcome came, by what became of the symbols.

    `uncertain` counts, by the reason, what the verifier said where the truth is not known. `relocations` are answers
    that name another place where the truth is known, `right_relocations` those that name the right one.
    """

    outcomes: Mapping[Fate, Counter[Outcome]]
    uncertain: Mapping[str, Counter[str]]
    relocations: int
    right_relocations: int

    @property
    def precision(self) -> float:
        """The share of relocations that are right, in [0, 1]; 1 if there are none."""
        return _share(self.right_relocations, self.relocations)

    @property
    def recall(self) -> float:
        """The share of moved and renamed symbols that were found, in [0, 1]; 1 if there are none."""
        counts = self.outcomes.get(Fate.MOVED, Counter()) + self.outcomes.get(Fate.RENAMED, Counter())
        return _share(counts[Outcome.CORRECT], counts.total())

    def total(self, outcome: Outcome) -> int:
        """Return how often an outcome came, whatever became of the symbols."""
        return sum(counts[outcome] for counts in self.outcomes.values())


def score(truths: Mapping[str, Truth], answers: Mapping[str, Answer]) -> Table:
    """Return the answers counted by how they compare with the truth; both are by the symbols' FQNames then."""
    outcomes: dict[Fate, Counter[Outcome]] = defaultdict(Counter)
    uncertain: dict[str, Counter[str]] = defaultdict(Counter)
    for name, truth in truths.items():
        answer = answers.get(name)
        if truth.fate is Fate.UNCERTAIN:
            uncertain[truth.reason][answer.verdict if answer else Outcome.UNANSWERED] += 1
        else:
            outcomes[truth.fate][judged(truth, answer)] += 1
    relocated = [(truths[name], answer) for name, answer in answers.items() if _is_elsewhere(name, answer)]
    known = [(truth, answer) for truth, answer in relocated if truth.fate is not Fate.UNCERTAIN]
    return Table(
        outcomes=outcomes,
        uncertain=uncertain,
        relocations=len(known),
        right_relocations=_count(truth.place == answer.relocated_to for truth, answer in known),
    )


def judged(truth: Truth, answer: Answer | None) -> Outcome:
    """Return how an answer compares with a truth that is not uncertain."""
    if answer is None:
        return Outcome.UNANSWERED
    if truth.fate is Fate.DELETED:
        return Outcome.CORRECT if answer.verdict is Verdict.INVALID else Outcome.MISPLACED
    if answer.verdict is Verdict.INVALID:
        return Outcome.ABSTAINED if truth.fate in LEFT else Outcome.LOST
    expected = {truth.place} if truth.fate in LEFT else {truth.place, ""}
    if answer.relocated_to not in expected:
        return Outcome.MISPLACED
    return _graded(truth.fate, answer.drift)


def _graded(fate: Fate, drift: Grade | None) -> Outcome:
    """Return how a drift compares with the truth where the place is right."""
    if drift in _FITTING[fate]:
        return Outcome.CORRECT
    if fate in CHANGED:
        return Outcome.OTHER_GRADE if drift in _COUNTED else Outcome.MISSED_DRIFT
    return Outcome.FALSE_DRIFT if drift in _COUNTED else Outcome.OTHER_GRADE


def _is_elsewhere(name: str, answer: Answer) -> bool:
    return answer.relocated_to not in ("", name)


def _count(cases: Iterable[bool]) -> int:
    return sum(cases)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
