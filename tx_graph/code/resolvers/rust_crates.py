"""Rust modules: which file holds which module of which crate, found by following `mod` from the crates' first files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from tx_graph.code.imports import Surface
from tx_graph.code.resolvers.index import RepositoryIndex, basename, child, joined, parent, upward

MANIFEST = "Cargo.toml"
_OLD_EDITION = "2015"
_SHIPPED = frozenset({"std", "core", "alloc", "proc_macro", "test"})
_DEPENDENCIES = ("dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies")
_TARGETS = ("bin", "test", "example", "bench")
_OTHERS = frozenset({"tests", "examples", "benches"})
_CRATE_FILE = re.compile(r"src/(?:lib|main)\.rs|build\.rs|(?:src/bin|tests|examples|benches)/[^/]+(?:/main)?\.rs")

Table = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """A line of a dependency table: the package's name, its directory if given, what the code calls it if renamed."""

    package: str
    directory: str | None
    alias: str


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


def is_shipped(crate: str) -> bool:
    """Tell whether a crate comes with the compiler."""
    return crate in _SHIPPED


def packages(index: RepositoryIndex) -> Mapping[str, Package]:
    """Return every package of the repository by its directory."""
    return index.remember("rust packages", lambda: {one.directory: one for one in _packages(index)})


def package_of(path: str, index: RepositoryIndex) -> Package | None:
    """Return the package that a file belongs to: the nearest one above it."""
    directory = parent(path)
    found = packages(index)
    return index.remember(
        ("rust package of", directory),
        lambda: next((found[above] for above in upward(directory) if above in found), None),
    )


def crates_seen_from(package: Package, index: RepositoryIndex) -> Mapping[str, Package]:
    """Return the packages whose libraries the code of a package can name, by that name.

    What the manifest declares wins over what merely lies in the same workspace, and over the standard library.
    """
    libraries = {one.directory: one for one in packages(index).values() if one.library}
    near = [one for one in libraries.values() if one.workspace == package.workspace]
    by_name = {one.name: one for one in near} | _patches(package, libraries, index)
    seen = {one.crate: one for one in near if not is_shipped(one.crate)}
    for dependency in _dependencies(package, index):
        by_path = dependency.directory is not None
        found = libraries.get(dependency.directory or "") if by_path else by_name.get(dependency.package)
        if found:
            seen[dependency.alias or found.crate] = found
    return {**seen, package.crate: package} if package.library else seen


def _patches(package: Package, libraries: Mapping[str, Package], index: RepositoryIndex) -> dict[str, Package]:
    root = index.toml(child(package.workspace, MANIFEST)) or {}
    entries = (entry for source in _table(root.get("patch")).values() for entry in _table(source).items())
    patches = (_dependency(key, _table(entry), package.workspace) for key, entry in entries)
    return {
        patch.package: libraries[patch.directory]
        for patch in patches
        if patch.directory is not None and patch.directory in libraries
    }


def _packages(index: RepositoryIndex) -> Iterator[Package]:
    for directory in sorted(index.code_directories):
        data = index.toml(child(directory, MANIFEST))
        if data and (table := _table(data.get("package"))):
            yield _package(directory, data, table, index)


def _package(directory: str, data: Table, table: Table, index: RepositoryIndex) -> Package:
    workspace = _workspace_of(directory, table, index)
    name, library = _text(table.get("name")), _table(data.get("lib"))
    edition = table.get("edition", _OLD_EDITION)
    if isinstance(edition, dict):
        edition = _table(_workspace_table(workspace, index).get("package")).get("edition", _OLD_EDITION)
    first = joined(directory, _text(library.get("path")) or "src/lib.rs")
    return Package(
        directory=directory,
        name=name,
        crate=(_text(library.get("name")) or name).replace("-", "_"),
        library=first if first and index.is_file(first) else None,
        roots=frozenset(_written_roots(directory, data, table)),
        workspace=workspace,
        paths_start_at_root=edition == _OLD_EDITION,
    )


def _written_roots(directory: str, data: Table, table: Table) -> Iterator[str]:
    targets = [_table(target) for kind in _TARGETS for target in _list(data.get(kind))]
    written = [_text(table.get("build")), *(_text(target.get("path")) for target in targets)]
    yield from (path for text in written if text and (path := joined(directory, text)))


def _workspace_of(directory: str, table: Table, index: RepositoryIndex) -> str:
    """Return the root of the workspace that a package is in; its own directory when it is in none."""
    if written := _text(table.get("workspace")):
        return joined(directory, written) or directory
    for above in upward(directory):
        found = index.toml(child(above, MANIFEST)) or {}
        if "workspace" in found and not _excludes(above, _table(found["workspace"]), directory):
            return above
    return directory


def _excludes(root: str, workspace: Table, directory: str) -> bool:
    excluded = [joined(root, text) for entry in _list(workspace.get("exclude")) if (text := _text(entry))]
    return any(f"{directory}/".startswith(f"{path}/") for path in excluded if path)


def _workspace_table(directory: str, index: RepositoryIndex) -> Table:
    return _table((index.toml(child(directory, MANIFEST)) or {}).get("workspace"))


def _dependencies(package: Package, index: RepositoryIndex) -> Iterator[Dependency]:
    data = index.toml(child(package.directory, MANIFEST)) or {}
    shared = _table(_workspace_table(package.workspace, index).get("dependencies"))
    for holder in (data, *map(_table, _table(data.get("target")).values())):
        for kind in _DEPENDENCIES:
            for key, entry in _table(holder.get(kind)).items():
                inherited = bool(_table(entry).get("workspace"))
                base = package.workspace if inherited else package.directory
                yield _dependency(key, _table(shared.get(key) if inherited else entry), base)


def _dependency(key: str, entry: Table, base: str) -> Dependency:
    package, path = _text(entry.get("package")), _text(entry.get("path"))
    return Dependency(
        package=package or key,
        directory=joined(base, path) if path else None,
        alias=key.replace("-", "_") if package else "",
    )


def _table(value: object) -> Table:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


_MAIN = "main.rs"
_MODULE_FILE = "mod.rs"
_SUFFIX = ".rs"


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
        known = packages(self._index)
        roots = {path: package for package in known.values() for path in (package.library, *package.roots) if path}
        for path in self._surfaces:
            package = package_of(path, self._index)
            if package and package.is_root(path):
                roots.setdefault(path, package)
        for path, package in sorted(roots.items()):
            if self._index.is_file(path):
                self._grow(_first_module(path, package))
        self._plant_orphans()

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
            return None if directory is None else _module(above.file, directory, directory, above)
        if place:
            file = joined(above.beside, place)
            return _module(file, parent(file), parent(file), above) if file and self._index.is_file(file) else None
        directory = child(above.directory, name)
        for file in (directory + _SUFFIX, child(directory, _MODULE_FILE)):
            if self._index.is_file(file):
                return _module(file, directory, parent(file), above)
        return None

    def _plant_orphans(self) -> None:
        left = [path for path in self._surfaces if path not in self._modules]
        for path in sorted(left, key=lambda path: (path.count("/"), basename(path) != _MODULE_FILE, path)):
            if path not in self._modules:
                orphan = self._orphan(path)
                if orphan.above:
                    orphan.above.children.setdefault(_module_name(path), [orphan])
                self._grow(orphan)

    def _orphan(self, path: str) -> Module:
        """Return the module of a file that no `mod` names: by its place below a crate's sources, else a crate."""
        package = package_of(path, self._index)
        first = self._crate_above(path, package) if package else None
        if first is None:
            return _first_module(path, package)
        names = path[len(first.directory) :].lstrip("/").removesuffix(_SUFFIX).split("/")
        if names[-1] == "mod":
            names.pop()
        above = first
        for name in names[:-1]:
            above = next(iter(self.children(above, name) or ()), None) or _implied(above, name)
        directory = child(above.directory, names[-1]) if names else above.directory
        return _module(path, directory, parent(path), above)

    def _crate_above(self, path: str, package: Package) -> Module | None:
        if package.is_root(path) or not package.has_sources_at(path):
            return None
        crates = [
            module
            for root in (package.library, *sorted(package.roots), *_usual_roots(package, path))
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
            surface = self._surfaces.get(module.file)
            if surface and not _is_within_itself(module):
                grown.extend(self._declared(module, surface))

    def _declared(self, file: Module, surface: Surface) -> Iterator[Module]:
        """Yield the modules with files of their own that a file declares; add all that it declares to the tree."""
        for offered in surface.offers:
            scope, _, name = offered.name.rpartition("::")
            for above in inline(file, scope):
                siblings = above.children.setdefault(name, [])
                found = self.located(above, name, offered.place)
                if found and not any(one.file == found.file and one.directory == found.directory for one in siblings):
                    siblings.append(found)
                    if not offered.place.startswith("{"):
                        yield found


def forest(index: RepositoryIndex) -> Forest:
    """Return the module trees of a repository."""
    return index.remember("rust forest", lambda: Forest(index))


def inline(file: Module, scope: str) -> list[Module]:
    """Return the modules of a scope that is written out in the file of a module."""
    found = [file]
    for name in scope.split("::") if scope else ():
        found = [one for module in found for one in module.children.get(name, ()) if one.file == file.file]
    return found


def files_of(modules: Iterable[Module]) -> tuple[str, ...]:
    """Return the files that hold these modules."""
    return tuple(dict.fromkeys(module.file for module in modules if module.file))


def _module(file: str, directory: str, beside: str, above: Module) -> Module:
    return Module(file=file, directory=directory, beside=beside, package=above.package, above=above)


def _implied(above: Module, name: str) -> Module:
    directory = child(above.directory, name)
    return _module("", directory, directory, above)


def _first_module(path: str, package: Package | None) -> Module:
    return Module(file=path, directory=parent(path), beside=parent(path), package=package)


def _module_name(path: str) -> str:
    return basename(parent(path) if basename(path) == _MODULE_FILE else path).removesuffix(_SUFFIX)


def _usual_roots(package: Package, path: str) -> Iterator[str]:
    """Yield the first files of the programs that a file in `src` may belong to."""
    directory = parent(path)
    while len(directory) > len(package.directory):
        yield child(directory, _MAIN)
        directory = parent(directory)


def _is_within_itself(module: Module) -> bool:
    above = module.above
    while above:
        if above.file == module.file:
            return True
        above = above.above
    return False
