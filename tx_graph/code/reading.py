"""Reads the files that changed: by their hash from what was read before, else by parsing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from hashlib import sha256

from tx_graph.code.file_store import FileRow
from tx_graph.code.languages import language_of
from tx_graph.code.parallel import Source, decode, parse_all, readers_version
from tx_graph.code.parsing import SCRIPTS, SourceReading, why_skipped
from tx_graph.code.sorts import looks_generated
from tx_graph.code.tree import decoded
from tx_graph.core.content_cache import ContentCache
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.kernel import Kernel
from tx_graph.core.place import READINGS
from tx_graph.core.ports import Progress
from tx_graph.core.processes import default_processes
from tx_graph.core.repository import WorkingFile
from tx_graph.core.working_tree import UNTRUSTED, trusted_mtime

_CHUNK = 4_000_000  # bytes of files that are hashed before the cache is asked for all of them
_KEPT_TOGETHER = 500
_MARKED = "is marked as generated"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReading:
    """A file as it is now. `contents` is None when what is stored of it still holds; `reused`: nobody parsed it."""

    row: FileRow
    contents: SourceReading | None = None
    reused: bool = False


NOTHING = SourceReading()


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReader:
    """Reads the files that may have changed, given what was known of them.

    Of generated ones only what others may ask them for is taken: `generated` are marked so.
    """

    kernel: Kernel
    files: Sequence[WorkingFile]
    known: Mapping[str, FileRow]
    generated: Collection[str] = ()

    def read(self, progress: Progress) -> list[FileReading]:
        """Return every file as it is now, in no particular order."""
        cache = self._opened_cache() if any(language_of(file.path) for file in self.files) else None
        settled: list[FileReading] = []
        waiting: dict[str, FileRow] = {}
        used: list[str] = []
        kept: list[tuple[str, bytes]] = []

        def unread() -> Iterator[Source]:
            """Yield the files whose contents nobody has read before; settle all others."""
            for chunk in _chunks(self.files):
                missing: list[tuple[FileRow, bytes]] = []
                for file in chunk:
                    reading, content = self._looked_at(file)
                    if content is None:
                        settled.append(reading)
                    else:
                        missing.append((reading.row, content))
                known = cache.get({_key(row) for row, _ in missing}) if cache is not None else {}
                for row, content in missing:
                    try:
                        reading = self._settled(row, decode(known[_key(row)], row.path))
                    except (KeyError, ValueError):
                        waiting[row.path] = row
                        yield Source(row.path, content)
                    else:
                        used.append(_key(row))
                        settled.append(replace(reading, reused=True))

        with closing(cache) if cache is not None else nullcontext():
            for path, (encoded, problem) in parse_all(unread(), processes=reading_processes(self.kernel)):
                row = waiting.pop(path)
                if encoded is None:
                    settled.append(FileReading(row=replace(row, problem=problem), contents=NOTHING))
                else:
                    kept.append((_key(row), encoded))
                    settled.append(self._settled(row, decode(encoded, path)))
                if cache is not None and len(kept) >= _KEPT_TOGETHER:  # an interrupted run goes on from there
                    cache.keep(kept)
                    kept.clear()
                progress(len(settled), len(self.files))
            if cache is not None:
                cache.keep(kept, used=used)
        progress(len(self.files), len(self.files))
        return settled

    def _opened_cache(self) -> ContentCache | None:
        most, repository = int(self.kernel.config.get("index.cache_size")), self.kernel.checkout.askable
        if repository is None or not most:
            return None
        path, today = repository.common_directory() / READINGS, self.kernel.clock.now().date()
        return ContentCache(path, made_by=readers_version(), today=today, most_bytes=most)

    def _settled(self, row: FileRow, contents: SourceReading) -> FileReading:
        if row.problem:
            contents = SourceReading(surface=contents.surface, problem=row.problem)
        return FileReading(row=replace(row, problem=contents.problem or None), contents=contents)

    def _why_generated(self, path: str, content: bytes) -> str | None:
        """Return, as a sentence's end, why a file counts as generated; None where it is read."""
        said, is_marked = str(self.kernel.config.get("index.generated")), path in self.generated
        if said == "none" or (said != "header" and not is_marked):
            return None
        if said == "attribute":
            return _MARKED
        is_script = language_of(path) in SCRIPTS
        if not looks_generated(decoded(content), is_script=is_script, is_marked=is_marked):
            return None
        return f"{_MARKED} and looks it" if is_marked else "looks generated"

    def leave(self) -> list[FileReading]:
        """Return every file where nothing can be parsed: what source files say stays as it was."""
        return [
            FileReading(row=replace(_row(file), mtime_ns=UNTRUSTED))
            if language_of(file.path)
            else self._looked_at(file)[0]
            for file in self.files
        ]

    def _looked_at(self, file: WorkingFile) -> tuple[FileReading, bytes | None]:
        """Return what is known without parsing, and the content if it must be parsed."""
        before, row = self.known.get(file.path), _row(file)
        if row.language is None:
            return FileReading(row=row), None
        is_small = file.size <= int(self.kernel.config.get("index.max_file_size"))
        content = self.kernel.checkout.tree.read_listed(file.path) if is_small else None
        if content is None:  # what it said before is forgotten once
            problem = "cannot be read" if is_small else "is larger than index.max_file_size"
            was_so = before is not None and before.problem == problem
            return FileReading(row=replace(row, problem=problem), contents=None if was_so else NOTHING), None
        row = replace(row, content_hash=sha256(content).hexdigest())
        if before is not None and (before.content_hash, before.language) == (row.content_hash, row.language):
            return FileReading(row=replace(row, problem=before.problem)), None
        if reason := why_skipped(row.path, row.language or "", content):
            return FileReading(row=replace(row, problem=reason), contents=NOTHING), None
        return FileReading(row=replace(row, problem=self._why_generated(row.path, content))), content


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


def _row(file: WorkingFile) -> FileRow:
    mtime_ns = trusted_mtime(file.mtime_ns)
    return FileRow(path=file.path, language=language_of(file.path), size=file.size, mtime_ns=mtime_ns)


def reading_processes(kernel: Kernel) -> int:
    """Return how many processes read files when there is much to read."""
    return int(kernel.config.get("index.processes")) or default_processes()
