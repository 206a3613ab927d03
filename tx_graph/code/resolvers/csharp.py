"""C#: which files declare the types that a file uses of the namespaces it is in, or names."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tx_graph.code.imports import GLOBAL_USING, NO_SURFACE, OWN, Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    STDLIB,
    Landing,
    RepositoryIndex,
    basename,
    by_full_name,
    parent,
    remembered,
    shared_depth,
    upward,
)

MANIFESTS = re.compile(r".+\.csproj")

_DOT = re.compile(r"\.")
_SHIPPED = re.compile(r"System(?:\.|$)")


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the files with the types that a file uses of a namespace, or the file of a type (`using static`, alias).

    The namespaces around the file itself (`.`) are asked first, each before the one around it; then what its project
    uses everywhere, and its own usings, where just one of them may have the name.
    """
    types = by_full_name("csharp", index)
    if specifier.name is None:
        name = specifier.module
        while name and name not in types and f"{name}<" not in types:  # a nested type is in the file of the outer one
            name = name.rpartition(".")[0]
        if name:
            return Landing(paths=_declaring(name if name in types else f"{name}<", source, index))
    elif found := _used(source, index).get(specifier.module):
        return Landing(paths=found)
    if specifier == OWN or specifier.module in _namespaces(index):
        return Landing(paths=(source,))
    return STDLIB if _SHIPPED.match(specifier.module) else EXTERNAL


@remembered
def _used(source: str, index: RepositoryIndex) -> Mapping[str, tuple[str, ...]]:
    """Return the files whose types a file uses, by the using that brings them in; empty for none."""
    surface = index.surfaces("csharp").get(source, NO_SURFACE)
    around = {surface.package, *(one.place for one in surface.offers if one.place != GLOBAL_USING)}
    own = {one[:end] for one in around for end in [0, *(place.start() for place in _DOT.finditer(f"{one}."))]}
    usings = {one[1:]: one[1:] for one in surface.uses if one.startswith(":")}
    usings |= dict.fromkeys(_global_usings(index).get(_project_of(source, index), ()), "")
    # Inside a namespace, a using may leave out its beginning.
    reach = {f"{outer}.{space}".strip("."): using for space, using in usings.items() for outer in own}
    found: dict[str, dict[str, None]] = {}
    for use in surface.uses:
        for name in (f"{use[1:]}Attribute", use[1:]) if use.startswith("[") else (use,):
            spaces = _spaces(index).get(name, frozenset())
            inner = max(own & spaces, key=len, default=None)
            seen = {space: reach[space] for space in reach.keys() & spaces} if inner is None else {inner: ""}
            if len(seen) == 1:
                ((space, using),) = seen.items()
                found.setdefault(using, {}).update(dict.fromkeys(_declaring(f"{space}.{name}", source, index)))
                break
    return {using: tuple(files) for using, files in found.items()}


def _declaring(name: str, source: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return the files that declare a type: of its own project, else of the nearest; of its parts that bear its name.

    A partial class is in several files. The one that is called like it is the one meant; without it, all are.
    """
    files, home = by_full_name("csharp", index)[name], _project_of(source, index)

    def nearness(project: str) -> tuple[bool, int, str]:
        return project == home, shared_depth(project, source), project

    chosen = max({_project_of(file, index) for file in files}, key=nearness)
    parts = [file for file in files if _project_of(file, index) == chosen]
    called = [file for file in parts if basename(file) == f"{name.rpartition('.')[2].rstrip('<')}.cs"]
    return tuple(called if len(called) == 1 else parts)


@remembered
def _project_of(path: str, index: RepositoryIndex) -> str:
    """Return the directory of the project that a file belongs to: the nearest above it, else the root."""
    projects = index.remember("projects", lambda: {parent(one) for one in index.called(MANIFESTS)})
    return next((above for above in upward(parent(path)) if above in projects), "")


@remembered
def _global_usings(index: RepositoryIndex) -> Mapping[str, frozenset[str]]:
    """Return the namespaces that all files of a project use, by its directory."""
    found: dict[str, frozenset[str]] = {}
    for path, surface in index.surfaces("csharp").items():
        if named := {one.name for one in surface.offers if one.place == GLOBAL_USING}:
            project = _project_of(path, index)
            found[project] = found.get(project, frozenset()) | named
    return found


@remembered
def _spaces(index: RepositoryIndex) -> Mapping[str, frozenset[str]]:
    """Return the namespaces that have a type of each name."""
    found: dict[str, set[str]] = {}
    for full in by_full_name("csharp", index):
        space, _, name = full.rpartition(".")
        found.setdefault(name, set()).add(space)
    return {name: frozenset(spaces) for name, spaces in found.items()}


@remembered
def _namespaces(index: RepositoryIndex) -> frozenset[str]:
    return frozenset().union(*_spaces(index).values())
