"""Reads the files that changed: by their hash from what was read before, else by parsing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field, replace

from tx_graph.code.file_store import FileRow
from tx_graph.code.languages import language_of
from tx_graph.code.parallel import NO_CONTENTS, Contents, Parsed, Source, decode, parse_all, readers_version
from tx_graph.code.parsing import why_skipped
from tx_graph.code.reading_store import ReadingCache
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import READINGS
from tx_graph.core.ports import Progress
from tx_graph.core.processes import default_processes
from tx_graph.core.repository import WorkingFile
from tx_graph.core.working_tree import UNTRUSTED, WorkingTree, trusted_mtime

_CHUNK = 4_000_000
"""Bytes of files that are hashed before the cache is asked for all of them."""
_GENERATED = "is marked as generated"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """A file as it is now. `contents` is None when what is stored of it still holds; `reused`: nobody parsed it."""

    row: FileRow
    contents: Contents | None = None
    reused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What to read: the files that may have changed, and what was known of them.

    Of the `generated` ones only what others may ask them for is taken.
    """

    files: Sequence[WorkingFile]
    known: Mapping[str, FileRow]
    generated: Collection[str] = ()


@dataclass(slots=True, kw_only=True)
class _Ledger:
    """What is settled so far, and what waits for a parser."""

    settled: list[FileReading] = field(default_factory=list)
    waiting: dict[str, FileRow] = field(default_factory=dict)
    used: list[str] = field(default_factory=list)
    kept: list[tuple[str, bytes]] = field(default_factory=list)


class FileReader:
    """Reads files of the working tree as they are listed."""

    def __init__(
        self, *, tree: WorkingTree, open_cache: Callable[[], ReadingCache | None], max_file_size: int, processes: int
    ) -> None:
        self._tree = tree
        self._open_cache = open_cache
        self._max_file_size = max_file_size
        self._processes = processes

    def read(self, task: Task, progress: Progress) -> list[FileReading]:
        """Return every file of the task as it is now, in no particular order."""
        cache = self._open_cache() if any(language_of(file.path) for file in task.files) else None
        ledger = _Ledger()
        with closing(cache) if cache is not None else nullcontext():
            for path, found in parse_all(self._unread(task, cache, ledger), processes=self._processes):
                _settle(ledger, path, found, generated=task.generated)
                progress(len(ledger.settled), len(task.files))
            if cache is not None:
                cache.keep(ledger.kept, used=ledger.used)
        progress(len(task.files), len(task.files))
        return ledger.settled

    def leave(self, task: Task) -> list[FileReading]:
        """Return every file of the task where nothing can be parsed: what source files say stays as it was."""
        return [
            FileReading(row=replace(_row(file), mtime_ns=UNTRUSTED))
            if language_of(file.path)
            else self._looked_at(file, task)[0]
            for file in task.files
        ]

    def _unread(self, task: Task, cache: ReadingCache | None, ledger: _Ledger) -> Iterator[Source]:
        """Yield the files whose contents nobody has read before; settle all others."""
        for chunk in _chunks(task.files):
            missing: list[tuple[FileRow, bytes]] = []
            for file in chunk:
                reading, content = self._looked_at(file, task)
                if content is None:
                    ledger.settled.append(reading)
                else:
                    missing.append((reading.row, content))
            known = cache.get({_key(row) for row, _ in missing}) if cache is not None else {}
            for row, content in missing:
                if not _taken_from(known, row, ledger, generated=task.generated):
                    ledger.waiting[row.path] = row
                    yield Source(row.path, content)

    def _looked_at(self, file: WorkingFile, task: Task) -> tuple[FileReading, bytes | None]:
        """Return what is known without parsing, and the content if it must be parsed."""
        before = task.known.get(file.path)
        if language_of(file.path) is None:
            return FileReading(row=_row(file)), None
        if file.size > self._max_file_size:
            return _unread(_row(file, problem="is larger than index.max_file_size"), before), None
        content = self._tree.read_listed(file.path)
        if content is None:
            return _unread(_row(file, problem="cannot be read"), before), None
        row = _row(file, content_hash=hashlib.sha256(content).hexdigest())
        if before is not None and (before.content_hash, before.language) == (row.content_hash, row.language):
            return FileReading(row=replace(row, problem=before.problem)), None
        if reason := why_skipped(row.path, row.language or "", content):
            return FileReading(row=replace(row, problem=reason), contents=NO_CONTENTS), None
        return FileReading(row=row), content


def _chunks(files: Iterable[WorkingFile]) -> Iterator[list[WorkingFile]]:
    chunk: list[WorkingFile] = []
    size = 0
    for file in files:
        chunk.append(file)
        size += file.size
        if size >= _CHUNK:
            yield chunk
            chunk, size = [], 0
    yield chunk


def _key(row: FileRow) -> str:
    """Return what a content is kept under: the same bytes say other things in another language."""
    return f"{row.content_hash}.{row.language}"


def _settle(ledger: _Ledger, path: str, found: Parsed, *, generated: Collection[str]) -> None:
    encoded, problem = found
    row = ledger.waiting.pop(path)
    if encoded is None:
        ledger.settled.append(FileReading(row=replace(row, problem=problem), contents=NO_CONTENTS))
        return
    ledger.kept.append((_key(row), encoded))
    ledger.settled.append(_reading(row, decode(encoded), generated=generated))


def _taken_from(known: Mapping[str, bytes], row: FileRow, ledger: _Ledger, *, generated: Collection[str]) -> bool:
    """Settle a file whose content was read before; return whether that could be done."""
    key = _key(row)
    try:
        contents = decode(known[key])
    except (KeyError, ValueError):
        return False
    ledger.used.append(key)
    ledger.settled.append(replace(_reading(row, contents, generated=generated), reused=True))
    return True


def _reading(row: FileRow, contents: Contents, *, generated: Collection[str]) -> FileReading:
    """Return what a file says; of one that a program wrote only what others may ask it for."""
    if row.path in generated:
        contents = Contents(surface=contents.surface, problem=_GENERATED)
    return FileReading(row=replace(row, problem=contents.problem or None), contents=contents)


def _row(file: WorkingFile, *, content_hash: str | None = None, problem: str | None = None) -> FileRow:
    return FileRow(
        path=file.path,
        language=language_of(file.path),
        size=file.size,
        mtime_ns=trusted_mtime(file.mtime_ns),
        content_hash=content_hash,
        problem=problem,
    )


def _unread(row: FileRow, before: FileRow | None) -> FileReading:
    """Return the reading of a file that was not read; what it said before is forgotten once."""
    return FileReading(row=row, contents=None if before is not None and before.problem == row.problem else NO_CONTENTS)


def file_reader(kernel: Kernel) -> FileReader:
    """Return what reads source files, or finds what was read of them before."""
    return FileReader(
        tree=kernel.checkout.tree,
        open_cache=lambda: _reading_cache(kernel),
        max_file_size=int(kernel.config.get("index.max_file_size")),
        processes=reading_processes(kernel),
    )


def reading_processes(kernel: Kernel) -> int:
    """Return how many processes read files when there is much to read."""
    return int(kernel.config.get("index.processes")) or default_processes()


def _reading_cache(kernel: Kernel) -> ReadingCache | None:
    most, repository = int(kernel.config.get("index.cache_size")), kernel.checkout.askable
    if repository is None or not most:
        return None
    path = repository.common_directory() / READINGS
    return ReadingCache(path, readers=readers_version(), today=kernel.clock.now().date(), most_bytes=most)
