"""Rust: which files `mod`, `use` and `extern crate` lead to."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from tx_graph.code.imports import NO_SURFACE, Specifier
from tx_graph.code.resolvers.index import EXTERNAL, MISSING, NOT_CODE, STDLIB, Landing, RepositoryIndex
from tx_graph.code.resolvers.rust_crates import (
    Forest,
    Module,
    Package,
    crates_seen_from,
    files_of,
    forest,
    inline,
    is_shipped,
)

_MODULE = "mod "
_CRATE = "extern crate "
_RELATIVE = frozenset({"self", "super"})
_HOPS = 4
"""How many local names a path is followed through: `use crate::a; use a::b; use b::C;` has two."""


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
    places = index.remember(("rust places", source, scope), lambda: _places(source, scope, index))
    if path.startswith(_MODULE):
        texts = (place.declared(path.removeprefix(_MODULE), specifier.name or "") for place in places)
        return _landing(next(filter(None, texts), ()), index)
    found = min((place.reach(path) for place in places), key=_names_left)
    return _landing(files_of(found.modules), index) if isinstance(found, _Reached) else found


def _names_left(result: _Reached | Landing) -> float:
    return result.left if isinstance(result, _Reached) else math.inf


def _landing(files: tuple[str, ...], index: RepositoryIndex) -> Landing:
    sources = tuple(filter(index.is_source, files))
    return Landing(paths=sources) if sources else NOT_CODE if files else MISSING


def _places(source: str, scope: str, index: RepositoryIndex) -> list[_Place]:
    """Return where an import in a scope of a file stands, in each crate that the file belongs to."""
    woods = forest(index)
    return [_place(file, scope, woods, index) for file in woods.modules_in(source)]


def _place(file: Module, scope: str, woods: Forest, index: RepositoryIndex) -> _Place:
    here, unknown = _standpoint(file, scope)
    names = _names_in(file, scope, index)
    for name, paths in _names_in(file.root, "", index).items():
        crates = [path for path in paths if path.startswith("::")]
        if crates and name != "*":
            names.setdefault(name, crates)
    return _Place(
        file=file,
        root=file.root,
        here=here,
        unknown=unknown,
        scope=scope,
        names=names,
        libraries=_libraries(file.package, woods, index),
        woods=woods,
    )


def _libraries(package: Package | None, woods: Forest, index: RepositoryIndex) -> Mapping[str, Module]:
    """Return the first modules of the crates that a package's code can name, by name."""
    if package is None:
        return {}
    return index.remember(
        ("rust libraries", package.directory),
        lambda: {
            name: found for name, crate in crates_seen_from(package, index).items() if (found := woods.library(crate))
        },
    )


def _standpoint(file: Module, scope: str) -> tuple[Module, int]:
    here, names = file, scope.split("::") if scope else []
    for count, name in enumerate(names):
        found = inline(here, name)
        if not found:
            return here, len(names) - count
        here = found[0]
    return here, 0


def _names_in(file: Module, scope: str, index: RepositoryIndex) -> dict[str, list[str]]:
    """Return the paths behind the names that other imports bring into a scope; `*` are the globs."""
    found: dict[str, list[str]] = {}
    for use in index.surfaces("rust").get(file.file, NO_SURFACE).uses:
        name, _, path = use.partition("=")
        around, _, name = name.rpartition("::")
        if around == scope:
            found.setdefault(name, []).append(path)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    """Where imports stand: in the file of a module, in the known module `here`, inside `unknown` more.

    `names` are the paths behind names that other imports bring in, `libraries` the crates that can be named.
    """

    file: Module
    root: Module
    here: Module
    unknown: int
    scope: str
    names: Mapping[str, list[str]]
    libraries: Mapping[str, Module]
    woods: Forest

    def declared(self, name: str, place: str) -> tuple[str, ...]:
        """Return the files that the text of a module declared here may be in; empty when it is not there."""
        for above in inline(self.file, self.scope):
            if found := self.woods.located(above, name, place):
                return (found.file,)
            if not place:
                return files_of(above.children.get(name, ()))
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
        if head == "":
            return self._absolute(names[1:])
        if path.startswith(_CRATE):
            return self._crate([path.removeprefix(_CRATE)]) or EXTERNAL
        return self._named(names, hops)

    def _absolute(self, names: list[str]) -> _Reached | Landing:
        """Follow `::a::b`: from an extern crate, before the edition 2018 from the crate's root."""
        if self._starts_at_root and names[0] in self.root.children:
            return self._walk([self.root], names)
        return self._crate(names) or EXTERNAL

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
        return STDLIB if is_shipped(names[0]) else None

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
