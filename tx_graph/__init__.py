"""tx: the memory of a codebase, tied to its code. `open_workspace` opens it, and `__all__` lists what there is."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tx_graph.faces.sdk  # noqa: F401 (where this door leads, for whoever checks what imports what)

_HOMES = {
    "anchors.evidence": "Change",
    "anchors.anchors": "Anchors FileAnchor Pruned=PrunedAnchor Told=ToldEvent ToldLink",
    "anchors.log": "Acted=AnchorsChanged Step=AnchorStep",
    "anchors.linking": "Related=LearningsRelated Tied",
    "anchors.taking": "Suggestion",
    "anchors.verdict": "AnchorEvent EventKind=AnchorEventKind Judgement LinkEvent LinkEventKind Standing Verdict",
    "anchors.verify": "Checked=CheckedAnchor Report=VerificationReport",
    "code.cycles": "Cycle",
    "code.freshness": "Freshness",
    "code.import_graph": "DeadEnd DeadEnds ImportCycles ImportStep Imports",
    "code.imports": "ImportEdge ImportType",
    "code.indexing": "IndexReport",
    "code.references": (
        "Call=SymbolCall Calls=SymbolCalls Reference=SymbolReference Unused=UnusedSymbols UnusedSymbol "
        "UsersOf=SymbolReferences"
    ),
    "code.symbol_index": "Declared=DeclaredSymbols Found=FoundSymbols",
    "code.symbols": "Match Symbol",
    "context.everything": "AnyAnswer AnyHit HitKind",
    "context.focus.rules": "Note Related=FocusRelated Relationship TokensBy=FocusTokensBy",
    "context.focus.values": "FocusView",
    "context.graph": "Connection GraphStats Neighborhood Surroundings",
    "context.graph_view": "Neighbor Step",
    "context.search": "Query SearchAnswer SearchResult SearchStats",
    "context.impact": "Impact Impacted=ImpactedFile ToldOf=ToldOfChange",
    "context.page": "ContextLearning ContextPartner ContextRequest ContextSection Material Page Part",
    "context.partners": "ChangeCheck Evidence=ChangeEvidence FilePartners MissingPartner",
    "context.ranking_evidence": "Method RankedFile",
    "context.recall": "Anchor=RecallAnchor FactState MatchedBy RecallAnswer RecalledFact",
    "context.companions": "Companion",
    "context.review": "Audience Known=KnownBeforeMerging Review Untrue",
    "context.who": "Owner Responsible",
    "history.authors": "Author",
    "context.replay": "Comparison ReplayReport ReplayRequest Row=ReplayRow Tuning",
    "core.arguments": "HasRef Ref",
    "core.errors": (
        "ModelError ModelUnusable NotFound NotInitialised OutsideRepository QuestionRefused RepositoryError "
        "StorageError TxError UsageError"
    ),
    "core.moving": "Exported=LocalHistoryExported Imported=LocalHistoryImported",
    "core.ports": "Clock Corpus CorpusText Embedder Hit Model=LanguageModel OpenRetriever Progress Retriever",
    "core.shape": "Answer Network Rows",
    "core.settings": "Value=SettingValue Weights",
    "core.text": "TokensBy",
    "documents.document": "Unit",
    "documents.documents": ("Documents Ingested=DocumentsIngested ListedDocument ShownDocument ShownSection"),
    "documents.following": "Followed",
    "documents.ingesting": "DocumentPruning IngestReport=DocumentReport",
    "documents.relations": (
        "Applied AskingOptions CrossLinkOptions CrossLinked ExtractOptions Extracted Failure OnFailure "
        "Plan=ExtractionPlan Pruning Question"
    ),
    "documents.search": "DocAnswer DocQuery DocResult DocStats DocTie Excerpt State=DocumentState",
    "faces.sdk.graph": "Graph GraphEdge NewEdge TraverseOptions",
    "faces.sdk.hub": "OpenHub WorkspaceHub open_hub",
    "faces.sdk.more": "Learnings Model Settings",
    "faces.sdk.workspace": "Workspace init_workspace open_workspace",
    "graph.edges": "Direction EdgeType Relation",
    "graph.elsewhere": "Elsewhere FromHub HubStep Origin=HubOrigin",
    "graph.expand": "ExpansionStats Hops Limits Profile",
    "graph.references": "Node NodeKind",
    "history.cochange": "CoChange CoChangeOptions Partner",
    "hub.dependents": "Dependents",
    "hub.making": "Made=HubMade",
    "hub.publishing": "Published",
    "hub.repositories": "Forgotten=HubForgotten HubStatus Repository=HubRepository",
    "hub.rights": "Changed=RightsChanged Rights=HubRights",
    "hub.store": "HubError",
    "history.cochanges": "CoChangeReport",
    "history.evidence": "CommitReport",
    "history.sampling": "Measure Variant",
    "knowledge.entities": "Entities EntityShown",
    "knowledge.entity": "EntityName StoredEntity",
    "knowledge.fact": "Fact FactSource FactStatus StoredFact",
    "knowledge.facts": "Added=FactAdded Conflict Facts Maintained Scored=ScoredFact",
    "knowledge.spreading": "RecallLimits",
    "learnings.learnings": "Added=LearningAdded Draft Shown=LearningShown",
    "learnings.merging": "Merged Superseded",
    "learnings.similar": "SimilarPair SimilarReport",
    "learnings.transfer": "Embedded ImportReport",
    "proposals.gate": "Checked=CheckedProposal Demand Evidence=GateEvidence Promotion",
    "proposals.values": "Origin Proposal ProposalRequest Proposals Proposed Recognised",
    "records.anchor": "Anchor AnchorRequest AnchorSpec AnchorType Drift Fingerprints HasSpec Invalidation Reason",
    "records.anchor_store": "AnchorState",
    "records.learning": "Learning Link SourceType Status StoredLearning Usage",
    "records.learning_store": "Label=LearningLabel",
    "vectors.embedding": "CaughtUp EmbeddingStatus",
    "vectors.installation": "Installation ModelState ModelStatus",
    "work.runs": "Runs",
    "work.tasks": "Tasks",
    "work.telemetry_store": "TranscriptTally",
    "work.transcripts": (
        "FileReport=TranscriptReading IngestReport=TranscriptReport Pruned=PrunedEvents Reading Telemetry Transcripts"
    ),
    "work.values": (
        "Ended Event EventKind Feedback Outcome Run RunShown RunWithTranscript StoredEvent Task TaskShown TaskStatus "
        "TranscriptFormat Use UseInRun UsedLearning Vote"
    ),
    "version": "__version__",
    "view.single": "WrittenPage",
    "workspace.doctor": "CheckUp Finding Level check_up",
    "workspace.health": "Age Status=WorkspaceStatus",
    "workspace.maintaining": "Maintenance",
    "workspace.renewal": "Renewed",
}
"""Where the public names stand, below this package; `Added=FactAdded` goes by another name here than there.

Nothing is imported before somebody asks for it. Type checkers read `__init__.pyi`, which `scripts/surface` writes.
"""
_PLACES = {
    alias or name: (f"{__name__}.{home}", name)
    for home, names in _HOMES.items()
    for name, _, alias in (one.partition("=") for one in names.split())
}
__all__ = [*_PLACES]  # noqa: PLE0604 (all are texts)


def __getattr__(name: str) -> object:
    """Return what goes by a public name."""
    if name not in _PLACES:  # such as a room of this house while it is imported
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, own = _PLACES[name]
    return getattr(import_module(home), own)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
