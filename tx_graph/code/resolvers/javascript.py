"""JavaScript, TypeScript and Vue: which file an import names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers.index import (
    EXTERNAL,
    MISSING,
    NOT_CODE,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    child,
    joined,
    parent,
    upward,
)
from tx_graph.code.resolvers.packages import PackageJson, aliases_for, package_at, packages_seen_from, targets_for

_APPENDED = (".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".d.ts")

_WRITTEN_AS = {
    ".js": (".ts", ".tsx", ".d.ts"),
    ".jsx": (".tsx",),
    ".mjs": (".mts", ".d.mts"),
    ".cjs": (".cts", ".d.cts"),
}
"""What the compiler's output extension, which imports must spell, stands for in the sources."""

_CODE_EXTENSION = re.compile(r"(?:\.d)?\.[cm]?[jt]sx?$")
_OUTPUT_DIRECTORIES = frozenset({"dist", "lib", "build", "out", "es", "esm", "cjs"})


def locate(path: str, index: RepositoryIndex) -> str | None:
    """Return the source file that an import of this path loads: the file, else the directory's entry."""
    return file_at(path, index) or directory_entry(path, index)


def file_at(path: str, index: RepositoryIndex) -> str | None:
    """Return the source file at this path: as written, else with the extension it stands for or lacks."""
    if index.is_source(path):
        return path
    dot = path.rfind(".")
    meant = (path[:dot] + extension for extension in _WRITTEN_AS.get(path[dot:], ()))
    return next(filter(index.is_source, meant), None) or _appended(index).get(path)


def _appended(index: RepositoryIndex) -> dict[str, str]:
    """Return the file that a path without its extension means, by that path."""
    return index.remember(("appended",), lambda: _without_extension(index.sources))


def _without_extension(sources: Collection[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for extension in reversed(_APPENDED):  # the last to name a file wins
        found |= {path.removesuffix(extension): path for path in sources if path.endswith(extension)}
    return found


def directory_entry(directory: str, index: RepositoryIndex) -> str | None:
    """Return the file that stands for a directory: what its package.json names, else its index file."""
    if directory not in index.code_directories and not index.is_file(child(directory, "package.json")):
        return None
    package = package_at(directory, index)
    return (main_file(package, index) if package else None) or file_at(child(directory, "index"), index)


def main_file(package: PackageJson, index: RepositoryIndex) -> str | None:
    """Return the first of a package's declared entries that is there, built or as source."""
    return next((file for entry in package.entries if (file := declared_file(package, entry, index))), None)


def declared_file(package: PackageJson, target: str, index: RepositoryIndex) -> str | None:
    """Return the file that a package.json target names; one in a build directory means its source."""
    path = joined("", target)
    places = [target] if path is None else _sources_of(path)
    return next((file for place in places if (file := _inside(package, place, index))), None)


def is_other_file(path: str, index: RepositoryIndex) -> bool:
    """Tell whether the path is tracked but no source: an asset, or data with its extension left out."""
    return index.is_file(path) or index.is_file(f"{path}.json")


def _inside(package: PackageJson, place: str, index: RepositoryIndex) -> str | None:
    path = joined(package.directory, place)
    if path is None:
        return None
    return file_at(path, index) or file_at(child(path, "index"), index)


def _sources_of(path: str) -> Iterator[str]:
    """Yield the path, then where its source would be: `dist/P.js` is built from `src/P.ts` or `P.ts`."""
    yield path
    names = path.split("/")
    while names and names[0] in _OUTPUT_DIRECTORIES:
        names = names[1:]
        stem = _CODE_EXTENSION.sub("", "/".join(names) or "index")
        yield f"src/{stem}"
        yield stem


NAMES_ANY_FILE = True
"""`./style.css` is no code, but it is not missing either; and any JSON file may be what a tsconfig.json extends."""

_NODE_MODULES = """
    assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
    domain events fs http http2 https inspector module net os path perf_hooks process punycode querystring
    readline repl stream string_decoder sys timers tls trace_events tty url util v8 vm wasi worker_threads
    zlib
"""
NODE_MODULES = frozenset(_NODE_MODULES.split())
"""The modules that Node.js brings along (node:module's `builtinModules`, without the private ones)."""

_SCHEME = re.compile(r"[a-z][\w+.-]*:")
_RELATIVE = re.compile(r"\.{1,2}(?:/|$)")
_MEANS_DIRECTORY = re.compile(r"(?:^|/)\.{0,2}$")


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the file that a specifier in the file `source` names."""
    module = specifier.module.partition("?")[0]
    if _RELATIVE.match(module):
        directory = parent(source)
        path = joined(directory, module)
        if path is None:
            return MISSING
        find = directory_entry if _MEANS_DIRECTORY.search(module) else locate
        return _landing(find(path, index), path, index)
    if _SCHEME.match(module):
        return STDLIB if module.startswith("node:") else EXTERNAL
    return _aliased(source, module, index)


def _aliased(source: str, module: str, index: RepositoryIndex) -> Landing:
    """Try what a bare name may mean: `paths`, a built-in, `baseUrl`, `imports`, then a package."""
    aliases = aliases_for(source, index)
    places = list(aliases.places(module))
    if landing := _first_landing(places, index):
        return landing
    if module.partition("/")[0] in NODE_MODULES:
        return STDLIB
    base = None if aliases.base_url is None else joined(aliases.base_url, module)
    if base and (landing := _first_landing([base], index)):
        return landing
    find = _subpath_import if module.startswith("#") else _package
    landing = find(parent(source), module, index)
    return MISSING if landing is EXTERNAL and aliases.matched(module) else landing


def _first_landing(places: list[str], index: RepositoryIndex) -> Landing | None:
    landings = (_landing(locate(place, index), place, index) for place in places)
    return next((landing for landing in landings if landing is not MISSING), None)


def _landing(file: str | None, path: str, index: RepositoryIndex) -> Landing:
    if file:
        return at(file)
    return NOT_CODE if is_other_file(path, index) else MISSING


def _subpath_import(directory: str, module: str, index: RepositoryIndex) -> Landing:
    """Resolve `#name` by the `imports` of the package that the file belongs to."""
    packages = (package_at(above, index) for above in upward(directory))
    own = next((package for package in packages if package), None)
    file = _declared(own, targets_for(module, own.imports), index) if own else None
    return at(file) if file else MISSING


def _package(directory: str, module: str, index: RepositoryIndex) -> Landing:
    names = module.split("/")
    cut = 2 if module.startswith("@") else 1
    package = packages_seen_from(directory, index).get("/".join(names[:cut]))
    if package is None:
        return EXTERNAL if names[0] else MISSING
    file = _exported(package, "/".join([".", *names[cut:]]), index)
    return at(file) if file else MISSING


def _exported(package: PackageJson, subpath: str, index: RepositoryIndex) -> str | None:
    """Return the file behind a package's subpath: by `exports`, else by its entries or by its files."""
    if file := _declared(package, targets_for(subpath, package.exports), index):
        return file
    if subpath == ".":
        return main_file(package, index) or _index_file(package, index)
    return None if package.exports else declared_file(package, subpath, index)


def _declared(package: PackageJson, targets: Iterator[str], index: RepositoryIndex) -> str | None:
    own = (target for target in targets if target.startswith("."))
    return next((file for target in own if (file := declared_file(package, target, index))), None)


def _index_file(package: PackageJson, index: RepositoryIndex) -> str | None:
    places = (child(package.directory, "src/index"), child(package.directory, "index"))
    return next((file for place in places if (file := file_at(place, index))), None)
