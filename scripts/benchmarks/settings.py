"""What a run of the benchmarks is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scripts.benchmarks.workdir import Workdir

_HEAVY = 5
_FEWEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The repositories to measure on, how often to measure, and where generated data lies."""

    repositories: tuple[Path, ...]
    rounds: int
    workdir: Workdir

    @property
    def heavy_rounds(self) -> int:
        """Rounds for what takes seconds."""
        return max(_FEWEST, self.rounds // _HEAVY)
