"""Keeps what the links of documents lead to equal to the documents, files and symbols that there are."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

from tx_graph.domain.document import LinkKind
from tx_graph.domain.edges import NodeId
from tx_graph.domain.references import NodeKind
from tx_graph.services.documents.destinations import NOWHERE, Destination, Destinations, DocumentNames, name_parts
from tx_graph.services.documents.edges import edges_of
from tx_graph.storage.section_links import SectionLink
from tx_graph.storage.stores import Stores

_NAMES = (LinkKind.CODE, LinkKind.NAME, LinkKind.WIKI)


class Linking:
    """Looks up the links of all documents, and writes the edges of those whose links changed."""

    def __init__(self, stores: Stores) -> None:
        self._stores = stores

    def names(self) -> str:
        """Return a digest of every name that a link may lead to but those of code, and of what bears it."""
        stores = self._stores
        names = [list(stores.documents.titles().items()), stores.sections.names()]
        return hashlib.sha256(repr(names).encode("utf-8", "surrogatepass")).hexdigest()

    def refresh(self, changed: Collection[NodeId], written: Sequence[SectionLink], *, alone: bool) -> int:
        """Take in the `written` links of changed documents, and write the edges of these.

        Unless these are `alone`, as where no name has come or gone since the last time, all other links are looked up
        again, and documents whose links lead elsewhere than before get their edges anew too. Returns how many
        documents did. Needs a transaction.
        """
        stores = self._stores
        stores.section_links.forget(changed)
        stored = [] if alone else stores.section_links.every()
        led = self._led([*stored, *written])
        moved = [now for before, now in zip(stored, led, strict=False) if now != before]
        stores.section_links.lead(moved)
        stores.section_links.add(led[len(stored) :])
        nodes = stores.documents.nodes()
        concerned = {nodes[link.document] for link in moved}.union(changed)
        self._write(concerned, led)
        return len(concerned) + self.write_outdated()

    def write_outdated(self) -> int:
        """Write the edges of documents that rest on what nobody says any more; return how many. Needs a transaction."""
        outdated = self._stores.section_edges.outdated()
        if outdated:
            self._write(outdated, self._stores.section_links.of_documents(outdated))
        return len(outdated)

    def _write(self, documents: Collection[NodeId], links: Iterable[SectionLink]) -> None:
        """Write the edges of some documents, given the links of all."""
        stores = self._stores
        by_document: defaultdict[str, list[SectionLink]] = defaultdict(list)
        for link in links:
            by_document[link.document].append(link)
        paths = {node: path for path, node in stores.documents.nodes().items()}
        own = {node: by_document[paths[node]] for node in documents}
        homes = stores.nodes.files_of_symbols({k.target for every in own.values() for k in every if k.target})
        sections = stores.sections.trees(documents)
        stores.section_edges.replace(
            documents, (edge for node, tree in sections.items() for edge in edges_of(tree, own[node], homes))
        )

    def _led(self, links: Sequence[SectionLink]) -> list[SectionLink]:
        """Return the links with where they lead now."""
        destinations = self._destinations(links)
        found = [destinations.of(link.document, link.kind, link.written) for link in links]
        nodes = self._nodes(set(found) - {NOWHERE})
        return [
            link._replace(target=nodes.get(one), problem=one.problem or None)
            for link, one in zip(links, found, strict=True)
        ]

    def _destinations(self, links: Iterable[SectionLink]) -> Destinations:
        stores = self._stores
        slugs: defaultdict[str, dict[str, str]] = defaultdict(dict)
        labels: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for path, key, slug, own, _ in stores.sections.names():
            slugs[path].setdefault(slug, key)
            for label in json.loads(own) if own != "[]" else ():
                labels[path].setdefault(label.lower(), key)
        wanted = {
            parts[-1]
            for written in {link.written for link in links if link.kind in _NAMES}
            if (parts := name_parts(written.rpartition("::")[2]))
        }
        return Destinations(
            documents={
                path: DocumentNames(title=title, slugs=slugs[path], labels=labels[path])
                for path, title in stores.documents.titles().items()
            },
            files=frozenset(stores.files.paths()),
            symbols=stores.symbols.by_last_names(wanted),
        )

    def _nodes(self, found: Collection[Destination]) -> Mapping[Destination, NodeId]:
        """Return the node of each destination; files and symbols that nothing was tied to get theirs now."""
        nodes, documents = self._stores.nodes, self._stores.documents.nodes()
        known = nodes.find(NodeKind.SECTION, {one.section for one in found if one.section not in documents})
        known |= documents
        known |= nodes.ensure(NodeKind.FILE, {one.file for one in found if one.file})
        known |= nodes.ensure(NodeKind.SYMBOL, {one.symbol for one in found if one.symbol})
        keys = {one: one.section or one.file or one.symbol for one in found}
        return {one: known[key] for one, key in keys.items() if key in known}
