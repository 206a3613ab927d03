"""How a run reads: plain text, Markdown, JSON, and a line for each symbol."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scripts.benchmarks.survival.answers import Answer
from scripts.benchmarks.survival.fates import Fate, Truth
from scripts.benchmarks.survival.scoring import WRONG, Outcome, Table, judged

_HEADINGS = ("what became of it", "symbols", "correct", "other grade", "abstained", "wrong", "")
_PLAIN = (Outcome.CORRECT, Outcome.OTHER_GRADE, Outcome.ABSTAINED)


def as_text(table: Table, *, heading: str) -> str:
    """Return the table for a terminal."""
    rows = [_HEADINGS, *_rows(table)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    lines = ["  ".join(_aligned(row, widths)).rstrip() for row in rows]
    return "\n".join([heading, "", *lines, "", *_summary(table)])


def as_markdown(table: Table, *, heading: str) -> str:
    """Return the table for documentation."""
    rows = [_HEADINGS, ("---", *["---:"] * (len(_HEADINGS) - 2), "---"), *_rows(table)]
    lines = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([heading, "", *lines, "", *(f"- {line}" for line in _summary(table)), ""])


def as_document(table: Table, *, heading: str) -> dict[str, Any]:
    """Return everything as a JSON document."""
    return {
        "heading": heading,
        "outcomes": {fate.value: dict(counts) for fate, counts in table.outcomes.items()},
        "uncertain": {reason: dict(counts) for reason, counts in table.uncertain.items()},
        "relocations": {"total": table.relocations, "right": table.right_relocations, "precision": table.precision},
        "recall": table.recall,
        "missed_drift": table.total(Outcome.MISSED_DRIFT),
        "false_drift": table.total(Outcome.FALSE_DRIFT),
    }


def census(truths: Mapping[str, Truth], *, heading: str) -> str:
    """Return how many symbols met which fate, without a verifier, for a terminal."""
    fates = [truth.fate for truth in truths.values()]
    counts = [f"{fates.count(fate):>8,}  {fate}" for fate in Fate if fate in fates]
    return "\n".join([heading, "", *counts])


def details(truths: Mapping[str, Truth], answers: Mapping[str, Answer]) -> Iterator[str]:
    """Yield a line for each symbol, by tabs: FQName, fate, place, reason, outcome, and the four parts of the answer."""
    for name, truth in truths.items():
        answer = answers.get(name)
        said = ("", "", "", "")
        if answer:
            said = (answer.verdict, answer.drift or "", answer.relocated_to, " ".join(answer.candidates))
        outcome = "" if truth.fate is Fate.UNCERTAIN else judged(truth, answer)
        yield "\t".join((name, truth.fate, truth.place, truth.reason, outcome, *said))


def _rows(table: Table) -> Iterator[tuple[str, ...]]:
    for fate in Fate:
        if counts := table.outcomes.get(fate):
            plain = [f"{counts[outcome]:,}" for outcome in _PLAIN]
            wrong = {outcome: counts[outcome] for outcome in Outcome if outcome in WRONG and counts[outcome]}
            kinds = ", ".join(f"{count:,} {outcome}" for outcome, count in wrong.items())
            yield (fate, f"{counts.total():,}", *plain, f"{sum(wrong.values()):,}", kinds)


def _summary(table: Table) -> Iterator[str]:
    yield (
        f"relocations: precision {table.precision:.4f} ({table.right_relocations:,} of {table.relocations:,}), "
        f"recall on moved and renamed {table.recall:.4f}"
    )
    yield f"missed drift {table.total(Outcome.MISSED_DRIFT):,}, false drift {table.total(Outcome.FALSE_DRIFT):,}"
    for reason, counts in sorted(table.uncertain.items()):
        said = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.most_common())
        yield f"uncertain, {reason}: {counts.total():,} ({said})"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    """Yield cells, numbers to the right."""
    last = len(row) - 1
    for column, (cell, width) in enumerate(zip(row, widths, strict=True)):
        yield cell.rjust(width) if 0 < column < last else cell.ljust(width)
