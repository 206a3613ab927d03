"""Go: which files declare the names that a file takes from an imported package."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tx_graph.code.imports import NO_SURFACE, Specifier, Surface
from tx_graph.code.resolvers.index import (
    EXTERNAL,
    MISSING,
    STDLIB,
    Landing,
    RepositoryIndex,
    basename,
    child,
    joined,
    parent,
    upward,
)

MODULE_FILE = "go.mod"
WORKSPACE_FILE = "go.work"

_QUOTES = "\"'`"
_MODULE = re.compile(r"^[ \t]*module[ \t]+(\S+)", re.MULTILINE)
_REQUIREMENT = re.compile(r"^[ \t]*(?:require[ \t]+)?(\S+)[ \t]+v\d", re.MULTILINE)
_REPLACEMENT = re.compile(r"^[ \t]*(?:replace[ \t]+)?(\S+)[ \t]+(?:v\S+[ \t]+)?=>[ \t]+(\S+)", re.MULTILINE)
_LOCAL = re.compile(r"\.\.?(?:/|$)")

_VENDOR = "vendor"
"""A directory with copies of packages of others, each at its import path."""

_STANDARD_LIBRARY = "std"
"""The module in Go's own repository whose packages are imported without its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _GoMod:
    """What a go.mod says, and the go.work above it: its module, and where other modules' paths lead from there."""

    module: str = ""
    required: frozenset[str] = frozenset()
    replaced: Mapping[str, str]


class Standpoint(NamedTuple):
    """From where import paths are understood: the module around a file, and the vendored packages at hand."""

    home: str
    vendors: tuple[str, ...]


def standpoint(directory: str, index: RepositoryIndex) -> Standpoint:
    """Return the standpoint of the files of a directory, which most directories of a module share."""
    return index.remember(("go standpoint", directory), lambda: _find_standpoint(directory, index))


def places(seen_from: Standpoint, path: str, index: RepositoryIndex) -> Iterator[str]:
    """Yield the directories that an import path may mean, best first.

    The longest module path that the import starts with goes first, then a shorter one, then vendored packages.
    """
    for prefix, below in _splits(path):
        for root in _roots(seen_from.home, prefix, index):
            place = _below(root, below)
            if _home(place, index) in {root, _home(root, index)}:
                yield place
    yield from (child(vendor, path) for vendor in seen_from.vendors)


def is_inside(seen_from: Standpoint, path: str, index: RepositoryIndex) -> bool:
    """Tell whether an import path belongs to a module of the repository, and to no longer one that others publish."""
    required = _go_mod(seen_from.home, index).required
    for prefix, _ in _splits(path):
        if prefix and _roots(seen_from.home, prefix, index):
            return True
        if prefix in required:
            return False
    return False


def is_relative(path: str) -> bool:
    """Tell whether an import path starts at the importing file."""
    return _LOCAL.match(path) is not None


def is_standard(path: str) -> bool:
    """Tell whether an import path has the form of the standard library's: no dot in its first name."""
    return "." not in path.partition("/")[0]


def _splits(path: str) -> Iterator[tuple[str, str]]:
    prefix, below = path, ""
    while prefix:
        yield prefix, below
        prefix, _, last = prefix.rpartition("/")
        below = _below(last, below)
    if is_standard(path):
        yield "", path


def _roots(home: str, module: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return the directories of a module: what the importing one replaces it with, else all of its name by nearness."""
    replaced = _go_mod(home, index).replaced.get(module)
    if replaced is not None:
        return (replaced,)
    known = _modules(index).get(module or _STANDARD_LIBRARY, ())
    return tuple(sorted(known, key=lambda root: (-_shared(root, home), root))) if known[1:] else known


def _modules(index: RepositoryIndex) -> Mapping[str, tuple[str, ...]]:
    """Return the directories of every module by its path; copies in examples and test data often share one."""
    return index.remember("go modules", lambda: _find_modules(index))


def _find_modules(index: RepositoryIndex) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for directory in _directories(index):
        if index.is_file(child(directory, MODULE_FILE)) and (module := _go_mod(directory, index).module):
            found[module] = (*found.get(module, ()), directory)
    return found


def _directories(index: RepositoryIndex) -> tuple[str, ...]:
    """Return every directory with Go sources in it or somewhere below it, sorted."""
    return index.remember("go directories", lambda: _find_directories(index))


def _find_directories(index: RepositoryIndex) -> tuple[str, ...]:
    direct = {parent(path) for path in index.surfaces("go")}
    return tuple(sorted({above for directory in direct for above in upward(directory)}))


def _find_standpoint(directory: str, index: RepositoryIndex) -> Standpoint:
    vendors = index.remember("go vendors", lambda: {one for one in _directories(index) if basename(one) == _VENDOR})
    found = (child(above, _VENDOR) for above in upward(directory)) if vendors else ()
    return Standpoint(home=_home(directory, index), vendors=tuple(one for one in found if one in vendors))


def _home(directory: str, index: RepositoryIndex) -> str:
    """Return the root of the module that a directory belongs to; the repository's root when there is none."""
    return parent(index.nearest(directory, (MODULE_FILE,)) or "")


def _go_mod(directory: str, index: RepositoryIndex) -> _GoMod:
    return index.remember(("go.mod", directory), lambda: _read_go_mod(directory, index))


def _read_go_mod(directory: str, index: RepositoryIndex) -> _GoMod:
    text = index.text(child(directory, MODULE_FILE)) or ""
    workspace = index.nearest(directory, (WORKSPACE_FILE,)) or ""
    module = _MODULE.search(text)
    return _GoMod(
        module=module[1].strip(_QUOTES) if module else "",
        required=frozenset(match[1].strip(_QUOTES) for match in _REQUIREMENT.finditer(text)),
        replaced={
            **dict(_replacements(directory, text)),
            **dict(_replacements(parent(workspace), index.text(workspace) or "")),
        },
    )


def _replacements(directory: str, text: str) -> Iterator[tuple[str, str]]:
    for match in _REPLACEMENT.finditer(text):
        target = match[2].strip(_QUOTES)
        place = joined(directory, target) if _LOCAL.match(target) else None
        if place is not None:
            yield match[1].strip(_QUOTES), place


def _below(root: str, path: str) -> str:
    return child(root, path) if path else root


def _shared(one: str, other: str) -> int:
    pairs = zip(one.split("/"), other.split("/"), strict=False)
    return next((depth for depth, (a, b) in enumerate(pairs) if a != b), min(one.count("/"), other.count("/")) + 1)


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
    names = _used(source, index).get("" if specifier.name == "." else specifier.name or found.name, ())
    paths = dict.fromkeys(path for name in names for path in found.declared.get(name, ()))
    return Landing(paths=tuple(paths)) if paths else MISSING


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
    return index.remember(("go uses", source), lambda: _by_qualifier(index.surfaces("go").get(source, NO_SURFACE)))


def _by_qualifier(surface: Surface) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for use in surface.uses:
        qualifier, _, name = use.partition(".")
        found.setdefault(qualifier, []).append(name)
    return found
