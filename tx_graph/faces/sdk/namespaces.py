"""The graph: what is connected with what, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tx_graph.anchors.linking import Linking
from tx_graph.code.imports import ImportEdge
from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import UsageError
from tx_graph.core.ports import Progress, no_progress
from tx_graph.faces.sdk.live import Namespace
from tx_graph.faces.sdk.values import (
    GraphEdge,
    NewEdge,
    TraverseOptions,
    chosen,
    several,
)
from tx_graph.graph.edges import Direction, EdgeType, Relation
from tx_graph.graph.expand import Limits, Profile, chosen_types
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochange import CoChange
from tx_graph.learnings.similar import Similar
from tx_graph.records.anchor import AnchorType

if TYPE_CHECKING:
    from tx_graph.anchors.linking import Tied
    from tx_graph.code.import_graph import DeadEnds, ImportCycles, Imports
    from tx_graph.code.indexing import IndexReport
    from tx_graph.code.symbol_index import Declared as DeclaredSymbols
    from tx_graph.code.symbol_index import Found as FoundSymbols
    from tx_graph.context.graph import Connection, GraphStats, Neighbor, Neighborhood, Step, Surroundings
    from tx_graph.context.partners import ChangeCheck, FilePartners
    from tx_graph.history.cochanges import CoChangeReport


class Analyses(Namespace):
    """Reads files and history."""

    def analyze_imports(self, path: str | None = None, *, progress: Progress = no_progress) -> IndexReport:
        """Return what was read of files, their imports and symbols; only below a directory if one is named.

        Raises:
            NotFound: There is no such directory.
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        with self._lasting.use() as workspace:
            below = workspace.references.directory(path) if path is not None else ""
            return workspace.indexing.run(below=below, progress=progress)

    def analyze_cochanges(
        self,
        *,
        since: str | None = None,
        max_files: int | None = None,
        min_support: int | None = None,
        half_life: float | None = None,
        exclude: Sequence[str] = (),
        no_exclude: bool = False,
        follow_renames: bool = False,
        full: bool = False,
        progress: Progress = no_progress,
    ) -> CoChangeReport:
        """Return what came of reading which files change together in git's history; only what is new is read.

        What is not given is as the settings have it; `half_life` is in days. Files like those in `exclude` are left
        out beside those of the setting, or with `no_exclude` instead of them.

        Raises:
            UsageError: A number is out of range, or `since` cannot be understood.
            RepositoryError: There is no git here, or it fails.
            StorageError: The database cannot be written.
        """
        from tx_graph.history.cochanges import request_from

        with self._lasting.use() as workspace:
            request = request_from(
                workspace.config,
                since=since,
                max_files=max_files,
                min_support=min_support,
                half_life=half_life,
                exclude=several(exclude),
                no_exclude=no_exclude,
                follow_renames=follow_renames,
                full=full,
            )
            return workspace.cochanges.run(request, progress=progress)


class Code(Namespace):
    """Reads what was read of files and history."""

    def imports(self, path: str, *, depth: int = 1) -> Imports:
        """Return what a file or directory imports, nearest first.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: The depth is below 1, or beyond 1 for a directory.
        """
        with self._lasting.use() as workspace:
            return workspace.imports.of(path, depth=depth)

    def importers(self, path: str, *, depth: int = 1) -> Imports:
        """Return what imports a file or directory, nearest first.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: The depth is below 1, or beyond 1 for a directory.
        """
        with self._lasting.use() as workspace:
            return workspace.imports.of(path, reverse=True, depth=depth)

    def all_imports(self) -> tuple[ImportEdge, ...]:
        """Return every import between files, by source and target."""
        with self._lasting.use() as workspace:
            return tuple(workspace.imports.all())

    def unresolved_imports(self, path: str | None = None) -> DeadEnds:
        """Return what a file or directory (None: the repository) imports that leads to no file here, and why.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
        """
        with self._lasting.use() as workspace:
            return workspace.imports.dead_ends(path)

    def cycles(self, *, with_type_only: bool = False) -> ImportCycles:
        """Return import cycles, shortest first; imports for the type checker alone close none unless asked."""
        with self._lasting.use() as workspace:
            return workspace.imports.cycles(with_type_only=with_type_only)

    def symbols(self, path: str | None = None, *, kind: str | None = None) -> DeclaredSymbols:
        """Return what a file or directory (None: the repository) declares, in source order.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: No symbol is of this kind.
        """
        with self._lasting.use() as workspace:
            return workspace.symbols.of(path, kind=kind)

    def find_symbol(self, name: str, *, within: str | None = None, kind: str | None = None) -> FoundSymbols:
        """Return where a name is declared: exactly so, else in other case, else as a beginning, else as a part.

        Raises:
            NotFound: There is no such file or directory, or the index does not know the file.
            UsageError: No symbol is of this kind, or the name is empty.
        """
        with self._lasting.use() as workspace:
            return workspace.symbols.find(name, within=within, kind=kind)

    def cochanges(self, path: str, *, limit: int = 20) -> FilePartners:
        """Return what usually changes together with a file, most often first.

        Raises:
            NotFound: There is no such file, and there was none.
            UsageError: The limit is not from 1 to 10,000, or the path leads out of the repository.
        """
        with self._lasting.use() as workspace:
            return workspace.partners.of(path, limit=limit)

    def all_cochanges(self, *, limit: int | None = None) -> tuple[CoChange, ...]:
        """Return the pairs of files that change together, best score first; without a limit all of them."""
        with self._lasting.use() as workspace:
            return tuple(workspace.partners.pairs(limit=limit))

    def check_changes(
        self,
        *,
        staged: bool = False,
        since: str | None = None,
        min_confidence: float = 0.6,
        min_support: int | None = None,
    ) -> ChangeCheck:
        """Return the usual partners of the changed files that the change does not touch, surest first.

        The change is what differs from HEAD, or is `staged`, or came `since` HEAD and that revision parted.

        Raises:
            RepositoryError: There is no git here, or it fails.
            NotFound: There is no such revision.
            UsageError: A number is out of range, or two different changes are asked for.
        """
        from tx_graph.context.partners import change_request

        with self._lasting.use() as workspace:
            request = change_request(
                workspace.config, staged=staged, since=since, min_confidence=min_confidence, min_support=min_support
            )
            return workspace.partners.check(request)


class Edges(Namespace):
    """Asserted edges live in the records of learnings, as their links and anchors; all others are derived."""

    def add_edge(self, edge: NewEdge) -> GraphEdge:
        """Return an edge that was added: a LINKS_TO edge between learnings, or an ANCHORED_TO edge to code.

        One that is there already stays, a link with the new weight; one that was removed is valid again.

        Raises:
            NotFound: One of its ends does not exist.
            UsageError: Its type is derived, its ends are the same or of the wrong kind, or its weight is none.

        Example:
            >>> from tx_graph import NewEdge
            >>> one, other = (workspace.learnings.add(text).stored for text in ("Tokens are secret", "Tokens end"))
            >>> workspace.graph.add_edge(NewEdge(source=one, target=other)).relation
            'references'
        """
        kind, relation = chosen(EdgeType, edge.type), chosen(Relation, edge.relation)
        with self._lasting.use() as workspace:
            if kind is EdgeType.LINKS_TO:
                source, target = ref_of(edge.source), ref_of(edge.target)
                related = workspace.linking.relate(source, target, relation=relation, weight=edge.weight)
                return GraphEdge(
                    type=kind,
                    source=related.source.ref,
                    target=related.target.ref,
                    relation=related.link.relation.value,
                    weight=related.link.weight,
                )
            if kind is EdgeType.ANCHORED_TO:
                return _anchored(workspace.linking.link(ref_of(edge.source), ref_of(edge.target)))
        raise _derived(kind, "added")

    def get_edges(self, node: Ref, type: NodeKind | None = None) -> tuple[GraphEdge, ...]:
        """Return every valid edge that touches a node, heaviest first, each as it is stored; `type` is the node's.

        Raises:
            NotFound: There is no such node, or several.
        """
        named = ref_of(node)
        ref = named if type is None or named.startswith(f"{type}:") else f"{type}:{named}"
        with self._lasting.use() as workspace:
            return tuple(dict.fromkeys(map(_as_stored, workspace.graph.show(ref).steps)))

    def traverse(self, start: Ref, options: TraverseOptions | None = None) -> tuple[Neighbor, ...]:
        """Return the nodes that a walk from `start` meets, best first, each with the path that earned its score.

        Raises:
            NotFound: There is no such node, or several.
            UsageError: A number is out of range, or a type is unknown or both included and excluded.

        Example:
            >>> from tx_graph import TraverseOptions
            >>> [one.ref for one in workspace.graph.traverse("src/auth.py", TraverseOptions(edge_types=["IMPORTS"]))]
            ['src/tokens.py']
        """
        wanted = options or TraverseOptions()
        with self._lasting.use() as workspace:
            return workspace.graph.neighbors(
                ref_of(start),
                limits=Limits(depth=wanted.depth, decay=wanted.decay, max_nodes=wanted.max_nodes),
                profile=chosen(Profile, wanted.profile),
                types=chosen_types(wanted.edge_types, wanted.exclude_edge_types),
                direction=chosen(Direction, wanted.direction),
                limit=wanted.limit,
            ).neighbors

    def invalidate_edge(self, edge: GraphEdge, *, reason: str = "Somebody invalidated the edge.") -> None:
        """Return nothing: the edge holds no more. Its history stays, and `add_edge` or `anchors.restore` revives it.

        A link is removed from the record of its learning; an anchor is marked there, with the reason.

        Raises:
            NotFound: There is no such edge, or there is none any more.
            UsageError: It is derived: what it was read from has to change.
        """
        from tx_graph.anchors.linking import parse_relation

        with self._lasting.use() as workspace:
            if edge.type is EdgeType.ANCHORED_TO:
                workspace.anchors.invalidate(edge.source, edge.description or edge.target, reason=reason)
            elif edge.type is EdgeType.LINKS_TO and all(map(_is_learning, (edge.source, edge.target))):
                workspace.linking.unrelate(edge.source, edge.target, relation=parse_relation(edge.relation))
            else:
                raise _derived(edge.type, "invalidated")


def _is_learning(ref: str) -> bool:
    return ref.startswith(f"{NodeKind.LEARNING}:")


def _derived(kind: EdgeType, done: str) -> UsageError:
    hint = f"It comes of {kind.words.made_by}."
    return UsageError(f"This {kind} edge cannot be {done} by itself: it is derived.", hint=hint)


def _anchored(tied: Tied) -> GraphEdge:
    from tx_graph.records.anchor_store import GLOB_WEIGHT

    anchor = tied.anchor
    return GraphEdge(
        type=EdgeType.ANCHORED_TO,
        source=tied.learning.ref,
        target=anchor.spec if anchor.symbol else anchor.path,
        relation=anchor.type.value,
        weight=GLOB_WEIGHT if anchor.type is AnchorType.GLOB else 1.0,
        description=anchor.spec,
    )


def _as_stored(step: Step) -> GraphEdge:
    """Return the edge of a step, which is turned to lead away from where somebody stands."""
    source, target = (step.source, step.target) if step.forward else (step.target, step.source)
    return GraphEdge(
        type=EdgeType(step.type),
        source=source,
        target=target,
        relation=step.relation,
        weight=step.weight,
        description=step.description,
    )


_STANDARD = Limits()
_HOPS_OF_A_PATH = 6


class Graph(Linking, Edges, Code, Analyses, Similar):
    """What is connected with what: `workspace.graph`."""

    def show(self, node: Ref) -> Surroundings:
        """Return a node with every edge that touches it, heaviest first.

        Raises:
            NotFound: The reference names nothing, or more than one thing.
        """
        with self._lasting.use() as workspace:
            return workspace.graph.show(ref_of(node))

    def neighbors(
        self,
        node: Ref,
        *,
        depth: int = _STANDARD.depth,
        decay: float = _STANDARD.decay,
        max_nodes: int = _STANDARD.max_nodes,
        profile: Profile = Profile.DECAY,
        edge_types: Sequence[EdgeType | str] = (),
        exclude_edge_types: Sequence[EdgeType | str] = (),
        types_at: Mapping[int, Sequence[EdgeType | str]] | None = None,
        direction: Direction = Direction.BOTH,
        limit: int = 20,
    ) -> Neighborhood:
        """Return what lies around a node, best first, each with the path that earned its score.

        At the hops named in `types_at`, counted from 1, these types of edges are followed instead of the others.

        Raises:
            NotFound: The reference names nothing, or more than one thing.
            UsageError: A number is out of range, or a type is unknown or both included and excluded.

        Example:
            >>> [one.ref for one in workspace.graph.neighbors("src/auth.py", edge_types=["IMPORTS"]).neighbors]
            ['src/tokens.py']
        """
        with self._lasting.use() as workspace:
            return workspace.graph.neighbors(
                ref_of(node),
                limits=Limits(depth=depth, decay=decay, max_nodes=max_nodes),
                profile=chosen(Profile, profile),
                types=chosen_types(edge_types, exclude_edge_types),
                types_at={hop: chosen_types(types, ()) for hop, types in (types_at or {}).items()},
                direction=chosen(Direction, direction),
                limit=limit,
            )

    def path(
        self,
        source: Ref,
        target: Ref,
        *,
        max_hops: int = _HOPS_OF_A_PATH,
        decay: float = _STANDARD.decay,
        edge_types: Sequence[EdgeType | str] = (),
        exclude_edge_types: Sequence[EdgeType | str] = (),
    ) -> Connection:
        """Return the best path between two nodes, with its score and in words; none of it when there is none.

        Raises:
            NotFound: A reference names nothing, or more than one thing.
            UsageError: A number is out of range, or a type is unknown or both included and excluded.
        """
        limits, types = Limits(depth=max_hops, decay=decay), chosen_types(edge_types, exclude_edge_types)
        with self._lasting.use() as workspace:
            return workspace.graph.path(ref_of(source), ref_of(target), limits=limits, types=types)

    def stats(self) -> GraphStats:
        """Return how many nodes and edges there are, and when the derived ones were made."""
        with self._lasting.use() as workspace:
            return workspace.graph.stats()
