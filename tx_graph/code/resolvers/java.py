"""Java, Kotlin and Scala, which share packages: which files declare what an import names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from tx_graph.code.imports import NO_SURFACE, PACKAGE_OBJECT, Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    MISSING,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    parent,
    remembered,
    shared_depth,
)

_SHIPPED = re.compile(
    r"""(?: java | kotlin | scala | jdk | sun | netscape\.javascript | org\.ietf\.jgss | org\.w3c\.dom | org\.xml\.sax
        | javax\.(?: accessibility | annotation\.processing | crypto | imageio | lang | management | naming | net
            | print | rmi | script | security | smartcardio | sound | sql | swing | tools | transaction\.xa
            | xml\.(?: catalog | crypto | datatype | namespace | parsers | stream | transform | validation | xpath
                | XMLConstants ) )
        | com\.sun\.(?: java | jdi | management | net\.httpserver | nio\.sctp | security | source | tools )
    )(?:\.|$)""",
    re.VERBOSE,
)
"""Packages of the JDK and of the languages. `javax` is shared with Java EE, whose packages others publish."""

_EXAMPLES = re.compile(
    r"(?:^|/)src/(?:[^/]+/resources|(?=[^/]*[tT]est)[^/]*+/(?!java|kotlin|groovy|scala)[^/]+)(?:/|$)"
)
"""Whole projects that tests read: they lie in a source set of Maven or Gradle, but not among its sources."""


_COMMON = "commonMain"
"""The source set of Kotlin's that all platforms share."""


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the files that declare what an import in the file `source` names.

    Scala's may start in any of the packages around the file, and name a package, or what a package object inherits.
    """
    found, module = _resolved(source, specifier, index), specifier.module
    if found.paths or not source.endswith((".scala", ".sc")):
        return found
    if module in _packages(index):
        return at(source)
    if (inherited := f"{module.rpartition('.')[0]}.{PACKAGE_OBJECT}") in _types(index):
        return Landing(paths=_declaring(source, inherited, index))
    above = index.surfaces("java").get(source, NO_SURFACE).package
    while above and not found.paths:
        inner = _resolved(source, replace(specifier, module=f"{above}.{module}"), index)
        found, above = inner if inner.paths else found, above.rpartition(".")[0]
    return found


def _resolved(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    types = _types(index)
    packages, name = _packages(index), specifier.module
    while name:  # a nested type, or a member, is in the file of the type around it
        if name in types:
            return Landing(paths=_declaring(source, name, index))
        name = name.rpartition(".")[0]
    if specifier.name == "*" and specifier.module in packages:
        return _on_demand(source, specifier.module, index)
    names = specifier.module.split(".")
    last = len(names) - (specifier.name is None)
    capital = next((place for place, part in enumerate(names) if part[:1].isupper()), last)
    if capital and ".".join(names[:capital]) in packages:
        return MISSING
    return STDLIB if _SHIPPED.match(specifier.module) else EXTERNAL


def _on_demand(source: str, package: str, index: RepositoryIndex) -> Landing:
    """Return the files of the package's types that the source uses by their simple names.

    A type that the source's own package has within its module hides them. Where the source uses none, the import is
    fulfilled all the same: it leads nowhere else than to the source itself.
    """
    types, root = _types(index), _root_of(source, index)
    surface = index.surfaces("java").get(source, NO_SURFACE)
    files: list[str] = []
    for name in surface.uses:
        own = f"{surface.package}.{name}"
        if f"{package}.{name}" not in types:
            continue
        if package != surface.package and own in types:
            declared = _root_of(_nearest_to(root, own, index), index)
            if _module_of(declared) == _module_of(root) and not _is_example_to(root, declared):
                continue
        declaring = _declaring(source, f"{package}.{name}", index)
        files += declaring if len(declaring) == 1 or name[:1].isupper() else ()  # which overload is meant is not known
    paths = tuple(file for file in dict.fromkeys(files) if not _is_example_to(root, _root_of(file, index)))
    return Landing(paths=paths) if paths else at(source)


@remembered
def _nearest_to(root: str, name: str, index: RepositoryIndex) -> str:
    """Return the file that declares a type, the nearest to a source root if several do."""
    return min(_types(index)[name], key=lambda file: (_distance(root, file, index), file))


def _distance(root: str, file: str, index: RepositoryIndex) -> tuple[bool, int, int, bool]:
    """Return how far a file is from a source root.

    Its own source set comes first, then its module, then what is nearest to it in the tree: by the directories that
    they share, above all. What is for all platforms comes before what is for one.
    """
    other = _root_of(file, index)
    return (
        _is_example_to(root, other),
        -shared_depth(root, other),
        len(other.split("/")),
        f"/{_COMMON}/" not in f"{other}/",
    )


def _declaring(source: str, name: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return the file that declares a name, nearest to the source; all of them, where Kotlin or Scala have several.

    Overloads of a function may be in many files of a package, and there may be one file for each version of Scala.
    """
    root = _root_of(source, index)
    nearest = _nearest_to(root, name, index)
    if nearest.endswith(".java"):
        return (nearest,)
    distance = _distance(root, nearest, index)
    return tuple(file for file in _types(index)[name] if _distance(root, file, index) == distance)


def _is_example_to(root: str, other: str) -> bool:
    """Tell whether what is in another source root is no code to the sources of this one, but something to read."""
    return _EXAMPLES.search(other) is not None and _EXAMPLES.search(root) is None


@remembered
def _root_of(path: str, index: RepositoryIndex) -> str:
    """Return the directory that a file's package starts from: `src/main/java`; its own if the two do not agree."""
    directory = parent(path)
    below = index.surfaces("java").get(path, NO_SURFACE).package.replace(".", "/")
    if not below or not f"/{directory}".endswith(f"/{below}"):
        return directory
    return directory[: -len(below)].rstrip("/")


def _module_of(root: str) -> str:
    """Return the directory of the module that a source root belongs to: what is above the last `src`, else above it."""
    source_set = f"/{root}/".rfind("/src/")
    return parent(root) if source_set < 0 else root[: max(source_set - 1, 0)]


@remembered
def _packages(index: RepositoryIndex) -> frozenset[str]:
    return frozenset(name.rpartition(".")[0] for name in _types(index))


@remembered
def _types(index: RepositoryIndex) -> Mapping[str, tuple[str, ...]]:
    """Return the files that declare each top-level type, by its full name.

    Types of the unnamed package start with a dot: no import can name them.
    """
    found: dict[str, tuple[str, ...]] = {}
    for path, surface in index.surfaces("java").items():
        for offered in surface.offers:
            name = f"{offered.place or surface.package}.{offered.name}"
            found[name] = (*found.get(name, ()), path)
    return found
