"""What a run of the benchmarks is told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from scripts.benchmarks.workdir import Workdir

_HEAVY = 5
_FEWEST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The repositories to measure on, how often to measure, and where generated data lies.

    `node_modules` is the directory in which npm installed the tools that are written in JavaScript; `differences` the
    file that every difference from another tool is written to.
    """

    repositories: tuple[Path, ...]
    rounds: int
    workdir: Workdir
    node_modules: Path | None = None
    differences: Path | None = None

    @property
    def heavy_rounds(self) -> int:
        """Rounds for what takes seconds."""
        return max(_FEWEST, self.rounds // _HEAVY)
