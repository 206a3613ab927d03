"""What reading imports costs, beside ast-grep's own parsing of the same files in one process."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from ast_grep_py import SgRoot

from scripts.benchmarks import source_tree
from scripts.benchmarks.clones import cloned
from scripts.benchmarks.report import TIMES, Row, at_most, ms
from scripts.benchmarks.settings import Settings
from scripts.benchmarks.timing import medians, timed
from tx_graph.codebase.parsing import language_of, read_source
from tx_graph.codebase.parsing.tree import decoded
from tx_graph.codebase.repository import GitRepository
from tx_graph.domain.languages import LANGUAGES
from tx_graph.records.layout import DATABASE, DIRECTORY
from tx_graph.services.setup import prepare
from tx_graph.workspace import open_workspace

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
    files = [file.path for file in GitRepository(root).list_files()]
    sources = {path: (root / path).read_bytes() for path in files if language_of(path)}
    texts = list(_parsable(sources))
    if not texts:
        yield Row(what=f"analyze-imports, cold: {name}", budget=_COLD, note="no source files")
        return
    cold, parsed, read = medians(
        [
            lambda: _cold(root),
            lambda: timed(_parse, texts),
            lambda: timed(_read, sources),
        ],
        rounds=settings.heavy_rounds,
    )
    note = f"{len(files):,} files, {len(sources):,} of them source"
    yield Row(
        what=f"analyze-imports, cold: {name}",
        measured=ms(cold),
        baseline=_BASELINE,
        against=ms(parsed),
        budget=_COLD,
        note=note,
    )
    yield Row(
        what=f"… of that parsing and reading imports: {name}",
        measured=ms(read),
        baseline=_BASELINE,
        against=ms(parsed),
    )
    yield _unchanged(root, name, len(files), settings)


def _parsable(sources: dict[str, bytes]) -> Iterator[tuple[str, str]]:
    """Yield text and grammar of each source file that one grammar reads."""
    for path, data in sources.items():
        if grammar := LANGUAGES[language_of(path) or ""].grammar:
            yield decoded(data), grammar


def _parse(texts: list[tuple[str, str]]) -> None:
    for text, grammar in texts:
        SgRoot(text, grammar)


def _read(sources: dict[str, bytes]) -> None:
    for path, data in sources.items():
        read_source(path, data)


def _cold(root: Path) -> float:
    for file in (root / DIRECTORY).glob(f"{DATABASE}*"):
        file.unlink()
    with open_workspace(root) as workspace:
        return timed(workspace.indexing.run)


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
