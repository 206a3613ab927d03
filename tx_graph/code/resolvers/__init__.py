"""Import resolution: which file depends on which, worked out from what the sources say. Pure."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from tx_graph.code.imports import IMPORT_STRENGTH, ImportEdge, ImportType, Specifier, Unresolved
from tx_graph.code.languages import LANGUAGES, language_of, resolver_of
from tx_graph.code.resolvers.index import Landing, RepositoryIndex, basename

_RESOLVERS = tuple(sorted({language.resolver for language in LANGUAGES.values()} - {""}))


_NO_NAME = re.compile(r"(?!)")


class _Resolver(NamedTuple):
    """What a resolver's module has: `resolve`, and where they apply `MANIFESTS` and `NAMES_ANY_FILE`.

    `resolve` says where a specifier of a source file (its path comes first) leads. `manifests` are the names of files
    that decide what imports mean by being there; `names_any_file`: whether imports may name files of other languages.
    """

    resolve: Callable[[str, Specifier, RepositoryIndex], Landing]
    manifests: re.Pattern[str]
    names_any_file: bool


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
    resolve = _resolver(name).resolve
    landings = [(specifier, resolve(source, specifier, index)) for specifier in specifiers]
    targets = ((path, specifier.type) for specifier, found in landings for path in found.paths)
    return Resolution(
        edges=_strongest(source, targets),
        unresolved=tuple(
            Unresolved(source=source, specifier=specifier, reason=found.reason)
            for specifier, found in landings
            if not found.paths
        ),
    )


def resolvers_concerned(path: str) -> frozenset[str]:
    """Return the resolvers that the coming or going of a file concerns.

    What a file says concerns those that consulted it, which is up to whoever keeps their indexes.
    """
    own, name = resolver_of(language_of(path)), basename(path)
    return frozenset(
        resolver
        for resolver in _RESOLVERS
        if resolver == own or _resolver(resolver).names_any_file or _resolver(resolver).manifests.fullmatch(name)
    )


@cache
def _resolver(name: str) -> _Resolver:
    module = importlib.import_module(f"{__name__}.{name}")
    return _Resolver(
        resolve=module.resolve,
        manifests=getattr(module, "MANIFESTS", _NO_NAME),
        names_any_file=getattr(module, "NAMES_ANY_FILE", False),
    )


def _strongest(source: str, targets: Iterable[tuple[str, ImportType]]) -> tuple[ImportEdge, ...]:
    best: dict[str, ImportType] = {}
    for target, kind in targets:
        best[target] = min(kind, best.get(target, kind), key=IMPORT_STRENGTH.__getitem__)
    best.pop(source, None)
    return tuple(ImportEdge(source=source, target=target, type=kind) for target, kind in best.items())
