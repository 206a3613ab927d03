"""Go: modules by go.mod, packages by their directories, and the names that files take from the packages of others."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tx_graph.code.readers.go import likely_names
from tx_graph.code.resolvers import RepositoryIndex, child
from tx_graph.code.resolvers.go import BLANK, INITIALISER, go_mod, home_of, packages_of, uses_of
from tx_graph.code.uses.meaning import Meanings
from tx_graph.hub.ecosystems import Asking, Need, Offer, Package

RESOLVER = "go"
SEPARATOR = "/"
_MANIFEST = re.compile(r"go\.mod")
_CLOSED = frozenset({"internal", "testdata", "vendor"})
"""Directories below which nothing can be imported from another module."""


def packages(index: RepositoryIndex) -> Iterator[Package]:
    """Yield what manifests provide and require."""
    for path in index.called(_MANIFEST):
        found = go_mod(path.rpartition("/")[0], index)
        if found.module and not _CLOSED.intersection(path.split("/")):
            yield Package(path, found.module, is_provided=True)
        yield from (
            Package(path, name, is_provided=False, range=version) for name, version in sorted(found.required.items())
        )


def offers(index: RepositoryIndex, meanings: Meanings) -> Iterator[Offer]:  # noqa: ARG001 - names need no following
    """Yield the names of packages with the files that declare them."""
    for directory, package in packages_of(index).items():
        home = home_of(directory, index)
        module = go_mod(home, index).module
        if not module or package.name == "main" or _CLOSED.intersection(directory.split("/")):
            continue
        below = directory[len(home) :].lstrip("/")
        path = child(module, below) if below else module
        for name, files in package.declared.items():
            yield from (Offer(file, module, path, BLANK if name == INITIALISER else name) for file in files)


def needs(asking: Asking) -> Iterator[Need]:
    """Yield the names that a file takes from packages of other modules, on the line of the import."""
    taken = uses_of(asking.path, asking.index)
    for one, reason in asking.specifiers:
        if reason != "external":
            continue
        if one.name == BLANK:
            names = [BLANK]
        elif one.name:
            names = taken.get("" if one.name == "." else one.name, [])
        else:
            names = [name for qualifier in likely_names(one.module) for name in taken.get(qualifier, ())]
        for name in sorted(names) or [""]:
            yield Need(one.line, one.module, name, one.type)
