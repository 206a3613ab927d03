"""Import resolution: which file depends on which, worked out from what the sources say. Pure."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from tx_graph.analysis.imports.index import ManifestProblem, RepositoryIndex
from tx_graph.analysis.imports.landing import Landing
from tx_graph.analysis.imports.paths import basename
from tx_graph.domain.imports import IMPORT_STRENGTH, ImportEdge, ImportType, Specifier, Unresolved
from tx_graph.domain.languages import resolver_of

__all__ = ["ManifestProblem", "RepositoryIndex", "Resolution", "is_manifest", "resolve_imports"]

Resolver = Callable[[str, Specifier, RepositoryIndex], Landing]
"""Says where a specifier of a source file (its path comes first) leads."""

_MANIFEST = re.compile(
    r"package\.json|[tj]sconfig.*\.json|pnpm-workspace\.yaml|pyproject\.toml|setup\.(?:py|cfg)|go\.mod|Cargo\.toml"
)


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
    resolver = _resolver(name)
    landings = [(specifier, resolver(source, specifier, index)) for specifier in specifiers]
    targets = ((path, specifier.type) for specifier, found in landings for path in found.paths)
    return Resolution(
        edges=_strongest(source, targets),
        unresolved=tuple(
            Unresolved(source=source, specifier=specifier, reason=found.reason)
            for specifier, found in landings
            if not found.paths
        ),
    )


def is_manifest(path: str) -> bool:
    """Tell whether a change of this file can change what imports elsewhere mean."""
    return _MANIFEST.fullmatch(basename(path)) is not None


@cache
def _resolver(name: str) -> Resolver:
    module = importlib.import_module(f"{__name__}.{name}")
    resolve: Resolver = module.resolve
    return resolve


def _strongest(source: str, targets: Iterable[tuple[str, ImportType]]) -> tuple[ImportEdge, ...]:
    best: dict[str, ImportType] = {}
    for target, kind in targets:
        best[target] = min(kind, best.get(target, kind), key=IMPORT_STRENGTH.__getitem__)
    best.pop(source, None)
    return tuple(ImportEdge(source=source, target=target, type=kind) for target, kind in best.items())
