"""Two revisions of a small repository, and what became of its symbols in between."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from scripts.benchmarks.survival.fates import Fate, Truth
from scripts.benchmarks.survival.run import Span, true_fates
from tests.git_sandbox import GitSandbox

SHOP = """\
def price(item, count):
    total = item.cost * count
    return total - discount(total)
"""
"""A function that is like no other."""

STOCK = """\
def shelf(goods):
    for good in goods:
        if good.left < 3:
            order(good)
"""
"""Another one."""


def span(repository: GitSandbox, before: Mapping[str, str], after: Mapping[str, str]) -> Span:
    """Commit these files, then those instead, and return the span between."""
    first = _committed(repository, before)
    for path in before:
        (repository.root / path).unlink()
    return Span(repository=repository.root, before=first, after=_committed(repository, after))


def lives(repository: GitSandbox, before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, Truth]:
    """Return what became of each symbol."""
    return true_fates(span(repository, before, after))


def life(repository: GitSandbox, before: Mapping[str, str], after: Mapping[str, str]) -> tuple[Fate, str]:
    """Return what became of the first symbol, and where it is now or, if that is uncertain, why."""
    truth = next(iter(lives(repository, before, after).values()))
    return truth.fate, truth.place or truth.reason


def _committed(repository: GitSandbox, files: Mapping[str, str]) -> str:
    for path, text in files.items():
        place = Path(repository.root / path)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8", newline="")
    return repository.commit()
