"""Rust modules: which file holds which module of which crate, found by following `mod` from the crates' first files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from tx_graph.analysis.imports.index import RepositoryIndex
from tx_graph.analysis.imports.paths import basename, child, joined, parent
from tx_graph.analysis.imports.rust_crates import Package, package_of, packages
from tx_graph.domain.imports import Surface

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
        self._plant_crates()
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

    def _plant_crates(self) -> None:
        known = packages(self._index)
        roots = {path: package for package in known.values() for path in (package.library, *package.roots) if path}
        for path in self._surfaces:
            package = package_of(path, self._index)
            if package and package.is_root(path):
                roots.setdefault(path, package)
        for path, package in sorted(roots.items()):
            if self._index.is_file(path):
                self._grow(_first_module(path, package))

    def _plant_orphans(self) -> None:
        """Place the files that declare modules but that no crate reaches, those nearer to the crate first."""
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
        """Return the innermost crate that has its sources around a file, the library before programs."""
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
                if found and not _has_one_like(siblings, found):
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


def _has_one_like(siblings: list[Module], module: Module) -> bool:
    return any(one.file == module.file and one.directory == module.directory for one in siblings)
