"""Measures durations: of processes, interleaved so that a busy moment hits all alike, and of calls."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import ParamSpec

_P = ParamSpec("_P")

_OURS = ("PYTHONPATH", "TX_DB", "TX_MODEL_DIR")
"""Variables that would change what a measured process does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A process to measure: what to run, where, and which variables to set for it."""

    arguments: Sequence[str]
    directory: Path | None = None
    variables: Mapping[str, str] = field(default_factory=dict)

    def run(self) -> float:
        """Run it; return its wall time in ms.

        Raises:
            RuntimeError: It failed.
        """
        environment = {name: value for name, value in os.environ.items() if name not in _OURS} | dict(self.variables)
        start = time.perf_counter()
        done = subprocess.run(
            self.arguments,
            cwd=self.directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        wall = (time.perf_counter() - start) * 1000
        if done.returncode:
            raise RuntimeError(f"{' '.join(self.arguments)}: {done.stderr.decode(errors='replace')}")
        return wall


BARE = Command(arguments=(sys.executable, "-c", "pass"))
"""The interpreter by itself."""
BARE_NAME = "python -c pass"


def tx(*arguments: str, directory: Path | None = None, variables: Mapping[str, str] | None = None) -> Command:
    """Return a command line of tx, run by this interpreter."""
    script = Path(sys.executable).with_name("tx")
    program = [str(script)] if script.exists() else [sys.executable, "-m", "tx_graph"]
    return Command(arguments=[*program, *arguments], directory=directory, variables=variables or {})


def interleaved(measured: Sequence[Callable[[], float]], *, rounds: int) -> list[list[float]]:
    """Return the samples of each, taken in turn, after one unmeasured round that fills the caches."""
    for take in measured:
        take()
    samples: list[list[float]] = [[] for _ in measured]
    for _ in range(rounds):
        for taken, take in zip(samples, measured, strict=True):
            taken.append(take())
    return samples


def medians(measured: Sequence[Callable[[], float]], *, rounds: int) -> list[float]:
    """Return the median of each, taken in turn."""
    return [median(samples) for samples in interleaved(measured, rounds=rounds)]


def timed(action: Callable[_P, object], *arguments: _P.args, **options: _P.kwargs) -> float:
    """Call `action` with the other arguments; return how long it took, in ms."""
    start = time.perf_counter()
    action(*arguments, **options)
    return (time.perf_counter() - start) * 1000


def percentile(samples: Iterable[float], share: float) -> float:
    """Return the sample that a share in [0, 1] of all do not exceed (nearest rank)."""
    ordered = sorted(samples)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
