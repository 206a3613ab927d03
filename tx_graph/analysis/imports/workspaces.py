"""Workspaces: the packages of one repository that import each other by name."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from tx_graph.analysis.imports.index import RepositoryIndex
from tx_graph.analysis.imports.package_json import PackageJson, package_at, strings
from tx_graph.analysis.imports.paths import child, parent

PNPM_WORKSPACE = "pnpm-workspace.yaml"


def packages_seen_from(directory: str, index: RepositoryIndex) -> Mapping[str, PackageJson]:
    """Return the packages that files of a directory can import by name; the nearest workspace wins."""
    return index.remember(("packages seen from", directory), lambda: _seen_from(directory, index))


def _seen_from(directory: str, index: RepositoryIndex) -> Mapping[str, PackageJson]:
    above = packages_seen_from(parent(directory), index) if directory else {}
    own = package_at(directory, index)
    named = [*_members(directory, own, index), *([own] if own else [])]
    return {**above, **{package.name: package for package in named if package.name}} if named else above


def _members(directory: str, own: PackageJson | None, index: RepositoryIndex) -> Iterator[PackageJson]:
    """Yield the packages below a workspace root that its globs choose; the last glob that fits decides."""
    globs = [*(own.workspaces if own else ()), *_pnpm_globs(directory, index)]
    if not globs:
        return
    rules = [(not glob.startswith("!"), compiled(glob)) for glob in globs]
    for member in _package_directories_below(directory, index):
        relative = member[len(directory) :].lstrip("/")
        verdicts = [wanted for wanted, pattern in rules if pattern.fullmatch(relative)]
        if verdicts and verdicts[-1] and (package := package_at(member, index)):
            yield package


def _pnpm_globs(directory: str, index: RepositoryIndex) -> tuple[str, ...]:
    data = index.yaml(child(directory, PNPM_WORKSPACE))
    return strings(data.get("packages")) if data else ()


def _package_directories_below(directory: str, index: RepositoryIndex) -> Iterator[str]:
    inside = f"{directory}/" if directory else ""
    return (parent(path) for path in index.package_json_paths if path.startswith(inside))


def compiled(glob: str) -> re.Pattern[str]:
    """Return a glob as a pattern for relative paths: `**` stands for any directories, `*` for part of one name."""
    tokens = re.split(r"(\*\*/?|\*|\?)", glob.removeprefix("!").removeprefix("./").rstrip("/"))
    meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meaning.get(token, re.escape(token)) for token in tokens))
