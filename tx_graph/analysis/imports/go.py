"""Go: which files declare the names that a file takes from an imported package."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from tx_graph.analysis.imports.go_modules import Standpoint, is_inside, is_relative, is_standard, places, standpoint
from tx_graph.analysis.imports.index import RepositoryIndex
from tx_graph.analysis.imports.landing import EXTERNAL, MISSING, STDLIB, Landing
from tx_graph.analysis.imports.paths import basename, joined, parent
from tx_graph.domain.imports import NO_SURFACE, Specifier, Surface

MANIFESTS = re.compile(r"go\.(?:mod|work)")

_INITIALISER = "init"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Package:
    """What can be imported from a directory: the package's own name, and which files declare each name."""

    name: str
    declared: Mapping[str, tuple[str, ...]]


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the files that declare what the file `source` uses of a package.

    A package imported for its side effects leads to the files with an `init`; one without any is found all the same,
    and leads nowhere else than to the source itself.
    """
    found = _imported(parent(source), specifier.module, index)
    if isinstance(found, Landing):
        return found
    if specifier.name == "_":
        return Landing(paths=found.declared.get(_INITIALISER, (source,)))
    names = _used(source, index).get(_qualifier(specifier, found), ())
    paths = dict.fromkeys(path for name in names for path in found.declared.get(name, ()))
    return Landing(paths=tuple(paths)) if paths else MISSING


def _qualifier(specifier: Specifier, package: _Package) -> str:
    return "" if specifier.name == "." else specifier.name or package.name


def _imported(directory: str, path: str, index: RepositoryIndex) -> _Package | Landing:
    """Return the package that an import path means to the files of a directory, else why there is none."""
    if is_relative(path):
        place = joined(directory, path)
        return MISSING if place is None else _packages(index).get(place, MISSING)
    seen_from = standpoint(directory, index)
    return index.remember(("go import", seen_from, path), lambda: _find_imported(seen_from, path, index))


def _find_imported(seen_from: Standpoint, path: str, index: RepositoryIndex) -> _Package | Landing:
    packages = _packages(index)
    for place in places(seen_from, path, index):
        if place in packages:
            return packages[place]
    if is_inside(seen_from, path, index):
        return MISSING
    return STDLIB if is_standard(path) else EXTERNAL


def _packages(index: RepositoryIndex) -> Mapping[str, _Package]:
    return index.remember("go packages", lambda: _find_packages(index.surfaces("go")))


def _find_packages(surfaces: Mapping[str, Surface]) -> Mapping[str, _Package]:
    """Return the package of every directory; tests, and files that the go tool leaves out, are no part of it."""
    found: dict[str, list[str]] = {}
    for path in sorted(surfaces):
        if not path.endswith("_test.go") and not basename(path).startswith(("_", ".")):
            found.setdefault(parent(path), []).append(path)
    return {directory: _package(files, surfaces) for directory, files in found.items()}


def _package(files: list[str], surfaces: Mapping[str, Surface]) -> _Package:
    """Return the package that most files of a directory name; programs beside it are run, not imported."""
    counted = Counter(surfaces[path].package for path in files)
    name = min(counted, key=lambda package: (package == "main", -counted[package], package))
    own = [path for path in files if surfaces[path].package == name]
    declared: dict[str, tuple[str, ...]] = {}
    for path in own:
        for offered in surfaces[path].offers:
            declared[offered.name] = (*declared.get(offered.name, ()), path)
    return _Package(name=name, declared=declared)


def _used(source: str, index: RepositoryIndex) -> Mapping[str, list[str]]:
    """Return the names that a file uses, by the qualifier before them."""
    return index.remember(("go uses", source), lambda: _by_qualifier(index.surfaces("go").get(source, NO_SURFACE)))


def _by_qualifier(surface: Surface) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for use in surface.uses:
        qualifier, _, name = use.partition(".")
        found.setdefault(qualifier, []).append(name)
    return found
