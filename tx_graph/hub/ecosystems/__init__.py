"""What leaves a repository: the packages of its manifests, what it offers to others, and what it needs of them.

One module an ecosystem. Each has `RESOLVER`, the resolver of `tx_graph.code` whose files it is about, `SEPARATOR`, what
parts the names of a module, and three functions: `packages`, `offers` and `needs`.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from tx_graph.code.imports import ImportType, Specifier
from tx_graph.code.languages import language_of
from tx_graph.code.resolvers import RepositoryIndex, child, parent
from tx_graph.code.sorts import FileSort, sort_of
from tx_graph.code.uses import ALL, PREFIX, WHOLE, Uses
from tx_graph.code.uses.lookup import MODULE
from tx_graph.code.uses.meaning import Meanings
from tx_graph.core.dataclass import dataclass

ECOSYSTEMS = ("pypi", "npm", "go", "cargo", "maven")
"""What knows packages by name, each with a module here."""
_ASIDE = frozenset({FileSort.TEST, FileSort.EXAMPLE, FileSort.GENERATED})
_WHOLLY = (ALL, "=")
"""The names of exports of all that another file has."""
_MEMBERS = re.compile(r"(?P<root><?[^\s.()@%^|]+)\.(?P<member>[^\s.()@%^|]+)")


class Package(NamedTuple):
    """A package that a manifest provides, or requires; its name is as the registry compares names."""

    manifest: str
    name: str
    is_provided: bool
    range: str = ""


class Offer(NamedTuple):
    """A name under which others may ask for a file; without a `name` for the module itself."""

    path: str
    package: str
    module: str
    name: str = ""


class Need(NamedTuple):
    """An import that no file of its own repository answers."""

    line: int
    module: str
    name: str
    type: ImportType


class Ecosystem(NamedTuple):
    """What a module here has."""

    name: str
    resolver: str
    separator: str
    packages: Callable[[RepositoryIndex], Iterable[Package]]
    offers: Callable[[RepositoryIndex, Meanings], Iterable[Offer]]
    needs: Callable[[Asking], Iterable[Need]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """A file with those of its imports that no file of the repository answers, each with the reason."""

    path: str
    specifiers: Sequence[tuple[Specifier, str]]
    meanings: Meanings
    index: RepositoryIndex

    @property
    def uses(self) -> Uses:
        """What the file says about its names."""
        return self.meanings.uses(self.path)


def ecosystem(name: str) -> Ecosystem:
    """Return an ecosystem by its name."""
    module = importlib.import_module(f"{__name__}.{name}")
    return Ecosystem(name, module.RESOLVER, module.SEPARATOR, module.packages, module.offers, module.needs)


def is_aside(path: str) -> bool:
    """Tell whether a manifest or a source is no part of what a repository gives to others: a test, an example."""
    return sort_of(path if language_of(path) else child(parent(path), "module.py")) in _ASIDE


def members(uses: Uses) -> Iterator[tuple[str, int, str]]:
    """Yield (module, line of the use, name) of what a file takes from modules that it imports whole."""
    whole = {one.local: one.module for one in uses.bindings if one.name == WHOLE}
    begun = sorted({one.module for one in uses.bindings if one.name == PREFIX}, key=len, reverse=True)
    for line, _, written in uses.uses:
        path = written.replace("|", "", 1)
        found = _MEMBERS.match(path)
        if found and found["root"] in whole:
            yield whole[found["root"]], line, found["member"]
        elif found and (module := next((one for one in begun if path.startswith(f"{one}.")), None)):
            yield module, line, _MEMBERS.match(path[module.rfind(".") + 1 :])["member"]  # type: ignore[index]


def declared_by(path: str, meanings: Meanings, *, below: Sequence[str] = ()) -> dict[str, str]:
    """Return the files that declare the names that a file has for others, by name; `below` were gone through."""
    if path in below:
        return {}
    uses = meanings.uses(path)
    bound = {one.local: one for one in uses.bindings}
    found, stars = dict[str, str](), list[str | None]()
    if uses.exports is None:
        found = {name: path for name in uses.definitions if "::" not in name}
        stars = [meanings.target(path, one) for one in uses.bindings if one.local == ALL]
    offered = [(name, name) for name in bound] if uses.exports is None else uses.exports
    for name, text in offered:
        if name.startswith("<") or (name == ALL and uses.exports is None):
            continue
        meaning = meanings.meaning(path, text)
        if name in _WHOLLY:
            stars.append(meaning.path if meaning and meaning.kind == MODULE else None)
        elif file := meaning.path if meaning else text in bound and meanings.target(path, bound[text]):
            found[name] = file
    for star in filter(None, stars):
        others = declared_by(star, meanings, below=[*below, path])
        found = {name: file for name, file in others.items() if name != "default" and name[:1] != "_"} | found
    return found


def spread(
    specifiers: Iterable[Specifier], taken: Mapping[str, Sequence[tuple[int, str]]], name_of: Callable[[Specifier], str]
) -> Iterator[Need]:
    """Yield what imports ask for, and what is `taken` of whole modules, on the line of the import before its use."""
    wholes: dict[str, list[Specifier]] = {}
    for one in specifiers:
        yield Need(one.line, one.module, name_of(one), one.type)
        if not name_of(one):
            wholes.setdefault(one.module, []).append(one)
    for module, imports in wholes.items():
        imports.sort(key=lambda one: one.line)
        for line, name in taken.get(module, ()):
            before = [one for one in imports if one.line <= line]
            chosen = before[-1] if before else imports[0]
            yield Need(chosen.line, module, name, chosen.type)
