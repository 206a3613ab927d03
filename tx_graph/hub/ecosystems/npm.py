"""JavaScript and TypeScript: packages of npm by package.json, their entries back in the sources, and bare imports."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import RepositoryIndex, child, parent, upward
from tx_graph.code.resolvers.javascript import (
    CODE_EXTENSION,
    OUTPUT_DIRECTORIES,
    PackageJson,
    declared_file,
    file_at,
    package_at,
    packages_seen_from,
    targets_for,
)
from tx_graph.code.uses import ALL, WHOLE
from tx_graph.code.uses.meaning import Meanings
from tx_graph.hub.ecosystems import Asking, Need, Offer, Package, declared_by, is_aside, members

RESOLVER = "javascript"
SEPARATOR = "/"
_MANIFEST = re.compile(r"package\.json")
_DEPENDENCIES = ("dependencies", "devDependencies", "peerDependencies", "optionalDependencies")
_BARE = re.compile(r"(?P<package>(?:@[\w.~-]+/)?[\w~][\w.~-]*)(?P<below>/[^:]*)?")
_WORD = re.compile(r"[\w$]+")


def packages(index: RepositoryIndex) -> Iterator[Package]:
    """Yield what manifests provide and require."""
    for path in index.called(_MANIFEST):
        data = index.json(path) or {}
        if (own := _published(parent(path), index)) and own.name:
            yield Package(path, own.name, is_provided=True, range=str(data.get("version") or ""))
        required: dict[str, str] = {}
        for key in _DEPENDENCIES:
            table = data.get(key)
            for name, wanted in table.items() if isinstance(table, dict) else ():
                required.setdefault(name, wanted if isinstance(wanted, str) else "")
        yield from (Package(path, name, is_provided=False, range=wanted) for name, wanted in required.items())


def _published(directory: str, index: RepositoryIndex) -> PackageJson | None:
    """Return the package of a directory if others may have it: a member of the workspace, or no test's or example's."""
    package = package_at(directory, index)
    path = child(directory, "package.json")
    if not package or not package.name or (index.json(path) or {}).get("private") is True:
        return None
    return package if package.name in packages_seen_from("", index) or not is_aside(path) else None


def offers(index: RepositoryIndex, meanings: Meanings) -> Iterator[Offer]:
    """Yield the entries of packages, and the names that these hand on of other files."""
    owned = _sources_by_package(index)
    for path in index.called(_MANIFEST):
        package = _published(parent(path), index)
        if package is None or not package.name:
            continue
        for subpath, candidates in _entries(package, owned.get(package.directory, ()), index).items():
            names = {file: declared_by(file, meanings) for file in dict.fromkeys(candidates)}
            # What only loads the files that are built hands on nothing that can be seen.
            chosen = next((file for file, declared in names.items() if declared), candidates[0])
            module = _module(f"{package.name}{subpath[1:]}")
            yield Offer(chosen, package.name, module)
            for name, file in names[chosen].items():
                if file != chosen:
                    yield Offer(file, package.name, module, name)


def needs(asking: Asking) -> Iterator[Need]:
    """Yield the bare imports with the names that they ask for, and what is used of modules that are imported whole."""
    outside = [one for one, reason in asking.specifiers if reason == "external" and _BARE.fullmatch(one.module)]
    by_module: dict[str, list[Specifier]] = {}
    for one in outside:
        by_module.setdefault(one.module, []).append(one)
    if not by_module:
        return
    taken: dict[str, list[tuple[int, str]]] = {}
    for module, line, name in members(asking.uses):
        taken.setdefault(module, []).append((line, name))
    text = asking.index.text(asking.path) if any(len(those) > 1 for those in by_module.values()) else None
    lines = (text or "").split("\n")
    for module, those in by_module.items():
        bound = [one for one in asking.uses.bindings if one.module == module]
        for one in those:
            words = _words_of(lines, one) if len(those) > 1 else None
            names = {
                binding.name
                for binding in bound
                if binding.name not in (WHOLE, ALL)
                and (words is None or binding.name in words or binding.local in words)
            }
            names |= {name for _, name in taken.get(module, ())} if one is those[0] else set()
            for name in sorted(names) or [""]:
                yield Need(one.line, _module(module), name, one.type)


def _words_of(lines: Sequence[str], specifier: Specifier) -> set[str]:
    """Return the words of an import statement: all from its line to the module's name."""
    statement = "\n".join(lines[specifier.line - 1 :]).partition(specifier.module)[0]
    words = set(_WORD.findall(statement))
    return words | {"default"} if re.search(r"import\s+(?:type\s+)?[\w$]", statement) else words


def _module(name: str) -> str:
    """Return the name of a module without a query, and without the extension of a file below a package."""
    name = name.partition("?")[0].rstrip("/")
    found = _BARE.fullmatch(name)
    if not found or not found["below"]:
        return name
    below = CODE_EXTENSION.sub("", found["below"]).removesuffix("/index")
    return f"{found['package']}{below}"


def _entries(package: PackageJson, sources: Sequence[str], index: RepositoryIndex) -> dict[str, list[str]]:
    """Return the files that each subpath of a package may mean, those first that its package.json names first."""
    found: dict[str, list[str]] = {}

    def declared(target: str) -> str | None:
        return declared_file(package, target, index) if target.startswith(".") else None

    for subpath in package.exports:
        if "*" not in subpath:
            found[subpath] = list(filter(None, map(declared, targets_for(subpath, package.exports))))
    own = [declared_file(package, entry, index) for entry in package.entries]
    usual = [file_at(child(package.directory, place), index) for place in ("src/index", "index")]
    found["."] = [*found.get(".", []), *filter(None, [*own, *usual])]
    patterns = [one for one in package.exports if "*" in one]
    built = {entry.removeprefix("./").partition("/")[0] for entry in package.entries} & OUTPUT_DIRECTORIES
    for path in sources:
        relative = CODE_EXTENSION.sub("", path[len(package.directory) :].lstrip("/"))
        if not package.exports:
            inside = relative.removeprefix("src/")
            for place in (relative, *(f"{one}/{inside}" for one in built if inside != relative)):
                found.setdefault(f"./{place}", []).append(path)
        for pattern in patterns:
            parts = relative.split("/")
            for start in range(len(parts)):
                subpath = pattern.replace("*", "/".join(parts[start:]))
                if path in map(declared, targets_for(subpath, {pattern: package.exports[pattern]})):
                    found.setdefault(subpath, []).append(path)
    return {subpath: files for subpath, files in found.items() if files}


def _sources_by_package(index: RepositoryIndex) -> dict[str, list[str]]:
    """Return the sources of each package by its directory, without tests, examples and what is generated."""
    found: dict[str, list[str]] = {}
    for path in sorted(index.sources):
        directory = next((above for above in upward(parent(path)) if index.is_file(child(above, "package.json"))), None)
        if directory is not None and not is_aside(path[len(directory) :]) and not path.endswith(".vue"):
            found.setdefault(directory, []).append(path)
    return found
