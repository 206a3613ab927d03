"""Haskell: which file holds the module that an import names."""

from __future__ import annotations

import re

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import (
    AMBIGUOUS,
    EXTERNAL,
    Landing,
    RepositoryIndex,
    at,
    by_full_name,
    nearest,
    parent,
    remembered,
    upward,
)

MANIFESTS = re.compile(r".+\.cabal|package\.yaml")


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file that says it is a module: one of the source's own package, else the only one."""
    files = by_full_name("haskell", index).get(f".{specifier.module}")
    if not files:
        return EXTERNAL
    own = {path: path for path in files if _package(parent(path), index) == _package(parent(source), index)}
    return nearest(source, own) if own else at(*files) if len(files) == 1 else AMBIGUOUS


@remembered
def _package(directory: str, index: RepositoryIndex) -> str:
    """Return the directory of the package around another."""
    packages = index.remember("packages", lambda: {parent(path) for path in index.called(MANIFESTS)})
    return next((above for above in upward(directory) if above in packages), "")
