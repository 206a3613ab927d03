"""JavaScript family: the tracked file that a path without (or with another) extension means."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from tx_graph.analysis.imports.index import RepositoryIndex
from tx_graph.analysis.imports.package_json import PackageJson, package_at
from tx_graph.analysis.imports.paths import child, joined

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
