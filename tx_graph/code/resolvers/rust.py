"""Rust: which files `mod`, `use` and `extern crate` lead to, by the tree of modules of each crate."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping

from tx_graph.code.imports import NO_SURFACE, Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    MISSING,
    NOT_CODE,
    STDLIB,
    Landing,
    RepositoryIndex,
    basename,
    child,
    joined,
    parent,
    remembered,
    upward,
)
from tx_graph.core.dataclass import dataclass, field

MODULE = "mod "
"""How the module of a specifier begins that declares one."""
CRATE = "extern crate "
"""How the module of a specifier begins that names a crate."""
_RELATIVE = frozenset({"self", "super"})
_HOPS = 4  # how many local names a path is followed through: `use crate::a; use a::b; use b::C;` has two
_OLD_EDITION = "2015"
_SHIPPED = frozenset({"std", "core", "alloc", "proc_macro", "test"})  # the crates that come with the compiler
_DEPENDENCIES = ("dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies")
_TARGETS = ("bin", "test", "example", "bench")
_OTHERS = frozenset({"tests", "examples", "benches"})
_CRATE_FILE = re.compile(r"src/(?:lib|main)\.rs|build\.rs|(?:src/bin|tests|examples|benches)/[^/]+(?:/main)?\.rs")
_MODULE_FILE = "mod.rs"
_SUFFIX = ".rs"

Table = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reached:
    """The deepest modules on a path, several when a condition decides, and how many names come after them."""

    modules: list[Module]
    left: int = 0


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file of the deepest module on a path, or the file that a declared module is in.

    A file may belong to several crates. The one counts in which its path leads deepest; of equals the library.
    """
    scope, path = specifier.scope, specifier.module
    places = _places(source, scope, index)
    if path.startswith(MODULE):
        texts = (place.declared(path.removeprefix(MODULE), specifier.name or "") for place in places)
        files = next(filter(None, texts), ())
    else:
        results = [place.reach(path) for place in places]
        found = min(results, key=lambda one: one.left if isinstance(one, _Reached) else math.inf)
        if isinstance(found, Landing):
            return found
        files = _files_of(found.modules)
    sources = tuple(filter(index.is_source, files))
    return Landing(paths=sources) if sources else NOT_CODE if files else MISSING


@remembered
def _places(source: str, scope: str, index: RepositoryIndex) -> list[_Place]:
    """Return where an import in a scope of a file stands, in each crate that the file belongs to."""
    return [_Place(file, scope, index) for file in forest_of(index).modules_in(source)]


@remembered
def forest_of(index: RepositoryIndex) -> Forest:
    """Return the modules of all crates."""
    return Forest(index)


@remembered
def _libraries(package: Package | None, index: RepositoryIndex) -> Mapping[str, Module]:
    """Return the first modules of the crates that a package's code can name, by name."""
    known = _crates_seen_from(package, index) if package else {}
    return {name: found for name, crate in known.items() if (found := forest_of(index).library(crate))}


def _names_in(file: Module, scope: str, index: RepositoryIndex) -> dict[str, list[str]]:
    """Return the paths behind the names that other imports bring into a scope; `*` are the globs."""
    found: dict[str, list[str]] = {}
    for use in index.surfaces("rust").get(file.file, NO_SURFACE).uses:
        name, _, path = use.partition("=")
        around, _, name = name.rpartition("::")
        if around == scope:
            found.setdefault(name, []).append(path)
    return found


class _Place:
    """Where imports stand: in the file of a module, in a scope of it.

    `here` is the innermost known module, `unknown` counts those inside it that are not. `names` are the paths behind
    names that other imports bring in, `libraries` the crates that can be named.
    """

    def __init__(self, file: Module, scope: str, index: RepositoryIndex) -> None:
        self.file, self.root, self.here, self.scope = file, file.root, file, scope
        names = scope.split("::") if scope else []
        self.unknown = len(names)
        while self.unknown and (found := inline(self.here, names[-self.unknown])):
            self.here, self.unknown = found[0], self.unknown - 1
        self.names = _names_in(file, scope, index)
        for name, paths in _names_in(file.root, "", index).items():
            crates = [path for path in paths if path.startswith("::")]
            if crates and name != "*":
                self.names.setdefault(name, crates)
        self.libraries, self.woods = _libraries(file.package, index), forest_of(index)

    def declared(self, name: str, place: str) -> tuple[str, ...]:
        """Return the files that the text of a module declared here may be in; empty when it is not there."""
        for above in inline(self.file, self.scope):
            if found := self.woods.located(above, name, place):
                return (found.file,)
            if not place:
                return _files_of(above.children.get(name, ()))
        return ()

    def reach(self, path: str, hops: int = _HOPS) -> _Reached | Landing:
        """Return the deepest modules on a path, or why it leaves the repository."""
        names = path.split("::")
        if names[-1] == "*":
            names.pop()
        head = names[0]
        if head == "crate":
            return self._walk([self.root], names[1:])
        if head in _RELATIVE:
            at: Module | None = self.here
            unknown = self.unknown
            while names and names[0] in _RELATIVE:
                if names[0] == "super" and unknown:
                    unknown -= 1
                elif names[0] == "super":
                    at = at.above if at else None
                names = names[1:]
            if at is None:
                return MISSING
            return _Reached(modules=[at], left=len(names)) if unknown else self._walk([at], names)
        if head == "":  # from an extern crate, before the edition 2018 from the crate's root
            if self._starts_at_root and names[1] in self.root.children:
                return self._walk([self.root], names[1:])
            return self._crate(names[1:]) or EXTERNAL
        if path.startswith(CRATE):
            return self._crate([path.removeprefix(CRATE)]) or EXTERNAL
        return self._named(names, hops)

    def _named(self, names: list[str], hops: int) -> _Reached | Landing:
        """Follow a path that begins with a name: of a module here, of something brought in here, of a crate."""
        at, unknown = (self.root, 0) if self._starts_at_root else (self.here, self.unknown)
        head = names[0]
        if not unknown and head in at.children:
            return self._walk([at], names)
        found = self._brought_in(names, hops) or self._crate(names)
        if found is None and not unknown and self.woods.children(at, head):
            found = self._walk([at], names)
        if found is None and head[:1].isupper():
            found = _Reached(modules=[at], left=len(names))
        return found or EXTERNAL

    def _brought_in(self, names: list[str], hops: int) -> _Reached | Landing | None:
        head, rest = names[0], names[1:]
        if hops and head in self.names:
            results = [self.reach("::".join([path, *rest]), hops - 1) for path in self.names[head]]
            # What was reached with the fewest names left, all of it; else why the first led nowhere.
            reached = [result for result in results if isinstance(result, _Reached)]
            if not reached:
                return results[0]
            left = min(result.left for result in reached)
            return _Reached(
                modules=[module for result in reached if result.left == left for module in result.modules], left=left
            )
        # Only for the path itself: a glob that is reached through globs would cost their number to the power of hops.
        for path in self.names.get("*", ()) if hops == _HOPS else ():
            found = self.reach(path, hops - 1)
            if isinstance(found, _Reached) and not found.left and any(head in one.children for one in found.modules):
                return self._walk(found.modules, names)
        return None

    def _crate(self, names: list[str]) -> _Reached | Landing | None:
        """Follow a path from the name of a crate; None when no crate of the repository or the compiler has it."""
        if library := self.root if names[0] == "self" else self.libraries.get(names[0]):
            return self._walk([library], names[1:])
        return STDLIB if names[0] in _SHIPPED else None

    def _walk(self, start: list[Module], names: list[str]) -> _Reached | Landing:
        here = start
        for count, name in enumerate(names):
            known = [children for one in here if (children := self.woods.children(one, name)) is not None]
            if not known:
                return _Reached(modules=here, left=len(names) - count)
            here = [module for children in known for module in children]
            if not here:
                return MISSING
        return _Reached(modules=here)

    @property
    def _starts_at_root(self) -> bool:
        return self.file.package is not None and self.file.package.paths_start_at_root


# --- packages -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A Cargo package; `library` is the first file of its library, `crate` the library's name, `workspace` a directory.

    `roots` are the first files of crates that the manifest gives paths for.
    """

    directory: str
    name: str
    crate: str
    library: str | None
    roots: frozenset[str]
    workspace: str
    paths_start_at_root: bool

    def is_root(self, path: str) -> bool:
        """Tell whether a crate begins in this file: the manifest says so, or Cargo's rule for the place."""
        inside = f"{self.directory}/" if self.directory else ""
        relative = path.removeprefix(inside)
        return path in self.roots or path == self.library or _CRATE_FILE.fullmatch(relative) is not None

    def has_sources_at(self, path: str) -> bool:
        """Tell whether a file is no part of the tests, examples and benchmarks beside the sources."""
        return path[len(self.directory) :].lstrip("/").partition("/")[0] not in _OTHERS


@remembered
def package_around(directory: str, index: RepositoryIndex) -> Package | None:
    """Return the package that the files of a directory belong to: the nearest one above it."""
    known = packages_of(index)
    return next((known[above] for above in upward(directory) if above in known), None)


@remembered
def packages_of(index: RepositoryIndex) -> Mapping[str, Package]:
    """Return every package of the repository by its directory."""
    manifests = ((directory, manifest_at(directory, index)) for directory in sorted(index.code_directories))
    return {directory: _package(directory, data, index) for directory, data in manifests if table_at(data, "package")}


def _package(directory: str, data: Table, index: RepositoryIndex) -> Package:
    table, library = table_at(data, "package"), table_at(data, "lib")
    workspace = _workspace_of(directory, table, index)
    name, edition = text_at(table, "name"), table.get("edition", _OLD_EDITION)
    if isinstance(edition, dict):
        shared = table_at(manifest_at(workspace, index), "workspace")
        edition = table_at(shared, "package").get("edition", _OLD_EDITION)
    first = joined(directory, text_at(library, "path") or "src/lib.rs")
    targets = [target for kind in _TARGETS for target in _list(data, kind) if isinstance(target, dict)]
    written = [text_at(table, "build"), *(text_at(target, "path") for target in targets)]
    return Package(
        directory=directory,
        name=name,
        crate=(text_at(library, "name") or name).replace("-", "_"),
        library=first if first and index.is_file(first) else None,
        roots=frozenset(path for text in written if text and (path := joined(directory, text))),
        workspace=workspace,
        paths_start_at_root=edition == _OLD_EDITION,
    )


def _workspace_of(directory: str, table: Table, index: RepositoryIndex) -> str:
    """Return the root of the workspace that a package is in; its own directory when it is in none."""
    if written := text_at(table, "workspace"):
        return joined(directory, written) or directory
    for above in upward(directory):
        found = manifest_at(above, index)
        entries = _list(table_at(found, "workspace"), "exclude")
        excluded = [joined(above, entry) for entry in entries if isinstance(entry, str) and entry]
        if "workspace" in found and not any(f"{directory}/".startswith(f"{path}/") for path in excluded if path):
            return above
    return directory


def _crates_seen_from(package: Package, index: RepositoryIndex) -> Mapping[str, Package]:
    """Return the packages whose libraries the code of a package can name, by that name.

    What the manifest declares wins over what merely lies in the same workspace, and over the standard library.
    """
    libraries = {one.directory: one for one in packages_of(index).values() if one.library}
    near = [one for one in libraries.values() if one.workspace == package.workspace]
    seen = {one.crate: one for one in near if one.crate not in _SHIPPED}
    by_name = {one.name: one for one in near}
    root = manifest_at(package.workspace, index)
    for source in map(_as_table, table_at(root, "patch").values()):
        for key in source:
            patch, path = table_at(source, key), text_at(table_at(source, key), "path")
            directory = joined(package.workspace, path) if path else None
            if directory is not None and directory in libraries:
                by_name[text_at(patch, "package") or key] = libraries[directory]
    for key, entry, base in dependencies(package, index):
        renamed, path = text_at(entry, "package"), text_at(entry, "path")
        directory = joined(base, path) if path else None
        found = by_name.get(renamed or key) if directory is None else libraries.get(directory)
        if found:
            seen[key.replace("-", "_") if renamed else found.crate] = found
    return {**seen, package.crate: package} if package.library else seen


def dependencies(package: Package, index: RepositoryIndex) -> Iterator[tuple[str, Table, str]]:
    """Yield what a package depends on: the key, what is said of it, and the directory that paths in that start from."""
    data = manifest_at(package.directory, index)
    shared = table_at(table_at(manifest_at(package.workspace, index), "workspace"), "dependencies")
    for holder in (data, *map(_as_table, table_at(data, "target").values())):
        for table, key in ((table_at(holder, kind), key) for kind in _DEPENDENCIES for key in table_at(holder, kind)):
            entry = table_at(table, key)
            if entry.get("workspace"):
                yield key, {**table_at(shared, key), "version": _version(shared.get(key))}, package.workspace
            else:
                yield key, {**entry, "version": _version(table.get(key))}, package.directory


def _version(entry: object) -> str:
    return entry if isinstance(entry, str) else text_at(_as_table(entry), "version")


def manifest_at(directory: str, index: RepositoryIndex) -> Table:
    """Return what the Cargo.toml of a directory says."""
    return index.toml(child(directory, "Cargo.toml")) or {}


def _as_table(value: object) -> Table:
    return value if isinstance(value, dict) else {}


def table_at(table: Table, key: str) -> Table:
    """Return the table under a key, an empty one where there is none."""
    return _as_table(table.get(key))


def _list(table: Table, key: str) -> list[object]:
    value = table.get(key)
    return value if isinstance(value, list) else []


def text_at(table: Table, key: str) -> str:
    """Return the text under a key, an empty one where there is none."""
    value = table.get(key)
    return value if isinstance(value, str) else ""


# --- modules ------------------------------------------------------------------------------------------


@dataclass(slots=True, kw_only=True, eq=False)
class Module:
    """A module of a crate. `file` holds its text, empty when nothing declares the module that files below it imply.

    The files of its children lie in `directory`; paths in `#[path]` of its children start at `beside`. A child with
    several texts under different conditions is several modules; one whose file is not there is an empty list.
    """

    file: str
    directory: str
    beside: str
    package: Package | None = None
    above: Module | None = None
    children: dict[str, list[Module]] = field(default_factory=dict)

    @property
    def root(self) -> Module:
        """The module that the crate begins with."""
        module = self
        while module.above:
            module = module.above
        return module

    def below(self, file: str, directory: str, beside: str) -> Module:
        """Return a new module whose parent is this one."""
        return Module(file=file, directory=directory, beside=beside, package=self.package, above=self)

    @property
    def is_in_library(self) -> bool:
        """Whether the crate is its package's library."""
        return self.package is not None and self.root.file == self.package.library


class Forest:
    """The module trees of all crates of a repository."""

    def __init__(self, index: RepositoryIndex) -> None:
        """Follow every `mod` of the repository."""
        self._index = index
        self._surfaces = index.surfaces("rust")
        self._modules: dict[str, list[Module]] = {}
        known = packages_of(index).values()
        roots = {path: package for package in known for path in (package.library, *package.roots) if path}
        for path in self._surfaces:
            package = package_around(parent(path), index)
            if package and package.is_root(path):
                roots.setdefault(path, package)
        for path, package in sorted(roots.items()):
            if index.is_file(path):
                self._grow(Module(file=path, directory=parent(path), beside=parent(path), package=package))
        left = [path for path in self._surfaces if path not in self._modules]
        for path in sorted(left, key=lambda path: (path.count("/"), basename(path) != _MODULE_FILE, path)):
            if path not in self._modules:
                orphan = self._orphan(path)
                if orphan.above:
                    named = parent(path) if basename(path) == _MODULE_FILE else path
                    orphan.above.children.setdefault(basename(named).removesuffix(_SUFFIX), [orphan])
                self._grow(orphan)

    def modules_in(self, file: str) -> list[Module]:
        """Return the modules that a file is the text of: those of the library first, whole crates last."""
        found = self._modules.get(file) or [self._index.remember(("rust orphan", file), lambda: self._orphan(file))]
        return sorted(found, key=lambda module: (not module.is_in_library, module.above is None, module.root.file))

    def library(self, package: Package) -> Module | None:
        """Return the first module of a package's library."""
        return next((one for one in self._modules.get(package.library or "", ()) if one.above is None), None)

    def children(self, module: Module, name: str) -> list[Module] | None:
        """Return a module's children of one name: as declared, else in an undeclared file where one would be.

        None: there is no such module. Macros declare modules that nobody sees; their files are where they should be,
        and their names do not begin like those of types.
        """
        if name in module.children:
            return module.children[name]
        found = None if name[:1].isupper() else self.located(module, name, "")
        return [found] if found and found.file not in self._modules else None

    def located(self, above: Module, name: str, place: str) -> Module | None:
        """Return a module by where its parent says that its text is (`place` as in `Offered`), if it is there."""
        if place.startswith("{"):
            inside = place[1:-1]
            directory = joined(above.beside, inside) if inside else child(above.directory, name)
            return None if directory is None else above.below(above.file, directory, directory)
        if place:
            file = joined(above.beside, place)
            return above.below(file, parent(file), parent(file)) if file and self._index.is_file(file) else None
        directory = child(above.directory, name)
        for file in (directory + _SUFFIX, child(directory, _MODULE_FILE)):
            if self._index.is_file(file):
                return above.below(file, directory, parent(file))
        return None

    def _orphan(self, path: str) -> Module:
        """Return the module of a file that no `mod` names: by its place below a crate's sources, else a crate."""
        package = package_around(parent(path), self._index)
        first = self._crate_above(path, package) if package else None
        if first is None:
            return Module(file=path, directory=parent(path), beside=parent(path), package=package)
        names = path[len(first.directory) :].lstrip("/").removesuffix(_SUFFIX).split("/")
        if names[-1] == "mod":
            names.pop()
        above = first
        for name in names[:-1]:
            known, directory = self.children(above, name), child(above.directory, name)
            above = known[0] if known else above.below("", directory, directory)
        directory = child(above.directory, names[-1]) if names else above.directory
        return above.below(path, directory, parent(path))

    def _crate_above(self, path: str, package: Package) -> Module | None:
        """Return the crate in whose directory a file lies; in `src`, a program may begin in any directory above it."""
        if package.is_root(path) or not package.has_sources_at(path):
            return None
        inside = (above for above in upward(parent(path)) if len(above) > len(package.directory))
        crates = [
            module
            for root in (package.library, *sorted(package.roots), *(child(above, "main.rs") for above in inside))
            for module in self._modules.get(root or "", ())[:1]
            if module.above is None and f"{path}/".startswith(f"{module.directory}/")
        ]
        return max(crates, key=lambda module: len(module.directory), default=None)

    def _grow(self, first: Module) -> None:
        """Follow the declarations from one module to all below it; a file never holds a module of itself."""
        grown = [first]
        while grown:
            module = grown.pop()
            self._modules.setdefault(module.file, []).append(module)
            surface, above = self._surfaces.get(module.file), module.above
            while above and above.file != module.file:
                above = above.above
            for offered in surface.offers if surface and not above else ():
                scope, _, name = offered.name.rpartition("::")
                for holder in inline(module, scope):
                    siblings = holder.children.setdefault(name, [])
                    found = self.located(holder, name, offered.place)
                    known = [(one.file, one.directory) for one in siblings]
                    if found and (found.file, found.directory) not in known:
                        siblings.append(found)
                        if not offered.place.startswith("{"):  # it has a file of its own
                            grown.append(found)


def inline(file: Module, scope: str) -> list[Module]:
    """Return the modules of a scope that is written out in the file of a module."""
    found = [file]
    for name in scope.split("::") if scope else ():
        found = [one for module in found for one in module.children.get(name, ()) if one.file == file.file]
    return found


def _files_of(modules: Iterable[Module]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(module.file for module in modules if module.file))
