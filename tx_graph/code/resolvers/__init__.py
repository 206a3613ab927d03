"""Import resolution: which file depends on which, worked out from what the sources say. Pure."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tx_graph.code.imports import IMPORT_STRENGTH, ImportEdge, ImportType, Specifier, Unresolved
from tx_graph.code.languages import LANGUAGES, language_of, resolver_of
from tx_graph.code.resolvers.index import Landing, RepositoryIndex, basename

_RESOLVERS = frozenset(language.resolver for language in LANGUAGES.values() if language.resolver)


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolution:
    """What became of the imports of one file: edges to other files, and specifiers without a file."""

    edges: tuple[ImportEdge, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()


def resolve_imports(
    *, source: str, language: str, specifiers: Sequence[Specifier], index: RepositoryIndex
) -> Resolution:
    """Return one edge per file that `source` imports, of the strongest type, and what led nowhere.

    A file never depends on itself. A language without a resolver, or a source that is no tracked source
    file, gives an empty resolution.
    """
    name = resolver_of(language)
    if not name or not index.is_source(source):
        return Resolution()
    best: dict[str, ImportType] = {}
    unresolved = []
    resolve = _module(name).resolve
    for specifier in specifiers:
        found: Landing = resolve(source, specifier, index)
        for path in found.paths:
            best[path] = min(specifier.type, best.get(path, specifier.type), key=IMPORT_STRENGTH.__getitem__)
        if not found.paths:
            unresolved.append(Unresolved(source=source, specifier=specifier, reason=found.reason))
    best.pop(source, None)
    edges = tuple(ImportEdge(source=source, target=target, type=kind) for target, kind in best.items())
    return Resolution(edges=edges, unresolved=tuple(unresolved))


def resolvers_concerned(path: str) -> frozenset[str]:
    """Return the resolvers that the coming or going of a file concerns.

    What a file says concerns those that consulted it, which is up to whoever keeps their indexes.
    """
    own, name = resolver_of(language_of(path)), basename(path)
    concerned = {own} & _RESOLVERS
    for resolver in _RESOLVERS:
        manifests = getattr(_module(resolver), "MANIFESTS", None)
        names_any_file = getattr(_module(resolver), "NAMES_ANY_FILE", False)
        if names_any_file or (manifests and manifests.fullmatch(name)):
            concerned |= {resolver}
    return frozenset(concerned)


@cache
def _module(resolver: str) -> Any:  # noqa: ANN401 - its names are said below
    """Return a resolver's module.

    It has `resolve`, which says where a specifier of a source file (its path comes first) leads, and where they apply:
    `MANIFESTS`, the names of files that decide what imports mean by being there, and `NAMES_ANY_FILE`, where imports
    may name files of other languages.
    """
    return importlib.import_module(f"{__name__}.{resolver}")
