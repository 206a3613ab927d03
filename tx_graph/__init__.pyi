# Written by scripts/surface.
# ruff: noqa: I001

from tx_graph.analysis.cochange import CoChangeOptions as CoChangeOptions
from tx_graph.analysis.cycles import Cycle as Cycle
from tx_graph.analysis.relations.edges import Pruning as Pruning
from tx_graph.analysis.replay.measures import Measure as Measure
from tx_graph.analysis.replay.sampling import Variant as Variant
from tx_graph.analysis.symbol_names import Match as Match
from tx_graph.core.arguments import HasRef as HasRef
from tx_graph.core.arguments import Ref as Ref
from tx_graph.domain.anchor import Anchor as Anchor
from tx_graph.domain.anchor import AnchorRequest as AnchorRequest
from tx_graph.domain.anchor import AnchorType as AnchorType
from tx_graph.domain.anchor import Fingerprints as Fingerprints
from tx_graph.domain.anchor import Invalidation as Invalidation
from tx_graph.domain.anchor_event import AnchorEvent as AnchorEvent
from tx_graph.domain.anchor_event import EventKind as AnchorEventKind
from tx_graph.domain.cochange import CoChange as CoChange
from tx_graph.domain.cochange import Partner as Partner
from tx_graph.domain.edges import Direction as Direction
from tx_graph.domain.edges import EdgeType as EdgeType
from tx_graph.domain.edges import Relation as Relation
from tx_graph.domain.entity import StoredEntity as StoredEntity
from tx_graph.domain.fact import Fact as Fact
from tx_graph.domain.fact import FactSource as FactSource
from tx_graph.domain.fact import FactStatus as FactStatus
from tx_graph.domain.fact import StoredFact as StoredFact
from tx_graph.domain.imports import ImportEdge as ImportEdge
from tx_graph.domain.imports import ImportType as ImportType
from tx_graph.domain.learning import Learning as Learning
from tx_graph.domain.learning import Link as Link
from tx_graph.domain.learning import SourceType as SourceType
from tx_graph.domain.learning import Status as Status
from tx_graph.domain.learning import StoredLearning as StoredLearning
from tx_graph.domain.learning import Usage as Usage
from tx_graph.domain.proposal import Proposal as Proposal
from tx_graph.domain.references import NodeKind as NodeKind
from tx_graph.domain.section import Unit as Unit
from tx_graph.domain.symbols import Symbol as Symbol
from tx_graph.domain.telemetry import Event as Event
from tx_graph.domain.telemetry import EventKind as EventKind
from tx_graph.domain.telemetry import StoredEvent as StoredEvent
from tx_graph.domain.telemetry import TranscriptFormat as TranscriptFormat
from tx_graph.domain.tokens import TokensBy as TokensBy
from tx_graph.domain.verdict import Drift as Drift
from tx_graph.domain.verdict import Judgement as Judgement
from tx_graph.domain.verdict import Reason as Reason
from tx_graph.domain.verdict import Standing as Standing
from tx_graph.domain.verdict import Verdict as Verdict
from tx_graph.embeddings.model_store import Installation as Installation
from tx_graph.embeddings.model_store import ModelState as ModelState
from tx_graph.embeddings.model_store import ModelStatus as ModelStatus
from tx_graph.errors import ModelError as ModelError
from tx_graph.errors import ModelUnusable as ModelUnusable
from tx_graph.errors import NotFound as NotFound
from tx_graph.errors import NotInitialised as NotInitialised
from tx_graph.errors import OutsideRepository as OutsideRepository
from tx_graph.errors import QuestionRefused as QuestionRefused
from tx_graph.errors import RepositoryError as RepositoryError
from tx_graph.errors import StorageError as StorageError
from tx_graph.errors import TxError as TxError
from tx_graph.errors import UsageError as UsageError
from tx_graph.ports import Clock as Clock
from tx_graph.ports import Embedder as Embedder
from tx_graph.ports import Progress as Progress
from tx_graph.records.config import Value as SettingValue
from tx_graph.retrieval.expansion import ExpansionStats as ExpansionStats
from tx_graph.retrieval.expansion import Hops as Hops
from tx_graph.retrieval.expansion import Limits as Limits
from tx_graph.retrieval.expansion import Profile as Profile
from tx_graph.retrieval.focus import Note as Note
from tx_graph.retrieval.focus import Related as FocusRelated
from tx_graph.retrieval.focus import Relationship as Relationship
from tx_graph.retrieval.focus import TokensBy as FocusTokensBy
from tx_graph.retrieval.recall import RecallLimits as RecallLimits
from tx_graph.retrieval.weights import Weights as Weights
from tx_graph.sdk.anchors import Anchors as Anchors
from tx_graph.sdk.documents import Documents as Documents
from tx_graph.sdk.facts import Entities as Entities
from tx_graph.sdk.facts import EntityName as EntityName
from tx_graph.sdk.facts import Facts as Facts
from tx_graph.sdk.graph import Graph as Graph
from tx_graph.sdk.learnings import Learnings as Learnings
from tx_graph.sdk.opening import init_workspace as init_workspace
from tx_graph.sdk.opening import open_workspace as open_workspace
from tx_graph.sdk.references import AnchorSpec as AnchorSpec
from tx_graph.sdk.references import HasSpec as HasSpec
from tx_graph.sdk.settings import Model as Model
from tx_graph.sdk.settings import Settings as Settings
from tx_graph.sdk.telemetry import Telemetry as Telemetry
from tx_graph.sdk.telemetry import Transcripts as Transcripts
from tx_graph.sdk.values import Embedded as Embedded
from tx_graph.sdk.values import GraphEdge as GraphEdge
from tx_graph.sdk.values import NewEdge as NewEdge
from tx_graph.sdk.values import Question as Question
from tx_graph.sdk.values import TraverseOptions as TraverseOptions
from tx_graph.sdk.workspace import Workspace as Workspace
from tx_graph.services.anchor_life.history import Told as ToldEvent
from tx_graph.services.anchor_life.pruning import Pruned as PrunedAnchor
from tx_graph.services.anchor_life.values import Acted as AnchorsChanged
from tx_graph.services.anchor_life.values import Step as AnchorStep
from tx_graph.services.anchoring.evidence import Change as Change
from tx_graph.services.cochanges import CoChangeReport as CoChangeReport
from tx_graph.services.connections import Connection as Connection
from tx_graph.services.context import ContextLearning as ContextLearning
from tx_graph.services.context import ContextPartner as ContextPartner
from tx_graph.services.context import ContextRequest as ContextRequest
from tx_graph.services.context import ContextSection as ContextSection
from tx_graph.services.context import Material as Material
from tx_graph.services.context import Page as Page
from tx_graph.services.context import Part as Part
from tx_graph.services.doc_search import DocAnswer as DocAnswer
from tx_graph.services.doc_search import DocQuery as DocQuery
from tx_graph.services.doc_search.values import DocResult as DocResult
from tx_graph.services.doc_search.values import DocStats as DocStats
from tx_graph.services.doc_search.values import DocTie as DocTie
from tx_graph.services.doc_search.values import Excerpt as Excerpt
from tx_graph.services.doc_search.values import State as DocumentState
from tx_graph.services.documents import DocumentPruning as DocumentPruning
from tx_graph.services.documents import IngestReport as DocumentReport
from tx_graph.services.documents.library import ListedDocument as ListedDocument
from tx_graph.services.documents.library import ShownDocument as ShownDocument
from tx_graph.services.documents.library import ShownSection as ShownSection
from tx_graph.services.embedding import CaughtUp as CaughtUp
from tx_graph.services.embedding import EmbeddingStatus as EmbeddingStatus
from tx_graph.services.evidence import CommitReport as CommitReport
from tx_graph.services.extracting import Applied as Applied
from tx_graph.services.extracting import AskingOptions as AskingOptions
from tx_graph.services.extracting import CrossLinkOptions as CrossLinkOptions
from tx_graph.services.extracting import CrossLinked as CrossLinked
from tx_graph.services.extracting import ExtractOptions as ExtractOptions
from tx_graph.services.extracting import Extracted as Extracted
from tx_graph.services.extracting import Failure as Failure
from tx_graph.services.extracting import Plan as ExtractionPlan
from tx_graph.services.extracting.values import OnFailure as OnFailure
from tx_graph.services.facts import Added as FactAdded
from tx_graph.services.facts import Conflict as Conflict
from tx_graph.services.facts import EntityShown as EntityShown
from tx_graph.services.facts import Maintained as Maintained
from tx_graph.services.facts.values import Scored as ScoredFact
from tx_graph.services.file_ranking import Method as Method
from tx_graph.services.file_ranking import RankedFile as RankedFile
from tx_graph.services.focus import FocusView as FocusView
from tx_graph.services.graph import GraphStats as GraphStats
from tx_graph.services.graph import Neighborhood as Neighborhood
from tx_graph.services.graph import Surroundings as Surroundings
from tx_graph.services.health import Age as Age
from tx_graph.services.health import CheckUp as CheckUp
from tx_graph.services.health import Finding as Finding
from tx_graph.services.health import Level as Level
from tx_graph.services.health import Status as WorkspaceStatus
from tx_graph.services.import_graph import DeadEnd as DeadEnd
from tx_graph.services.import_graph import DeadEnds as DeadEnds
from tx_graph.services.import_graph import ImportCycles as ImportCycles
from tx_graph.services.import_graph import ImportStep as ImportStep
from tx_graph.services.import_graph import Imports as Imports
from tx_graph.services.importing import ImportReport as ImportReport
from tx_graph.services.index_freshness import Freshness as Freshness
from tx_graph.services.indexing import IndexReport as IndexReport
from tx_graph.services.learnings import Added as LearningAdded
from tx_graph.services.learnings import Draft as Draft
from tx_graph.services.learnings import Shown as LearningShown
from tx_graph.services.linking import Related as LearningsRelated
from tx_graph.services.linking import Tied as Tied
from tx_graph.services.merging import Merged as Merged
from tx_graph.services.merging import Superseded as Superseded
from tx_graph.services.partners import ChangeCheck as ChangeCheck
from tx_graph.services.partners import Evidence as ChangeEvidence
from tx_graph.services.partners import FilePartners as FilePartners
from tx_graph.services.partners import MissingPartner as MissingPartner
from tx_graph.services.paths import Neighbor as Neighbor
from tx_graph.services.paths import Step as Step
from tx_graph.services.proposing import Origin as Origin
from tx_graph.services.proposing import ProposalRequest as ProposalRequest
from tx_graph.services.proposing import Proposals as Proposals
from tx_graph.services.proposing import Proposed as Proposed
from tx_graph.services.proposing import Recognised as Recognised
from tx_graph.services.proposing.gate import Checked as CheckedProposal
from tx_graph.services.proposing.gate import Demand as Demand
from tx_graph.services.proposing.gate import Evidence as GateEvidence
from tx_graph.services.proposing.reviewing import Promotion as Promotion
from tx_graph.services.recall import Anchor as RecallAnchor
from tx_graph.services.recall import FactState as FactState
from tx_graph.services.recall import MatchedBy as MatchedBy
from tx_graph.services.recall import RecallAnswer as RecallAnswer
from tx_graph.services.recall import RecalledFact as RecalledFact
from tx_graph.services.references import Node as Node
from tx_graph.services.renewal import Ingested as DocumentsIngested
from tx_graph.services.renewal import Renewed as Renewed
from tx_graph.services.replay import Comparison as Comparison
from tx_graph.services.replay import ReplayReport as ReplayReport
from tx_graph.services.replay import ReplayRequest as ReplayRequest
from tx_graph.services.replay import Row as ReplayRow
from tx_graph.services.replay import Tuning as Tuning
from tx_graph.services.search import Query as Query
from tx_graph.services.search import SearchAnswer as SearchAnswer
from tx_graph.services.search import SearchResult as SearchResult
from tx_graph.services.search import SearchStats as SearchStats
from tx_graph.services.similar import SimilarPair as SimilarPair
from tx_graph.services.similar import SimilarReport as SimilarReport
from tx_graph.services.suggesting import Suggestion as Suggestion
from tx_graph.services.symbol_index import Declared as DeclaredSymbols
from tx_graph.services.symbol_index import Found as FoundSymbols
from tx_graph.services.telemetry import FileReport as TranscriptReading
from tx_graph.services.telemetry import IngestReport as TranscriptReport
from tx_graph.services.telemetry import Pruned as PrunedEvents
from tx_graph.services.telemetry import Reading as Reading
from tx_graph.services.verification import Checked as CheckedAnchor
from tx_graph.services.verification import FileAnchor as FileAnchor
from tx_graph.services.verification import Report as VerificationReport
from tx_graph.storage.anchors import AnchorState as AnchorState
from tx_graph.storage.learnings import Label as LearningLabel
from tx_graph.storage.telemetry import TranscriptTally as TranscriptTally
from tx_graph.version import __version__ as __version__
from tx_graph.work.runs import Runs as Runs
from tx_graph.work.tasks import Tasks as Tasks
from tx_graph.work.values import Ended as Ended
from tx_graph.work.values import Feedback as Feedback
from tx_graph.work.values import Outcome as Outcome
from tx_graph.work.values import Run as Run
from tx_graph.work.values import RunShown as RunShown
from tx_graph.work.values import RunWithTranscript as RunWithTranscript
from tx_graph.work.values import Task as Task
from tx_graph.work.values import TaskShown as TaskShown
from tx_graph.work.values import TaskStatus as TaskStatus
from tx_graph.work.values import Use as Use
from tx_graph.work.values import UseInRun as UseInRun
from tx_graph.work.values import UsedLearning as UsedLearning
from tx_graph.work.values import Vote as Vote
from tx_graph.workspace import check_up as check_up

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
    "Applied",
    "AskingOptions",
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
    "Comparison",
    "Conflict",
    "Connection",
    "ContextLearning",
    "ContextPartner",
    "ContextRequest",
    "ContextSection",
    "CrossLinkOptions",
    "CrossLinked",
    "Cycle",
    "DeadEnd",
    "DeadEnds",
    "DeclaredSymbols",
    "Demand",
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
    "FoundSymbols",
    "Freshness",
    "GateEvidence",
    "Graph",
    "GraphEdge",
    "GraphStats",
    "HasRef",
    "HasSpec",
    "Hops",
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
    "Learning",
    "LearningAdded",
    "LearningLabel",
    "LearningShown",
    "Learnings",
    "LearningsRelated",
    "Level",
    "Limits",
    "Link",
    "ListedDocument",
    "Maintained",
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
    "NewEdge",
    "Node",
    "NodeKind",
    "NotFound",
    "NotInitialised",
    "Note",
    "OnFailure",
    "Origin",
    "Outcome",
    "OutsideRepository",
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
    "Task",
    "TaskShown",
    "TaskStatus",
    "Tasks",
    "Telemetry",
    "Tied",
    "TokensBy",
    "ToldEvent",
    "TranscriptFormat",
    "TranscriptReading",
    "TranscriptReport",
    "TranscriptTally",
    "Transcripts",
    "TraverseOptions",
    "Tuning",
    "TxError",
    "Unit",
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
    "WorkspaceStatus",
    "__version__",
    "check_up",
    "init_workspace",
    "open_workspace",
]
