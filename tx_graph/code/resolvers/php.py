"""PHP: which files declare the classes and functions that a file uses, and which it loads."""

from __future__ import annotations

import re

from tx_graph.code.imports import NO_SURFACE, OWN, Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    MISSING,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    by_full_name,
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
    name, spaces = specifier.module.replace("\\", "."), _namespaces(index)
    full = f"{name}{specifier.name or ''}" if "." in name else f".{name}"
    if (declaring := _declaring(full, source, index)) or name in spaces:
        return at(declaring or source)
    space = name.rpartition(".")[0]
    # The first name is a vendor's, who has other packages.
    return STDLIB if not space else MISSING if "." in space and space in spaces else EXTERNAL


def _declaring(name: str, source: str, index: RepositoryIndex) -> str:
    """Return the file that declares a name; of several, where an autoloader looks, then the nearest one.

    PSR-4 and PSR-0 alike have the last parts of a name as the last parts of a path. A name without a namespace that
    several files declare leads nowhere: nobody knows which of them was loaded.
    """
    files, parts = by_full_name("php", index).get(name, ()), "/".join(name.split(".")[::-1])

    def likeness(file: str) -> tuple[int, int, str]:
        ending = "/".join(file.removesuffix(".php").split("/")[::-1])
        return shared_depth(ending, parts), shared_depth(file, source), file

    is_certain = len(files) == 1 or not name.startswith(".")
    return max(files, key=likeness, default="") if is_certain else ""


@remembered
def _namespaces(index: RepositoryIndex) -> frozenset[str]:
    """Return every namespace in which, or below which, something is declared."""
    names = by_full_name("php", index)
    return frozenset(name[: dot.start()] for name in names for dot in re.finditer(r"\.", name))
