"""PHP: which files declare the classes and functions that a file uses, and which it loads."""

from __future__ import annotations

from collections.abc import Mapping

from tx_graph.code.imports import NO_SURFACE, OWN, Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    MISSING,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    joined,
    parent,
    remembered,
    shared_depth,
)


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file that declares what a `use` names, or that an `include` loads; `.`: those of the names used else.

    A namespace that only shortens names is fulfilled: what is used through it is found by its full name.
    """
    if specifier.name == "include":
        place = joined(parent(source), specifier.module)
        return at(place) if place and index.is_source(place) else MISSING
    if specifier == OWN:
        uses = index.surfaces("php").get(source, NO_SURFACE).uses
        found = (_declaring(name, source, index) for name in uses)
        return Landing(paths=tuple(filter(None, found)) or (source,))
    name = specifier.module.replace("\\", ".")
    declaring = _declaring(f"{name}{specifier.name or ''}", source, index)
    if declaring or name in _namespaces(index):
        return at(declaring or source)
    space = name.rpartition(".")[0]
    if not space:
        return STDLIB
    # The first name is a vendor's, who has other packages.
    return MISSING if "." in space and space in _namespaces(index) else EXTERNAL


def _declaring(name: str, source: str, index: RepositoryIndex) -> str:
    """Return the file that declares a name; of several, where an autoloader looks, then the nearest one.

    PSR-4 and PSR-0 alike have the last parts of a name as the last parts of a path. A name without a namespace that
    several files declare leads nowhere: nobody knows which of them was loaded.
    """
    files = _declared(index).get(name, ())
    if len(files) > 1 and "." not in name:
        return ""

    def likeness(file: str) -> tuple[int, int, str]:
        ending = "/".join(file.removesuffix(".php").split("/")[::-1])
        return shared_depth(ending, "/".join(name.split(".")[::-1])), shared_depth(file, source), file

    return max(files, key=likeness, default="")


@remembered
def _namespaces(index: RepositoryIndex) -> frozenset[str]:
    spaces = {name.rpartition(".")[0] for name in _declared(index)}
    return frozenset(
        ".".join(parts[:end]) for parts in (one.split(".") for one in spaces) for end in range(len(parts) + 1)
    )


@remembered
def _declared(index: RepositoryIndex) -> Mapping[str, tuple[str, ...]]:
    """Return the files that declare each class, and each function (`name()`), by full names in dots."""
    found: dict[str, tuple[str, ...]] = {}
    for path, surface in sorted(index.surfaces("php").items()):
        for offered in surface.offers:
            name = f"{offered.place or surface.package}.{offered.name}".lstrip(".")
            found[name] = (*found.get(name, ()), path)
    return found
