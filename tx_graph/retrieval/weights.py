"""The numbers that a ranking of files rests on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace

from tx_graph.errors import UsageError

MOST_WEIGHT = 100.0
"""The greatest weight: more would leave nothing for the others."""
_TRIED = (0.0, 0.5, 2.0)
"""By what each number is multiplied when better ones are looked for."""


def _weight(default: float, about: str) -> float:
    found: float = field(default=default, metadata={"about": about})
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each kind of evidence counts, and which way the walk goes on from there. All lie in [0, 100].

    The first five say how the walk's start is shared out, the others what a file passes on, as proportions.
    """

    messages: float = _weight(1.0, "commit messages that match the question")
    words: float = _weight(0.7, "words of files that match it")
    paths: float = _weight(0.5, "words of paths that match it")
    learnings: float = _weight(1.0, "learnings that match it")
    open_files: float = _weight(1.0, "open files, as a multiple of all else together")
    history: float = _weight(1.0, "files that changed in the same commits")
    imports: float = _weight(0.1, "files that import each other")
    anchors: float = _weight(0.5, "files of the same learnings")
    names: float = _weight(0.15, "files of the same name, such as a test and its source")

    def __post_init__(self) -> None:
        """Raise UsageError for a number out of range."""
        for name, value in self.as_dict().items():
            if not 0 <= value <= MOST_WEIGHT:
                raise UsageError(f"The weight '{name}' must be from 0 to {MOST_WEIGHT:g}, not {value:g}.")

    def as_dict(self) -> dict[str, float]:
        """Return the numbers by name."""
        return {one.name: getattr(self, one.name) for one in fields(self)}

    @classmethod
    def described(cls) -> Iterator[tuple[str, float, str]]:
        """Yield (name, default, what it weighs) of each number."""
        for one in fields(cls):
            yield one.name, float(one.default), one.metadata["about"]  # type: ignore[arg-type]

    def candidates(self) -> Iterator[Weights]:
        """Yield the weights that differ from these in one number: nothing of it, half, and twice as much."""
        for name, value in self.as_dict().items():
            tried = (min(value * factor, MOST_WEIGHT) for factor in _TRIED)
            yield from (replace(self, **{name: other}) for other in tried if other != value)
