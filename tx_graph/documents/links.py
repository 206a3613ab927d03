"""Keeps what the links of documents lead to equal to the documents, files and symbols that there are."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import chain, pairwise
from typing import NamedTuple
from urllib.parse import unquote

from tx_graph.code.file_store import FileStore, SymbolStore
from tx_graph.core.database import Store
from tx_graph.core.dataclass import dataclass, field
from tx_graph.core.text import cut
from tx_graph.documents.document import LinkKind, SectionEdge
from tx_graph.documents.edge_store import SectionEdgeStore, SectionLink, SectionLinkStore
from tx_graph.documents.store import DocumentStore, SectionStore
from tx_graph.graph.edges import NodeId, Relation, relation_of
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind

_ENDINGS = (".md", ".rst", ".mdx", ".markdown", ".txt")
"""What generators of sites leave out of links, or put another ending in the place of."""
_PAGES = re.compile(r"\.html?$")
_FRONT_PAGES = ("README.md", "index.md", "README.rst", "index.rst", "_index.md", "index.mdx")
_LINES = re.compile(r"(?::\d+(?:-\d+)?(?::\d+)?|#L\d+(?:-L?\d+)?)$")
_NOT_SLUG = re.compile(r"[^\w]+")
_MOST_NAMED = 3


class Destination(NamedTuple):
    """Where a link leads: a section or document by its key, a file by its path, or a symbol by its qualified name.

    All of them empty: nowhere. A `problem` is a sentence's end that says what is wrong with the link; a mere name
    that means nothing here has none.
    """

    section: str = ""
    file: str = ""
    symbol: str = ""
    problem: str = ""


NOWHERE = Destination()


class DocumentNames(NamedTuple):
    """By what the sections of one document are known: slugs, and labels in lower case, each with the section's key."""

    title: str
    slugs: Mapping[str, str]
    labels: Mapping[str, str]

    def section(self, name: str) -> str:
        """Return the key of the section that a link calls so, empty if there is none."""
        low = name.lower()
        return self.slugs.get(name) or self.labels.get(low) or self.slugs.get(low) or ""


@dataclass(frozen=True, kw_only=True)
class Destinations:
    """Finds where links lead, among documents by path, files, and symbols as (path, qualified name) by last name."""

    documents: Mapping[str, DocumentNames]
    files: frozenset[str]
    symbols: Mapping[str, Sequence[tuple[str, str]]]
    _known: dict[tuple[str, LinkKind, str], Destination] = field(default_factory=dict)

    def of(self, document: str, kind: LinkKind, written: str) -> Destination:
        """Return where a link leads that stands in a document."""
        # Only what stands in the document itself depends on more than its directory.
        place = document if written.startswith("#") else _directory(document)
        key = (place, kind, written)
        if key in self._known:
            return self._known[key]
        if kind is LinkKind.LINK:
            found = self._linked(document, written)
        elif kind is LinkKind.LABEL:
            label = self._labels.get(" ".join(written.lower().split()))
            found = Destination(section=label) if label else Destination(problem=f"no document has a label {written}")
        else:
            found = self._wiki(document, written) if kind is LinkKind.WIKI else self._named(document, written)
        self._known[key] = found
        return found

    def _linked(self, document: str, written: str) -> Destination:
        path, _, part = written.partition("#")
        path, part = unquote(path.partition("?")[0]), unquote(part)
        if not path:
            return self._part(document, part)
        for place in self._roots(document, path):
            stem = _PAGES.sub("", place)
            # Generators of sites leave endings out, and read a directory's front page for it.
            pages = (f"{place}/{page}".removeprefix("./") for page in _FRONT_PAGES)
            for candidate in chain([place], (f"{stem}{ending}" for ending in _ENDINGS), pages):
                if candidate in self.documents:
                    return self._part(candidate, part)
                if candidate in self.files:
                    return Destination(file=candidate)
        if any(place.strip("/") in self._directories for place in self._roots(document, path)):
            return NOWHERE
        return Destination(problem=f"there is no {path}")

    def _roots(self, document: str, path: str) -> Iterator[str]:
        """Yield the paths that a destination may mean; from a folder outside the repository none leads out of it."""
        outside = document.partition("/")[0] if document.startswith("@") else ""
        found = _roots(document, path)
        if not outside or outside in self._directories:  # a directory of the repository may be called so too
            return found
        return (place for place in found if place.startswith(f"{outside}/"))

    def _part(self, document: str, part: str) -> Destination:
        """Return a section of a document; the document itself where none is asked for, or there is none such."""
        if not part or _LINES.search(f"#{part}"):
            return Destination(section=document)
        found = self.documents[document].section(part)
        return Destination(section=found or document, problem="" if found else f"{document} has no section #{part}")

    @cached_property
    def _directories(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self.files:
            directory = posixpath.dirname(path)
            while directory and directory not in found:
                found.add(directory)
                directory = posixpath.dirname(directory)
        return frozenset(found | {"", "."})

    @cached_property
    def _labels(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for names in self.documents.values():
            for label, key in names.labels.items():
                found.setdefault(" ".join(label.split()), key)
        return found

    def _wiki(self, document: str, written: str) -> Destination:
        name, _, part = written.partition("#")
        name = name.strip()
        if not name:
            return self._part(document, _slug(part))
        linked = self._linked(document, f"{name}#{part}" if part else name)
        if linked.section or linked.file:
            return linked
        found = self._by_name.get(_slug(posixpath.splitext(name)[0] if name.endswith(_ENDINGS) else name), [])
        near = [path for path in found if posixpath.dirname(path) == posixpath.dirname(document)]
        if len(found) == 1 or len(near) == 1:
            return self._part((near or found)[0], _slug(part))
        if found:
            return Destination(problem=f"'{name}' names several documents: {', '.join(found[:_MOST_NAMED])}")
        named = self._named(document, name)
        return named if named != NOWHERE else Destination(problem=f"no document is called '{name}'")

    @cached_property
    def _by_name(self) -> dict[str, list[str]]:
        """Documents by their names, paths, titles and aliases, as slugs."""
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path, names in self.documents.items():
            stem = posixpath.splitext(path)[0]
            aliases = [label for label, key in names.labels.items() if key == path]
            tails = [posixpath.basename(stem), stem, names.title, *aliases]
            for slug in dict.fromkeys(_slug(tail) for tail in tails if tail):
                found[slug].append(path)
        return found

    def _named(self, document: str, written: str) -> Destination:
        """Return the file or symbol of a name, if it means exactly one."""
        path, _, symbol = _LINES.sub("", written).partition("::")
        path, file = path.removeprefix("./").strip("/"), ""
        if path and path != ".":  # from the document or the root, or the only one whose path ends so
            ending = [one for one in self._by_last.get(posixpath.basename(path), ()) if one.endswith(f"/{path}")]
            near = (path, posixpath.normpath(posixpath.join(_directory(document), path)))
            there = [one for one in near if one in self.files or one in self.documents]
            file = there[0] if there else ending[0] if len(ending) == 1 else ""
        if symbol and file:
            return _one_symbol([(place, name) for place, name in self._symbols_like(symbol) if place == file])
        if file:
            return Destination(section=file) if file in self.documents else Destination(file=file)
        return _one_symbol(self._symbols_like(written))

    @cached_property
    def _by_last(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in self.files.union(self.documents):
            found[posixpath.basename(path)].append(path)
        return found

    def _symbols_like(self, written: str) -> list[tuple[str, str]]:
        """Return the symbols that may be meant: by the end of their names, or by all of them behind packages.

        These lead to the file: `flask.Flask.route` is what `src/flask/app.py` declares, for packages hand on what
        their modules hold.
        """
        parts = name_parts(written)
        found = []
        for path, name in self.symbols.get(parts[-1], ()) if parts else ():
            own = name.split("::")
            packages, rest = parts[: -len(own)], parts[-len(own) :]
            ways = iter(posixpath.splitext(path)[0].split("/"))
            if own[-len(parts) :] == rest and all(package in ways for package in packages):
                found.append((path, name))
        return found


@lru_cache(maxsize=10_000)
def _directory(path: str) -> str:
    return posixpath.dirname(path)


def name_parts(written: str) -> list[str]:
    """Return the parts of a symbol's name, outermost first: `Auth`, `login` of `Auth.login()`; none if it is none."""
    name = written.partition("(")[0].replace("::", ".").replace("#", ".").strip(".")
    parts = name.split(".")
    return parts if all(part.isidentifier() for part in parts) else []


def _one_symbol(found: Sequence[tuple[str, str]]) -> Destination:
    return Destination(symbol="::".join(found[0])) if len(found) == 1 else NOWHERE


def _roots(document: str, path: str) -> Iterator[str]:
    """Yield the paths that a destination may mean: from the document or, with a slash, from any root above it."""
    directory = posixpath.dirname(document)
    if not path.startswith("/"):
        yield posixpath.normpath(posixpath.join(directory, path))
        return
    yield path.strip("/")
    while directory:
        yield posixpath.normpath(f"{directory}/{path.strip('/')}")
        directory = posixpath.dirname(directory)


def _slug(text: str) -> str:
    return _NOT_SLUG.sub("-", text.lower()).strip("-")


_WEIGHTS = {LinkKind.CODE: 0.9, LinkKind.NAME: 0.6}
"""What somebody linked to is what they meant; a name in code font most likely is, one in running text may be."""
_LONGEST = 120  # characters of a link's words that say why


def edges_of(
    sections: Sequence[tuple[NodeId, NodeId | None]], links: Iterable[SectionLink], homes: Mapping[NodeId, NodeId]
) -> Iterator[SectionEdge]:
    """Yield the edges that leave the sections of one document, given with their parents in the order of the source.

    Typed links come first. `homes` are the files of the symbols among the targets: what speaks of a symbol speaks of
    its file.
    """
    children: dict[NodeId, list[NodeId]] = defaultdict(list)
    for node, parent in sections:
        if parent is not None:
            yield SectionEdge(node, parent, Relation.PART_OF)
            children[parent].append(node)
    for siblings in children.values():
        for earlier, later in pairwise(siblings):
            yield SectionEdge(earlier, later, Relation.SEQUENCE)
    for link in sorted(links, key=lambda link: not link.predicate):
        words = link.predicate.replace("_", " ") or (link.text if link.text != link.written else "")
        told = cut(" ".join(words.split()), _LONGEST)
        weight = 1.0 if link.predicate else _WEIGHTS.get(link.kind, 1.0)
        for target in (link.target, homes.get(link.target or 0)):
            if target is not None and target != link.section:
                yield SectionEdge(link.section, target, relation_of(link.predicate), weight, told, "link")


class Linking(Store):
    """Looks up the links of all documents, and writes the edges of those whose links changed."""

    def names(self) -> str:
        """Return a digest of every name that a link may lead to but those of code, and of what bears it."""
        database = self._database
        names = [list(DocumentStore(database).titles().items()), SectionStore(database).names()]
        return hashlib.sha256(repr(names).encode("utf-8", "surrogatepass")).hexdigest()

    def refresh(self, changed: Collection[NodeId], written: Sequence[SectionLink], *, alone: bool) -> int:
        """Take in the `written` links of changed documents, and write the edges of these.

        Unless these are `alone`, as where no name has come or gone since the last time, all other links are looked up
        again, and documents whose links lead elsewhere than before get their edges anew too. Returns how many
        documents did. Needs a transaction.
        """
        database = self._database
        SectionLinkStore(database).forget(changed)
        stored = [] if alone else SectionLinkStore(database).every()
        led = self._led([*stored, *written])
        moved = [now for before, now in zip(stored, led, strict=False) if now != before]
        SectionLinkStore(database).lead(moved)
        SectionLinkStore(database).add(led[len(stored) :])
        nodes = DocumentStore(database).nodes()
        concerned = {nodes[link.document] for link in moved}.union(changed)
        self._write(concerned, led)
        return len(concerned) + self.write_outdated()

    def write_outdated(self) -> int:
        """Write the edges of documents that rest on what nobody says any more; return how many. Needs a transaction."""
        outdated = SectionEdgeStore(self._database).outdated()
        if outdated:
            self._write(outdated, SectionLinkStore(self._database).of_documents(outdated))
        return len(outdated)

    def _write(self, documents: Collection[NodeId], links: Iterable[SectionLink]) -> None:
        """Write the edges of some documents, given the links of all."""
        database = self._database
        by_document: defaultdict[str, list[SectionLink]] = defaultdict(list)
        for link in links:
            by_document[link.document].append(link)
        paths = {node: path for path, node in DocumentStore(database).nodes().items()}
        own = {node: by_document[paths[node]] for node in documents}
        homes = NodeStore(database).files_of_symbols({k.target for every in own.values() for k in every if k.target})
        sections = SectionStore(database).trees(documents)
        SectionEdgeStore(database).replace(
            documents, (edge for node, tree in sections.items() for edge in edges_of(tree, own[node], homes))
        )

    def _led(self, links: Sequence[SectionLink]) -> list[SectionLink]:
        """Return the links with where they lead now."""
        destinations = self._destinations(links)
        found = [destinations.of(link.document, link.kind, link.written) for link in links]
        # Files and symbols that nothing was tied to get their nodes now.
        ends, store, documents = (
            set(found) - {NOWHERE},
            NodeStore(self._database),
            DocumentStore(self._database).nodes(),
        )
        known = store.find(NodeKind.SECTION, {one.section for one in ends if one.section not in documents}) | documents
        known |= store.ensure(NodeKind.FILE, {one.file for one in ends if one.file})
        known |= store.ensure(NodeKind.SYMBOL, {one.symbol for one in ends if one.symbol})
        keys = {one: one.section or one.file or one.symbol for one in ends}
        nodes = {one: known[key] for one, key in keys.items() if key in known}
        return [
            link._replace(target=nodes.get(one), problem=one.problem or None)
            for link, one in zip(links, found, strict=True)
        ]

    def _destinations(self, links: Iterable[SectionLink]) -> Destinations:
        database = self._database
        slugs: defaultdict[str, dict[str, str]] = defaultdict(dict)
        labels: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for path, key, slug, own, _ in SectionStore(database).names():
            slugs[path].setdefault(slug, key)
            for label in json.loads(own) if own != "[]" else ():
                labels[path].setdefault(label.lower(), key)
        wanted = {
            parts[-1]
            for written in {
                link.written for link in links if link.kind in (LinkKind.CODE, LinkKind.NAME, LinkKind.WIKI)
            }
            if (parts := name_parts(written.rpartition("::")[2]))
        }
        return Destinations(
            documents={
                path: DocumentNames(title=title, slugs=slugs[path], labels=labels[path])
                for path, title in DocumentStore(database).titles().items()
            },
            files=frozenset(FileStore(database).paths()),
            symbols=SymbolStore(database).by_last_names(wanted),
        )
