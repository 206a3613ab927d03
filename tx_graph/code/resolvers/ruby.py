"""Ruby: which file a required path is, beside the file that asks or on the load path."""

from __future__ import annotations

import re

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    MISSING,
    Landing,
    RepositoryIndex,
    at,
    child,
    joined,
    parent,
    remembered,
    upward,
)

_GEM = re.compile(r".*\.gemspec")
_LOADED = ("lib", "test", "spec")
"""Directories that gems and their tests are run with on the load path."""


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file that the path of a `require`, `require_relative`, `load` or `autoload` names."""
    directory, path = parent(source), specifier.module
    if specifier.name or path.startswith(("./", "../")):
        return _file(directory, path, index) or MISSING
    return next((landing for root in _roots(directory, index) if (landing := _file(root, path, index))), EXTERNAL)


@remembered
def _roots(directory: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return the directories that a file's requires are looked for in: those above it, then those of other gems."""
    near = (child(above, name) for above in upward(directory) for name in _LOADED)
    gems = (child(parent(gemspec), "lib") for gemspec in index.called(_GEM))
    return tuple(root for root in dict.fromkeys((*near, *gems)) if root in index.code_directories)


def _file(directory: str, path: str, index: RepositoryIndex) -> Landing | None:
    place = joined(directory, path)
    places = (f"{place}.rb", place) if place else ()
    return next((at(one) for one in places if index.is_source(one)), None)
