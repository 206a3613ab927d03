"""Swift: which files declare the types that a file uses of its own module and of those that it imports."""

from __future__ import annotations

import re
from collections.abc import Mapping

from tx_graph.code.imports import NO_SURFACE, OWN, Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    Landing,
    RepositoryIndex,
    basename,
    child,
    joined,
    parent,
    remembered,
    shared_depth,
    upward,
)

MANIFESTS = re.compile(r"Package(?:@swift-[\d.]+)?\.swift")

_TARGET = re.compile(
    r"\.(?:target|testTarget|executableTarget|macro|plugin)\s*\(\s*name:\s*\"([^\"]+)\"(\s*,(?!\s*condition:))?"
)
"""A target, or a dependency on one, which has nothing but the name and a condition."""
_REMARK = re.compile(r"(?<!:)//[^\n]*")
_PATH = re.compile(r"\bpath:\s*\"([^\"]*)\"")
_PLACES = ("Sources", "Source", "src", "srcs", "Tests", "Plugins")
"""Where a target's files are unless its manifest says so."""


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the files of a module (`.`: the source's own) that declare the types which the source uses of it.

    What its own module has hides what others have. A name that several files of a module declare leads nowhere.
    """
    own = _module_of(source, index)
    module = own if specifier == OWN else _named(specifier.module, source, index)
    if module is None:
        return EXTERNAL
    known, hiding = _types(index).get(module, {}), _types(index).get(own, {})
    uses = index.surfaces("swift").get(source, NO_SURFACE).uses
    found = dict.fromkeys(known[name] for name in uses if name in known and (module == own or name not in hiding))
    return Landing(paths=tuple(filter(None, found)) or (source,))


def _named(name: str, source: str, index: RepositoryIndex) -> str | None:
    """Return the directory of the module of a name, the one nearest to the source if several have it."""
    targets = _targets(index)
    known = [module for module in _types(index) if targets.get(module, basename(module)) == name]
    return max(known, key=lambda module: (shared_depth(module, source), module), default=None)


@remembered
def _module_of(path: str, index: RepositoryIndex) -> str:
    """Return the directory of the module that a file is part of; the first below the root where no target has it."""
    targets = _targets(index)
    return next((above for above in upward(parent(path)) if above in targets), path.partition("/")[0])


@remembered
def _targets(index: RepositoryIndex) -> Mapping[str, str]:
    """Return the names of the targets of all packages by their directories."""
    found: dict[str, str] = {}
    for manifest in index.called(MANIFESTS):
        package, text = parent(manifest), _REMARK.sub(" ", index.text(manifest) or "")
        matches = list(_TARGET.finditer(text))
        ends = [match.start() for match in matches if match[2]]
        for match in matches:
            end = next((end for end in ends if end > match.start()), len(text))
            written = _PATH.search(text, match.end(), end) if match[2] else None
            usual = (child(package, f"{place}/{match[1]}") for place in _PLACES)
            places = [joined(package, written[1])] if written else usual
            place = next((place for place in places if place in index.code_directories), None)
            if place is not None:
                found.setdefault(place, match[1])
    return found


@remembered
def _types(index: RepositoryIndex) -> Mapping[str, Mapping[str, str]]:
    """Return the file that declares each type, by module and name; empty where several do."""
    found: dict[str, dict[str, str]] = {}
    for path, surface in sorted(index.surfaces("swift").items()):
        known = found.setdefault(_module_of(path, index), {})
        for offered in surface.offers:
            known[offered.name] = path if known.get(offered.name, path) == path else ""
    return found
