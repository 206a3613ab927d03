"""What was measured, and how it reads: rows, verdicts, and the table in plain text, Markdown and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

TIMES = "×"
"""The unit of a budget that is judged by the ratio to the baseline."""
_EXACT_BELOW, _WHOLE_FROM = 10, 1000
"""Two decimals below, none from there on."""


class Verdict(StrEnum):
    """How a measurement compares with its budget."""

    WITHIN = "within"
    OVER = "over"
    UNJUDGED = "–"
    NOT_MEASURED = "not measured"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quantity:
    """A number and its unit, such as 12.3 `ms`; shares say how many decimals they need to be told apart."""

    value: float
    unit: str
    decimals: int | None = None

    def __str__(self) -> str:
        usual = 0 if self.value >= _WHOLE_FROM else 1 if self.value >= _EXACT_BELOW else 2
        digits = usual if self.decimals is None else self.decimals
        return f"{self.value:,.{digits}f}{'' if self.unit == TIMES else ' '}{self.unit}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most a measurement may be, or with `least` the least; in `×` it is about the ratio to the baseline."""

    limit: Quantity
    least: bool = False

    def __str__(self) -> str:
        return f"{'≥' if self.least else '≤'} {self.limit.value:,g}{'' if self.limit.unit == TIMES else ' '}" + (
            self.limit.unit
        )

    def holds(self, value: float) -> bool:
        """Whether a value keeps within it."""
        return value >= self.limit.value if self.least else value <= self.limit.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the report. Without a measurement, `note` says why there is none."""

    what: str
    measured: Quantity | None = None
    baseline: str = ""
    against: Quantity | None = None
    budget: Budget | None = None
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The measurement as a multiple of the baseline; None without one."""
        return self.measured.value / self.against.value if self.measured and self.against else None

    @property
    def verdict(self) -> Verdict:
        """Whether the measurement keeps within the budget."""
        if self.measured is None:
            return Verdict.NOT_MEASURED
        if self.budget is None:
            return Verdict.UNJUDGED
        judged = self.ratio if self.budget.limit.unit == TIMES else self.measured.value
        return Verdict.WITHIN if judged is not None and self.budget.holds(judged) else Verdict.OVER


def at_most(limit: float, unit: str) -> Budget:
    """Return the budget of something that should be small."""
    return Budget(limit=Quantity(value=limit, unit=unit))


def at_least(limit: float, unit: str) -> Budget:
    """Return the budget of something that should be large."""
    return Budget(limit=Quantity(value=limit, unit=unit), least=True)


def ms(value: float) -> Quantity:
    """Return a duration in milliseconds."""
    return Quantity(value=value, unit="ms")


_HEADINGS = ("What", "Measured", "Baseline", "Ratio", "Budget", "Verdict", "Note")


def as_markdown(rows: Sequence[Row], *, heading: str) -> str:
    """Return the report as a Markdown table under a line about the machine."""
    lines = [_HEADINGS, ("---",) * len(_HEADINGS), *(_cells(row) for row in rows)]
    table = "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
    return f"{heading}\n\n{table}\n"


def as_text(rows: Sequence[Row], *, heading: str) -> str:
    """Return the report in columns."""
    lines = [_HEADINGS, *(_cells(row) for row in rows)]
    widths = [max(len(cells[column]) for cells in lines) for column in range(len(_HEADINGS))]
    table = "\n".join("  ".join(map(str.ljust, cells, widths)).rstrip() for cells in lines)
    return f"{heading}\n\n{table}"


def as_document(rows: Sequence[Row], *, heading: str) -> dict[str, Any]:
    """Return the report as one JSON document."""
    return {"machine": heading, "rows": [_document(row) for row in rows]}


def _cells(row: Row) -> tuple[str, ...]:
    against = f"{row.against} ({row.baseline})" if row.against else ""
    ratio = f"{row.ratio:.1f}×" if row.ratio is not None else ""
    budget = str(row.budget) if row.budget else ""
    return (row.what, str(row.measured or ""), against, ratio, budget, row.verdict.value, row.note)


def _document(row: Row) -> dict[str, Any]:
    return {
        "what": row.what,
        "measured": row.measured.value if row.measured else None,
        "unit": row.measured.unit if row.measured else None,
        "baseline": row.baseline or None,
        "baseline_measured": row.against.value if row.against else None,
        "ratio": row.ratio,
        "budget": str(row.budget) if row.budget else None,
        "verdict": row.verdict.name.lower(),
        "note": row.note,
    }
