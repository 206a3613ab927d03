"""What `tx index` costs beside tools that read the same files, each a whole process; and what it costs again."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.rivals import Rival, rivals
from scripts.benchmarks import reindexing, source_tree
from scripts.benchmarks.clones import cloned
from scripts.benchmarks.cold import forget, index_cold
from scripts.benchmarks.report import Row, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import Command, medians, tx
from tx_graph.code.languages import language_of
from tx_graph.core.repository import GitRepository
from tx_graph.workspace import prepare

_BASELINE = "tx index, cold"
_SETTLED = 0.1
"""Seconds after which the time stamps of new files are trusted."""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield tx and the others on each repository, then indexing again there and in a generated tree."""
    for repository in settings.repositories:
        with cloned(repository, settings) as clone:
            time.sleep(_SETTLED)
            yield from _compared(clone, repository.name, settings)
            yield from reindexing.rows(clone, repository.name, settings)
    generated = settings.workdir.made("tree", source_tree.make)
    prepare(generated)
    yield from reindexing.rows(generated, "generated", settings)
    yield from reindexing.changed(generated, "generated", settings)


def _compared(root: Path, name: str, settings: Settings) -> Iterator[Row]:
    sources = [file.path for file in GitRepository(root).list_files() if language_of(file.path)]
    with settings.workdir.temporary() as scratch:
        found = list(rivals(root, sources, settings, scratch=scratch))
        yield from _measured(root, name, len(sources), _able(found), settings)
    for rival in found:
        if rival.command is None:
            yield Row(what=f"{rival.name}: {name}", budget=rival.budget, note=rival.note)


def _able(found: Sequence[Rival]) -> list[tuple[Rival, Command]]:
    """Return those that can be run, with their commands."""
    return [(rival, rival.command) for rival in found if rival.command is not None]


def _measured(
    root: Path, name: str, sources: int, able: Sequence[tuple[Rival, Command]], settings: Settings
) -> Iterator[Row]:
    index = tx("index", directory=root)
    cold, inside, *walls = medians(
        [lambda: _cold(root, index), lambda: index_cold(root), *(command.run for _, command in able)],
        rounds=settings.heavy_rounds,
    )
    yield Row(what=f"{_BASELINE}: {name}", measured=ms(cold), note=f"{sources:,} source files; imports and symbols")
    yield Row(what=f"{_BASELINE}, without starting tx: {name}", measured=ms(inside))
    for (rival, _), wall in zip(able, walls, strict=True):
        yield Row(
            what=f"{rival.name}: {name}",
            measured=ms(wall),
            baseline=_BASELINE,
            against=ms(cold),
            budget=rival.budget,
            note=rival.note,
        )


def _cold(root: Path, index: Command) -> float:
    forget(root)
    return index.run()
