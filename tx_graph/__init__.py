"""tx: the memory of a codebase, tied to its code. `open_workspace` opens it, and `__all__` lists what there is."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from tx_graph.version import __version__ as __version__

if TYPE_CHECKING:
    import tx_graph.sdk  # noqa: F401 (where this door leads, for whoever checks what imports what)

_HOMES = {
    "analysis.cochange": "CoChangeOptions",
    "analysis.cycles": "Cycle",
    "analysis.relations.edges": "Pruning",
    "analysis.replay.measures": "Measure",
    "analysis.replay.sampling": "Variant",
    "analysis.symbol_names": "Match",
    "core.arguments": "HasRef Ref",
    "domain.anchor": "Anchor AnchorRequest AnchorType Fingerprints Invalidation",
    "domain.anchor_event": "AnchorEvent EventKind=AnchorEventKind",
    "domain.cochange": "CoChange Partner",
    "domain.edges": "Direction EdgeType Relation",
    "domain.entity": "StoredEntity",
    "domain.fact": "Fact FactSource FactStatus StoredFact",
    "domain.imports": "ImportEdge ImportType",
    "domain.learning": "Learning Link SourceType Status StoredLearning Usage",
    "domain.proposal": "Proposal",
    "domain.references": "NodeKind",
    "domain.section": "Unit",
    "domain.symbols": "Symbol",
    "domain.telemetry": "Event EventKind StoredEvent TranscriptFormat",
    "domain.tokens": "TokensBy",
    "domain.verdict": "Drift Judgement Reason Standing Verdict",
    "embeddings.model_store": "Installation ModelState ModelStatus",
    "errors": (
        "ModelError ModelUnusable NotFound NotInitialised OutsideRepository QuestionRefused "
        "RepositoryError StorageError TxError UsageError"
    ),
    "ports": "Clock Embedder Progress",
    "records.config": "Value=SettingValue",
    "retrieval.expansion": "ExpansionStats Hops Limits Profile",
    "retrieval.focus": "Note Related=FocusRelated Relationship TokensBy=FocusTokensBy",
    "retrieval.recall": "RecallLimits",
    "retrieval.weights": "Weights",
    "sdk.anchors": "Anchors",
    "sdk.documents": "Documents",
    "sdk.facts": "Entities EntityName Facts",
    "sdk.graph": "Graph",
    "sdk.learnings": "Learnings",
    "sdk.opening": "init_workspace open_workspace",
    "sdk.references": "AnchorSpec HasSpec",
    "sdk.settings": "Model Settings",
    "sdk.telemetry": "Telemetry Transcripts",
    "sdk.values": "Embedded GraphEdge NewEdge Question TraverseOptions",
    "sdk.workspace": "Workspace",
    "services.anchor_life.history": "Told=ToldEvent",
    "services.anchor_life.pruning": "Pruned=PrunedAnchor",
    "services.anchor_life.values": "Acted=AnchorsChanged Step=AnchorStep",
    "services.anchoring.evidence": "Change",
    "services.cochanges": "CoChangeReport",
    "services.connections": "Connection",
    "services.context": "ContextLearning ContextPartner ContextRequest ContextSection Material Page Part",
    "services.doc_search": "DocAnswer DocQuery",
    "services.doc_search.values": "DocResult DocStats DocTie Excerpt State=DocumentState",
    "services.documents": "DocumentPruning IngestReport=DocumentReport",
    "services.documents.library": "ListedDocument ShownDocument ShownSection",
    "services.embedding": "CaughtUp EmbeddingStatus",
    "services.evidence": "CommitReport",
    "services.extracting": (
        "Applied AskingOptions CrossLinked CrossLinkOptions Extracted ExtractOptions Failure Plan=ExtractionPlan"
    ),
    "services.extracting.values": "OnFailure",
    "services.facts": "Added=FactAdded Conflict EntityShown Maintained",
    "services.facts.values": "Scored=ScoredFact",
    "services.file_ranking": "Method RankedFile",
    "services.focus": "FocusView",
    "services.graph": "GraphStats Neighborhood Surroundings",
    "services.health": "Age CheckUp Finding Level Status=WorkspaceStatus",
    "services.import_graph": "DeadEnd DeadEnds ImportCycles Imports ImportStep",
    "services.importing": "ImportReport",
    "services.index_freshness": "Freshness",
    "services.indexing": "IndexReport",
    "services.learnings": "Added=LearningAdded Draft Shown=LearningShown",
    "services.linking": "Related=LearningsRelated Tied",
    "services.merging": "Merged Superseded",
    "services.partners": "ChangeCheck Evidence=ChangeEvidence FilePartners MissingPartner",
    "services.paths": "Neighbor Step",
    "services.proposing": "Origin ProposalRequest Proposals Proposed Recognised",
    "services.proposing.gate": "Checked=CheckedProposal Demand Evidence=GateEvidence",
    "services.proposing.reviewing": "Promotion",
    "services.recall": "Anchor=RecallAnchor FactState MatchedBy RecallAnswer RecalledFact",
    "services.references": "Node",
    "services.renewal": "Ingested=DocumentsIngested Renewed",
    "services.replay": "Comparison ReplayReport ReplayRequest Row=ReplayRow Tuning",
    "services.search": "Query SearchAnswer SearchResult SearchStats",
    "services.similar": "SimilarPair SimilarReport",
    "services.suggesting": "Suggestion",
    "services.symbol_index": "Declared=DeclaredSymbols Found=FoundSymbols",
    "services.telemetry": "FileReport=TranscriptReading IngestReport=TranscriptReport Pruned=PrunedEvents Reading",
    "services.verification": "Checked=CheckedAnchor FileAnchor Report=VerificationReport",
    "storage.anchors": "AnchorState",
    "storage.learnings": "Label=LearningLabel",
    "storage.telemetry": "TranscriptTally",
    "work.runs": "Runs",
    "work.tasks": "Tasks",
    "work.values": (
        "Ended Feedback Outcome Run RunShown RunWithTranscript Task TaskShown TaskStatus Use UsedLearning UseInRun Vote"
    ),
    "workspace": "check_up",
}
"""Where the public names stand, below this package; `Added=FactAdded` goes by another name here than there.

Nothing is imported before somebody asks for it. Type checkers read `__init__.pyi`, which `scripts/surface` writes.
"""
_PLACES = {
    alias or name: (f"{__name__}.{home}", name)
    for home, names in _HOMES.items()
    for name, _, alias in (one.partition("=") for one in names.split())
}
__all__ = ["__version__", *_PLACES]  # noqa: PLE0604 (all are texts)


def __getattr__(name: str) -> object:
    """Return what goes by a public name."""
    if name not in _PLACES:  # such as a room of this house while it is imported
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home, own = _PLACES[name]
    return getattr(import_module(home), own)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
