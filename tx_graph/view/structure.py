"""How the code is built: which directories import which, in layers, and where imports go round in circles."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from graphlib import TopologicalSorter
from typing import Any

from tx_graph.code.cycles import Pair, shortest_cycles
from tx_graph.code.import_graph import ImportGraph
from tx_graph.code.imports import ImportEdge, ImportType
from tx_graph.core.kernel import Kernel
from tx_graph.view.look import Look


def structure(kernel: Kernel) -> dict[str, Any]:
    """Return directories with their layers and the imports between them, and the cycles of files and of directories.

    What imports no other directory is in layer 0, anything else above all that it imports. The imports without which
    there would be no cycle do not count in this, nor do those for the type checker alone, which close none.
    """
    graph = kernel.one(ImportGraph)
    imports = graph.all_imports()
    files = Counter(_directory(file.path) for file in kernel.one(Look).files if file.language)
    every = _between(imports)
    lasting = _between(one for one in imports if one.type is not ImportType.TYPE_ONLY)
    loops = shortest_cycles(lasting)
    layers = _layers(lasting.keys() - {one.closed_by for one in loops})
    paths = sorted({*files, *(end for pair in every for end in pair)})
    number = {path: place for place, path in enumerate(paths)}
    return {
        "directories": [{"path": path, "files": files[path], "layer": layers.get(path, 0)} for path in paths],
        "imports": [[number[source], number[target], count] for (source, target), count in sorted(every.items())],
        "cycles": [
            {
                "files": one.nodes,
                "directories": [number[path] for path in dict.fromkeys(map(_directory, one.nodes))],
                "open_by": {"source": one.closed_by[0], "target": one.closed_by[1], "count": 1},
            }
            for one in graph.cycles().cycles
        ],
        "directory_cycles": [
            {
                "directories": [number[path] for path in one.nodes],
                "open_by": {
                    "source": number[one.closed_by[0]],
                    "target": number[one.closed_by[1]],
                    "count": lasting[one.closed_by],
                },
            }
            for one in loops
        ],
    }


def _directory(path: str) -> str:
    return path.rpartition("/")[0]


def _between(imports: Iterable[ImportEdge]) -> Counter[Pair]:
    """Return how many imports lead from one directory to another one."""
    pairs = ((_directory(one.source), _directory(one.target)) for one in imports)
    return Counter(pair for pair in pairs if pair[0] != pair[1])


def _layers(edges: Collection[Pair]) -> dict[str, int]:
    """Return the layer of each directory at an end of these edges, which close no cycle."""
    targets = defaultdict[str, set[str]](set)
    for source, target in edges:
        targets[source].add(target)
    layers: dict[str, int] = {}
    for path in TopologicalSorter(targets).static_order():
        layers[path] = max((layers[one] + 1 for one in targets.get(path, ())), default=0)
    return layers
