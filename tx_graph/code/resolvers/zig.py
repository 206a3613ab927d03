"""Zig: which file an import names, by its path or by the modules that a build.zig makes."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import (
    AMBIGUOUS,
    EXTERNAL,
    MISSING,
    NOT_CODE,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    basename,
    joined,
    parent,
    remembered,
)

_BUILD = "build.zig"
MANIFESTS = re.compile(re.escape(_BUILD))

_STANDARD = frozenset({"std", "builtin", "root"})
_COMMENT = re.compile(r"//[^\n]*")
_MADE = re.compile(
    r"""
    (?:\b(?:const|var)\s+(?P<variable>\w+)\s*=\s*)? \b\w+\.(?:createModule\(|addModule\(\s*"(?P<name>[^"\n]+)"\s*,)
    [^;]{0,400}? \b(?:root_)?source_file\s*=\s*(?:b\.path\(|\.\{\s*\.path\s*=)\s*"(?P<path>[^"\n]+)"
    """,
    re.VERBOSE,
)
_GIVEN = re.compile(
    r"""
    \.name\s*=\s*"(?P<name>[^"\n]+)"\s*,\s*\.module\s*=\s*(?P<variable>\w+)\s*\}
    | \baddImport\(\s*"(?P<added>[^"\n]+)"\s*,\s*(?P<module>\w+)\s*\)
    """,
    re.VERBOSE,
)


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file with an import's path, or the one that a module of this name starts from."""
    name = specifier.module
    if name.endswith((".zig", ".zon")):
        path = joined(parent(source), name)
        if name.endswith(".zon"):
            return NOT_CODE
        return at(path) if path is not None and index.is_source(path) else MISSING
    if name in _STANDARD:
        return STDLIB
    build = index.nearest(parent(source), (_BUILD,))
    found = (_modules(build, index)[0].get(name) if build else None) or _published(index).get(name)
    if not found:
        return EXTERNAL
    return AMBIGUOUS if len(found) > 1 else at(*found)


Modules = Mapping[str, set[str]]
"""The files that modules of a name start from: more than one where that depends."""


@remembered
def _modules(build: str, index: RepositoryIndex) -> tuple[Modules, Modules]:
    """Return the modules that imports name below a build.zig, and those of them that it makes for others."""
    text = _COMMENT.sub("", index.text(build) or "")
    own, published, variables = defaultdict[str, set[str]](set), defaultdict[str, set[str]](set), dict[str, str]()
    for made in _MADE.finditer(text):
        path = joined(parent(build), made["path"])
        if path is None or not index.is_source(path):
            continue
        if made["name"]:
            own[made["name"]].add(path)
            published[made["name"]].add(path)
        if made["variable"]:
            variables[made["variable"]] = path
    for given in _GIVEN.finditer(text):
        if path := variables.get(given["variable"] or given["module"]):
            own[given["name"] or given["added"]].add(path)
    return own, published


@remembered
def _published(index: RepositoryIndex) -> Modules:
    """Return the modules that any build.zig makes for others: packages may lie in one repository."""
    found = defaultdict[str, set[str]](set)
    for build in index.sources:
        if basename(build) == _BUILD:
            for name, paths in _modules(build, index)[1].items():
                found[name] |= paths
    return found
