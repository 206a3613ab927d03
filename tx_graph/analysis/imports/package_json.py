"""package.json: what a JavaScript package is called and what it lets others import."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from tx_graph.analysis.imports.index import RepositoryIndex
from tx_graph.analysis.imports.paths import child
from tx_graph.analysis.imports.patterns import Patterns

_ENTRY_FIELDS = ("source", "module", "main", "types")


@dataclass(frozen=True, slots=True, kw_only=True)
class PackageJson:
    """The parts of a package.json that imports depend on; paths are relative to `directory`.

    `exports` and `imports` map a subpath (`.`, `./util`, `./features/*`, `#int/*`) to a target: a
    path, a list of targets, or conditions and their targets.
    """

    directory: str
    name: str | None
    entries: tuple[str, ...]
    exports: Mapping[str, object]
    imports: Mapping[str, object]
    workspaces: tuple[str, ...]


def package_at(directory: str, index: RepositoryIndex) -> PackageJson | None:
    """Return the package whose package.json lies in this directory."""
    return index.remember(("package.json", directory), lambda: _read(directory, index))


def targets_for(subpath: str, table: Mapping[str, object]) -> Iterator[str]:
    """Yield the targets that a table of exports or imports gives for a subpath, conditions in file order."""
    match = Patterns(table).best(subpath)
    if match:
        yield from (match.fill(target) for target in _leaves(table[match.pattern]))


def _read(directory: str, index: RepositoryIndex) -> PackageJson | None:
    data = index.json(child(directory, "package.json"))
    if data is None:
        return None
    name = data.get("name")
    return PackageJson(
        directory=directory,
        name=name if isinstance(name, str) else None,
        entries=strings(data.get(field) for field in _ENTRY_FIELDS),
        exports=_subpaths(data.get("exports")),
        imports=_table(data.get("imports")),
        workspaces=_workspaces(data.get("workspaces")),
    )


def strings(values: object) -> tuple[str, ...]:
    """Return the strings among the values; nothing when they are no sequence."""
    if isinstance(values, str) or not hasattr(values, "__iter__"):
        return ()
    return tuple(value for value in values if isinstance(value, str))


def _workspaces(value: object) -> tuple[str, ...]:
    """Return the globs of `workspaces`, written as a list or as `{"packages": [...]}`."""
    return strings(value.get("packages")) if isinstance(value, dict) else strings(value)


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _subpaths(exports: object) -> Mapping[str, object]:
    """Return `exports` keyed by subpath; a lone target or lone conditions speak for `.`."""
    if exports is None:
        return {}
    if isinstance(exports, dict) and any(key.startswith(".") for key in exports):
        return exports
    return {".": exports}


def _leaves(target: object) -> Iterator[str]:
    if isinstance(target, str):
        yield target
    elif isinstance(target, dict):
        yield from (leaf for value in target.values() for leaf in _leaves(value))
    elif isinstance(target, list):
        yield from (leaf for value in target for leaf in _leaves(value))
