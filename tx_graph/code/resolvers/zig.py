"""Zig: which file an import names, by its path or by the modules that a build.zig makes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    MISSING,
    NOT_CODE,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    joined,
    nearest,
    parent,
    remembered,
)

_BUILD = "build.zig"
MANIFESTS = re.compile(re.escape(_BUILD))

_COMMENT = re.compile(r"//[^\n]*")
_MADE = re.compile(
    r"""
    (?:\b(?:const|var)\s+(?P<variable>\w+)\s*=\s*)? \b\w+\.(?:createModule\(|addModule\(\s*"(?P<name>[^"\n]+)"\s*,)
    [^;]{0,400}? \b(?:root_)?source_file\s*=\s*(?:b\.path\(|\.\{\s*\.path\s*=)\s*"(?P<path>[^"\n]+)"
    """,
    re.VERBOSE,
)
_GIVEN = re.compile(
    r"""(?:\.name\s*=|\baddImport\()\s*"(?P<name>[^"\n]+)"\s*,\s*(?:\.module\s*=\s*)?(?P<variable>\w+)\s*[)}]"""
)


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file with an import's path, or the one that a module of this name starts from."""
    name = specifier.module
    if name.endswith(".zig"):
        path = joined(parent(source), name)
        return at(path) if path is not None and index.is_source(path) else MISSING
    if name in ("std", "builtin", "root"):
        return STDLIB
    build = index.nearest(parent(source), (_BUILD,))
    files = _modules(build, index).get(name) if build else None
    return nearest("", files) if files else NOT_CODE if name.endswith(".zon") else EXTERNAL


@remembered
def _modules(build: str, index: RepositoryIndex) -> Mapping[str, dict[str, str]]:
    """Return the files that modules start from, by their names below a build.zig: several where that depends."""
    found, variables = defaultdict[str, dict[str, str]](dict), dict[str, str]()
    text = _COMMENT.sub("", index.text(build) or "")
    for made in _MADE.finditer(text):
        path = joined(parent(build), made["path"])
        if path is not None and index.is_source(path):
            variables[made["variable"]] = path
            found[made["name"]][path] = path
    for given in _GIVEN.finditer(text):
        if path := variables.get(given["variable"]):
            found[given["name"]][path] = path
    return found
