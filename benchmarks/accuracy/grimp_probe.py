"""Prints what grimp says of packages, as one JSON document; run by its path, so that only they are on the path.

    grimp_probe.py DIRECTORY PACKAGE…

A package that grimp cannot read, as it has a file that this Python cannot parse, is left out.
"""

from __future__ import annotations

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import grimp
from grimp.exceptions import SourceSyntaxError


def main(directory: str, *names: str) -> None:
    """Print the modules of the packages, their direct imports of each other, and the packages that were left out."""
    sys.path.insert(0, directory)
    packages = [name for name in names if _is_below(name, directory)]
    graph = _graph(directory, packages)
    imports = (
        [[module, imported] for imported in graph.find_modules_directly_imported_by(module)] for module in graph.modules
    )
    found = {
        "modules": sorted(graph.modules),
        "imports": sorted(pair for pairs in imports for pair in pairs),
        "left_out": sorted(set(names) - set(packages)),
    }
    print(json.dumps(found))


def _graph(directory: str, packages: list[str]) -> grimp.ImportGraph:
    """Return the graph of the packages; those that cannot be read are taken off the list."""
    while packages:
        try:
            return grimp.build_graph(packages[0], *packages[1:], cache_dir=None)
        except SourceSyntaxError as error:
            packages.remove(Path(error.filename).relative_to(directory).parts[0])
    return grimp.ImportGraph()


def _is_below(name: str, directory: str) -> bool:
    """Whether importing the name finds the package here, not one that was imported before."""
    spec = find_spec(name)
    return spec is not None and spec.origin is not None and Path(spec.origin).is_relative_to(directory)


if __name__ == "__main__":
    main(*sys.argv[1:])
