"""The whole graph for other tools: what is written of it, where, and in which form."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Annotated, NamedTuple

from tx_graph.context.graph_formats import (
    EDGES_HEADER,
    NODES_HEADER,
    ExportedEdge,
    ExportedNode,
    GraphForm,
    csv_table,
    gexf,
    graphml,
    json_graph,
)
from tx_graph.context.graph_view import GraphView, Named
from tx_graph.core.arguments import Arg, choices
from tx_graph.core.dataclass import dataclass
from tx_graph.core.destination import destination, replacing
from tx_graph.core.errors import StorageError, UsageError
from tx_graph.core.globs import PathMatcher
from tx_graph.core.guard import without_secrets
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer
from tx_graph.core.text import cut, inert_line
from tx_graph.graph.edges import SYMMETRIC, Edge, EdgeType, NodeId
from tx_graph.graph.expand import chosen_types
from tx_graph.graph.references import NodeKind, parse_reference
from tx_graph.records.learning_store import LearningStore

Put = Callable[[bytes], object]
_WRITERS = {GraphForm.GRAPHML: graphml, GraphForm.GEXF: gexf, GraphForm.JSON_GRAPH: json_graph}
_NODES_AT_ONCE = 1_000
_MOST_REMEMBERED = 50_000  # names, about 10 MB
_LONGEST_LABEL = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphExport(Answer):
    """What was written of the graph, and to which files, if to any."""

    format: GraphForm
    files: tuple[str, ...]
    nodes: int
    edges: int


class GraphExporter:
    """Writes the graph for other tools."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    def export(
        self,
        *,
        form: Annotated[
            GraphForm | None,
            Arg("FORM", f"{choices(GraphForm)}; otherwise what FILE ends in, or json-graph.", flag="--format"),
        ] = None,
        out: Annotated[
            Path | str | None, Arg("FILE", "Where to write it; of csv a directory, which gets nodes.csv and edges.csv.")
        ] = None,
        types: Annotated[
            Sequence[str], Arg("A,B", "Only edges of these types, such as IMPORTS, CO_CHANGES_WITH, LINKS_TO.")
        ] = (),
        only: Annotated[
            Sequence[str], Arg("GLOB", "Only what stands in such files, and what is tied to it.", is_split=False)
        ] = (),
        put: Put | None = None,
    ) -> GraphExport:
        """Write the graph for other tools: networkx, Gephi, pandas, Neo4j.

        It has every edge that 'tx graph:neighbors' walks, and every node that one of them touches. GraphML, GEXF and
        json-graph (networkx's node_link_graph, d3) go to stdout where no FILE is named. The tables of csv have the
        first lines that Neo4j's import wants.

        An edge points as it is stored, and its attribute 'directed' is false where that means nothing. With --only,
        both ends of an edge stand in such files, or one does and the other has no place in files, as a learning.

        Example:
          tx graph:export --out graph.graphml
          tx graph:export --types IMPORTS,CO_CHANGES_WITH --out code.gexf
          tx graph:export --format csv --out tables --only 'src/**'
          tx graph:export --format json-graph --types IMPORTS | jq '.edges | length'

        Raises:
            UsageError: A type is unknown, or the place is none for such a file.
            StorageError: The file cannot be written.
        """
        out = str(out) if out else ""
        form = form or next((one for one in GraphForm if out.endswith(f".{one}")), GraphForm.JSON_GRAPH)
        if not out and (form is GraphForm.CSV or not put):
            raise UsageError(f"{form} needs a place.", hint="Name a file with --out, or for csv a directory.")
        reading = _Reading(self._kernel, chosen_types(types, ()), only)
        if form is GraphForm.CSV:
            nodes, edges = csv_table(NODES_HEADER, reading.nodes()), csv_table(EDGES_HEADER, reading.edges())
            texts = {f"{out}/nodes.csv": nodes, f"{out}/edges.csv": edges}
        else:
            texts = {out: _WRITERS[form](reading.nodes(), reading.edges())}
        heads = [next(pieces).encode() for pieces in texts.values()]
        places = [
            destination(self._kernel, name, command="tx graph:export", is_own=partial(_begins_with, head))
            for name, head in zip(texts, heads, strict=True)
            if name
        ]
        if form is GraphForm.CSV:
            try:
                places[0].parent.mkdir(exist_ok=True)
            except OSError as error:
                raise StorageError(f"{places[0].parent} cannot be made a directory: {error.strerror}.") from error
        with self._kernel.database.steady(), ExitStack() as stack:
            puts: list[Put] = [stack.enter_context(replacing(path)).write for path in places]
            for write, head, pieces in zip(puts or filter(None, [put]), heads, texts.values(), strict=True):
                write(head)
                for piece in pieces:
                    write(piece.encode())
        files = tuple(filter(None, texts))
        return GraphExport(format=form, files=files, nodes=reading.counted["nodes"], edges=reading.counted["edges"])


def _begins_with(head: bytes, path: Path) -> bool:
    """Whether a file begins like an export of the same form."""
    with path.open("rb") as stream:
        return stream.read(len(head)) == head


class _Reading:
    """Goes through the graph: once for what there is at the ends of edges, then for the edges themselves.

    A byte for each node remembers the first pass, so that memory does not grow with the edges.
    """

    def __init__(self, kernel: Kernel, types: Sequence[EdgeType], only: Sequence[str]) -> None:
        self._view = GraphView(kernel, types)
        self._learnings = LearningStore(kernel.database)
        self._only, self._matcher = only, PathMatcher(())
        self._ends: dict[NodeId, _End] = {}
        self.counted = Counter[str]()

    def nodes(self) -> Iterator[ExportedNode]:
        """Yield every node that an edge touches."""
        is_tied, new = bytearray(), set[NodeId]()
        for edges in self._wanted():
            ends = {end for edge in edges for end in edge[:2]}
            new |= {end for end in ends if end < 0}  # of this walk: files that only a glob knows
            is_tied.extend(bytes(max(0, max(ends, default=0) + 1 - len(is_tied))))
            for end in ends - new:
                is_tied[end] = True
        tied = chain((node for node, is_one in enumerate(is_tied) if is_one), sorted(new))
        while those := list(islice(tied, _NODES_AT_ONCE)):
            names = self._view.name(those)
            learnings = {node: named.ref for node, named in names.items() if named.kind is NodeKind.LEARNING}
            numbers = {int(ref.partition(":")[2]): node for node, ref in learnings.items()}
            contents = self._learnings.contents(numbers)
            texts = {numbers[number]: content for number, content in contents.items()}
            for node in those:
                yield _exported(names[node], texts.get(node, ""))
            self.counted["nodes"] += len(those)

    def edges(self) -> Iterator[ExportedEdge]:
        """Yield every edge."""
        for edges in self._wanted():
            ends = self._named(edges)
            for one in edges:
                way = (ends[one.source].id, ends[one.target].id, one.type, one.relation)
                yield ExportedEdge(*way, one.weight, one.type not in SYMMETRIC, one.description)
            self.counted["edges"] += len(edges)

    def _wanted(self) -> Iterator[list[Edge]]:
        """Yield the edges that are asked for, some at a time."""
        for edges in self._view.all_edges():
            if self._only:
                ends = self._named(edges)
                # Of the two ends none lies elsewhere, and one lies there: what has no place is None.
                allowed = ({True}, {True, None})
                yield [one for one in edges if {ends[one.source].is_there, ends[one.target].is_there} in allowed]
            else:
                yield edges

    def _named(self, edges: Sequence[Edge]) -> Mapping[NodeId, _End]:
        """Return how the ends of edges are called; of the last ones this is remembered."""
        ends = {end for edge in edges for end in edge[:2]}
        if len(self._ends) > _MOST_REMEMBERED:
            self._ends.clear()
        for node, named in self._view.name(ends - self._ends.keys()).items():
            path = named.reference.path
            is_there = any(self._matcher.matches_any(glob, [path]) for glob in self._only) if path else None
            self._ends[node] = _End(_id_of(named), is_there)
        return self._ends


class _End(NamedTuple):
    """What is told of a node at an end of an edge, and whether it lies in the files asked for, if it lies anywhere."""

    id: str
    is_there: bool | None


def _id_of(named: Named) -> str:
    """Return how commands name a node. Its kind is said where they would take the name for that of another one."""
    if not named.reference.path:
        return named.ref
    parsed = parse_reference(named.ref)
    is_plain = parsed.text == named.ref and parsed.kinds[0] is named.kind
    return named.ref if is_plain else f"{named.kind}:{named.ref}"


def _exported(named: Named, text: str) -> ExportedNode:
    reference = named.reference
    label = without_secrets(cut(inert_line(text), _LONGEST_LABEL), quick=True) or (
        named.ref.rpartition("/")[2] if reference.path else named.ref.partition(":")[2]
    )
    return ExportedNode(_id_of(named), named.kind.value, label, reference.path or "", reference.id)
