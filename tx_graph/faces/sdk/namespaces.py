"""The graph: what is connected with what, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tx_graph.anchors.linking import Linking
from tx_graph.code.import_graph import ImportGraph
from tx_graph.code.indexing import ImportAnalysis
from tx_graph.code.symbol_index import SymbolIndex
from tx_graph.context.partners import CoChanges
from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import UsageError
from tx_graph.core.ports import Progress, no_progress
from tx_graph.faces.sdk.live import Namespace
from tx_graph.faces.sdk.values import (
    GraphEdge,
    NewEdge,
    Question,
    TraverseOptions,
    chosen,
)
from tx_graph.graph.edges import Direction, EdgeType, Relation
from tx_graph.graph.expand import Limits, Profile, chosen_types
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochanges import CoChangeAnalysis
from tx_graph.records.anchor import AnchorType

if TYPE_CHECKING:
    from tx_graph.anchors.linking import Tied
    from tx_graph.context.graph import Connection, GraphStats, Neighbor, Neighborhood, Step, Surroundings
    from tx_graph.documents.asking import Applied, CrossLinked, CrossLinkOptions, Extracted, ExtractOptions, OnFailure
    from tx_graph.documents.asking import Plan as ExtractionPlan
    from tx_graph.documents.ingesting import DocumentPruning
    from tx_graph.documents.library import ListedDocument, ShownDocument
    from tx_graph.documents.relations import Batch, Pruning
    from tx_graph.documents.search import DocAnswer, DocQuery
    from tx_graph.learnings.merging import SimilarReport
    from tx_graph.workspace.renewal import Ingested as DocumentsIngested


class Analyses(Namespace):
    """Compares learnings."""

    def analyze_similar(self, threshold: float | None = None, *, progress: Progress = no_progress) -> SimilarReport:
        """Return the pairs of learnings that say much the same, most alike first; they are tied by SIMILAR_TO edges.

        Raises:
            UsageError: The threshold is not above 0 and at most 1.
        """
        with self._lasting.use() as workspace:
            return workspace.similar.analyse(threshold, progress=progress)


class Documents(Namespace):
    """The repository's own writing: `workspace.documents`."""

    def ingest(
        self, *paths: str, force: bool = False, embed: bool = True, progress: Progress = no_progress
    ) -> DocumentsIngested:
        """Return what was read of the documents that changed, only of those that paths or globs name if any do.

        `force` reads unchanged ones again. New sections get their vectors where there is a model, unless `embed` is
        off.

        Raises:
            NotFound: A path or glob names nothing.
            UsageError: A path leads out of the repository, or to a file that is no document.
            RepositoryError: Git fails.
            StorageError: The database cannot be written.
        """
        from tx_graph.core.ports import alike

        with self._lasting.use() as workspace:
            return workspace.renewal.ingest(paths, alike(progress), force=force, with_vectors=embed)

    def list(self, *globs: str) -> tuple[ListedDocument, ...]:
        """Return the documents that were read, by path; with globs those that any of them matches."""
        with self._lasting.use() as workspace:
            return tuple(workspace.library.every(globs))

    def show(self, ref: Ref) -> ShownDocument:
        """Return a document, or one section of it (`docs/a.md#setup`), with what is below and what it points at.

        Raises:
            NotFound: The reference names no document or section.
            UsageError: It leads out of the repository.
        """
        with self._lasting.use() as workspace:
            return workspace.library.show(ref_of(ref))

    def search(self, query: DocQuery | str) -> DocAnswer:
        """Return the sections that answer a query and what relations lead to; a text stands for a standard query.

        Raises:
            UsageError: An option is out of range, or `since` cannot be understood.
            ModelError: The embedding model fails.

        Example:
            >>> workspace.documents.search("who verifies tokens").results[0].unit.ref
            'docs/guide.md#signing-in'
        """
        from tx_graph.documents.search import DocQuery

        asked = DocQuery(text=query) if isinstance(query, str) else query
        with self._lasting.use() as workspace:
            return workspace.doc_search.run(asked)

    def extract(
        self,
        options: ExtractOptions | None = None,
        *,
        model: str | None = None,
        on_failure: OnFailure | None = None,
        progress: Progress = no_progress,
    ) -> Extracted:
        """Return what a language model said of how the sections of each document are related; it is stored.

        Nothing is asked twice. `model` is a name or alias of the library llm, None the one that the user has set.

        Raises:
            ModelError: The model cannot be asked, or answered nothing.
            NotFound: There is no such document.
        """
        from tx_graph.documents.asking import ExtractOptions, no_report

        with self._lasting.use() as workspace:
            wanted = options or ExtractOptions()
            return workspace.extracting.run(wanted, model=model, on_failure=on_failure or no_report, progress=progress)

    def plan_extraction(self, options: ExtractOptions | None = None, *, model: str | None = None) -> ExtractionPlan:
        """Return what `extract` would ask, and how long that is; nobody is asked.

        Raises:
            ModelError: There is no such model.
            NotFound: There is no such document.
        """
        from tx_graph.documents.asking import ExtractOptions

        with self._lasting.use() as workspace:
            return workspace.extracting.plan(options or ExtractOptions(), model=model)

    def questions(self, options: ExtractOptions | None = None, *, every: bool = False) -> tuple[Question, ...]:
        """Return what an agent is to be asked instead of a model, or `every` question again; `apply` takes its replies.

        Replies that were kept and that the graph lacks are taken in first.

        Raises:
            NotFound: There is no such document.
            StorageError: The database cannot be written.
        """
        from tx_graph.documents.asking import ExtractOptions

        wanted = options or ExtractOptions()
        with self._lasting.use() as workspace:
            workspace.extracting.recall(wanted)
            return tuple(map(_question, workspace.extracting.unanswered(wanted, every=every)))

    def apply(self, lines: Sequence[str], *, pruning: Pruning | None = None) -> Applied:
        """Return what came of an agent's replies, one JSON object a line: `{"batch": …, "reply": {"edges": […]}}`.

        Raises:
            NotFound: There are no documents yet.
            UsageError: A line is no reply; nothing is stored then.
        """
        from tx_graph.documents.relations import Pruning

        with self._lasting.use() as workspace:
            return workspace.extracting.apply(lines, pruning=pruning or Pruning())

    def link(
        self,
        options: CrossLinkOptions | None = None,
        *,
        model: str | None = None,
        on_failure: OnFailure | None = None,
        progress: Progress = no_progress,
    ) -> CrossLinked:
        """Return what a language model said of near sections of different documents; it is stored.

        Raises:
            ModelError: The model cannot be asked or answered nothing, or there are no vectors.
            NotFound: There is no such document.
        """
        from tx_graph.documents.asking import CrossLinkOptions, no_report

        with self._lasting.use() as workspace:
            wanted = options or CrossLinkOptions()
            return workspace.cross_linking.run(
                wanted, model=model, on_failure=on_failure or no_report, progress=progress
            )

    def link_similar(self, options: CrossLinkOptions | None = None) -> CrossLinked:
        """Return how many near sections of different documents were tied as similar; no language model is asked.

        Raises:
            ModelError: There are no vectors.
            NotFound: There is no such document.
        """
        from tx_graph.documents.asking import CrossLinkOptions

        with self._lasting.use() as workspace:
            return workspace.cross_linking.run_without_model(options or CrossLinkOptions())

    def prune(self) -> DocumentPruning:
        """Return how much was removed that no document holds any more.

        Raises:
            StorageError: The database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.document_pruning.run()


def _question(batch: Batch) -> Question:
    from tx_graph.documents.relations import SYSTEM, name_of, prompt_for

    return Question(
        batch=name_of(batch), document=batch.document, ids=batch.ids, system=SYSTEM, prompt=prompt_for(batch)
    )


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


class Graph(Linking, Edges, ImportGraph, SymbolIndex, CoChanges, ImportAnalysis, CoChangeAnalysis, Analyses):
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
