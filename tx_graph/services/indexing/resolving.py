"""Resolves imports again wherever a change may have given them another meaning."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256

from tx_graph.analysis.imports import (
    ManifestProblem,
    RepositoryIndex,
    Resolution,
    resolve_imports,
    resolvers_concerned,
)
from tx_graph.codebase.working_tree import WorkingTree, as_text
from tx_graph.domain.edges import NodeId
from tx_graph.domain.imports import Specifier, Surface
from tx_graph.domain.languages import LANGUAGES, language_of, resolver_of
from tx_graph.storage.stores import Stores


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What became different since imports were resolved last.

    `parsed` has what the files that were read again ask for. `came_or_went` and `rewritten` are paths, the latter of
    files that may have another text: nobody looks into those that are no source. `shown` are the paths of files that
    show others another surface than before.
    """

    parsed: Mapping[str, Sequence[Specifier]] = field(default_factory=dict)
    came_or_went: Collection[str] = ()
    rewritten: Collection[str] = ()
    shown: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """How many files had imports to resolve, and the manifests that could not be understood on the way."""

    files: int = 0
    problems: tuple[ManifestProblem, ...] = ()


class Resolving:
    """Keeps import edges equal to what the specifiers mean."""

    def __init__(self, *, stores: Stores, tree: WorkingTree) -> None:
        self._imports = stores.imports
        self._surfaces = stores.surfaces
        self._files = stores.files
        self._tree = tree

    def run(self, changes: Changes) -> Resolved:
        """Resolve what may have changed its meaning. Needs a transaction."""
        nodes = self._files.paths()
        anew = self._affected(changes)
        parsed = _by_resolver(changes.parsed)
        found = [
            self._of(resolver, parsed.get(resolver, {}), nodes, everything=resolver in anew)
            for resolver in sorted({*anew, *parsed})
        ]
        return Resolved(
            files=sum(one.files for one in found), problems=tuple(problem for one in found for problem in one.problems)
        )

    def _affected(self, changes: Changes) -> frozenset[str]:
        """Return the resolvers for which any import may have changed its meaning."""
        consulted = self._imports.consulted()
        affected = {resolver_of(language_of(path)) for path in changes.shown}
        for path in changes.came_or_went:
            affected |= resolvers_concerned(path)
        texts = _Texts(self._tree)
        for path in consulted.keys() & {*changes.came_or_went, *changes.rewritten}:
            now = texts.hash_of(path)
            affected |= {resolver for resolver, content_hash in consulted[path].items() if content_hash != now}
        return frozenset(affected)

    def _of(
        self, resolver: str, parsed: Mapping[str, Sequence[Specifier]], nodes: Mapping[str, NodeId], *, everything: bool
    ) -> Resolved:
        specifiers = {**self._unparsed(resolver, parsed, nodes), **parsed} if everything else parsed
        texts = _Texts(self._tree)
        index = RepositoryIndex(nodes, texts.read, self._surfaces_of, resolver=resolver)
        resolutions = [
            resolve_imports(source=path, language=language_of(path) or "", specifiers=asked, index=index)
            for path, asked in sorted(specifiers.items())
        ]
        self._write(resolutions, [nodes[path] for path in specifiers], nodes)
        self._imports.remember_consulted(resolver, texts.hashes, only=everything)
        return Resolved(files=sum(map(bool, specifiers.values())), problems=index.problems)

    def _unparsed(
        self, resolver: str, parsed: Collection[str], nodes: Mapping[str, NodeId]
    ) -> Mapping[str, Sequence[Specifier]]:
        """Return what all other files of a resolver's languages ask for; those that ask for nothing are left out."""
        others = (path for path in nodes.keys() - parsed if resolver_of(language_of(path)) == resolver)
        return self._imports.specifiers([nodes[path] for path in others])

    def _write(
        self, resolutions: Iterable[Resolution], sources: Collection[NodeId], nodes: Mapping[str, NodeId]
    ) -> None:
        resolutions = list(resolutions)
        edges = [edge for resolution in resolutions for edge in resolution.edges]
        unresolved = [one for resolution in resolutions for one in resolution.unresolved]
        self._imports.replace_edges(sources, edges, unresolved, nodes=nodes)

    def _surfaces_of(self, resolver: str) -> dict[str, Surface]:
        return self._surfaces.of_languages([name for name in LANGUAGES if resolver_of(name) == resolver])


class _Texts:
    """Hands out the texts of manifests and remembers which, with the SHA-256 of what they held."""

    def __init__(self, tree: WorkingTree) -> None:
        self._tree = tree
        self.hashes: dict[str, str] = {}

    def read(self, path: str) -> str | None:
        """Return a file as text (undecodable bytes replaced), None when it cannot be read."""
        data = self._tree.read(path)
        self.hashes[path] = "" if data is None else sha256(data).hexdigest()
        return None if data is None else as_text(data)

    def hash_of(self, path: str) -> str:
        """Return the SHA-256 of a file, empty when it cannot be read."""
        self.read(path)
        return self.hashes[path]


def _by_resolver(parsed: Mapping[str, Sequence[Specifier]]) -> dict[str, dict[str, Sequence[Specifier]]]:
    found: dict[str, dict[str, Sequence[Specifier]]] = {}
    for path, specifiers in parsed.items():
        if resolver := resolver_of(language_of(path)):
            found.setdefault(resolver, {})[path] = specifiers
    return found
