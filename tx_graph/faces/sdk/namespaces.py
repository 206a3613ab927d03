"""The graph: what is connected with what, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import TYPE_CHECKING

from tx_graph.code.import_graph import ImportGraph
from tx_graph.code.indexing import ImportAnalysis
from tx_graph.code.symbol_index import SymbolIndex
from tx_graph.context.partners import CoChanges
from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import NotFound, UsageError
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.times import parse_age
from tx_graph.faces.sdk.live import Namespace
from tx_graph.faces.sdk.values import (
    AnchorSpec,
    GraphEdge,
    NewEdge,
    Question,
    TraverseOptions,
    chosen,
    spec_of,
)
from tx_graph.graph.edges import Direction, EdgeType, Relation
from tx_graph.graph.expand import Limits, Profile, chosen_types
from tx_graph.graph.references import NodeKind
from tx_graph.history.cochanges import CoChangeAnalysis
from tx_graph.knowledge.entity import StoredEntity
from tx_graph.knowledge.fact import FactSource, FactStatus, StoredFact
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorType, parse_anchor

if TYPE_CHECKING:
    from tx_graph.anchors.life import Acted as AnchorsChanged
    from tx_graph.anchors.life import Pruned as PrunedAnchor
    from tx_graph.anchors.life import Told as ToldEvent
    from tx_graph.anchors.linking import Related as LearningsRelated
    from tx_graph.anchors.linking import Tied
    from tx_graph.anchors.taking import Suggestion
    from tx_graph.anchors.verify import Checked as CheckedAnchor
    from tx_graph.anchors.verify import FileAnchor
    from tx_graph.anchors.verify import Report as VerificationReport
    from tx_graph.context.graph import Connection, GraphStats, Neighbor, Neighborhood, Step, Surroundings
    from tx_graph.documents.asking import Applied, CrossLinked, CrossLinkOptions, Extracted, ExtractOptions, OnFailure
    from tx_graph.documents.asking import Plan as ExtractionPlan
    from tx_graph.documents.ingesting import DocumentPruning
    from tx_graph.documents.library import ListedDocument, ShownDocument
    from tx_graph.documents.relations import Batch, Pruning
    from tx_graph.documents.search import DocAnswer, DocQuery
    from tx_graph.knowledge.entities import EntityShown
    from tx_graph.knowledge.facts import Added as FactAdded
    from tx_graph.knowledge.facts import Conflict, Maintained
    from tx_graph.knowledge.facts import Scored as ScoredFact
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


class Anchors(Namespace):
    """What ties learnings to code: `workspace.anchors`."""

    def verify(
        self, *places: Ref, since: str | None = None, withheld: bool = False, fix: bool = False
    ) -> VerificationReport:
        """Return the verdict on every anchor, or on those of the learnings, files, directories and symbols named.

        `since` a revision looks only at what differs from it; `withheld` takes in superseded, retracted and removed
        learnings. With `fix`, anchors follow code that merely went elsewhere, in the records.

        Raises:
            NotFound: Something unknown is named.
            RepositoryError: Git fails, or there is none and `since` needs it.
            StorageError: There is something to mend, and the records cannot be written.
        """
        from tx_graph.anchors.verify import Scope

        scope = Scope(places=[ref_of(one) for one in places], since=since, withheld=withheld)
        with self._lasting.use() as workspace:
            return workspace.verification.run(scope, fix=fix)

    def confirm(self, learning: Ref, anchor: AnchorSpec | None = None) -> AnchorsChanged:
        """Return what became of the anchors of a learning that is still true: they take the code as it is now.

        Raises:
            NotFound: There is no such learning or anchor, or the code of one is nowhere to be found.
        """
        with self._lasting.use() as workspace:
            return workspace.confirming.confirm(ref_of(learning), spec_of(anchor))

    def pin(self, learning: Ref, anchor: AnchorSpec | None = None) -> AnchorsChanged:
        """Return what became of anchors that are exempt from verification now.

        Raises:
            NotFound: There is no such learning or anchor.
        """
        with self._lasting.use() as workspace:
            return workspace.anchor_life.pin(ref_of(learning), spec_of(anchor))

    def unpin(self, learning: Ref, anchor: AnchorSpec | None = None) -> AnchorsChanged:
        """Return what became of anchors that are verified again.

        Raises:
            NotFound: There is no such learning or anchor.
        """
        with self._lasting.use() as workspace:
            return workspace.anchor_life.unpin(ref_of(learning), spec_of(anchor))

    def invalidate(
        self, learning: Ref, anchor: AnchorSpec | None = None, *, reason: str, commit: str | None = None
    ) -> AnchorsChanged:
        """Return what became of anchors that hold no more, whatever the code looks like; `commit` is to blame.

        Raises:
            NotFound: There is no such learning, anchor or commit.
            UsageError: The reason is empty or too long.
        """
        with self._lasting.use() as workspace:
            return workspace.anchor_life.invalidate(ref_of(learning), spec_of(anchor), reason=reason, commit=commit)

    def restore(self, learning: Ref, anchor: AnchorSpec | None = None) -> AnchorsChanged:
        """Return what became of anchors whose invalidation was taken back, or that were pruned and are back.

        Raises:
            NotFound: There is no such learning, or nothing to restore.
        """
        with self._lasting.use() as workspace:
            return workspace.anchor_life.restore(ref_of(learning), spec_of(anchor))

    def prune(self, older_than: timedelta | str, *, dry_run: bool = False) -> tuple[PrunedAnchor, ...]:
        """Return the anchors that have been invalid for so long (`90d`, `12h`, `2w`), removed unless it is a `dry_run`.

        Raises:
            UsageError: The age is no length of time.
            StorageError: The records cannot be written.
        """
        age = parse_age(older_than) if isinstance(older_than, str) else older_than
        with self._lasting.use() as workspace:
            return tuple(workspace.pruning.prune(age, dry_run=dry_run))

    def history(self, place: Ref) -> tuple[ToldEvent, ...]:
        """Return what happened to the anchors of a learning, in a file or directory, or to one; oldest first.

        Raises:
            NotFound: There is no such learning; or there is nothing at the place, and never was an anchor.
            UsageError: The place is outside the repository.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.anchor_history.of(ref_of(place)))

    def create_anchor(self, learning: Ref, anchor: str | AnchorRequest) -> FileAnchor:
        """Return the anchor by which a learning is tied to code now; to the same place again it is taken anew.

        Raises:
            NotFound: The learning, file, symbol or lines do not exist.
            UsageError: The request contradicts itself, or leads out of the repository.

        Example:
            >>> stored = workspace.learnings.add("Tokens are secret").stored
            >>> anchor = workspace.anchors.create_anchor(stored, "src/tokens.py::verify")
            >>> workspace.anchors.verify_anchor(anchor).judgement.verdict.value
            'valid'
        """
        request = parse_anchor(anchor) if isinstance(anchor, str) else anchor
        with self._lasting.use() as workspace:
            tied = workspace.linking.link(ref_of(learning), request)
            found = workspace.anchor_finding.at([tied.learning.ref], withheld=True)
            return next(one for one in found if one.anchor.key == tied.anchor.key)

    def verify_anchor(self, anchor: FileAnchor) -> CheckedAnchor:
        """Return the verdict on one anchor now; its `judgement` says whether it holds, and why not.

        Raises:
            NotFound: The learning has no such anchor any more.
        """
        report = self.verify(anchor.uid, withheld=True)
        for checked in report.checked:
            if checked.judgement.anchor.key == anchor.anchor.key:
                return checked
        raise NotFound(
            f"{anchor.learning} is not anchored to '{anchor.spec}' any more.",
            candidates=[checked.judgement.anchor.spec for checked in report.checked],
        )

    def find_anchors_for_file(self, path: str) -> tuple[FileAnchor, ...]:
        """Return the anchors of learnings in a file, to its symbols and by globs that match it, by learning.

        What they hold is as verification last found it; nothing is judged now.

        Raises:
            NotFound: There is no such file, and nothing is anchored there.
            UsageError: The path leads out of the repository.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.anchor_finding.at([f"file:{path.removeprefix('file:')}"]))


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
                return _anchored(workspace.linking.link(ref_of(edge.source), parse_anchor(ref_of(edge.target))))
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
                workspace.anchor_life.invalidate(edge.source, edge.description or edge.target, reason=reason)
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
    from tx_graph.anchors.store import GLOB_WEIGHT

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


EntityName = str | StoredEntity
"""What names an entity, be it its name, another of its names, or what an answer gave."""


class Facts(Namespace):
    """Statements about entities: `workspace.facts`."""

    def add(
        self,
        subject: EntityName,
        predicate: str,
        object: EntityName | None = None,
        *,
        value: str | None = None,
        confidence: float = 1.0,
        source: FactSource = FactSource.USER_EDIT,
        source_ref: str | None = None,
        status: FactStatus = FactStatus.STAGED,
    ) -> FactAdded:
        """Return the fact that was added; the same statement again is recognised. Give an object or a `value`.

        Raises:
            UsageError: A field is empty, too long or out of range, or there is not exactly one of object and value.
            StorageError: The record or the database cannot be written.

        Example:
            >>> workspace.facts.add("Billing", "uses", "DuckDB").stored.told
            'DuckDB'
        """
        from tx_graph.knowledge.facts import FactDraft

        draft = FactDraft(
            subject=_name(subject),
            predicate=predicate,
            object=None if object is None else _name(object),
            value=value,
            confidence=confidence,
            source=chosen(FactSource, source),
            source_ref=source_ref,
            status=chosen(FactStatus, status),
        )
        with self._lasting.use() as workspace:
            return workspace.facts.add(draft)

    def get(self, fact: Ref) -> StoredFact:
        """Return a fact by its number, its uid or the beginning of its uid.

        Raises:
            NotFound: There is none, or several begin like it.
        """
        with self._lasting.use() as workspace:
            return workspace.facts.find(ref_of(fact))

    def list(
        self,
        about: EntityName | None = None,
        *,
        subject: EntityName | None = None,
        predicate: str | None = None,
        status: FactStatus | None = None,
        source: FactSource | None = None,
        as_of: str | None = None,
        past: bool = False,
        limit: int = 50,
    ) -> tuple[ScoredFact, ...]:
        """Return facts, newest first, each with how much it counts now.

        `as_of` is a day (its end) or a UTC time at which they held; `past` takes in what ceased to hold.

        Raises:
            NotFound: It names an entity that there is not.
            UsageError: The day, the predicate or the limit is none.
        """
        from tx_graph.knowledge.facts import FactQuery

        query = FactQuery(
            subject=None if subject is None else _name(subject),
            about=None if about is None else _name(about),
            predicate=predicate,
            status=chosen(FactStatus, status),
            source=chosen(FactSource, source),
            as_of=as_of,
            past=past,
        )
        with self._lasting.use() as workspace:
            return tuple(workspace.facts.listed(query, limit=limit))

    def confirm(self, fact: Ref) -> StoredFact:
        """Return a fact that is true; one that was superseded or retracted holds again.

        Raises:
            NotFound: There is no such fact.
        """
        with self._lasting.use() as workspace:
            return workspace.facts.confirm(ref_of(fact))

    def retract(self, fact: Ref) -> StoredFact:
        """Return a fact that does not hold; it stays in the history.

        Raises:
            NotFound: There is no such fact.
        """
        with self._lasting.use() as workspace:
            return workspace.facts.retract(ref_of(fact))

    def history(self, named: Ref, *, predicate: str | None = None) -> tuple[ScoredFact, ...]:
        """Return all that was ever said about an entity, or of what one fact says; oldest first.

        Raises:
            NotFound: There is no such entity or fact.
            UsageError: The predicate is none.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.facts.history(ref_of(named), predicate=predicate))

    def conflicts(self) -> tuple[Conflict, ...]:
        """Return where several facts give what takes one value, those that count most first."""
        with self._lasting.use() as workspace:
            return tuple(workspace.facts.conflicts())

    def maintain(self, *, dry_run: bool = False) -> Maintained:
        """Return which facts were promoted because they are used, and which retracted because they faded.

        Raises:
            StorageError: The records or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.fact_life.run(dry_run=dry_run)


class Entities(Namespace):
    """What facts are about: `workspace.entities`."""

    def show(self, name: EntityName) -> EntityShown:
        """Return an entity with what is said of it, and what names it.

        Raises:
            NotFound: No entity has this name.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.show(_name(name))

    def list(self, *, type: str | None = None, limit: int = 50) -> tuple[StoredEntity, ...]:
        """Return entities, of one type if it is named, those with most facts first.

        Raises:
            UsageError: The type is none, or the limit not from 1 to 10,000.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.entities.listed(type=type, limit=limit))

    def edit(self, name: EntityName, *, type: str | None = None, description: str | None = None) -> StoredEntity:
        """Return an entity after saying of which type it is, or what it is; one that nobody has spoken of comes to be.

        Raises:
            UsageError: The name, type or description is none.
            StorageError: The record or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.describe(_name(name), type=type, description=description)

    def alias(self, name: EntityName, *aliases: str) -> StoredEntity:
        """Return an entity after giving it other names, by which facts and questions find it too.

        Raises:
            NotFound: No entity has this name.
            UsageError: A name is empty or too long, or that of another entity.
            StorageError: The record or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.alias(_name(name), add=aliases)

    def unalias(self, name: EntityName, *aliases: str) -> StoredEntity:
        """Return an entity after taking names away from it; one that was merged into it is one of its own again.

        Raises:
            NotFound: No entity has this name.
            UsageError: It does not have one of the names.
            StorageError: The record or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.alias(_name(name), remove=aliases)

    def merge(self, name: EntityName, into: EntityName) -> StoredEntity:
        """Return the entity that stays, to which the names and facts of the other one belong now.

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are one already.
            StorageError: A record or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.entities.merge(_name(name), _name(into))


def _name(entity: EntityName) -> str:
    return entity if isinstance(entity, str) else entity.name


_STANDARD = Limits()
_HOPS_OF_A_PATH = 6


class Graph(Edges, ImportGraph, SymbolIndex, CoChanges, ImportAnalysis, CoChangeAnalysis, Analyses):
    """What is connected with what: `workspace.graph`."""

    def link(self, learning: Ref, place: str | AnchorRequest, *, dry_run: bool = False) -> Tied:
        """Return the anchor by which a learning is tied to code now; with `dry_run` by which it would be.

        A place is written `PATH[::SYMBOL][:L1-L2]`; prefer a symbol, which survives most changes around it.

        Raises:
            NotFound: The learning, file, symbol or lines do not exist.
            UsageError: The request contradicts itself, or leads out of the repository.
        """
        request = parse_anchor(place) if isinstance(place, str) else place
        with self._lasting.use() as workspace:
            return workspace.linking.link(ref_of(learning), request, dry_run=dry_run)

    def suggest_anchor(self, path: str, word: str) -> Suggestion:
        """Return the best anchor to what a word names in a file, and why; its `request` is for `link`.

        Raises:
            NotFound: There is no such file, or nothing like the word in it.
            UsageError: The word is empty, or the path cannot be anchored.
        """
        with self._lasting.use() as workspace:
            return workspace.linking.suggest(path, word)

    def unlink(self, learning: Ref, anchor: AnchorSpec) -> tuple[Anchor, ...]:
        """Return the anchors that were removed from a learning: the one named, or all those in the file named.

        Raises:
            NotFound: The learning has no such anchor; those it has are named.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.linking.unlink(ref_of(learning), spec_of(anchor) or "")[1])

    def relate(
        self, source: Ref, target: Ref, *, relation: Relation = Relation.REFERENCES, weight: float = 1.0
    ) -> LearningsRelated:
        """Return the link from one learning to another; the same relation again takes the new weight, in [0, 1].

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are the same, or the weight is out of range.
        """
        said = chosen(Relation, relation)
        with self._lasting.use() as workspace:
            return workspace.linking.relate(ref_of(source), ref_of(target), relation=said, weight=weight)

    def unrelate(self, source: Ref, target: Ref, *, relation: Relation | None = None) -> int:
        """Return how many links from one learning to another were removed, of one relation if it is named.

        Raises:
            NotFound: One of them does not exist, or there is no such link.
        """
        said = chosen(Relation, relation)
        with self._lasting.use() as workspace:
            return workspace.linking.unrelate(ref_of(source), ref_of(target), relation=said)

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
            return workspace.connections.between(ref_of(source), ref_of(target), limits=limits, types=types)

    def stats(self) -> GraphStats:
        """Return how many nodes and edges there are, and when the derived ones were made."""
        with self._lasting.use() as workspace:
            return workspace.graph.stats()
