"""The regular packages of a repository, and the directories that must be on the path to import them."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

_MARK = "__init__.py"


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRoot:
    """A directory (empty: the top) and the packages right below it; `files` counts their Python files."""

    directory: str
    packages: tuple[str, ...]
    files: int

    def file_of(self, module: str, files: frozenset[str]) -> str | None:
        """Return the file of a module, by its dotted name."""
        base = "/".join(filter(None, (self.directory, module.replace(".", "/"))))
        return next((path for path in (f"{base}/{_MARK}", f"{base}.py") if path in files), None)


def search_roots(files: Iterable[str]) -> list[SearchRoot]:
    """Return the roots of all regular packages, largest first.

    A package that is called like a module of the standard library is left out: an import of that name means the latter.
    """
    python = [path for path in files if path.endswith(".py")]
    directories = {path.removesuffix(f"/{_MARK}") for path in python if path.endswith(f"/{_MARK}")}
    tops: dict[str, list[str]] = defaultdict(list)
    for directory in sorted(directories):
        parent, _, name = directory.rpartition("/")
        if parent not in directories and name.isidentifier() and name not in sys.stdlib_module_names:
            tops[parent].append(name)
    counts = _files_below(python, tops)
    roots = [SearchRoot(directory=at, packages=tuple(names), files=counts[at]) for at, names in tops.items()]
    return sorted(roots, key=lambda root: (-root.files, root.directory))


def _files_below(python: Iterable[str], tops: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Return for each root how many Python files its packages have."""
    root_of = {"/".join(filter(None, (at, name))): at for at, names in tops.items() for name in names}
    counts: dict[str, int] = defaultdict(int)
    for path in python:
        parts = path.split("/")
        ancestors = ("/".join(parts[:length]) for length in range(1, len(parts)))
        for at in {root_of[one] for one in ancestors if one in root_of}:
            counts[at] += 1
    return counts
