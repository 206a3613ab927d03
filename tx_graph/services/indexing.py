"""Keeps files and imports equal to the working tree, reading again only what changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tx_graph.analysis.imports import RepositoryIndex, Resolution, is_manifest, resolve_imports
from tx_graph.codebase.parsing import SourceReading, language_of, read_source, why_unable
from tx_graph.codebase.repository import WorkingFile
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.imports import ImportEdge, Specifier, Surface, Unresolved
from tx_graph.domain.languages import LANGUAGES, resolver_of
from tx_graph.ports import Clock, Progress, no_progress
from tx_graph.services.stamps import UNTRUSTED, iso, trusted_mtime
from tx_graph.storage.analyses import AnalysisRun
from tx_graph.storage.files import FileRow
from tx_graph.storage.stores import Stores

_UNABLE = "Imports were not read: {reason}. Install it where there is a wheel for this platform, then run 'tx index'."

_NOTHING = SourceReading()

ListFiles = Callable[[Callable[[str], None]], list[WorkingFile]]
"""Lists the repository's files, and reports names it had to skip."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What one pass over the working tree did.

    `skipped` names what could not be read, and why; `notices` are sentences about the tree as a whole.
    """

    files: int
    read: int
    removed: int
    resolved: int
    imports: int
    unresolved: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[tuple[str, str], ...] = ()
    manifests: tuple[tuple[str, str], ...] = ()
    notices: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    row: FileRow
    source: SourceReading | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Resolved:
    """How many files had imports to resolve, and the manifests that could not be understood on the way."""

    files: int = 0
    manifests: tuple[tuple[str, str], ...] = ()


class Indexing:
    """Indexes the working tree."""

    def __init__(
        self,
        *,
        stores: Stores,
        tree: WorkingTree,
        list_files: ListFiles,
        head: Callable[[], str | None],
        clock: Clock,
        max_file_size: int,
    ) -> None:
        self._database = stores.database
        self._files = stores.files
        self._imports = stores.imports
        self._symbols = stores.symbols
        self._surfaces = stores.surfaces
        self._analyses = stores.analyses
        self._tree = tree
        self._list_files = list_files
        self._head = head
        self._clock = clock
        self._max_file_size = max_file_size

    def run(self, *, below: str = "", force: bool = False, progress: Progress = no_progress) -> IndexReport:
        """Bring files and imports up to date, only below a directory if one is given.

        `force` reads unchanged files too. An interrupted run leaves the index as it was.

        Raises:
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        below = "" if below == "." else below.rstrip("/")
        skipped: list[str] = []
        listed = [file for file in self._list_files(skipped.append) if _is_below(file.path, below)]
        stamps = self._files.stamps()
        changed = [file for file in listed if force or stamps.get(file.path) != (file.size, file.mtime_ns)]
        vanished = stamps.keys() - {file.path for file in listed}
        removed = sorted(path for path in vanished if _is_below(path, below))
        known = self._files.rows_of([file.path for file in changed])
        unable = why_unable() if any(language_of(file.path) for file in changed) else ""
        read = self._left if unable else self._read
        readings = list(_each(read, changed, {} if force else known, progress))
        with self._database.transaction():
            resolved = self._write(readings, removed, known)
            if not below:
                self._analyses.record(AnalysisRun(name="index", finished_at=iso(self._clock.now()), head=self._head()))
        return self._report(
            files=len(listed),
            readings=readings,
            removed=len(removed),
            resolved=resolved,
            skipped=skipped,
            notices=(_UNABLE.format(reason=unable),) if unable else (),
        )

    def _read(self, file: WorkingFile, before: FileRow | None) -> _Reading:
        language = language_of(file.path)
        if language is None and not is_manifest(file.path):
            return _Reading(row=_row(file, language))
        if file.size > self._max_file_size:
            return _unread(_row(file, language, problem="larger than index.max_file_size"), before)
        data = self._tree.read_listed(file.path)
        if data is None:
            return _unread(_row(file, language, problem="cannot be read"), before)
        digest = hashlib.sha256(data).hexdigest()
        row = _row(file, language, content_hash=digest)
        if before is not None and before.content_hash == digest and before.language == language:
            return _Reading(row=replace(row, problem=before.problem))
        if language is None:
            return _Reading(row=row)
        return self._parsed(row, data)

    def _left(self, file: WorkingFile, before: FileRow | None) -> _Reading:
        """Return the reading of a file where nothing can be parsed: what it imports stays as it was."""
        language = language_of(file.path)
        if language is None:
            return self._read(file, before)
        return _Reading(row=replace(_row(file, language), mtime_ns=UNTRUSTED))

    def _parsed(self, row: FileRow, data: bytes) -> _Reading:
        if b"\0" in data:
            return _Reading(row=replace(row, problem="is binary"), source=_NOTHING)
        try:
            return _Reading(row=row, source=read_source(row.path, data))
        except (KeyboardInterrupt, SystemExit, MemoryError):
            raise
        except BaseException as error:  # noqa: BLE001 - a parser's panic is a BaseException; one file is no reason to stop
            return _Reading(row=replace(row, problem=f"cannot be parsed: {type(error).__name__}"), source=_NOTHING)

    def _write(self, readings: list[_Reading], removed: list[str], known: Mapping[str, FileRow]) -> _Resolved:
        """Write what was read, and resolve again whatever that may have changed."""
        self._files.remove(removed)
        nodes = self._files.save(reading.row for reading in readings)
        sources = {reading.row.path: reading.source for reading in readings if reading.source is not None}
        parsed = {path: source.specifiers for path, source in sources.items()}
        self._imports.replace_specifiers({nodes[path]: specifiers for path, specifiers in parsed.items()})
        self._symbols.replace({nodes[path]: source.symbols for path, source in sources.items()})
        self._surfaces.replace({nodes[path]: source.surface for path, source in sources.items()})
        appeared = any(reading.row.path not in known for reading in readings)
        manifest = any(_is_news(reading, known) for reading in readings if is_manifest(reading.row.path))
        if removed or appeared or manifest:
            return self._resolve(parsed, everything=True)
        return self._resolve(parsed, everything=False) if parsed else _Resolved()

    def _resolve(self, parsed: Mapping[str, Sequence[Specifier]], *, everything: bool) -> _Resolved:
        nodes = self._files.paths()
        others = nodes.keys() - parsed.keys() if everything else ()
        specifiers = {**self._imports.specifiers([nodes[path] for path in others]), **parsed}
        index = RepositoryIndex(nodes, self._tree.read_text, self._surfaces_of)
        resolutions = [
            resolve_imports(source=path, language=language_of(path) or "", specifiers=found, index=index)
            for path, found in sorted(specifiers.items())
        ]
        self._imports.replace_edges([nodes[path] for path in specifiers], *_flattened(resolutions), nodes=nodes)
        return _Resolved(
            files=sum(map(bool, specifiers.values())),
            manifests=tuple((problem.path, problem.message) for problem in index.problems),
        )

    def _surfaces_of(self, resolver: str) -> dict[str, Surface]:
        return self._surfaces.of_languages([name for name in LANGUAGES if resolver_of(name) == resolver])

    def _report(
        self,
        *,
        files: int,
        readings: list[_Reading],
        removed: int,
        resolved: _Resolved,
        skipped: list[str],
        notices: tuple[str, ...],
    ) -> IndexReport:
        return IndexReport(
            files=files,
            read=sum(1 for reading in readings if reading.source is not None),
            removed=removed,
            resolved=resolved.files,
            imports=self._imports.count(),
            unresolved=self._imports.unresolved_counts(),
            skipped=(
                *((name, "its name is not UTF-8, or it cannot be opened") for name in skipped),
                *self._files.problems(),
            ),
            manifests=resolved.manifests,
            notices=notices,
        )


def _each(
    read: Callable[[WorkingFile, FileRow | None], _Reading],
    files: Sequence[WorkingFile],
    known: Mapping[str, FileRow],
    progress: Progress,
) -> Iterator[_Reading]:
    for done, file in enumerate(files, start=1):
        yield read(file, known.get(file.path))
        progress(done, len(files))


def _flattened(resolutions: Iterable[Resolution]) -> tuple[list[ImportEdge], list[Unresolved]]:
    edges: list[ImportEdge] = []
    unresolved: list[Unresolved] = []
    for resolution in resolutions:
        edges += resolution.edges
        unresolved += resolution.unresolved
    return edges, unresolved


def _row(
    file: WorkingFile, language: str | None, *, content_hash: str | None = None, problem: str | None = None
) -> FileRow:
    return FileRow(
        path=file.path,
        language=language,
        size=file.size,
        mtime_ns=trusted_mtime(file.mtime_ns),
        content_hash=content_hash,
        problem=problem,
    )


def _unread(row: FileRow, before: FileRow | None) -> _Reading:
    """Return the reading of a file that was not read; what it imported before is forgotten once."""
    return _Reading(row=row, source=None if before is not None and before.problem == row.problem else _NOTHING)


def _is_news(reading: _Reading, known: Mapping[str, FileRow]) -> bool:
    before = known.get(reading.row.path)
    return before is None or before.content_hash != reading.row.content_hash


def _is_below(path: str, directory: str) -> bool:
    return not directory or path == directory or path.startswith(f"{directory}/")
