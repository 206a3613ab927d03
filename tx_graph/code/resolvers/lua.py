"""Lua: which file holds the module that a name means."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import (
    AMBIGUOUS,
    EXTERNAL,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    basename,
    joined,
    nearest,
    parent,
    remembered,
    upward,
)

MANIFESTS = re.compile(r".+\.rockspec")

_STANDARD = frozenset("bit bit32 coroutine debug ffi io jit math os package string table utf8".split())
_ENDINGS = (".lua", "/init.lua")
"""How the file of a module may end, the one that Lua prefers first."""
_ROOTS = frozenset({"lua", "src", "lib"})
"""Directories that modules' names start from, wherever they are: Neovim's, and what most projects have."""
_MODULE = re.compile(
    r"""(?:\[\s*["'](?P<quoted>[\w.-]+)["']\s*\]|\b(?P<plain>\w+))\s*=\s*["'](?P<path>[^"'\n]+\.lua)["']"""
)


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file of a module: by what a rockspec says, else below the directory that names start from."""
    return _found(parent(source), specifier.module, index)


@remembered
def _found(directory: str, module: str, index: RepositoryIndex) -> Landing:
    if module in _STANDARD:
        return STDLIB
    installed = _installed(index).get(module, ())
    if len(installed) == 1:
        return at(*installed)
    path, above = module.replace(".", "/"), [*upward(directory)]
    # Where a file is below such a directory, names start from there, or from a directory above it; one without a dot,
    # in a directory between the file's own and that of the repository, would be somebody else's.
    start = next((place for place, name in enumerate(above) if basename(name) in _ROOTS), 0)
    starts = above[start:] if "/" in path else [above[start], ""]
    stems = (stem for stem in _by_name(index).get(basename(path), ()) if f"/{stem}".endswith(f"/{path}"))
    homes = {f"/{stem}".removesuffix(f"/{path}")[1:]: stem for stem in stems}
    known = nearest(directory, [home for home in homes if home in starts or basename(home) in _ROOTS])
    if len(known) == 1:
        return at(index.by_stem(_ENDINGS)[homes[known[0]]])
    return AMBIGUOUS if known else EXTERNAL


@remembered
def _by_name(index: RepositoryIndex) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    for stem in index.by_stem(_ENDINGS):
        found[basename(stem)].append(stem)
    return found


@remembered
def _installed(index: RepositoryIndex) -> Mapping[str, set[str]]:
    """Return the files that rockspecs give modules, by the modules' names."""
    found: dict[str, set[str]] = defaultdict(set)
    for rockspec in index.called(MANIFESTS):
        for one in _MODULE.finditer(index.text(rockspec) or ""):
            path = joined(parent(rockspec), one["path"])
            if path is not None and index.is_source(path):
                found[one["quoted"] or one["plain"]].add(path)
    return found
