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
    by_full_name,
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


_COMMON = re.compile(r"/common(?:Main|Test)?/")
"""The source sets of Kotlin's that all platforms share."""


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
        return Landing(paths=_declaring(_root_of(source, index), inherited, index))
    package = index.surfaces("java").get(source, NO_SURFACE).package.split(".")
    spaces = (".".join(package[:end]) for end in range(len(package), 0, -1))
    within = (_resolved(source, replace(specifier, module=f"{space}.{module}"), index) for space in spaces)
    return next((landing for landing in within if landing.paths), found)


def _resolved(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    types = _types(index)
    packages, name = _packages(index), specifier.module
    while name:  # a nested type, or a member, is in the file of the type around it
        if name in types:
            return Landing(paths=_declaring(_root_of(source, index), name, index))
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
            nearest = _root_of(_declaring(root, own, index)[0], index)
            if _module_of(nearest) == _module_of(root) and not _is_example_to(root, nearest):
                continue
        declaring = _declaring(root, f"{package}.{name}", index)
        stars = (one[1:] for one in surface.uses if one[0] == ":")
        # Which function is called is known where only one file of the packages at hand has such.
        if name[:1].isupper() or (len(declaring) == 1 and sum(f"{star}.{name}" in types for star in stars) == 1):
            files += declaring
    paths = tuple(file for file in dict.fromkeys(files) if not _is_example_to(root, _root_of(file, index)))
    return Landing(paths=paths) if paths else at(source)


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
        not _COMMON.search(f"/{other}/"),
    )


@remembered
def _declaring(root: str, name: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return the file that declares a name, nearest to a source root; all such, where Kotlin or Scala have several.

    Overloads of a function may be in many files of a package, and there may be one file for each version of Scala.
    """
    files = _types(index)[name]
    if len(files) > 1:
        known = {file: _distance(root, file, index) for file in files}
        nearest = [file for file in files if known[file] == min(known.values())]
        files = tuple(nearest[:1] if nearest[0].endswith(".java") else nearest)
    return files


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
    """Return the files that declare each top-level type, and what else Kotlin and Scala have there, by its full name.

    What is in the unnamed package starts with a dot: no import can name it. A function that is called like a type
    counts where there is no such type.
    """
    found = by_full_name("java", index)
    return {name.removesuffix("()"): files for name, files in found.items() if name.endswith("()")} | dict(found)
