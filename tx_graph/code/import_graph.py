"""Use cases that read imports: what a file leads to, what leads nowhere, and what goes round in circles."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from tx_graph.code.cycles import Cycle, Pair, knots_of, shortest_cycles
from tx_graph.code.file_store import FileStore
from tx_graph.code.freshness import WHOLE, IndexedPlace, IndexedPlaces
from tx_graph.code.import_store import ImportStore
from tx_graph.code.imports import ImportEdge, ImportType, Unresolved
from tx_graph.code.languages import resolver_of
from tx_graph.core.errors import UsageError
from tx_graph.graph.edge_store import EdgeStore
from tx_graph.graph.edges import Direction, Edge, EdgeType, NodeId
from tx_graph.graph.node_store import NodeStore

_MISSING = "missing"


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportStep:
    """An import, and how many hops from the place asked about it was met, from 1."""

    source: str
    target: str
    type: ImportType
    hops: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Imports:
    """The imports that leave a place, or with `reverse` those that enter it, nearest first.

    Of a file each other file is named once, by the import through which it was met first. Of a directory every
    import over its border is named; `inside` counts those that stay within. `missing` counts imports that should
    lead to a file here and do not. `remark` says why there is nothing.
    """

    place: IndexedPlace
    reverse: bool
    steps: tuple[ImportStep, ...]
    inside: int = 0
    missing: int = 0
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnd:
    """One statement's names that lead to no file here: the module as it is written, and why."""

    source: str
    line: int
    module: str
    names: tuple[str, ...]
    type: ImportType
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadEnds:
    """What a place imports that leads to no file here, in source order. `remark` says why there is nothing."""

    place: IndexedPlace
    dead_ends: tuple[DeadEnd, ...]
    remark: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCycles:
    """Import cycles, shortest first, with the type of each import in them.

    `files` counts what lies on any cycle. `with_types` counts the further cycles that only type-only imports close.
    """

    cycles: tuple[Cycle, ...]
    types: dict[Pair, ImportType]
    files: int
    with_types: int = 0


class ImportGraph:
    """Reads imports."""

    def __init__(
        self, *, places: IndexedPlaces, imports: ImportStore, edges: EdgeStore, nodes: NodeStore, files: FileStore
    ) -> None:
        self._places = places
        self._imports = imports
        self._edges = edges
        self._nodes = nodes
        self._files = files

    def of(self, typed: str, *, reverse: bool = False, depth: int = 1) -> Imports:
        """Return what a file or directory imports, or with `reverse` what imports it."""
        if depth < 1:
            raise UsageError(f"The depth must be at least 1, not {depth}.")
        place = self._places.find(typed)
        if place.is_directory and depth > 1:
            raise UsageError("--depth counts hops from one file.", hint="Name a file instead of a directory.")
        found = self._over_border(place, reverse) if place.is_directory else self._of_file(place, reverse, depth)
        return found if reverse else replace(found, missing=sum(one.reason == _MISSING for one in self._lost(place)))

    def all(self) -> list[ImportEdge]:
        """Return every import between files, by source and target."""
        return self._imports.edges()

    def dead_ends(self, typed: str | None = None) -> DeadEnds:
        """Return what a file or directory (None: the repository) imports that leads to no file here."""
        place = WHOLE if typed is None else self._places.find(typed)
        ends = tuple(_by_statement(self._lost(place)))
        return DeadEnds(place=place, dead_ends=ends, remark="" if ends else self._why_empty(place))

    def cycles(self, *, with_type_only: bool = False) -> ImportCycles:
        """Return import cycles. Type-only imports vanish before the program runs, so they close none unless asked."""
        types = {(edge.source, edge.target): edge.type for edge in self._imports.edges()}
        lasting = {pair for pair, kind in types.items() if with_type_only or kind is not ImportType.TYPE_ONLY}
        cycles = shortest_cycles(lasting)
        more = 0
        if len(lasting) < len(types):
            more = sum(not lasting.issuperset(cycle.edges) for cycle in shortest_cycles(types))
        return ImportCycles(
            cycles=tuple(cycles),
            types=types,
            files=len({file for knot in knots_of(lasting) for pair in knot for file in pair}),
            with_types=more,
        )

    def _lost(self, place: IndexedPlace) -> list[Unresolved]:
        if place.is_directory:
            return self._imports.unresolved(below=place.path)
        return self._imports.unresolved(of=place.path)

    def _of_file(self, place: IndexedPlace, reverse: bool, depth: int) -> Imports:  # noqa: FBT001 - passed on as asked
        node = self._files.nodes_of([place.path])[place.path]
        steps = tuple(self._walk(node, direction=Direction.IN if reverse else Direction.OUT, depth=depth))
        return Imports(place=place, reverse=reverse, steps=steps, remark="" if steps else self._why_empty(place))

    def _walk(self, start: NodeId, *, direction: Direction, depth: int) -> Iterator[ImportStep]:
        met = {start}
        frontier: Collection[NodeId] = {start}
        for hop in range(1, depth + 1):
            edges = self._edges.leaving(frontier, types=[EdgeType.IMPORTS], direction=direction)
            described = self._nodes.describe({end for edge in edges for end in edge[:2]})
            names = {node: path for node, (_, path) in described.items()}
            first = {edge.target: edge for edge in sorted(edges, key=lambda edge: names[edge.source], reverse=True)}
            frontier = sorted(first.keys() - met, key=names.__getitem__)
            met.update(frontier)
            yield from (_step(first[node], hop, names) for node in frontier)
            if not frontier:
                return

    def _over_border(self, place: IndexedPlace, reverse: bool) -> Imports:  # noqa: FBT001 - passed on as asked
        touching = self._imports.edges(into=place.path) if reverse else self._imports.edges(out_of=place.path)
        below = f"{place.path}/" if place.path else ""
        over = [edge for edge in touching if not (edge.source if reverse else edge.target).startswith(below)]
        steps = tuple(ImportStep(source=edge.source, target=edge.target, type=edge.type) for edge in over)
        remark = "" if touching else self._why_empty(place)
        return Imports(place=place, reverse=reverse, steps=steps, inside=len(touching) - len(over), remark=remark)

    def _why_empty(self, place: IndexedPlace) -> str:
        language = place.row.language if place.row else None
        return self._places.why_empty(place, what="imports", is_read=bool(resolver_of(language)))


def _step(edge: Edge, hop: int, names: dict[NodeId, str]) -> ImportStep:
    source, target = names[edge.source], names[edge.target]
    if not edge.forward:
        source, target = target, source
    return ImportStep(source=source, target=target, type=ImportType(edge.relation), hops=hop)


def _by_statement(found: Iterable[Unresolved]) -> Iterator[DeadEnd]:
    for (source, line, module, kind, reason), those in groupby(found, key=_statement):
        names: Sequence[str] = [one.specifier.name for one in those if one.specifier.name is not None]
        yield DeadEnd(
            source=source, line=line, module=module, names=tuple(dict.fromkeys(names)), type=kind, reason=reason
        )


def _statement(one: Unresolved) -> tuple[str, int, str, ImportType, str]:
    return one.source, one.specifier.line, one.specifier.module, one.specifier.type, one.reason
