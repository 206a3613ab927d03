"""How right tx is: its imports, symbols and references beside those of independent tools, read from the same files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import nullcontext

from benchmarks.accuracy import (
    ctags,
    go_references,
    javascript_imports,
    javascript_symbols,
    python_imports,
    python_symbols,
)
from benchmarks.accuracy.comparison import Comparison, Unmeasured
from benchmarks.accuracy.indexed import Indexed, indexed
from scripts.benchmarks.clones import cloned
from scripts.benchmarks.report import Row
from scripts.benchmarks.settings import Settings

_COMPARISONS: tuple[Callable[[Indexed, Settings], Iterator[Comparison | Unmeasured]], ...] = (
    python_imports.compare,
    python_symbols.compare,
    javascript_imports.compare,
    javascript_symbols.compare,
    ctags.compare,
    go_references.compare,
)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield, for each repository, how far tx agrees with every tool that knows a language in it."""
    if not settings.repositories:
        yield Row(what="accuracy", note="nothing to read: give a repository with --repo")
    path = settings.differences
    with path.open("w", encoding="utf-8") if path else nullcontext() as differences:
        for repository in settings.repositories:
            with cloned(repository, settings) as clone:
                for found in _compared(indexed(clone), settings):
                    if differences:
                        differences.writelines(f"{line}\n" for line in found.differences(repository.name))
                    yield found.row(repository.name)


def _compared(tree: Indexed, settings: Settings) -> Iterator[Comparison | Unmeasured]:
    for compare in _COMPARISONS:
        yield from (found for found in compare(tree, settings) if not found.is_empty)
