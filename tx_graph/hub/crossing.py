"""What of a workspace leads out of its repository: rows of a hub's tables `packages`, `offers` and `needs`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from tx_graph.code.file_store import FileStore, SurfaceStore
from tx_graph.code.import_store import ImportStore
from tx_graph.code.imports import Specifier, Surface
from tx_graph.code.languages import LANGUAGES, language_of, resolver_of
from tx_graph.code.resolvers import RepositoryIndex
from tx_graph.code.uses.meaning import Meanings
from tx_graph.core.kernel import Kernel
from tx_graph.hub.ecosystems import ECOSYSTEMS, Asking, Ecosystem, Need, Offer, ecosystem
from tx_graph.hub.identity import node_id

Rows = Mapping[int, list[tuple[Any, ...]]]
"""Rows without their repository, in the order of the table's columns, by the file that owns them."""
_ANSWERED = frozenset({"stdlib", "not code"})
"""Why an import leads to no file, though nobody else is asked for it."""
_LONGEST = 500  # characters of a module and a name


def collect(kernel: Kernel, repository: str) -> dict[str, Rows]:
    """Return the rows of `packages`, `offers` and `needs` that the index and the manifests of a repository give."""
    found: dict[str, dict[int, list[tuple[Any, ...]]]] = {
        table: defaultdict(list) for table in ("packages", "offers", "needs")
    }
    nodes = {path: node_id(repository, "file", path) for path in FileStore(kernel.database).paths()}
    meanings, lost = Meanings(kernel.database), _lost(kernel)
    for name in ECOSYSTEMS:
        kind = ecosystem(name)
        index = _index(kernel, kind, nodes)
        provided = {(one.manifest, one.name, one.is_provided): one for one in kind.packages(index)}
        for package in provided.values():
            manifest = nodes[package.manifest]
            found["packages"][manifest].append((manifest, name, package.name, package.is_provided, package.range))
        offers = {(one.path, one.module, one.name): one for one in kind.offers(index, meanings) if _is_storable(one)}
        for offer in offers.values():
            node = nodes[offer.path]
            found["offers"][node].append((node, name, offer.package, offer.module, offer.name))
        for path, specifiers in lost[kind.resolver].items():
            asking = Asking(path=path, specifiers=specifiers, meanings=meanings, index=index)
            needs = sorted(set(filter(_is_storable, kind.needs(asking))))
            found["needs"][nodes[path]] += [
                (nodes[path], position, need.line, name, need.module, need.name, need.type.value)
                for position, need in enumerate(needs)
            ]
    return {table: dict(rows) for table, rows in found.items()}


def _is_storable(one: Offer | Need) -> bool:
    """Tell whether an index of PostgreSQL takes the names, which are no names anyhow where it does not."""
    return len(one.module) + len(one.name) <= _LONGEST and f"{one.module}{one.name}".isprintable()


def _lost(kernel: Kernel) -> dict[str, dict[str, list[tuple[Specifier, str]]]]:
    """Return the imports that no file here answers, each with the reason, by the resolver and the file."""
    found: dict[str, dict[str, list[tuple[Specifier, str]]]] = defaultdict(lambda: defaultdict(list))
    for one in ImportStore(kernel.database).unresolved():
        if one.reason not in _ANSWERED:
            found[resolver_of(language_of(one.source)) or ""][one.source].append((one.specifier, one.reason))
    return found


def _index(kernel: Kernel, kind: Ecosystem, files: Iterable[str]) -> RepositoryIndex:
    def surfaces_of(resolver: str) -> Mapping[str, Surface]:
        languages = [name for name in LANGUAGES if resolver_of(name) == resolver]
        return SurfaceStore(kernel.database).of_languages(languages)

    tree = kernel.checkout.tree
    return RepositoryIndex(list(files), tree.read_text, surfaces_of, resolver=kind.resolver)
