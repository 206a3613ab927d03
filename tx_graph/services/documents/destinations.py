"""Where the links of documents lead: to a section, a document, a file or a symbol, or nowhere."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import NamedTuple
from urllib.parse import unquote

from tx_graph.domain.document import LinkKind

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


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentNames:
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
        if key not in self._known:
            self._known[key] = self._found(document, kind, written)
        return self._known[key]

    def _found(self, document: str, kind: LinkKind, written: str) -> Destination:
        if kind is LinkKind.LINK:
            return self._linked(document, written)
        if kind is LinkKind.LABEL:
            return self._labelled(written)
        if kind is LinkKind.WIKI:
            return self._wiki(document, written)
        return self._named(document, written)

    def _linked(self, document: str, written: str) -> Destination:
        path, _, part = written.partition("#")
        path, part = unquote(path.partition("?")[0]), unquote(part)
        if not path:
            return self._part(document, part)
        for candidate in _places(document, path):
            if candidate in self.documents:
                return self._part(candidate, part)
            if candidate in self.files:
                return Destination(file=candidate)
        if self._is_directory(document, path):
            return NOWHERE
        return Destination(problem=f"there is no {path}")

    def _part(self, document: str, part: str) -> Destination:
        """Return a section of a document; the document itself where none is asked for, or there is none such."""
        if not part or _LINES.search(f"#{part}"):
            return Destination(section=document)
        found = self.documents[document].section(part)
        return Destination(section=found or document, problem="" if found else f"{document} has no section #{part}")

    def _is_directory(self, document: str, path: str) -> bool:
        return any(place.strip("/") in self._directories for place in _roots(document, path))

    @cached_property
    def _directories(self) -> frozenset[str]:
        found: set[str] = set()
        for path in self.files:
            directory = posixpath.dirname(path)
            while directory and directory not in found:
                found.add(directory)
                directory = posixpath.dirname(directory)
        return frozenset(found | {"", "."})

    def _labelled(self, written: str) -> Destination:
        label = " ".join(written.lower().split())
        found = self._labels.get(label)
        return Destination(section=found) if found else Destination(problem=f"no document has a label {written}")

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
        file = self._file(document, path)
        if symbol and file:
            own = [(place, name) for place, name in self._symbols_like(symbol) if place == file]
            return _one_symbol(own)
        if file:
            return Destination(section=file) if file in self.documents else Destination(file=file)
        return _one_symbol(self._symbols_like(written))

    def _file(self, document: str, path: str) -> str:
        """Return the file of a path from the document or the root, or the only one whose path ends so."""
        path = path.removeprefix("./").strip("/")
        if not path or path == ".":
            return ""
        for candidate in (path, posixpath.normpath(posixpath.join(_directory(document), path))):
            if candidate in self.files or candidate in self.documents:
                return candidate
        ending = [one for one in self._by_last.get(posixpath.basename(path), ()) if one.endswith(f"/{path}")]
        return ending[0] if len(ending) == 1 else ""

    @cached_property
    def _by_last(self) -> dict[str, list[str]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for path in self.files.union(self.documents):
            found[posixpath.basename(path)].append(path)
        return found

    def _symbols_like(self, written: str) -> list[tuple[str, str]]:
        parts = name_parts(written)
        return [one for one in self.symbols.get(parts[-1] if parts else "", ()) if _is_called(*one, parts)]


@lru_cache(maxsize=10_000)
def _directory(path: str) -> str:
    return posixpath.dirname(path)


def name_parts(written: str) -> list[str]:
    """Return the parts of a symbol's name, outermost first: `Auth`, `login` of `Auth.login()`; none if it is none."""
    name = written.partition("(")[0].replace("::", ".").replace("#", ".").strip(".")
    parts = name.split(".")
    return parts if all(part.isidentifier() for part in parts) else []


def _is_called(path: str, name: str, parts: Sequence[str]) -> bool:
    """Whether a symbol may be meant: by the end of its name, or by all of it behind packages that lead to its file.

    `flask.Flask.route` is what `src/flask/app.py` declares: packages hand on what their modules hold.
    """
    own = name.split("::")
    if len(parts) <= len(own):
        return own[-len(parts) :] == list(parts)
    packages, rest = parts[: -len(own)], list(parts[-len(own) :])
    ways = iter(posixpath.splitext(path)[0].split("/"))
    return rest == own and all(package in ways for package in packages)


def _one_symbol(found: Iterable[tuple[str, str]]) -> Destination:
    every = list(found)
    return Destination(symbol=f"{every[0][0]}::{every[0][1]}") if len(every) == 1 else NOWHERE


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


def _places(document: str, path: str) -> Iterator[str]:
    """Yield the files that a destination may mean, as generators of sites understand them too."""
    for place in _roots(document, path):
        yield place
        stem = _PAGES.sub("", place)
        yield from (f"{stem}{ending}" for ending in _ENDINGS)
        yield from (f"{place}/{page}".removeprefix("./") for page in _FRONT_PAGES)


def _slug(text: str) -> str:
    return _NOT_SLUG.sub("-", text.lower()).strip("-")
