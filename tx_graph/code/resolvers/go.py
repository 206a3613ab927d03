"""Go: which files declare the names that a file takes from an imported package."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from tx_graph.code.imports import NO_SURFACE, Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    MISSING,
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
from tx_graph.core.dataclass import dataclass

MANIFESTS = re.compile(r"go\.(?:mod|work)")

_QUOTES = "\"'`"
_MODULE = re.compile(r"^[ \t]*module[ \t]+(\S+)", re.MULTILINE)
_REQUIREMENT = re.compile(r"^[ \t]*(?:require[ \t]+)?(\S+)[ \t]+(v\d\S*)", re.MULTILINE)
_REPLACEMENT = re.compile(r"^[ \t]*(?:replace[ \t]+)?(\S+)[ \t]+(?:v\S+[ \t]+)?=>[ \t]+(\S+)", re.MULTILINE)
_LOCAL = re.compile(r"\.\.?(?:/|$)")
INITIALISER = "init"
"""What a package that is imported for its side effects has; its files are those that declare it."""
BLANK = "_"
"""The name of an import for side effects."""
_VENDOR = "vendor"  # a directory with copies of packages of others, each at its import path
_STANDARD_LIBRARY = "std"  # the module in Go's own repository whose packages are imported without its name


@dataclass(frozen=True, slots=True, kw_only=True)
class GoMod:
    """What a go.mod says, and the go.work above it: its module, and where other modules' paths lead from there.

    `required` has the version of each module that it asks for.
    """

    module: str = ""
    required: Mapping[str, str]
    replaced: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class GoPackage:
    """What can be imported from a directory: the package's own name, and which files declare each name."""

    name: str
    declared: Mapping[str, tuple[str, ...]]


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the files that declare what the file `source` uses of a package.

    A package imported for its side effects leads to the files with an `init`; one without any is found all the same,
    and leads nowhere else than to the source itself.
    """
    directory, path = parent(source), specifier.module
    if _LOCAL.match(path):  # it starts at the importing file
        place = joined(directory, path)
        found = MISSING if place is None else packages_of(index).get(place, MISSING)
    else:
        # Most directories of a module share the module around them and the vendored packages at hand.
        found = _imported(path, *_standpoint(directory, index), index)
    if isinstance(found, Landing):
        return found
    if specifier.name == BLANK:
        return Landing(paths=found.declared.get(INITIALISER, (source,)))
    names = uses_of(source, index).get("" if specifier.name == "." else specifier.name or found.name, ())
    paths = dict.fromkeys(path for name in names for path in found.declared.get(name, ()))
    return Landing(paths=tuple(paths)) if paths else MISSING


@remembered
def _imported(path: str, home: str, vendors: tuple[str, ...], index: RepositoryIndex) -> GoPackage | Landing:
    """Return the package that an import path means to the files of a module, else why there is none.

    The longest module path that the import starts with goes first, then a shorter one, then vendored packages.
    """
    packages = packages_of(index)
    is_standard = "." not in path.partition("/")[0]  # it has the form of the standard library's
    splits = [(path, "")]
    while splits[-1][0]:
        prefix, below = splits[-1]
        prefix, _, last = prefix.rpartition("/")
        splits.append((prefix, _below(last, below)))
    splits = [*splits[:-1], *([("", path)] if is_standard else [])]
    roots = {prefix: _roots(home, prefix, index) for prefix, _ in splits}
    for prefix, below in splits:
        for root in roots[prefix]:
            place = _below(root, below)
            if place in packages and home_of(place, index) in {root, home_of(root, index)}:
                return packages[place]
    for vendor in vendors:
        if child(vendor, path) in packages:
            return packages[child(vendor, path)]
    # The path is inside a module of the repository, if to no longer one that others publish.
    required = go_mod(home, index).required
    nearest = next((prefix for prefix, _ in splits if (prefix and roots[prefix]) or prefix in required), None)
    if nearest and roots[nearest]:
        return MISSING
    return STDLIB if is_standard else EXTERNAL


def _roots(home: str, module: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return the directories of a module: what the importing one replaces it with, else all of its name by nearness.

    Copies in examples and test data often share one.
    """
    replaced = go_mod(home, index).replaced.get(module)
    if replaced is not None:
        return (replaced,)

    def farness(root: str) -> tuple[int, str]:
        pairs = zip(root.split("/"), home.split("/"), strict=False)
        alike = min(root.count("/"), home.count("/")) + 1
        return -next((depth for depth, (a, b) in enumerate(pairs) if a != b), alike), root

    known = _modules(index).get(module or _STANDARD_LIBRARY, ())
    return tuple(sorted(known, key=farness))


@remembered
def _modules(index: RepositoryIndex) -> Mapping[str, tuple[str, ...]]:
    """Return the directories of every module by its path."""
    found: dict[str, tuple[str, ...]] = {}
    for directory in _directories(index):
        if index.is_file(child(directory, "go.mod")) and (named := go_mod(directory, index).module):
            found[named] = (*found.get(named, ()), directory)
    return found


@remembered
def _directories(index: RepositoryIndex) -> list[str]:
    """Return every directory with Go sources in it or somewhere below it, sorted."""
    return sorted({above for path in index.surfaces("go") for above in upward(parent(path))})


@remembered
def _standpoint(directory: str, index: RepositoryIndex) -> tuple[str, tuple[str, ...]]:
    """Return the root of the module around a directory, and the directories with vendored packages above it."""
    vendors = _vendors(index)
    found = (child(above, _VENDOR) for above in upward(directory)) if vendors else ()
    return home_of(directory, index), tuple(one for one in found if one in vendors)


@remembered
def _vendors(index: RepositoryIndex) -> set[str]:
    return {one for one in _directories(index) if basename(one) == _VENDOR}


def home_of(directory: str, index: RepositoryIndex) -> str:
    """Return the root of the module that a directory belongs to; the repository's root when there is none."""
    return parent(index.nearest(directory, ("go.mod",)) or "")


@remembered
def go_mod(directory: str, index: RepositoryIndex) -> GoMod:
    """Return what the go.mod of a directory says; nothing where there is none."""
    text = index.text(child(directory, "go.mod")) or ""
    workspace = index.nearest(directory, ("go.work",)) or ""
    module = _MODULE.search(text)
    replaced: dict[str, str] = {}
    for home, manifest in ((directory, text), (parent(workspace), index.text(workspace) or "")):
        for match in _REPLACEMENT.finditer(manifest):
            target = match[2].strip(_QUOTES)
            place = joined(home, target) if _LOCAL.match(target) else None
            if place is not None:
                replaced[match[1].strip(_QUOTES)] = place
    return GoMod(
        module=module[1].strip(_QUOTES) if module else "",
        required={match[1].strip(_QUOTES): match[2] for match in _REQUIREMENT.finditer(text)},
        replaced=replaced,
    )


def _below(root: str, path: str) -> str:
    return child(root, path) if path else root


@remembered
def packages_of(index: RepositoryIndex) -> Mapping[str, GoPackage]:
    """Return the package of every directory; tests, and files that the go tool leaves out, are no part of it.

    It is the one that most files name; programs beside it are run, not imported.
    """
    surfaces, found = index.surfaces("go"), dict[str, list[str]]()
    for path in sorted(surfaces):
        if not path.endswith("_test.go") and not basename(path).startswith(("_", ".")):
            found.setdefault(parent(path), []).append(path)
    packages = {}
    for directory, files in found.items():
        counted = Counter(surfaces[path].package for path in files)
        name = min(counted, key=lambda package: (package == "main", -counted[package], package))
        declared: dict[str, tuple[str, ...]] = {}
        for path in files:
            for offered in surfaces[path].offers if surfaces[path].package == name else ():
                declared[offered.name] = (*declared.get(offered.name, ()), path)
        packages[directory] = GoPackage(name=name, declared=declared)
    return packages


@remembered
def uses_of(source: str, index: RepositoryIndex) -> Mapping[str, list[str]]:
    """Return the names that a file uses, by the qualifiers before them."""
    found: dict[str, list[str]] = {}
    for use in index.surfaces("go").get(source, NO_SURFACE).uses:
        qualifier, _, name = use.partition(".")
        found.setdefault(qualifier, []).append(name)
    return found
