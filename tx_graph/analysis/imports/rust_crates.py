"""Cargo packages: what each Cargo.toml says, and which crates of the repository its code can name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tx_graph.analysis.imports.index import RepositoryIndex
from tx_graph.analysis.imports.paths import child, joined, parent, upward

MANIFEST = "Cargo.toml"
_OLD_EDITION = "2015"
_SHIPPED = frozenset({"std", "core", "alloc", "proc_macro", "test"})
_DEPENDENCIES = ("dependencies", "dev-dependencies", "dev_dependencies", "build-dependencies", "build_dependencies")
_TARGETS = ("bin", "test", "example", "bench")
_OTHERS = frozenset({"tests", "examples", "benches"})
_CRATE_FILE = re.compile(r"src/(?:lib|main)\.rs|build\.rs|(?:src/bin|tests|examples|benches)/[^/]+(?:/main)?\.rs")

Table = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """A line of a dependency table: the package's name, its directory if given, what the code calls it if renamed."""

    package: str
    directory: str | None
    alias: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Package:
    """A Cargo package; `library` is the first file of its library, `crate` the library's name, `workspace` a directory.

    `roots` are the first files of crates that the manifest gives paths for.
    """

    directory: str
    name: str
    crate: str
    library: str | None
    roots: frozenset[str]
    workspace: str
    paths_start_at_root: bool

    def is_root(self, path: str) -> bool:
        """Tell whether a crate begins in this file: the manifest says so, or Cargo's rule for the place."""
        inside = f"{self.directory}/" if self.directory else ""
        relative = path.removeprefix(inside)
        return path in self.roots or path == self.library or _CRATE_FILE.fullmatch(relative) is not None

    def has_sources_at(self, path: str) -> bool:
        """Tell whether a file is no part of the tests, examples and benchmarks beside the sources."""
        return path[len(self.directory) :].lstrip("/").partition("/")[0] not in _OTHERS


def is_shipped(crate: str) -> bool:
    """Tell whether a crate comes with the compiler."""
    return crate in _SHIPPED


def packages(index: RepositoryIndex) -> Mapping[str, Package]:
    """Return every package of the repository by its directory."""
    return index.remember("rust packages", lambda: {one.directory: one for one in _packages(index)})


def package_of(path: str, index: RepositoryIndex) -> Package | None:
    """Return the package that a file belongs to: the nearest one above it."""
    directory = parent(path)
    found = packages(index)
    return index.remember(
        ("rust package of", directory),
        lambda: next((found[above] for above in upward(directory) if above in found), None),
    )


def crates_seen_from(package: Package, index: RepositoryIndex) -> Mapping[str, Package]:
    """Return the packages whose libraries the code of a package can name, by that name.

    What the manifest declares wins over what merely lies in the same workspace, and over the standard library.
    """
    libraries = {one.directory: one for one in packages(index).values() if one.library}
    near = [one for one in libraries.values() if one.workspace == package.workspace]
    by_name = {one.name: one for one in near} | _patches(package, libraries, index)
    seen = {one.crate: one for one in near if not is_shipped(one.crate)}
    for dependency in _dependencies(package, index):
        by_path = dependency.directory is not None
        found = libraries.get(dependency.directory or "") if by_path else by_name.get(dependency.package)
        if found:
            seen[dependency.alias or found.crate] = found
    return {**seen, package.crate: package} if package.library else seen


def _patches(package: Package, libraries: Mapping[str, Package], index: RepositoryIndex) -> dict[str, Package]:
    """Return the packages that a workspace puts in the place of published ones, by the published name."""
    root = index.toml(child(package.workspace, MANIFEST)) or {}
    entries = (entry for source in _table(root.get("patch")).values() for entry in _table(source).items())
    patches = (_dependency(key, _table(entry), package.workspace) for key, entry in entries)
    return {
        patch.package: libraries[patch.directory]
        for patch in patches
        if patch.directory is not None and patch.directory in libraries
    }


def _packages(index: RepositoryIndex) -> Iterator[Package]:
    for directory in sorted(index.code_directories):
        data = index.toml(child(directory, MANIFEST))
        if data and (table := _table(data.get("package"))):
            yield _package(directory, data, table, index)


def _package(directory: str, data: Table, table: Table, index: RepositoryIndex) -> Package:
    workspace = _workspace_of(directory, table, index)
    name, library = _text(table.get("name")), _table(data.get("lib"))
    edition = table.get("edition", _OLD_EDITION)
    if isinstance(edition, dict):
        edition = _table(_workspace_table(workspace, index).get("package")).get("edition", _OLD_EDITION)
    first = joined(directory, _text(library.get("path")) or "src/lib.rs")
    return Package(
        directory=directory,
        name=name,
        crate=(_text(library.get("name")) or name).replace("-", "_"),
        library=first if first and index.is_file(first) else None,
        roots=frozenset(_written_roots(directory, data, table)),
        workspace=workspace,
        paths_start_at_root=edition == _OLD_EDITION,
    )


def _written_roots(directory: str, data: Table, table: Table) -> Iterator[str]:
    targets = [_table(target) for kind in _TARGETS for target in _list(data.get(kind))]
    written = [_text(table.get("build")), *(_text(target.get("path")) for target in targets)]
    yield from (path for text in written if text and (path := joined(directory, text)))


def _workspace_of(directory: str, table: Table, index: RepositoryIndex) -> str:
    """Return the root of the workspace that a package is in; its own directory when it is in none."""
    if written := _text(table.get("workspace")):
        return joined(directory, written) or directory
    for above in upward(directory):
        found = index.toml(child(above, MANIFEST)) or {}
        if "workspace" in found and not _excludes(above, _table(found["workspace"]), directory):
            return above
    return directory


def _excludes(root: str, workspace: Table, directory: str) -> bool:
    excluded = [joined(root, text) for entry in _list(workspace.get("exclude")) if (text := _text(entry))]
    return any(f"{directory}/".startswith(f"{path}/") for path in excluded if path)


def _workspace_table(directory: str, index: RepositoryIndex) -> Table:
    return _table((index.toml(child(directory, MANIFEST)) or {}).get("workspace"))


def _dependencies(package: Package, index: RepositoryIndex) -> Iterator[Dependency]:
    data = index.toml(child(package.directory, MANIFEST)) or {}
    shared = _table(_workspace_table(package.workspace, index).get("dependencies"))
    for holder in (data, *map(_table, _table(data.get("target")).values())):
        for kind in _DEPENDENCIES:
            for key, entry in _table(holder.get(kind)).items():
                inherited = bool(_table(entry).get("workspace"))
                base = package.workspace if inherited else package.directory
                yield _dependency(key, _table(shared.get(key) if inherited else entry), base)


def _dependency(key: str, entry: Table, base: str) -> Dependency:
    package, path = _text(entry.get("package")), _text(entry.get("path"))
    return Dependency(
        package=package or key,
        directory=joined(base, path) if path else None,
        alias=key.replace("-", "_") if package else "",
    )


def _table(value: object) -> Table:
    return value if isinstance(value, dict) else {}


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
