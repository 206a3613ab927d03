"""Haskell: which file holds the module that an import names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from tx_graph.code.imports import NO_SURFACE, Specifier
from tx_graph.code.resolvers import (
    AMBIGUOUS,
    EXTERNAL,
    Landing,
    RepositoryIndex,
    at,
    nearest,
    parent,
    remembered,
)


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file of a module; where several have one of its name, that of the nearest source directory."""
    homes = _modules(index).get(specifier.module)
    if not homes:
        return EXTERNAL
    own = _home_of(source, _module_of(source, index))
    home, *others = nearest(parent(source) if own is None else own, homes)
    return AMBIGUOUS if others else at(homes[home])


@remembered
def _modules(index: RepositoryIndex) -> Mapping[str, Mapping[str, str]]:
    """Return for each module the files that have it, by the source directories that they are in."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for path, surface in index.surfaces("haskell").items():
        home = _home_of(path, surface.package)
        if home is not None:
            found[surface.package][home] = path
    return found


def _module_of(path: str, index: RepositoryIndex) -> str:
    return index.surfaces("haskell").get(path, NO_SURFACE).package


def _home_of(path: str, module: str) -> str | None:
    """Return the source directory that a module's name starts from; None where its path is another."""
    ending = f"/{module.replace('.', '/')}.hs"
    return f"/{path}".removesuffix(ending)[1:] if f"/{path}".endswith(ending) else None
