"""Python: which file an absolute or a relative import names."""

from __future__ import annotations

import re
import sys

from tx_graph.code.imports import Specifier
from tx_graph.code.resolvers import (
    EXTERNAL,
    MISSING,
    STDLIB,
    Landing,
    RepositoryIndex,
    at,
    child,
    parent,
    remembered,
    upward,
)

PROJECT_FILES = ("pyproject.toml", "setup.py", "setup.cfg")
"""A directory with one of these is a project: imports start at it or at one of its source directories."""

MANIFESTS = re.compile("|".join(map(re.escape, PROJECT_FILES)))

SOURCE_DIRECTORIES = ("src", "lib", "python")
"""Directories of a project that hold modules, but are none."""
_PACKAGE_FILES = ("__init__.py", "__init__.pyi")
ENDINGS = ("/__init__.py", "/__init__.pyi", ".py", ".pyi")
"""How the file of a module may end, the one that Python prefers first."""


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
    directory, names = parent(source), specifier.module.split(".")
    if names[0] in sys.stdlib_module_names:
        return STDLIB
    return _landing(_homes(directory, names[0], index), specifier.module, specifier.name, index)


@remembered
def _landing(homes: tuple[str, ...], module: str, name: str | None, index: RepositoryIndex) -> Landing:
    files = (_imported(root, module.split("."), name, index) for root in homes)
    return next((at(file) for file in files if file), MISSING if homes else EXTERNAL)


@remembered
def _homes(directory: str, top: str, index: RepositoryIndex) -> tuple[str, ...]:
    """Return the directories in which a module of this name may be: those where it is one, then mere directories."""
    real = [root for root in _roots(directory, index) if child(root, top) in index.by_stem(ENDINGS)]
    bare = [root for root in _roots(directory, index) if child(root, top) in index.code_directories]
    return tuple(dict.fromkeys([*real, *bare]))


@remembered
def _roots(directory: str, index: RepositoryIndex) -> list[str]:
    found = [next((above for above in upward(directory) if not _package_file(above, index)), "")]
    for above in upward(directory):
        if not above or any(index.is_file(child(above, name)) for name in PROJECT_FILES):
            found += [*(child(above, name) for name in SOURCE_DIRECTORIES), above]
    return [*dict.fromkeys(found)]


def _imported(base: str, names: list[str], name: str | None, index: RepositoryIndex) -> str | None:
    """Return the file of the module `names` under `base`, or of its submodule `name` if there is one."""
    path, modules = "/".join([base, *names] if base else names), index.by_stem(ENDINGS)
    own = modules.get(path) if names else _package_file(base, index)
    if name in (None, "*") or (own and own not in {child(path, file) for file in _PACKAGE_FILES}):
        return own
    return modules.get(child(path, str(name))) or own


def _package_file(path: str, index: RepositoryIndex) -> str | None:
    return next(filter(index.is_file, (child(path, name) for name in _PACKAGE_FILES)), None)
