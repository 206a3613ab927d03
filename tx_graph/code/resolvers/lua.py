"""Lua: which file holds the module that a name means."""

from __future__ import annotations

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    STDLIB,
    Landing,
    RepositoryIndex,
    basename,
    child,
    homes_of,
    nearest,
    parent,
    remembered,
    upward,
)

_STANDARD = frozenset("bit bit32 coroutine debug ffi io jit math os package string table utf8".split())
_ENDINGS = (".lua", "/init.lua")
"""How the file of a module may end, the one that Lua prefers first."""
_ROOTS = ("lua", "src", "lib")
"""Directories that modules' names start from: Neovim's, and what most projects have."""


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file of a module."""
    return STDLIB if specifier.module in _STANDARD else _found(parent(source), specifier.module, index)


@remembered
def _found(directory: str, module: str, index: RepositoryIndex) -> Landing:
    """Return the file of a module, below a directory that names start from: in or around the source's own.

    Where a file is below such a directory, names start from there, or from a directory above it. One without a dot, in
    a directory between the file's own and that of the repository, would be somebody else's.
    """
    path, above = module.replace(".", "/"), [*upward(directory)]
    start = next((place for place, name in enumerate(above) if basename(name) in _ROOTS), 0)
    starts = above[start:] if "/" in path else [above[start], ""]
    starts += [child(place, name) for place in above for name in _ROOTS]
    known = {home: file for home, file in homes_of(path, _ENDINGS, index).items() if home in starts}
    return nearest(directory, known) if known else EXTERNAL
