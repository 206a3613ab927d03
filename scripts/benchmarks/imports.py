"""What reading imports and symbols costs, beside ast-grep's own parsing of the same files in as many processes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from scripts.benchmarks import source_tree
from scripts.benchmarks.bare_parse import Parsable, parsable, parse, parse_in_processes, texts_of
from scripts.benchmarks.clones import cloned
from scripts.benchmarks.cold import index_cold
from scripts.benchmarks.report import TIMES, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import medians, timed
from scripts.opened import open_workspace
from tx_graph.code.parallel import WORTHWHILE
from tx_graph.code.parsing import read_source
from tx_graph.core.processes import default_processes
from tx_graph.core.repository import GitRepository
from tx_graph.workspace import prepare

_BASELINE = "ast-grep parse"
_COLD = at_most(2, TIMES)
_UNCHANGED, _UNCHANGED_FILES = 100, 10_000
"""Most ms for an unchanged tree, per so many files or fewer."""
_SETTLED = 0.1
"""Seconds after which the time stamps of new files are trusted."""


def rows(settings: Settings) -> Iterator[Row]:
    """Yield cold and repeated analyses of a generated tree and of each repository."""
    generated = settings.workdir.made("tree", source_tree.make)
    prepare(generated)
    yield from _measured(generated, "generated", settings)
    for repository in settings.repositories:
        with cloned(repository, settings) as clone:
            yield from _measured(clone, repository.name, settings)


def _measured(root: Path, name: str, settings: Settings) -> Iterator[Row]:
    time.sleep(_SETTLED)
    paths = [file.path for file in GitRepository(root).list_files()]
    files = list(parsable(root, paths))
    if not files:
        yield Row(what=f"analyze-imports, cold: {name}", budget=_COLD, note="no source files")
        return
    note = f"{len(paths):,} files, {len(files):,} of them source"
    yield from _in_one_process(root, name, files, note, settings)
    processes = default_processes()
    if processes > 1 and sum(file.size for file in files) >= WORTHWHILE:
        yield _in_processes(root, name, files, note, settings)
    yield _unchanged(root, name, len(paths), settings)


def _in_one_process(root: Path, name: str, files: list[Parsable], note: str, settings: Settings) -> Iterator[Row]:
    texts = texts_of(files)
    sources = [(file.path.relative_to(root).as_posix(), file.path.read_bytes()) for file in files]
    cold, whole, parsed, read = medians(
        [
            lambda: index_cold(root, processes=1),
            lambda: index_cold(root, processes=1, with_pieces=True),
            lambda: timed(parse, texts),
            lambda: timed(_read, sources),
        ],
        rounds=settings.heavy_rounds,
    )
    yield Row(
        what=f"analyze-imports, cold, one process: {name}",
        measured=ms(cold),
        baseline=_BASELINE,
        against=ms(parsed),
        budget=_COLD,
        note=note,
    )
    yield Row(what=f"… with pieces of code: {name}", measured=ms(whole), baseline=_BASELINE, against=ms(parsed))
    yield Row(what=f"… of that parsing and reading: {name}", measured=ms(read), baseline=_BASELINE, against=ms(parsed))


def _in_processes(root: Path, name: str, files: list[Parsable], note: str, settings: Settings) -> Row:
    """All start the processes that they use."""
    processes = default_processes()
    cold, whole, parsed = medians(
        [
            lambda: index_cold(root, processes=processes),
            lambda: index_cold(root, processes=processes, with_pieces=True),
            lambda: timed(parse_in_processes, files, processes=processes),
        ],
        rounds=settings.heavy_rounds,
    )
    return Row(
        what=f"analyze-imports, cold, {processes} processes: {name}",
        measured=ms(cold),
        baseline=f"{_BASELINE}, {processes} processes",
        against=ms(parsed),
        budget=_COLD,
        note=f"{note}; with pieces of code {whole:,.0f} ms, {whole / parsed:.1f}×",
    )


def _read(sources: list[tuple[str, bytes]]) -> None:
    for path, content in sources:
        read_source(path, content)


def _unchanged(root: Path, name: str, files: int, settings: Settings) -> Row:
    with open_workspace(root) as workspace:
        (wall,) = medians([lambda: timed(workspace.indexing.run)], rounds=settings.rounds)
    scale = max(1.0, files / _UNCHANGED_FILES)
    return Row(
        what=f"analyze-imports, unchanged tree: {name}",
        measured=ms(wall),
        budget=at_most(_UNCHANGED * scale, "ms"),
        note=f"{files:,} files; {wall / files * _UNCHANGED_FILES:,.0f} ms per {_UNCHANGED_FILES:,}",
    )
