"""C#: which files declare the types that a file uses of the namespaces it is in, or names."""

from __future__ import annotations

import re
from collections import defaultdict
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

_DOT = re.compile(r"\.")
_SHIPPED = re.compile(r"System(?:\.|$)")


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the files with the types that a file uses of a namespace, or the file of a type (`using static`, alias).

    The namespaces around the file itself (`.`) are asked first, each before the one around it; then what is used
    everywhere around it, and its own usings, where just one of them may have the name.
    """
    types, name = by_full_name("csharp", index), "" if specifier.name else specifier.module
    while name and name not in types and f"{name}<" not in types:  # a nested type is in the file of the outer one
        name = name.rpartition(".")[0]
    if name:
        return Landing(paths=_declaring(name if name in types else f"{name}<", source, index))
    found = _used(source, index).get(specifier.module) if specifier.name else None
    if found or specifier == OWN or any(specifier.module in spaces for spaces in _spaces(index).values()):
        return Landing(paths=found or (source,))
    return STDLIB if _SHIPPED.match(specifier.module) else EXTERNAL


@remembered
def _used(source: str, index: RepositoryIndex) -> Mapping[str, tuple[str, ...]]:
    """Return the files whose types a file uses, by the using that brings them in; empty for none."""
    surface = index.surfaces("csharp").get(source, NO_SURFACE)
    around = {surface.package, *(one.place for one in surface.offers if one.place != GLOBAL_USING)}
    own = {one[:end] for one in around for end in [0, *(place.start() for place in _DOT.finditer(f"{one}."))]}
    usings = {one[1:]: one[1:] for one in surface.uses if one.startswith(":")}
    for directory in upward(parent(source)):
        usings |= dict.fromkeys(_global_usings(index).get(directory, ()), "")
    # Inside a namespace, a using may leave out its beginning.
    reach = {f"{outer}.{space}".strip("."): using for space, using in usings.items() for outer in own}
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for use in surface.uses:
        for name in (f"{use[1:]}Attribute", use[1:]) if use.startswith("[") else (use,):
            spaces = _spaces(index).get(name, set())
            inner = max(own & spaces, key=len, default=None)
            seen = {space: reach[space] for space in reach.keys() & spaces} if inner is None else {inner: ""}
            if len(seen) == 1:
                ((space, using),) = seen.items()
                found[using] |= dict.fromkeys(_declaring(f"{space}.{name}", source, index))
                break
    return {using: tuple(files) for using, files in found.items()}


def _declaring(name: str, source: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return the file that declares a type: the one that is called like it, else all its parts, nearest to the source.

    Programs beside each other may have the same names: where several files are called so, it is not known which counts.
    """
    files = by_full_name("csharp", index)[name]
    called = [file for file in files if basename(file) == f"{name.rpartition('.')[2].rstrip('<')}.cs"]
    near = max(shared_depth(file, source) for file in called or files)
    found = tuple(file for file in called or files if shared_depth(file, source) == near)
    return () if called and len(found) > 1 else found


@remembered
def _global_usings(index: RepositoryIndex) -> Mapping[str, set[str]]:
    """Return the namespaces that all files of a project use, by the directory of the file that says so."""
    found: dict[str, set[str]] = defaultdict(set)
    for path, surface in index.surfaces("csharp").items():
        found[parent(path)].update(one.name for one in surface.offers if one.place == GLOBAL_USING)
    return found


@remembered
def _spaces(index: RepositoryIndex) -> Mapping[str, set[str]]:
    """Return the namespaces that have a type of each name."""
    found: dict[str, set[str]] = defaultdict(set)
    for full in by_full_name("csharp", index):
        space, _, name = full.rpartition(".")
        found[name].add(space)
    return found
