"""Python: which file an absolute or a relative import names."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers.index import EXTERNAL, MISSING, STDLIB, Landing, RepositoryIndex, at, child, parent, upward

PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
"""A directory with one of these is a project: imports start at it or at one of its source directories."""

MANIFESTS = re.compile("|".join(map(re.escape, PROJECT_FILES)))

_SOURCE_DIRECTORIES = ("src", "lib", "python")
_PACKAGE_FILES = ("__init__.py", "__init__.pyi")
_ENDINGS = (".pyi", ".py", "/__init__.pyi", "/__init__.py")
"""How the file of a module may end, the one that Python prefers last."""


def resolve(source: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    """Return the module file that a specifier in the file `source` names."""
    if specifier.module.startswith("."):
        directory = parent(source)
        below = specifier.module.lstrip(".")
        base: str | None = directory
        for _ in range(len(specifier.module) - len(below) - 1):
            base = parent(base) if base else None
        if base is None:
            return MISSING
        file = _imported(base, below.split(".") if below else [], specifier.name, index)
        return at(file) if file else MISSING
    return _absolute(parent(source), specifier, index)


def _absolute(directory: str, specifier: Specifier, index: RepositoryIndex) -> Landing:
    names = specifier.module.split(".")
    if names[0] in sys.stdlib_module_names:
        return STDLIB
    top = names[0]
    homes = index.remember(("python homes", directory, top), lambda: _find_homes(directory, top, index))
    return index.remember(
        ("python landing", homes, specifier.module, specifier.name),
        lambda: _landing(homes, names, specifier.name, index),
    )


def _landing(homes: tuple[str, ...], names: list[str], name: str | None, index: RepositoryIndex) -> Landing:
    for root in homes:
        if file := _imported(root, names, name, index):
            return at(file)
    return MISSING if homes else EXTERNAL


def _find_homes(directory: str, top: str, index: RepositoryIndex) -> tuple[str, ...]:
    roots = index.remember(("python roots", directory), lambda: [*dict.fromkeys(_roots(directory, index))])
    real = [root for root in roots if _module_file(child(root, top), index)]
    bare = [root for root in roots if root not in real and child(root, top) in index.code_directories]
    return (*real, *bare)


def _roots(directory: str, index: RepositoryIndex) -> Iterator[str]:
    yield next((above for above in upward(directory) if not _package_file(above, index)), "")
    for above in upward(directory):
        if not above or any(index.is_file(child(above, name)) for name in PROJECT_FILES):
            yield from (child(above, name) for name in _SOURCE_DIRECTORIES)
            yield above


def _imported(base: str, names: list[str], name: str | None, index: RepositoryIndex) -> str | None:
    """Return the file of the module `names` under `base`, or of its submodule `name` if there is one."""
    path = "/".join([base, *names] if base else names)
    own = _module_file(path, index) if names else _package_file(base, index)
    if name in (None, "*") or (own and own not in _package_candidates(path)):
        return own
    return _module_file(child(path, str(name)), index) or own


def _module_file(path: str, index: RepositoryIndex) -> str | None:
    """Return the file of the package or module at this path; the package first, as in CPython."""
    return index.remember(("python modules",), lambda: _modules(index.sources)).get(path)


def _modules(sources: Iterable[str]) -> dict[str, str]:
    """Return the file of every module by its path without an ending."""
    found: dict[str, str] = {}
    for ending in _ENDINGS:  # the last to name a module wins
        found |= {path.removesuffix(ending): path for path in sources if path.endswith(ending)}
    return found


def _package_file(path: str, index: RepositoryIndex) -> str | None:
    return next((file for file in _package_candidates(path) if index.is_file(file)), None)


def _package_candidates(path: str) -> tuple[str, ...]:
    return tuple(child(path, name) for name in _PACKAGE_FILES)
