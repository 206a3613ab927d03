"""Use cases that read imports: what a file leads to, what leads nowhere, and what goes round in circles."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import groupby
from typing import Annotated, ClassVar, TypedDict

from tx_graph.code.cycles import Cycle, Pair, knots_of, shortest_cycles
from tx_graph.code.file_store import FileStore
from tx_graph.code.freshness import WHOLE, IndexedPlace, IndexedPlaces
from tx_graph.code.import_store import ImportStore
from tx_graph.code.imports import ImportEdge, ImportType, Unresolved
from tx_graph.code.languages import resolver_of
from tx_graph.core.arguments import Arg, Limit
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Limited, Network
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import Direction, EdgeType, NodeId
from tx_graph.graph.node_store import NodeStore

_MOST_SHOWN = 50  # imports that people are shown unless they ask for more


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportStep:
    """An import, and how many hops from the place asked about it was met, from 1."""

    source: str
    target: str
    type: ImportType
    hops: int = 1
    JSON: ClassVar = "source source_node=source@file target target_node=target@file import_type=type hops"


@dataclass(frozen=True, slots=True, kw_only=True)
class Imports(Limited[ImportStep], Network):
    """The imports that leave a place, or with `reverse` those that enter it, nearest first.

    Of a file each other file is named once, by the import through which it was met first. Of a directory every
    import over its border is named; `inside` counts those that stay within. `missing` counts imports that should
    lead to a file here and do not. `remark` says why there is nothing; `total` counts what a limit cut off, too.
    """

    place: IndexedPlace
    reverse: bool
    steps: tuple[ImportStep, ...]
    inside: int = 0
    missing: int = 0
    remark: str = ""
    total: int = 0
    ROWS: ClassVar = "steps"
    JSON: ClassVar = "path=place.name reverse imports=steps inside missing stats"


@dataclass(frozen=True, slots=True, kw_only=True)
class AllImports(Limited[ImportEdge], Network):
    """Imports between files, by source and target; `total` counts what a limit cut off, too."""

    steps: tuple[ImportEdge, ...]
    total: int
    ROWS: ClassVar = "steps"
    JSON: ClassVar = "imports=steps stats"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnd:
    """One statement's names that lead to no file here: the module as it is written, and why."""

    source: str
    line: int
    module: str
    names: tuple[str, ...]
    type: ImportType
    reason: str
    JSON: ClassVar = "source source_node=source@file:line line module names import_type=type reason"


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnds(Limited[DeadEnd]):
    """What a place imports that leads to no file here, in source order; `total` counts what a limit cut off, too.

    `remark` says why there is nothing.
    """

    place: IndexedPlace
    dead_ends: tuple[DeadEnd, ...]
    remark: str = ""
    total: int = 0
    ROWS: ClassVar = "dead_ends"
    JSON: ClassVar = "path=place.name unresolved=dead_ends stats"


@dataclass(frozen=True, slots=True)
class ClosingEdge:
    """The import without which a cycle would be none."""

    JSON: ClassVar = "source source_node=source@file target target_node=target@file"

    source: str
    target: str


class ToldCycle(TypedDict):
    """An import cycle: its files, its imports, and the one that closes it."""

    length: int
    files: Sequence[str]
    edges: list[ImportEdge]
    closed_by: ClosingEdge


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCycles(Network):
    """Import cycles, shortest first, with the type of each import in them.

    `files` counts what lies on any cycle. `with_types` counts the further cycles that only type-only imports close.
    `total` counts what a limit cut off, too.
    """

    cycles: tuple[Cycle, ...]
    types: dict[Pair, ImportType]
    files: int
    with_types: int = 0
    total: int = 0

    JSON: ClassVar = (
        "cycles=told stats.found=found stats.shown=cycles.# stats.files=files stats.with_type_only=with_types"
    )

    @property
    def told(self) -> list[ToldCycle]:
        """Each cycle with its imports, as JSON has it."""
        return [
            ToldCycle(
                length=cycle.length,
                files=cycle.nodes,
                edges=[ImportEdge(source=one, target=other, type=self.types[one, other]) for one, other in cycle.edges],
                closed_by=ClosingEdge(*cycle.closed_by),
            )
            for cycle in self.cycles
        ]

    @property
    def found(self) -> int:
        """How many there are."""
        return max(self.total, len(self.cycles))


class ImportGraph:
    """Imports as they were read: `workspace.graph`."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._places = kernel.one(IndexedPlaces)
        self._imports = ImportStore(kernel.database)

    def imports(self, path: str, *, depth: int = 1) -> Imports:
        """Return what a file or directory imports, nearest first.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: The depth is below 1, or beyond 1 for a directory.
        """
        found = self._around(path, reverse=False, depth=depth)
        return replace(found, missing=sum(one.reason == "missing" for one in self._lost(found.place)))

    def importers(self, path: str, *, depth: int = 1) -> Imports:
        """Return what imports a file or directory, nearest first.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: The depth is below 1, or beyond 1 for a directory.
        """
        return self._around(path, reverse=True, depth=depth)

    def all_imports(self) -> tuple[ImportEdge, ...]:
        """Return every import between files, by source and target."""
        return tuple(self._imports.edges())

    def unresolved_imports(self, path: str | None = None) -> DeadEnds:
        """Return what a file or directory (None: the repository) imports that leads to no file here, and why.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
        """
        place = WHOLE if path is None else self._places.find(path)
        ends = []
        lost = self._lost(place)
        for (source, line, module, kind, reason), those in groupby(
            lost, key=lambda one: (one.source, one.specifier.line, one.specifier.module, one.specifier.type, one.reason)
        ):
            names = dict.fromkeys(one.specifier.name for one in those if one.specifier.name is not None)
            ends.append(DeadEnd(source=source, line=line, module=module, names=tuple(names), type=kind, reason=reason))
        return DeadEnds(place=place, dead_ends=tuple(ends), remark="" if ends else self._why_empty(place))

    def cycles(self, *, with_type_only: bool = False) -> ImportCycles:
        """Return import cycles, shortest first; imports for the type checker alone close none unless asked."""
        types = {(edge.source, edge.target): edge.type for edge in self._imports.edges()}
        lasting = {pair for pair, kind in types.items() if with_type_only or kind is not ImportType.TYPE_ONLY}
        more = 0
        if len(lasting) < len(types):
            more = sum(not lasting.issuperset(cycle.edges) for cycle in shortest_cycles(types))
        return ImportCycles(
            cycles=tuple(shortest_cycles(lasting)),
            types=types,
            files=len({file for knot in knots_of(lasting) for pair in knot for file in pair}),
            with_types=more,
        )

    def _around(self, path: str, *, reverse: bool, depth: int) -> Imports:
        if depth < 1:
            raise UsageError(f"The depth must be at least 1, not {depth}.")
        place = self._places.find(path)
        if place.is_directory and depth > 1:
            raise UsageError("--depth counts hops from one file.", hint="Name a file instead of a directory.")
        if not place.is_directory:
            steps = tuple(self._walk(place.path, direction=Direction.IN if reverse else Direction.OUT, depth=depth))
            return Imports(place=place, reverse=reverse, steps=steps, remark="" if steps else self._why_empty(place))
        touching = self._imports.edges(into=place.path) if reverse else self._imports.edges(out_of=place.path)
        over = [edge for edge in touching if not place.holds(edge.source if reverse else edge.target)]
        steps = tuple(ImportStep(source=edge.source, target=edge.target, type=edge.type) for edge in over)
        remark = "" if touching else self._why_empty(place)
        return Imports(place=place, reverse=reverse, steps=steps, inside=len(touching) - len(over), remark=remark)

    def _lost(self, place: IndexedPlace) -> list[Unresolved]:
        if place.is_directory:
            return self._imports.unresolved(below=place.path)
        return self._imports.unresolved(of=place.path)

    def _walk(self, path: str, *, direction: Direction, depth: int) -> Iterator[ImportStep]:
        database = self._kernel.database
        start = FileStore(database).nodes_of([path])[path]
        met = {start}
        frontier: Collection[NodeId] = {start}
        for hop in range(1, depth + 1):
            edges = EdgeStore(database).leaving(frontier, types=[EdgeType.IMPORTS], direction=direction)
            described = NodeStore(database).describe({end for edge in edges for end in edge[:2]})
            names = {node: path for node, (_, path) in described.items()}
            first = {edge.target: edge for edge in sorted(edges, key=lambda edge: names[edge.source], reverse=True)}
            frontier = sorted(first.keys() - met, key=names.__getitem__)
            met.update(frontier)
            for edge in map(first.__getitem__, frontier):
                source, target = names[edge.source], names[edge.target]
                if not edge.forward:
                    source, target = target, source
                yield ImportStep(source=source, target=target, type=ImportType(edge.relation), hops=hop)
            if not frontier:
                return

    def _why_empty(self, place: IndexedPlace) -> str:
        language = place.row.language if place.row else None
        return self._places.why_empty(place, what="imports", is_read=bool(resolver_of(language)))


def imports(
    kernel: Kernel,
    file: Annotated[str | None, Arg("FILE", "A file or a directory.")] = None,
    *,
    reverse: Annotated[bool, Arg(help="Show what imports it instead.")] = False,
    depth: Annotated[int, Arg("HOPS", "How many hops to go, at least 1.")] = 1,
    everything: Annotated[bool, Arg(help="All files instead of one.", flag="--all")] = False,
    unresolved: Annotated[bool, Arg(help="Show imports that lead to no file here, and why.")] = False,
    limit: Annotated[
        int | None, Arg("N", "Most to show; otherwise 50, or all in JSON and --tsv.", flag="-n --limit")
    ] = None,
    is_script: bool = False,
) -> Imports | DeadEnds | AllImports:
    """Show what a file imports, or what imports it.

    With --depth each file is named once, with the import by which it is met first. Of a directory every import over
    its border is shown. An import is static, re-export, dynamic or type-only. The columns of --tsv are source, target
    and import_type; with --unresolved they are source, line, module, names, import_type and reason.

    Example:
      tx graph:imports src/app.py --depth 2
      tx graph:imports src/auth.py --reverse
      tx graph:imports src/app.py --unresolved
      tx graph:imports --all --tsv
      tx graph:imports src --format mermaid
    """
    del everything  # which a file contradicts
    most = limit or (None if is_script else _MOST_SHOWN)
    graph = kernel.one(ImportGraph)
    if unresolved:
        ends = graph.unresolved_imports(file)
        return replace(ends, dead_ends=ends.dead_ends[:most], total=len(ends.dead_ends))
    if file is None:
        edges = graph.all_imports()
        return AllImports(steps=edges[:most], total=len(edges))
    found = (graph.importers if reverse else graph.imports)(file, depth=depth)
    return replace(found, steps=found.steps[:most], total=len(found.steps))


def cycles(
    kernel: Kernel,
    *,
    limit: Limit = 20,
    with_type_only: Annotated[
        bool, Arg(help="Count imports that are for the type checker alone.", flag="--include-type-only")
    ] = False,
    strict: Annotated[bool, Arg(help="Exit with status 1 when there is a cycle.")] = False,
) -> ImportCycles:
    """Show import cycles, shortest first.

    Of the many cycles that one import may close, only a shortest is shown. Without the imports marked by a star there
    would be no cycle at all: they go against the direction that most others keep.

    Example:
      tx graph:cycles
      tx graph:cycles --include-type-only --json
      tx graph:cycles --strict
      tx graph:cycles --format dot | dot -Tsvg > cycles.svg
    """
    found = kernel.one(ImportGraph).cycles(with_type_only=with_type_only)
    return replace(found, cycles=found.cycles[:limit], total=len(found.cycles))
