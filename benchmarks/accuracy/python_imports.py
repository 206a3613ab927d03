"""Imports of Python packages, beside those that grimp finds.

Compared are pairs of files that grimp knows in one graph. Dynamic imports are left out: grimp does not follow them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.accuracy.comparison import Comparison, Subject, Unmeasured, difference, edge_lines
from benchmarks.accuracy.indexed import Indexed, Pair
from benchmarks.accuracy.python_packages import SearchRoot, search_roots
from scripts.benchmarks.settings import Settings
from tx_graph.code.imports import ImportType

_PROBE = Path(__file__).with_name("grimp_probe.py")


@dataclass(frozen=True, slots=True, kw_only=True)
class GrimpGraph:
    """The files that grimp knows below one root, the imports between them, and the packages it cannot read."""

    files: frozenset[str]
    edges: frozenset[Pair]
    left_out: frozenset[str]


def compare(tree: Indexed, _settings: Settings) -> Iterator[Comparison | Unmeasured]:
    """Yield the comparison, if there are packages."""
    roots = search_roots(tree.of_languages("python"))
    if not roots:
        return
    try:
        graphs = [graph_of(tree.root, root, tree.sources) for root in roots]
    except subprocess.CalledProcessError as error:
        yield Unmeasured(
            language="Python", subject=Subject.IMPORTS, tool="grimp", reason=error.stderr.strip().splitlines()[-1]
        )
        return
    stated = [pair for pair, kind in tree.edges.items() if kind is not ImportType.DYNAMIC]
    ours = {pair for graph in graphs for pair in stated if graph.files.issuperset(pair)}
    found = difference(edge_lines(ours), edge_lines({pair for graph in graphs for pair in graph.edges}))
    yield Comparison(
        language="Python",
        subject=Subject.IMPORTS,
        tool="grimp",
        both=found.both,
        only_tx=found.only_tx,
        only_tool=found.only_tool,
        remark=_remark(graphs),
    )


def graph_of(root: Path, search_root: SearchRoot, sources: frozenset[str]) -> GrimpGraph:
    """Return grimp's graph of the packages below one root, as far as it is about these files.

    Raises:
        CalledProcessError: Grimp fails.
    """
    command = [sys.executable, "-I", str(_PROBE), str(root / search_root.directory), *search_root.packages]
    said = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    files = {module: file for module in said["modules"] if (file := search_root.file_of(module, sources))}
    edges = {(files[a], files[b]) for a, b in said["imports"] if a in files and b in files}
    return GrimpGraph(
        files=frozenset(files.values()),
        edges=frozenset((source, target) for source, target in edges if source != target),
        left_out=frozenset(said["left_out"]),
    )


def _remark(graphs: list[GrimpGraph]) -> str:
    files = len(frozenset().union(*(graph.files for graph in graphs)))
    left_out = sum(len(graph.left_out) for graph in graphs)
    return f"{files:,} files" + (f"; {left_out} packages that grimp cannot read left out" if left_out else "")
