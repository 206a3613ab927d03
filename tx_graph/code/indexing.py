"""Indexing: files, symbols and imports kept equal to the working tree."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Annotated, Any, ClassVar, NamedTuple

from tx_graph.code.file_store import FileRow, FileStore, SurfaceStore, SymbolStore
from tx_graph.code.import_store import ImportStore
from tx_graph.code.imports import Specifier, Surface
from tx_graph.code.languages import LANGUAGES, language_of, resolver_of
from tx_graph.code.parallel import readers_version
from tx_graph.code.parsing import why_unable
from tx_graph.code.reading import FileReader, FileReading
from tx_graph.code.resolvers import RepositoryIndex, resolve_imports, resolvers_concerned
from tx_graph.code.use_store import UseStore
from tx_graph.core.arguments import Arg
from tx_graph.core.database import Database
from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.processes import uncollected
from tx_graph.core.repository import Skipped, WorkingFile
from tx_graph.core.shape import Answer, LeftOut, with_reasons
from tx_graph.core.tracing import span
from tx_graph.core.working_tree import WorkingTree, as_text
from tx_graph.graph.node_store import AnalysisRun, AnalysisStore


def resolve_changes(
    database: Database,
    tree: WorkingTree,
    *,
    parsed: Mapping[str, Sequence[Specifier]],
    came_or_went: Collection[str],
    rewritten: Collection[str],
    shown: Collection[str],
) -> tuple[int, list[tuple[str, str]]]:
    """Make import edges equal to what the specifiers mean. Needs a transaction.

    `parsed` has what the files that were read again ask for. `came_or_went` and `rewritten` are paths, the latter of
    files that may have another text: nobody looks into those that are no source. `shown` are the paths of files that
    show others another surface than before. Returned are how many files had imports to resolve, and the manifests
    that could not be understood on the way.
    """

    def surfaces_of(resolver: str) -> Mapping[str, Surface]:
        languages = [name for name in LANGUAGES if resolver_of(name) == resolver]
        return SurfaceStore(database).of_languages(languages)

    imports, nodes, texts = ImportStore(database), FileStore(database).paths(), _Texts(tree)
    consulted = imports.consulted()
    anew = {resolver_of(language_of(path)) for path in shown}.union(*map(resolvers_concerned, came_or_went))
    for path in consulted.keys() & {*came_or_went, *rewritten}:
        texts.read(path)
        anew |= {resolver for resolver, digest in consulted[path].items() if digest != texts.hashes[path]}
    by_resolver: dict[str, dict[str, Sequence[Specifier]]] = {resolver: {} for resolver in anew}
    for path, specifiers in parsed.items():
        if resolver := resolver_of(language_of(path)):
            by_resolver.setdefault(resolver, {})[path] = specifiers
    resolved, problems = 0, list[tuple[str, str]]()
    for resolver, asked in sorted(by_resolver.items()):
        if resolver in anew:  # what all other files of its languages ask for, too
            others = (path for path in nodes.keys() - asked if resolver_of(language_of(path)) == resolver)
            asked |= {**imports.specifiers([nodes[path] for path in others]), **asked}
        texts = _Texts(tree)
        index = RepositoryIndex(nodes, texts.read, surfaces_of, resolver=resolver)
        resolutions = [
            resolve_imports(source=path, language=language_of(path) or "", specifiers=specifiers, index=index)
            for path, specifiers in sorted(asked.items())
        ]
        edges = [edge for resolution in resolutions for edge in resolution.edges]
        unresolved = [one for resolution in resolutions for one in resolution.unresolved]
        imports.replace_edges([nodes[path] for path in asked], edges, unresolved, nodes=nodes)
        imports.replace_targets(
            {nodes[path]: one.targets for path, one in zip(sorted(asked), resolutions, strict=True)}, nodes=nodes
        )
        imports.remember_consulted(resolver, texts.hashes, only=resolver in anew)
        resolved += sum(map(bool, asked.values()))
        problems += index.problems
    return resolved, problems


class _Texts:
    """Hands out the texts of manifests and remembers which, with the SHA-256 of what they held, empty for none."""

    def __init__(self, tree: WorkingTree) -> None:
        self._tree = tree
        self.hashes: dict[str, str] = {}

    def read(self, path: str) -> str | None:
        """Return a file as text (undecodable bytes replaced), None when it cannot be read."""
        data = self._tree.read(path)
        self.hashes[path] = "" if data is None else sha256(data).hexdigest()
        return None if data is None else as_text(data)


_UNABLE = "Imports were not read: {reason}. Install it where there is a wheel for this platform, then run 'tx sync'."


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport(Answer):
    """What one pass over the working tree did.

    `read` files were taken in anew, `reused` of them without parsing: their content was read before, on another
    branch or in another worktree. `skipped` names what was left out or could be read only in part, and why, as
    sentences' ends; `kept` are marked as generated and were read all the same, as `index.generated`
    says. `notices` are sentences about the tree as a whole.
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
    kept: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()

    JSON: ClassVar = "files read reused removed resolved imports symbols unresolved skipped=left_out kept notices"

    @property
    def left_out(self) -> list[LeftOut]:
        """All that was not read."""
        return with_reasons(*self.skipped, *self.manifests)


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
        """Read which files import which, and what they declare: a part of 'tx sync'.

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


class Differing(NamedTuple):
    """What lies between the index and the working tree: files to look at, all of them if `is_anew`, and paths gone."""

    changed: Sequence[WorkingFile]
    removed: Sequence[str]
    options: Mapping[str, Any]
    is_anew: bool


class TakenIn(NamedTuple):
    """What was read of the files that differed, and what was `known` of them before.

    `resolved` of them had imports to resolve; `notices` are about the tree as a whole, `manifests` not understood.
    """

    readings: Sequence[FileReading]
    known: Mapping[str, FileRow]
    resolved: int
    manifests: Sequence[tuple[str, str]]
    notices: tuple[str, ...]


class Indexing:
    """Keeps the index equal to the working tree."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def differing(self, *, below: str = "", force: bool = False) -> Differing:
        """Return what has to be looked at, only below a directory if one is given.

        `force` means unchanged files too, as do another version of the readers and other settings than last time.
        """
        checkout, files = self._kernel.checkout, FileStore(self._kernel.database)
        everything = checkout.list_files()
        options: Mapping[str, Any] = {
            "max_file_size": self._kernel.config.get("index.max_file_size"),
            "readers": readers_version(),
            "references": self._kernel.config.get("index.references"),
            "generated": self._kernel.config.get("index.generated"),
            "attributes": self._attributes(everything) if checkout.askable else "",
        }
        last = AnalysisStore(self._kernel.database).last("index")
        is_anew = force or (last.options if last else None) not in (None, options)
        stamps = files.stamps()
        vanished = stamps.keys() - {file.path for file in everything}
        removed = sorted(path for path in vanished if _is_below(path, below))
        changed = [
            file
            for file in everything
            if (is_anew or stamps.get(file.path) != (file.size, file.mtime_ns)) and _is_below(file.path, below)
        ]
        return Differing(changed, removed, options, is_anew)

    @span("index")
    @uncollected()
    def run(self, *, below: str = "", force: bool = False, progress: Progress = no_progress) -> IndexReport:
        """Bring files, symbols and imports up to date, only below a directory if one is given (see `differing`).

        An interrupted run leaves the index as it was.
        """
        below = "" if below == "." else below.rstrip("/")
        found = self.differing(below=below, force=force)
        taken = self.take_in(found, is_whole=not below, progress=progress)
        files, imports = FileStore(self._kernel.database), ImportStore(self._kernel.database)
        skipped: list[Skipped] = []
        listed = [file for file in self._kernel.checkout.list_files(skipped.append) if _is_below(file.path, below)]
        left_out = ((one.name, one.reason) for one in skipped if _is_below(one.name, below))
        problems, repository = files.problems(), self._kernel.checkout.askable
        sources = [file.path for file in listed if language_of(file.path)] if found.options["attributes"] else []
        marked = repository.generated_files(sources) if repository and sources else frozenset[str]()
        return IndexReport(
            files=len(listed),
            read=sum(1 for reading in taken.readings if reading.contents is not None),
            reused=sum(1 for reading in taken.readings if reading.reused),
            removed=len(found.removed),
            resolved=taken.resolved,
            imports=imports.count(),
            symbols=SymbolStore(self._kernel.database).count(),
            unresolved=imports.unresolved_counts(),
            skipped=(*left_out, *problems),
            manifests=tuple(taken.manifests),
            kept=tuple(sorted(marked.difference(path for path, _ in problems))),
            notices=taken.notices,
        )

    def take_in(self, found: Differing, *, is_whole: bool = True, progress: Progress = no_progress) -> TakenIn:
        """Take in what differs, of all files if `is_whole`."""
        database, checkout, repository = self._kernel.database, self._kernel.checkout, self._kernel.checkout.askable
        changed, removed, options, force = found
        known = FileStore(database).rows_of([file.path for file in changed])
        sources = [file.path for file in changed if language_of(file.path)]
        generated = repository.generated_files(sources) if repository and options["attributes"] and sources else ()
        before = {} if force else known
        reader = FileReader(kernel=self._kernel, files=changed, known=before, generated=generated)
        unable = why_unable() if sources else ""
        readings = reader.leave() if unable else reader.read(progress)
        with database.transaction():
            resolved, problems = self._write(readings, known, removed, is_anew=force)
            if is_whole:
                head = repository.head() if repository else None
                run = AnalysisRun(name="index", finished_at=self._kernel.now(), head=head, options=options)
                AnalysisStore(database).record(run)
        notices = tuple(filter(None, (checkout.caveat, unable and _UNABLE.format(reason=unable))))
        return TakenIn(readings, known, resolved, problems, notices)

    def _attributes(self, files: Sequence[WorkingFile]) -> str:
        """Return a digest of what the project's .gitattributes say about generated files; empty when nothing."""
        paths = [file.path for file in files if file.path.rpartition("/")[2] == ".gitattributes"]
        texts = [(path, self._kernel.checkout.tree.read_text(path) or "") for path in paths]
        saying = [(path, text) for path, text in texts if "linguist-generated" in text]
        return sha256(repr(saying).encode()).hexdigest()[:16] if saying else ""

    def _write(
        self, readings: Sequence[FileReading], known: Mapping[str, FileRow], removed: Sequence[str], *, is_anew: bool
    ) -> tuple[int, list[tuple[str, str]]]:
        database = self._kernel.database
        files, surfaces = FileStore(database), SurfaceStore(database)
        rows = [reading.row for reading in readings]
        files.note_moves(files.rows_of(removed).values(), (row for row in rows if row.path not in known))
        UseStore(database).forget(files.nodes_of(removed).values())
        files.remove(removed)
        nodes = files.save(rows)
        contents = {one.row.path: one.contents for one in readings if one.contents is not None}
        before = surfaces.of_files([path for path in contents if path in known])
        # Who asks for the same as before, from the same place, is answered the same.
        asked = ImportStore(database).specifiers([nodes[path] for path in before])
        alike = {
            path
            for path, surface in before.items()
            if not is_anew and surface == contents[path].surface and asked.get(path, []) == [*contents[path].specifiers]
        }
        asking = {path: found.specifiers for path, found in contents.items() if path not in alike}
        ImportStore(database).replace_specifiers({nodes[path]: found for path, found in asking.items()})
        SymbolStore(database).replace({nodes[path]: found.symbols for path, found in contents.items()})
        surfaces.replace({nodes[path]: found.surface for path, found in contents.items()})
        is_kept = self._kernel.config.get("index.references") == "on"
        uses = {nodes[path]: found.uses if is_kept else b"" for path, found in contents.items()}
        UseStore(database).replace(uses)
        hashes = {path: row.content_hash for path, row in known.items()}
        return resolve_changes(
            database,
            self._kernel.checkout.tree,
            parsed=asking,
            came_or_went=[*removed, *(row.path for row in rows if row.path not in known)],
            rewritten=[
                one.path
                for one in rows
                if one.content_hash is None or hashes.get(one.path, one.content_hash) != one.content_hash
            ],
            shown=[path for path, surface in before.items() if contents[path].surface.shown != surface.shown],
        )


def _is_below(path: str, directory: str) -> bool:
    return not directory or path == directory or path.startswith(f"{directory}/")
