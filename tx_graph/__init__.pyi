# Written by scripts/surface.
# ruff: noqa: I001

from tx_graph.anchors.anchors import Anchors as Anchors
from tx_graph.anchors.anchors import FileAnchor as FileAnchor
from tx_graph.anchors.anchors import Pruned as PrunedAnchor
from tx_graph.anchors.anchors import Told as ToldEvent
from tx_graph.anchors.anchors import ToldLink as ToldLink
from tx_graph.anchors.evidence import Change as Change
from tx_graph.anchors.linking import Related as LearningsRelated
from tx_graph.anchors.linking import Tied as Tied
from tx_graph.anchors.log import Acted as AnchorsChanged
from tx_graph.anchors.log import Step as AnchorStep
from tx_graph.anchors.taking import Suggestion as Suggestion
from tx_graph.anchors.verdict import AnchorEvent as AnchorEvent
from tx_graph.anchors.verdict import EventKind as AnchorEventKind
from tx_graph.anchors.verdict import Judgement as Judgement
from tx_graph.anchors.verdict import LinkEvent as LinkEvent
from tx_graph.anchors.verdict import LinkEventKind as LinkEventKind
from tx_graph.anchors.verdict import Standing as Standing
from tx_graph.anchors.verdict import Verdict as Verdict
from tx_graph.anchors.verify import Checked as CheckedAnchor
from tx_graph.anchors.verify import Report as VerificationReport
from tx_graph.code.cycles import Cycle as Cycle
from tx_graph.code.freshness import Freshness as Freshness
from tx_graph.code.import_graph import DeadEnd as DeadEnd
from tx_graph.code.import_graph import DeadEnds as DeadEnds
from tx_graph.code.import_graph import ImportCycles as ImportCycles
from tx_graph.code.import_graph import ImportStep as ImportStep
from tx_graph.code.import_graph import Imports as Imports
from tx_graph.code.imports import ImportEdge as ImportEdge
from tx_graph.code.imports import ImportType as ImportType
from tx_graph.code.indexing import IndexReport as IndexReport
from tx_graph.code.references import Call as SymbolCall
from tx_graph.code.references import Calls as SymbolCalls
from tx_graph.code.references import Reference as SymbolReference
from tx_graph.code.references import Unused as UnusedSymbols
from tx_graph.code.references import UnusedSymbol as UnusedSymbol
from tx_graph.code.references import UsersOf as SymbolReferences
from tx_graph.code.symbol_index import Declared as DeclaredSymbols
from tx_graph.code.symbol_index import Found as FoundSymbols
from tx_graph.code.symbols import Match as Match
from tx_graph.code.symbols import Symbol as Symbol
from tx_graph.context.companions import Companion as Companion
from tx_graph.context.everything import AnyAnswer as AnyAnswer
from tx_graph.context.everything import AnyHit as AnyHit
from tx_graph.context.everything import HitKind as HitKind
from tx_graph.context.focus.rules import Note as Note
from tx_graph.context.focus.rules import Related as FocusRelated
from tx_graph.context.focus.rules import Relationship as Relationship
from tx_graph.context.focus.rules import TokensBy as FocusTokensBy
from tx_graph.context.focus.values import FocusView as FocusView
from tx_graph.context.graph import Connection as Connection
from tx_graph.context.graph import GraphStats as GraphStats
from tx_graph.context.graph import Neighborhood as Neighborhood
from tx_graph.context.graph import Surroundings as Surroundings
from tx_graph.context.graph_view import Neighbor as Neighbor
from tx_graph.context.graph_view import Step as Step
from tx_graph.context.impact import Impact as Impact
from tx_graph.context.impact import Impacted as ImpactedFile
from tx_graph.context.impact import ToldOf as ToldOfChange
from tx_graph.context.page import ContextLearning as ContextLearning
from tx_graph.context.page import ContextPartner as ContextPartner
from tx_graph.context.page import ContextRequest as ContextRequest
from tx_graph.context.page import ContextSection as ContextSection
from tx_graph.context.page import Material as Material
from tx_graph.context.page import Page as Page
from tx_graph.context.page import Part as Part
from tx_graph.context.partners import ChangeCheck as ChangeCheck
from tx_graph.context.partners import Evidence as ChangeEvidence
from tx_graph.context.partners import FilePartners as FilePartners
from tx_graph.context.partners import MissingPartner as MissingPartner
from tx_graph.context.ranking_evidence import Method as Method
from tx_graph.context.ranking_evidence import RankedFile as RankedFile
from tx_graph.context.recall import Anchor as RecallAnchor
from tx_graph.context.recall import FactState as FactState
from tx_graph.context.recall import MatchedBy as MatchedBy
from tx_graph.context.recall import RecallAnswer as RecallAnswer
from tx_graph.context.recall import RecalledFact as RecalledFact
from tx_graph.context.replay import Comparison as Comparison
from tx_graph.context.replay import ReplayReport as ReplayReport
from tx_graph.context.replay import ReplayRequest as ReplayRequest
from tx_graph.context.replay import Row as ReplayRow
from tx_graph.context.replay import Tuning as Tuning
from tx_graph.context.review import Audience as Audience
from tx_graph.context.review import Known as KnownBeforeMerging
from tx_graph.context.review import Review as Review
from tx_graph.context.review import Untrue as Untrue
from tx_graph.context.search import Query as Query
from tx_graph.context.search import SearchAnswer as SearchAnswer
from tx_graph.context.search import SearchResult as SearchResult
from tx_graph.context.search import SearchStats as SearchStats
from tx_graph.context.who import Owner as Owner
from tx_graph.context.who import Responsible as Responsible
from tx_graph.core.arguments import HasRef as HasRef
from tx_graph.core.arguments import Ref as Ref
from tx_graph.core.errors import ModelError as ModelError
from tx_graph.core.errors import ModelUnusable as ModelUnusable
from tx_graph.core.errors import NotFound as NotFound
from tx_graph.core.errors import NotInitialised as NotInitialised
from tx_graph.core.errors import OutsideRepository as OutsideRepository
from tx_graph.core.errors import QuestionRefused as QuestionRefused
from tx_graph.core.errors import RepositoryError as RepositoryError
from tx_graph.core.errors import StorageError as StorageError
from tx_graph.core.errors import TxError as TxError
from tx_graph.core.errors import UsageError as UsageError
from tx_graph.core.moving import Exported as LocalHistoryExported
from tx_graph.core.moving import Imported as LocalHistoryImported
from tx_graph.core.ports import Clock as Clock
from tx_graph.core.ports import Corpus as Corpus
from tx_graph.core.ports import CorpusText as CorpusText
from tx_graph.core.ports import Embedder as Embedder
from tx_graph.core.ports import Hit as Hit
from tx_graph.core.ports import Model as LanguageModel
from tx_graph.core.ports import OpenRetriever as OpenRetriever
from tx_graph.core.ports import Progress as Progress
from tx_graph.core.ports import Retriever as Retriever
from tx_graph.core.settings import Value as SettingValue
from tx_graph.core.settings import Weights as Weights
from tx_graph.core.shape import Answer as Answer
from tx_graph.core.shape import Network as Network
from tx_graph.core.shape import Rows as Rows
from tx_graph.core.text import TokensBy as TokensBy
from tx_graph.documents.document import Unit as Unit
from tx_graph.documents.documents import Documents as Documents
from tx_graph.documents.documents import Ingested as DocumentsIngested
from tx_graph.documents.documents import ListedDocument as ListedDocument
from tx_graph.documents.documents import ShownDocument as ShownDocument
from tx_graph.documents.documents import ShownSection as ShownSection
from tx_graph.documents.following import Followed as Followed
from tx_graph.documents.ingesting import DocumentPruning as DocumentPruning
from tx_graph.documents.ingesting import IngestReport as DocumentReport
from tx_graph.documents.relations import Applied as Applied
from tx_graph.documents.relations import AskingOptions as AskingOptions
from tx_graph.documents.relations import CrossLinkOptions as CrossLinkOptions
from tx_graph.documents.relations import CrossLinked as CrossLinked
from tx_graph.documents.relations import ExtractOptions as ExtractOptions
from tx_graph.documents.relations import Extracted as Extracted
from tx_graph.documents.relations import Failure as Failure
from tx_graph.documents.relations import OnFailure as OnFailure
from tx_graph.documents.relations import Plan as ExtractionPlan
from tx_graph.documents.relations import Pruning as Pruning
from tx_graph.documents.relations import Question as Question
from tx_graph.documents.search import DocAnswer as DocAnswer
from tx_graph.documents.search import DocQuery as DocQuery
from tx_graph.documents.search import DocResult as DocResult
from tx_graph.documents.search import DocStats as DocStats
from tx_graph.documents.search import DocTie as DocTie
from tx_graph.documents.search import Excerpt as Excerpt
from tx_graph.documents.search import State as DocumentState
from tx_graph.faces.sdk.graph import Graph as Graph
from tx_graph.faces.sdk.graph import GraphEdge as GraphEdge
from tx_graph.faces.sdk.graph import NewEdge as NewEdge
from tx_graph.faces.sdk.graph import TraverseOptions as TraverseOptions
from tx_graph.faces.sdk.hub import OpenHub as OpenHub
from tx_graph.faces.sdk.hub import WorkspaceHub as WorkspaceHub
from tx_graph.faces.sdk.hub import open_hub as open_hub
from tx_graph.faces.sdk.more import Learnings as Learnings
from tx_graph.faces.sdk.more import Model as Model
from tx_graph.faces.sdk.more import Settings as Settings
from tx_graph.faces.sdk.workspace import Workspace as Workspace
from tx_graph.faces.sdk.workspace import init_workspace as init_workspace
from tx_graph.faces.sdk.workspace import open_workspace as open_workspace
from tx_graph.graph.edges import Direction as Direction
from tx_graph.graph.edges import EdgeType as EdgeType
from tx_graph.graph.edges import Relation as Relation
from tx_graph.graph.elsewhere import Elsewhere as Elsewhere
from tx_graph.graph.elsewhere import FromHub as FromHub
from tx_graph.graph.elsewhere import HubStep as HubStep
from tx_graph.graph.elsewhere import Origin as HubOrigin
from tx_graph.graph.expand import ExpansionStats as ExpansionStats
from tx_graph.graph.expand import Hops as Hops
from tx_graph.graph.expand import Limits as Limits
from tx_graph.graph.expand import Profile as Profile
from tx_graph.graph.references import Node as Node
from tx_graph.graph.references import NodeKind as NodeKind
from tx_graph.history.authors import Author as Author
from tx_graph.history.cochange import CoChange as CoChange
from tx_graph.history.cochange import CoChangeOptions as CoChangeOptions
from tx_graph.history.cochange import Partner as Partner
from tx_graph.history.cochanges import CoChangeReport as CoChangeReport
from tx_graph.history.evidence import CommitReport as CommitReport
from tx_graph.history.sampling import Measure as Measure
from tx_graph.history.sampling import Variant as Variant
from tx_graph.hub.dependents import Dependents as Dependents
from tx_graph.hub.making import Made as HubMade
from tx_graph.hub.publishing import Published as Published
from tx_graph.hub.repositories import Forgotten as HubForgotten
from tx_graph.hub.repositories import HubStatus as HubStatus
from tx_graph.hub.repositories import Repository as HubRepository
from tx_graph.hub.rights import Changed as RightsChanged
from tx_graph.hub.rights import Rights as HubRights
from tx_graph.hub.store import HubError as HubError
from tx_graph.knowledge.entities import Entities as Entities
from tx_graph.knowledge.entities import EntityShown as EntityShown
from tx_graph.knowledge.entity import EntityName as EntityName
from tx_graph.knowledge.entity import StoredEntity as StoredEntity
from tx_graph.knowledge.fact import Fact as Fact
from tx_graph.knowledge.fact import FactSource as FactSource
from tx_graph.knowledge.fact import FactStatus as FactStatus
from tx_graph.knowledge.fact import StoredFact as StoredFact
from tx_graph.knowledge.facts import Added as FactAdded
from tx_graph.knowledge.facts import Conflict as Conflict
from tx_graph.knowledge.facts import Facts as Facts
from tx_graph.knowledge.facts import Maintained as Maintained
from tx_graph.knowledge.facts import Scored as ScoredFact
from tx_graph.knowledge.spreading import RecallLimits as RecallLimits
from tx_graph.learnings.learnings import Added as LearningAdded
from tx_graph.learnings.learnings import Draft as Draft
from tx_graph.learnings.learnings import Shown as LearningShown
from tx_graph.learnings.merging import Merged as Merged
from tx_graph.learnings.merging import Superseded as Superseded
from tx_graph.learnings.similar import SimilarPair as SimilarPair
from tx_graph.learnings.similar import SimilarReport as SimilarReport
from tx_graph.learnings.transfer import Embedded as Embedded
from tx_graph.learnings.transfer import ImportReport as ImportReport
from tx_graph.proposals.gate import Checked as CheckedProposal
from tx_graph.proposals.gate import Demand as Demand
from tx_graph.proposals.gate import Evidence as GateEvidence
from tx_graph.proposals.gate import Promotion as Promotion
from tx_graph.proposals.values import Origin as Origin
from tx_graph.proposals.values import Proposal as Proposal
from tx_graph.proposals.values import ProposalRequest as ProposalRequest
from tx_graph.proposals.values import Proposals as Proposals
from tx_graph.proposals.values import Proposed as Proposed
from tx_graph.proposals.values import Recognised as Recognised
from tx_graph.records.anchor import Anchor as Anchor
from tx_graph.records.anchor import AnchorRequest as AnchorRequest
from tx_graph.records.anchor import AnchorSpec as AnchorSpec
from tx_graph.records.anchor import AnchorType as AnchorType
from tx_graph.records.anchor import Drift as Drift
from tx_graph.records.anchor import Fingerprints as Fingerprints
from tx_graph.records.anchor import HasSpec as HasSpec
from tx_graph.records.anchor import Invalidation as Invalidation
from tx_graph.records.anchor import Reason as Reason
from tx_graph.records.anchor_store import AnchorState as AnchorState
from tx_graph.records.learning import Learning as Learning
from tx_graph.records.learning import Link as Link
from tx_graph.records.learning import SourceType as SourceType
from tx_graph.records.learning import Status as Status
from tx_graph.records.learning import StoredLearning as StoredLearning
from tx_graph.records.learning import Usage as Usage
from tx_graph.records.learning_store import Label as LearningLabel
from tx_graph.vectors.embedding import CaughtUp as CaughtUp
from tx_graph.vectors.embedding import EmbeddingStatus as EmbeddingStatus
from tx_graph.vectors.installation import Installation as Installation
from tx_graph.vectors.installation import ModelState as ModelState
from tx_graph.vectors.installation import ModelStatus as ModelStatus
from tx_graph.version import __version__ as __version__
from tx_graph.view.single import WrittenPage as WrittenPage
from tx_graph.work.runs import Runs as Runs
from tx_graph.work.tasks import Tasks as Tasks
from tx_graph.work.telemetry_store import TranscriptTally as TranscriptTally
from tx_graph.work.transcripts import FileReport as TranscriptReading
from tx_graph.work.transcripts import IngestReport as TranscriptReport
from tx_graph.work.transcripts import Pruned as PrunedEvents
from tx_graph.work.transcripts import Reading as Reading
from tx_graph.work.transcripts import Telemetry as Telemetry
from tx_graph.work.transcripts import Transcripts as Transcripts
from tx_graph.work.values import Ended as Ended
from tx_graph.work.values import Event as Event
from tx_graph.work.values import EventKind as EventKind
from tx_graph.work.values import Feedback as Feedback
from tx_graph.work.values import Outcome as Outcome
from tx_graph.work.values import Run as Run
from tx_graph.work.values import RunShown as RunShown
from tx_graph.work.values import RunWithTranscript as RunWithTranscript
from tx_graph.work.values import StoredEvent as StoredEvent
from tx_graph.work.values import Task as Task
from tx_graph.work.values import TaskShown as TaskShown
from tx_graph.work.values import TaskStatus as TaskStatus
from tx_graph.work.values import TranscriptFormat as TranscriptFormat
from tx_graph.work.values import Use as Use
from tx_graph.work.values import UseInRun as UseInRun
from tx_graph.work.values import UsedLearning as UsedLearning
from tx_graph.work.values import Vote as Vote
from tx_graph.workspace.doctor import CheckUp as CheckUp
from tx_graph.workspace.doctor import Finding as Finding
from tx_graph.workspace.doctor import Level as Level
from tx_graph.workspace.doctor import check_up as check_up
from tx_graph.workspace.health import Age as Age
from tx_graph.workspace.health import Status as WorkspaceStatus
from tx_graph.workspace.maintaining import Maintenance as Maintenance
from tx_graph.workspace.renewal import Renewed as Renewed

__all__ = [
    "Age",
    "Anchor",
    "AnchorEvent",
    "AnchorEventKind",
    "AnchorRequest",
    "AnchorSpec",
    "AnchorState",
    "AnchorStep",
    "AnchorType",
    "Anchors",
    "AnchorsChanged",
    "Answer",
    "AnyAnswer",
    "AnyHit",
    "Applied",
    "AskingOptions",
    "Audience",
    "Author",
    "CaughtUp",
    "Change",
    "ChangeCheck",
    "ChangeEvidence",
    "CheckUp",
    "CheckedAnchor",
    "CheckedProposal",
    "Clock",
    "CoChange",
    "CoChangeOptions",
    "CoChangeReport",
    "CommitReport",
    "Companion",
    "Comparison",
    "Conflict",
    "Connection",
    "ContextLearning",
    "ContextPartner",
    "ContextRequest",
    "ContextSection",
    "Corpus",
    "CorpusText",
    "CrossLinkOptions",
    "CrossLinked",
    "Cycle",
    "DeadEnd",
    "DeadEnds",
    "DeclaredSymbols",
    "Demand",
    "Dependents",
    "Direction",
    "DocAnswer",
    "DocQuery",
    "DocResult",
    "DocStats",
    "DocTie",
    "DocumentPruning",
    "DocumentReport",
    "DocumentState",
    "Documents",
    "DocumentsIngested",
    "Draft",
    "Drift",
    "EdgeType",
    "Elsewhere",
    "Embedded",
    "Embedder",
    "EmbeddingStatus",
    "Ended",
    "Entities",
    "EntityName",
    "EntityShown",
    "Event",
    "EventKind",
    "Excerpt",
    "ExpansionStats",
    "ExtractOptions",
    "Extracted",
    "ExtractionPlan",
    "Fact",
    "FactAdded",
    "FactSource",
    "FactState",
    "FactStatus",
    "Facts",
    "Failure",
    "Feedback",
    "FileAnchor",
    "FilePartners",
    "Finding",
    "Fingerprints",
    "FocusRelated",
    "FocusTokensBy",
    "FocusView",
    "Followed",
    "FoundSymbols",
    "Freshness",
    "FromHub",
    "GateEvidence",
    "Graph",
    "GraphEdge",
    "GraphStats",
    "HasRef",
    "HasSpec",
    "Hit",
    "HitKind",
    "Hops",
    "HubError",
    "HubForgotten",
    "HubMade",
    "HubOrigin",
    "HubRepository",
    "HubRights",
    "HubStatus",
    "HubStep",
    "Impact",
    "ImpactedFile",
    "ImportCycles",
    "ImportEdge",
    "ImportReport",
    "ImportStep",
    "ImportType",
    "Imports",
    "IndexReport",
    "Installation",
    "Invalidation",
    "Judgement",
    "KnownBeforeMerging",
    "LanguageModel",
    "Learning",
    "LearningAdded",
    "LearningLabel",
    "LearningShown",
    "Learnings",
    "LearningsRelated",
    "Level",
    "Limits",
    "Link",
    "LinkEvent",
    "LinkEventKind",
    "ListedDocument",
    "LocalHistoryExported",
    "LocalHistoryImported",
    "Maintained",
    "Maintenance",
    "Match",
    "MatchedBy",
    "Material",
    "Measure",
    "Merged",
    "Method",
    "MissingPartner",
    "Model",
    "ModelError",
    "ModelState",
    "ModelStatus",
    "ModelUnusable",
    "Neighbor",
    "Neighborhood",
    "Network",
    "NewEdge",
    "Node",
    "NodeKind",
    "NotFound",
    "NotInitialised",
    "Note",
    "OnFailure",
    "OpenHub",
    "OpenRetriever",
    "Origin",
    "Outcome",
    "OutsideRepository",
    "Owner",
    "Page",
    "Part",
    "Partner",
    "Profile",
    "Progress",
    "Promotion",
    "Proposal",
    "ProposalRequest",
    "Proposals",
    "Proposed",
    "PrunedAnchor",
    "PrunedEvents",
    "Pruning",
    "Published",
    "Query",
    "Question",
    "QuestionRefused",
    "RankedFile",
    "Reading",
    "Reason",
    "RecallAnchor",
    "RecallAnswer",
    "RecallLimits",
    "RecalledFact",
    "Recognised",
    "Ref",
    "Relation",
    "Relationship",
    "Renewed",
    "ReplayReport",
    "ReplayRequest",
    "ReplayRow",
    "RepositoryError",
    "Responsible",
    "Retriever",
    "Review",
    "RightsChanged",
    "Rows",
    "Run",
    "RunShown",
    "RunWithTranscript",
    "Runs",
    "ScoredFact",
    "SearchAnswer",
    "SearchResult",
    "SearchStats",
    "SettingValue",
    "Settings",
    "ShownDocument",
    "ShownSection",
    "SimilarPair",
    "SimilarReport",
    "SourceType",
    "Standing",
    "Status",
    "Step",
    "StorageError",
    "StoredEntity",
    "StoredEvent",
    "StoredFact",
    "StoredLearning",
    "Suggestion",
    "Superseded",
    "Surroundings",
    "Symbol",
    "SymbolCall",
    "SymbolCalls",
    "SymbolReference",
    "SymbolReferences",
    "Task",
    "TaskShown",
    "TaskStatus",
    "Tasks",
    "Telemetry",
    "Tied",
    "TokensBy",
    "ToldEvent",
    "ToldLink",
    "ToldOfChange",
    "TranscriptFormat",
    "TranscriptReading",
    "TranscriptReport",
    "TranscriptTally",
    "Transcripts",
    "TraverseOptions",
    "Tuning",
    "TxError",
    "Unit",
    "Untrue",
    "UnusedSymbol",
    "UnusedSymbols",
    "Usage",
    "UsageError",
    "Use",
    "UseInRun",
    "UsedLearning",
    "Variant",
    "Verdict",
    "VerificationReport",
    "Vote",
    "Weights",
    "Workspace",
    "WorkspaceHub",
    "WorkspaceStatus",
    "WrittenPage",
    "__version__",
    "check_up",
    "init_workspace",
    "open_hub",
    "open_workspace",
]
