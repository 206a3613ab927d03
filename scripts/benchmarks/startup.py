"""What it costs to start tx at all."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.benchmarks.report import TIMES, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import BARE, BARE_NAME, medians, tx

_BUDGET = at_most(7, TIMES)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the wall times of `tx --help` and `tx --version`."""
    names = ("--help", "--version")
    *walls, bare = medians([*(tx(name).run for name in names), BARE.run], rounds=settings.rounds)
    for name, wall in zip(names, walls, strict=True):
        yield Row(what=f"tx {name}", measured=ms(wall), baseline=BARE_NAME, against=ms(bare), budget=_BUDGET)
