"""What two tools say of the same files: what both say, and what only one of them does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum

from scripts.benchmarks.report import Budget, Quantity, Row, at_least

_DECIMALS = 4


class Subject(StrEnum):
    """What is compared."""

    IMPORTS = "imports"
    SYMBOLS = "symbols"
    REFERENCES = "references"


_MEASURES = {
    Subject.IMPORTS: at_least(0.98, "F1"),
    Subject.SYMBOLS: at_least(0.99, "accuracy"),
    Subject.REFERENCES: at_least(0.97, "precision"),
}
"""The budgets. F1 is the harmonic mean of precision and recall; accuracy the share of what either says that both do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The outcome of one comparison; `only_tx` and `only_tool` are lines that a person can look up.

    `beyond` is what tx says where the tool cannot look; it counts neither way. A comparison that is not `judged` has
    no budget: the tool is too rough to judge by.
    """

    language: str
    subject: Subject
    tool: str
    both: int
    only_tx: tuple[str, ...]
    only_tool: tuple[str, ...]
    beyond: tuple[str, ...] = ()
    remark: str = ""
    judged: bool = True

    @property
    def is_empty(self) -> bool:
        """Whether neither says anything."""
        return not (self.both or self.only_tx or self.only_tool or self.beyond)

    @property
    def precision(self) -> float:
        """The share of what tx says that the tool says too."""
        return _share(self.both, self.both + len(self.only_tx))

    @property
    def recall(self) -> float:
        """The share of what the tool says that tx says too."""
        return _share(self.both, self.both + len(self.only_tool))

    @property
    def score(self) -> float:
        """F1 of imports, accuracy of symbols, precision of references."""
        if self.subject is Subject.REFERENCES:
            return self.precision
        differing = len(self.only_tx) + len(self.only_tool)
        weight = 2 if self.subject is Subject.IMPORTS else 1
        return _share(weight * self.both, weight * self.both + differing)

    def row(self, repository: str) -> Row:
        """Return the line of the report."""
        measure: Budget = _MEASURES[self.subject]
        counts = f"{self.both:,} alike, {len(self.only_tx):,} only tx, {len(self.only_tool):,} only {self.tool}"
        beyond = f"{len(self.beyond):,} where {self.tool} cannot look" if self.beyond else ""
        shares = f"precision {self.precision:.{_DECIMALS}f}, recall {self.recall:.{_DECIMALS}f}"
        return Row(
            what=f"{self.language} {self.subject} against {self.tool}: {repository}",
            measured=Quantity(value=self.score, unit=measure.limit.unit, decimals=_DECIMALS),
            budget=measure if self.judged else None,
            note="; ".join(filter(None, (shares, counts, beyond, self.remark))),
        )

    def differences(self, repository: str) -> Iterator[str]:
        """Yield each difference: repository, language, subject, tool, mark and what, by tabs.

        The mark is `+` for only tx, `-` for only the tool, `~` for tx beyond the tool.
        """
        heading = f"{repository}\t{self.language}\t{self.subject}\t{self.tool}"
        for mark, lines in (("+", self.only_tx), ("-", self.only_tool), ("~", self.beyond)):
            yield from (f"{heading}\t{mark}\t{line}" for line in lines)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unmeasured:
    """A comparison that could not be made, and why."""

    language: str
    subject: Subject
    tool: str
    reason: str
    is_empty: bool = False

    def row(self, repository: str) -> Row:
        """Return the line of the report."""
        what = f"{self.language} {self.subject} against {self.tool}: {repository}"
        return Row(what=what, budget=_MEASURES[self.subject], note=self.reason)

    def differences(self, _repository: str) -> Iterator[str]:
        """Yield nothing."""
        return iter(())


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How often both say a thing, and, sorted, what only one of them says; said twice is not said once."""

    both: int
    only_tx: tuple[str, ...]
    only_tool: tuple[str, ...]


def difference(ours: Iterable[str], theirs: Iterable[str]) -> Difference:
    """Return what is alike in what tx and another tool say."""
    mine, other = Counter(ours), Counter(theirs)
    return Difference(
        both=(mine & other).total(),
        only_tx=tuple(sorted((mine - other).elements())),
        only_tool=tuple(sorted((other - mine).elements())),
    )


def edge_lines(edges: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Yield imports as lines."""
    return (f"{source} -> {target}" for source, target in edges)


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0
