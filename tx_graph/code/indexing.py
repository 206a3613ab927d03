"""Indexing: files, symbols and imports kept equal to the working tree."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Annotated, Any

from tx_graph.code.file_store import FileRow, FileStore, SurfaceStore, SymbolStore
from tx_graph.code.import_store import ImportStore
from tx_graph.code.imports import Specifier, Surface
from tx_graph.code.languages import LANGUAGES, language_of, resolver_of
from tx_graph.code.parallel import readers_version
from tx_graph.code.parsing import why_unable
from tx_graph.code.reading import FileReading, Task, file_reader
from tx_graph.code.resolvers import Resolution, resolve_imports, resolvers_concerned
from tx_graph.code.resolvers.index import ManifestProblem, RepositoryIndex
from tx_graph.core.arguments import Arg
from tx_graph.core.database import Database
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.processes import uncollected
from tx_graph.core.repository import Skipped, WorkingFile
from tx_graph.core.working_tree import WorkingTree, as_text
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What became different since imports were resolved last.

    `parsed` has what the files that were read again ask for. `came_or_went` and `rewritten` are paths, the latter of
    files that may have another text: nobody looks into those that are no source. `shown` are the paths of files that
    show others another surface than before.
    """

    parsed: Mapping[str, Sequence[Specifier]] = field(default_factory=dict)
    came_or_went: Collection[str] = ()
    rewritten: Collection[str] = ()
    shown: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """How many files had imports to resolve, and the manifests that could not be understood on the way."""

    files: int = 0
    problems: tuple[ManifestProblem, ...] = ()


class Resolving:
    """Keeps import edges equal to what the specifiers mean."""

    def __init__(self, *, database: Database, tree: WorkingTree) -> None:
        self._imports = ImportStore(database)
        self._surfaces = SurfaceStore(database)
        self._files = FileStore(database)
        self._tree = tree

    def run(self, changes: Changes) -> Resolved:
        """Resolve what may have changed its meaning. Needs a transaction."""
        nodes = self._files.paths()
        anew = self._affected(changes)
        parsed = _by_resolver(changes.parsed)
        found = [
            self._of(resolver, parsed.get(resolver, {}), nodes, everything=resolver in anew)
            for resolver in sorted({*anew, *parsed})
        ]
        return Resolved(
            files=sum(one.files for one in found), problems=tuple(problem for one in found for problem in one.problems)
        )

    def _affected(self, changes: Changes) -> frozenset[str]:
        consulted = self._imports.consulted()
        affected = {resolver_of(language_of(path)) for path in changes.shown}
        for path in changes.came_or_went:
            affected |= resolvers_concerned(path)
        texts = _Texts(self._tree)
        for path in consulted.keys() & {*changes.came_or_went, *changes.rewritten}:
            now = texts.hash_of(path)
            affected |= {resolver for resolver, content_hash in consulted[path].items() if content_hash != now}
        return frozenset(affected)

    def _of(
        self, resolver: str, parsed: Mapping[str, Sequence[Specifier]], nodes: Mapping[str, NodeId], *, everything: bool
    ) -> Resolved:
        specifiers = {**self._unparsed(resolver, parsed, nodes), **parsed} if everything else parsed
        texts = _Texts(self._tree)
        index = RepositoryIndex(nodes, texts.read, self._surfaces_of, resolver=resolver)
        resolutions = [
            resolve_imports(source=path, language=language_of(path) or "", specifiers=asked, index=index)
            for path, asked in sorted(specifiers.items())
        ]
        self._write(resolutions, [nodes[path] for path in specifiers], nodes)
        self._imports.remember_consulted(resolver, texts.hashes, only=everything)
        return Resolved(files=sum(map(bool, specifiers.values())), problems=index.problems)

    def _unparsed(
        self, resolver: str, parsed: Collection[str], nodes: Mapping[str, NodeId]
    ) -> Mapping[str, Sequence[Specifier]]:
        """Return what all other files of a resolver's languages ask for; those that ask for nothing are left out."""
        others = (path for path in nodes.keys() - parsed if resolver_of(language_of(path)) == resolver)
        return self._imports.specifiers([nodes[path] for path in others])

    def _write(
        self, resolutions: Iterable[Resolution], sources: Collection[NodeId], nodes: Mapping[str, NodeId]
    ) -> None:
        resolutions = list(resolutions)
        edges = [edge for resolution in resolutions for edge in resolution.edges]
        unresolved = [one for resolution in resolutions for one in resolution.unresolved]
        self._imports.replace_edges(sources, edges, unresolved, nodes=nodes)

    def _surfaces_of(self, resolver: str) -> dict[str, Surface]:
        return self._surfaces.of_languages([name for name in LANGUAGES if resolver_of(name) == resolver])


class _Texts:
    """Hands out the texts of manifests and remembers which, with the SHA-256 of what they held."""

    def __init__(self, tree: WorkingTree) -> None:
        self._tree = tree
        self.hashes: dict[str, str] = {}

    def read(self, path: str) -> str | None:
        """Return a file as text (undecodable bytes replaced), None when it cannot be read."""
        data = self._tree.read(path)
        self.hashes[path] = "" if data is None else sha256(data).hexdigest()
        return None if data is None else as_text(data)

    def hash_of(self, path: str) -> str:
        """Return the SHA-256 of a file, empty when it cannot be read."""
        self.read(path)
        return self.hashes[path]


def _by_resolver(parsed: Mapping[str, Sequence[Specifier]]) -> dict[str, dict[str, Sequence[Specifier]]]:
    found: dict[str, dict[str, Sequence[Specifier]]] = {}
    for path, specifiers in parsed.items():
        if resolver := resolver_of(language_of(path)):
            found.setdefault(resolver, {})[path] = specifiers
    return found


_UNABLE = "Imports were not read: {reason}. Install it where there is a wheel for this platform, then run 'tx index'."
_ATTRIBUTES = ".gitattributes"


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What one pass over the working tree did.

    `read` files were taken in anew, `reused` of them without parsing: their content was read before, on another
    branch or in another worktree. `skipped` names what was left out or could be read only in part, and why, as
    sentences' ends; `notices` are sentences about the tree as a whole.
    """

    files: int
    read: int
    reused: int
    removed: int
    resolved: int
    imports: int
    symbols: int
    unresolved: Mapping[str, int] = field(default_factory=dict)
    skipped: tuple[tuple[str, str], ...] = ()
    manifests: tuple[tuple[str, str], ...] = ()
    notices: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return what was done, with one list of all that was left out."""
        left_out = [{"path": path, "reason": reason} for path, reason in (*self.skipped, *self.manifests)]
        keys = ("files", "read", "reused", "removed", "resolved", "imports", "symbols")
        counts: dict[str, object] = {key: getattr(self, key) for key in keys}
        return counts | {"unresolved": dict(self.unresolved), "skipped": left_out, "notices": list(self.notices)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Work:
    """What there is to do: the files to read, what was `known` of them, and those that are gone.

    `files` are in the working tree; `options` are what the readings depend on beside the files.
    """

    task: Task
    known: Mapping[str, FileRow]
    removed: Sequence[str]
    files: int
    skipped: Sequence[Skipped]
    options: Mapping[str, Any]


class ImportAnalysis:
    """Reads files: `workspace.graph`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def analyze_imports(
        self,
        path: Annotated[str | None, Arg("DIR", "Only files below this directory.", flag="--path", mcp="")] = None,
        *,
        progress: Progress = no_progress,
    ) -> IndexReport:
        """Read which files import which, and what they declare: 'tx index' without the learnings' vectors.

        Example:
          tx graph:analyze-imports
          tx graph:analyze-imports --path src/

        Raises:
            NotFound: There is no such directory.
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        below = ""
        if path is not None:
            from tx_graph.graph.resolving import References

            below = self._kernel.one(References).directory(path)
        return self._kernel.one(Indexing).run(below=below, progress=progress)


class Indexing:
    """Keeps the index equal to the working tree."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._database = kernel.database
        self._tree = kernel.checkout.tree
        self._list_files: Callable[[Callable[[Skipped], None]], list[WorkingFile]] = kernel.checkout.list_files
        self._repository = kernel.checkout.askable
        self._reader = file_reader(kernel)
        self._settings: Mapping[str, Any] = {"max_file_size": kernel.config.get("index.max_file_size")}

    def run(self, *, below: str = "", force: bool = False, progress: Progress = no_progress) -> IndexReport:
        """Bring files, symbols and imports up to date, only below a directory if one is given.

        `force` reads unchanged files too, as do another version of the readers and other settings than last time.
        An interrupted run leaves the index as it was.
        """
        with uncollected():
            return self._run("" if below == "." else below.rstrip("/"), force=force, progress=progress)

    def _run(self, below: str, *, force: bool, progress: Progress) -> IndexReport:
        work = self._work(below, force=force)
        unable = why_unable() if any(language_of(file.path) for file in work.task.files) else ""
        readings = self._reader.leave(work.task) if unable else self._reader.read(work.task, progress)
        with self._database.transaction():
            resolved = self._write(readings, work)
            if not below:
                head = self._repository.head() if self._repository else None
                run = AnalysisRun(name="index", finished_at=self._kernel.now(), head=head, options=work.options)
                AnalysisStore(self._database).record(run)
        notices = (self._kernel.checkout.caveat, unable and _UNABLE.format(reason=unable))
        return self._report(work, readings, resolved, notices=tuple(filter(None, notices)))

    def _work(self, below: str, *, force: bool) -> _Work:
        """Return what differs between the working tree and the index, or with `force` everything."""
        skipped: list[Skipped] = []
        everything = self._list_files(skipped.append)
        listed = [file for file in everything if _is_below(file.path, below)]
        options = {**self._settings, "readers": readers_version(), "attributes": self._attributes(everything)}
        force = force or self._options_of_last_run() not in (None, options)
        stamps = FileStore(self._database).stamps()
        changed = [file for file in listed if force or stamps.get(file.path) != (file.size, file.mtime_ns)]
        known = FileStore(self._database).rows_of([file.path for file in changed])
        generated = self._generated(changed, options["attributes"])
        vanished = stamps.keys() - {file.path for file in everything}
        return _Work(
            task=Task(files=changed, known={} if force else known, generated=generated),
            known=known,
            removed=sorted(path for path in vanished if _is_below(path, below)),
            files=len(listed),
            skipped=[one for one in skipped if _is_below(one.name, below)],
            options=options,
        )

    def _options_of_last_run(self) -> Mapping[str, Any] | None:
        last = AnalysisStore(self._database).last("index")
        return None if last is None else last.options

    def _attributes(self, files: Sequence[WorkingFile]) -> str:
        """Return a digest of what the project's .gitattributes say about generated files; empty when nothing."""
        if self._repository is None:
            return ""
        paths = [file.path for file in files if file.path.rpartition("/")[2] == _ATTRIBUTES]
        texts = [(path, self._tree.read_text(path) or "") for path in paths]
        saying = [(path, text) for path, text in texts if "linguist-generated" in text]
        return hashlib.sha256(repr(saying).encode()).hexdigest()[:16] if saying else ""

    def _generated(self, files: Sequence[WorkingFile], attributes: str) -> Collection[str]:
        sources = [file.path for file in files if language_of(file.path)]
        if not attributes or not sources or self._repository is None:
            return ()
        return self._repository.generated_files(sources)

    def _write(self, readings: Sequence[FileReading], work: _Work) -> Resolved:
        database = self._database
        FileStore(database).remove(work.removed)
        nodes = FileStore(database).save(reading.row for reading in readings)
        contents = {one.row.path: one.contents for one in readings if one.contents is not None}
        before = SurfaceStore(database).of_files([path for path in contents if path in work.known])
        ImportStore(database).replace_specifiers({nodes[path]: found.specifiers for path, found in contents.items()})
        SymbolStore(database).replace({nodes[path]: found.symbols for path, found in contents.items()})
        SurfaceStore(database).replace({nodes[path]: found.surface for path, found in contents.items()})
        changes = Changes(
            parsed={path: found.specifiers for path, found in contents.items()},
            came_or_went=[*work.removed, *(one.row.path for one in readings if one.row.path not in work.known)],
            rewritten=[one.row.path for one in readings if _is_rewritten(one.row, work.known.get(one.row.path))],
            shown=[path for path, surface in before.items() if contents[path].surface.shown != surface.shown],
        )
        return Resolving(database=database, tree=self._tree).run(changes)

    def _report(
        self, work: _Work, readings: Sequence[FileReading], resolved: Resolved, *, notices: tuple[str, ...]
    ) -> IndexReport:
        database = self._database
        return IndexReport(
            files=work.files,
            read=sum(1 for reading in readings if reading.contents is not None),
            reused=sum(1 for reading in readings if reading.reused),
            removed=len(work.removed),
            resolved=resolved.files,
            imports=ImportStore(database).count(),
            symbols=SymbolStore(database).count(),
            unresolved=ImportStore(database).unresolved_counts(),
            skipped=(*((one.name, one.reason) for one in work.skipped), *FileStore(database).problems()),
            manifests=tuple((problem.path, problem.message) for problem in resolved.problems),
            notices=notices,
        )


def _is_rewritten(row: FileRow, before: FileRow | None) -> bool:
    """Whether a file may have another text than before; nobody looks into those that are no source."""
    return row.content_hash is None or (before is not None and before.content_hash != row.content_hash)


def _is_below(path: str, directory: str) -> bool:
    return not directory or path == directory or path.startswith(f"{directory}/")
