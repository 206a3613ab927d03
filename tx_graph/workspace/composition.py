"""One open workspace: it hands out its use cases, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import closing
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from tx_graph.core.layout import DIRECTORY, LOCAL_REPLIES, LOCAL_TOLD, REPLIES, TOLD
from tx_graph.core.text import CountTokens, TokensBy, by_bytes, by_characters
from tx_graph.workspace.shared import Shared

if TYPE_CHECKING:
    from tx_graph.anchors.anchors import Anchors
    from tx_graph.anchors.linking import Linking
    from tx_graph.anchors.verify import Verification
    from tx_graph.code.import_graph import ImportGraph
    from tx_graph.code.indexing import Indexing
    from tx_graph.code.symbol_index import SymbolIndex
    from tx_graph.context.briefing import FileBriefing, SessionBriefing
    from tx_graph.context.focus.focus import Focus
    from tx_graph.context.gathering import Context
    from tx_graph.context.graph import Graph
    from tx_graph.context.matching import Retrievers
    from tx_graph.context.open_files import OpenFiles
    from tx_graph.context.partners import Partners
    from tx_graph.context.ranking import FileRanking
    from tx_graph.context.search import Search
    from tx_graph.context.told_store import ToldStore
    from tx_graph.core.ports import Model, Progress
    from tx_graph.documents.asking import Answering, Scope
    from tx_graph.documents.drafting import DraftingCrew
    from tx_graph.documents.extracting import CrossLinking, Extracting
    from tx_graph.documents.ingesting import Choosing as DocumentsChoosing
    from tx_graph.documents.ingesting import Ingesting
    from tx_graph.documents.ingesting import Pruning as DocumentsPruning
    from tx_graph.documents.library import DocumentsHealth, Library
    from tx_graph.documents.search import DocSearch
    from tx_graph.history.cochanges import CoChangeReport, CoChanges
    from tx_graph.learnings.learnings import Learnings, Origins
    from tx_graph.learnings.merging import Merging, Similar
    from tx_graph.learnings.transfer import Importing
    from tx_graph.proposals.gate import Gate, Lookalikes, Reviewing
    from tx_graph.proposals.proposing import Choosing as ProposalsChoosing
    from tx_graph.proposals.proposing import Proposing
    from tx_graph.proposals.sessions.refining import Refining
    from tx_graph.proposals.sources import Transcripts
    from tx_graph.work.ingesting import Ingesting as TelemetryIngesting
    from tx_graph.work.ingesting import Retention, Telemetry
    from tx_graph.work.runs import Runs
    from tx_graph.work.tasks import Tasks
    from tx_graph.workspace.evidence import EvidenceIndex
    from tx_graph.workspace.health import Finding, Health
    from tx_graph.workspace.renewal import Renewal


class KnowledgeUseCases(Shared):
    """Learnings, tasks and runs."""

    @cached_property
    def learnings(self) -> Learnings:
        """Learnings one at a time."""
        from tx_graph.learnings.learnings import Learnings

        return Learnings(
            database=self._database,
            store=self._stores.learnings,
            sync=self._sync,
            references=self.references,
            anchoring=self._anchoring,
            standings=self._standings,
            embedding=self.embedding,
            clock=self._clock,
        )

    @property
    def origins(self) -> Origins:
        """Where learnings come from."""
        from tx_graph.learnings.learnings import Origins

        return self.kernel.one(Origins)

    @cached_property
    def importing(self) -> Importing:
        """Learnings many at once."""
        from tx_graph.learnings.transfer import Importing

        return Importing(learnings=self.learnings, store=self._stores.learnings, sync=self._sync)

    @cached_property
    def similar(self) -> Similar:
        """Learnings that say much the same."""
        from tx_graph.learnings.merging import Similar

        return Similar(
            database=self._database,
            similarities=self._stores.similarities,
            learnings=self._stores.learnings,
            analyses=self._stores.analyses,
            model=self.embedding.name,
            clock=self._clock,
        )

    @cached_property
    def merging(self) -> Merging:
        """Learnings that take the place of others."""
        from tx_graph.learnings.merging import Merging

        return Merging(
            database=self._database,
            store=self._stores.learnings,
            supersession=self._stores.supersession,
            references=self.references,
            sync=self._sync,
            clock=self._clock,
        )

    @property
    def tasks(self) -> Tasks:
        """Pieces of work."""
        from tx_graph.work.tasks import Tasks

        return self.kernel.one(Tasks)

    @property
    def runs(self) -> Runs:
        """Attempts at work, and what helped in them."""
        from tx_graph.work.runs import Runs

        return self.kernel.one(Runs)


class AnchorUseCases(Shared):
    """Anchors: made, verified, judged by people, remembered."""

    @property
    def linking(self) -> Linking:
        """Anchors and links."""
        from tx_graph.anchors.linking import Linking

        return self.kernel.one(Linking)

    @property
    def anchors(self) -> Anchors:
        """What one does to anchors."""
        from tx_graph.anchors.anchors import Anchors

        return self.kernel.one(Anchors)

    @property
    def verification(self) -> Verification:
        """Whether anchors hold."""
        from tx_graph.anchors.verify import Verification

        return self.kernel.one(Verification)


class GraphUseCases(Shared):
    """Files, imports, symbols, history, and what is connected with what."""

    @property
    def graph(self) -> Graph:
        """What is connected with what."""
        from tx_graph.context.graph import Graph

        return self.kernel.one(Graph)

    @cached_property
    def imports(self) -> ImportGraph:
        """Which file imports which, what leads nowhere, and cycles."""
        from tx_graph.code.import_graph import ImportGraph

        return ImportGraph(
            places=self._indexed_places,
            imports=self._stores.imports,
            edges=self._stores.edges,
            nodes=self._stores.nodes,
            files=self._stores.files,
        )

    @cached_property
    def symbols(self) -> SymbolIndex:
        """What files declare."""
        from tx_graph.code.symbol_index import SymbolIndex

        return SymbolIndex(places=self._indexed_places, symbols=self._stores.symbols)

    @cached_property
    def indexing(self) -> Indexing:
        """Files and imports."""
        from tx_graph.code.indexing import Indexing
        from tx_graph.code.reading import file_reader

        checkout = self._checkout
        return Indexing(
            stores=self._stores,
            tree=checkout.tree,
            list_files=checkout.list_files,
            repository=checkout.askable,
            reader=file_reader(self.kernel),
            settings={"max_file_size": self.config.get("index.max_file_size")},
            clock=self._clock,
            caveat=checkout.caveat,
        )

    @cached_property
    def evidence(self) -> EvidenceIndex:
        """What files and history say in words."""
        from tx_graph.workspace.evidence import EvidenceIndex

        checkout = self._checkout
        return EvidenceIndex(stores=self._stores, tree=checkout.tree, repository=checkout.askable)

    @cached_property
    def cochanges(self) -> CoChanges:
        """Which files change together."""
        from tx_graph.history.cochanges import CoChanges

        return CoChanges(stores=self._stores, repository=self._checkout.repository, root=self.root, clock=self._clock)

    @cached_property
    def partners(self) -> Partners:
        """Co-changes as they are asked for."""
        from tx_graph.context.partners import Partners

        return Partners(
            store=self._stores.cochanges,
            analyses=self._stores.analyses,
            references=self.references,
            tree=self._checkout.tree,
            repository=self._checkout.repository,
        )


class ExtractionUseCases(Shared):
    """Relations that nobody wrote down."""

    @cached_property
    def extracting(self) -> Extracting:
        """Relations between the sections of each document."""
        from tx_graph.documents.extracting import Extracting

        return Extracting(scope=self._scope, answering=self._answering, open_model=open_model)

    @cached_property
    def cross_linking(self) -> CrossLinking:
        """Relations between sections of different documents."""
        from tx_graph.documents.extracting import CrossLinking

        return CrossLinking(
            stores=self._stores,
            scope=self._scope,
            answering=self._answering,
            open_model=open_model,
            embedder=self.embedding.name,
        )

    @property
    def _scope(self) -> Scope:
        from tx_graph.documents.asking import Scope

        stores = self._stores
        return Scope(documents=stores.documents, sections=stores.sections, tree=self._checkout.tree)

    @cached_property
    def _answering(self) -> Answering:
        from tx_graph.core.reply_store import ReplyStore
        from tx_graph.documents.asking import Answering
        from tx_graph.documents.relations import PROMPT_VERSION

        replies = self.kernel.enter(closing(ReplyStore(self._place_of_replies(), prompt_version=PROMPT_VERSION)))
        stores = self._stores
        return Answering(
            database=self._database,
            sections=stores.sections,
            edges=stores.section_edges,
            replies=replies,
            clock=self._clock,
        )

    def _place_of_replies(self) -> Path:
        repository = self._checkout.askable
        return repository.common_directory() / REPLIES if repository else self.root / DIRECTORY / LOCAL_REPLIES


def open_model(name: str | None, most_at_once: int) -> Model:
    """Return a language model by name, None for the one that the user has set; its library is loaded now."""
    from tx_graph.core import language_models as llm

    return llm.open_model(name, most_at_once=most_at_once)


class DocumentUseCases(ExtractionUseCases):
    """Documents, their sections and what these are tied to."""

    @cached_property
    def ingesting(self) -> Ingesting:
        """Documents as they are in the working tree."""
        from tx_graph.documents.ingesting import Ingesting

        return Ingesting(
            stores=self._stores,
            tree=self._checkout.tree,
            choosing=self._choosing,
            crew=self._crew,
            settings=self._cutting,
            clock=self._clock,
        )

    @cached_property
    def library(self) -> Library:
        """Documents as they were read."""
        from tx_graph.documents.library import Library

        return Library(stores=self._stores, references=self.references)

    @cached_property
    def document_pruning(self) -> DocumentsPruning:
        """What no document holds any more."""
        from tx_graph.documents.ingesting import Pruning

        return Pruning(stores=self._stores, tree=self._checkout.tree, clock=self._clock)

    @cached_property
    def documents_health(self) -> DocumentsHealth:
        """How documents are."""
        from tx_graph.documents.library import DocumentsHealth

        return DocumentsHealth(stores=self._stores, tree=self._checkout.tree, choosing=self._choosing)

    @cached_property
    def doc_search(self) -> DocSearch:
        """Questions to documents."""
        from tx_graph.documents.search import DocFiltering, DocSearch, Seeding, States, Walking

        stores, checkout = self._stores, self._checkout
        return DocSearch(
            documents=stores.documents,
            sections=stores.sections,
            lines=stores.section_lines,
            text=stores.chunk_text,
            filtering=DocFiltering(
                documents=stores.documents, tree=checkout.tree, repository=lambda: checkout.askable, clock=self._clock
            ),
            seeding=Seeding(text=stores.chunk_text, vectors=stores.chunk_vectors, embedding=self.embedding),
            walking=Walking(walk=stores.section_walk, lines=stores.section_lines, nodes=stores.nodes),
            states=States(documents=stores.documents, tree=checkout.tree),
        )

    @property
    def _choosing(self) -> DocumentsChoosing:
        from tx_graph.documents.ingesting import Choosing

        checkout = self._checkout
        tracked = checkout.askable.tracked_files if checkout.askable else checkout.list_files
        return Choosing(tree=checkout.tree, tracked=tracked, exclude=self.config.texts("documents.exclude"))

    @property
    def _crew(self) -> DraftingCrew:
        from tx_graph.code.reading import reading_processes
        from tx_graph.documents.chunking import ChunkOptions, Strategy
        from tx_graph.documents.drafting import Drafting, DraftingCrew

        alike = self._neighbours_alike if "model" in self._cutting else None
        options = ChunkOptions(strategy=Strategy(self._cutting["chunking"]))
        return DraftingCrew(options, Drafting(options, alike=alike), processes=reading_processes(self.kernel))

    @property
    def _cutting(self) -> dict[str, str]:
        """What cutting documents depends on: the strategy, and the model if it takes one and there is one."""
        strategy = str(self.config.get("documents.chunking"))
        takes_model = strategy == "semantic" and self.embedding.available
        return {"chunking": strategy} | ({"model": self.embedding.name} if takes_model else {})

    def _neighbours_alike(self, sentences: Sequence[str]) -> list[float]:
        """Return the cosine similarity of each sentence with the next one."""
        from tx_graph.documents.drafting import neighbour_similarities

        return neighbour_similarities(self.embedding.quick.embed(sentences))


class TelemetryUseCases(Shared):
    """Transcripts, and what they told."""

    @cached_property
    def transcripts(self) -> TelemetryIngesting:
        """Transcripts as agents write them."""
        from tx_graph.core.secrets import Redactor
        from tx_graph.work.ingesting import Drafts, Ingesting
        from tx_graph.work.transcripts.content import SessionPaths

        paths = SessionPaths(self.root)
        return Ingesting(
            stores=self._stores,
            drafts=Drafts(redactor=Redactor(), paths=paths),
            paths=paths,
            retention=self.retention,
            cwd=self._checkout.cwd,
            clock=self._clock,
        )

    @cached_property
    def telemetry(self) -> Telemetry:
        """What transcripts told."""
        from tx_graph.work.ingesting import Telemetry

        return Telemetry(store=self._stores.telemetry, work=self._work)

    @cached_property
    def retention(self) -> Retention:
        """How long it is kept."""
        from tx_graph.work.ingesting import Retention

        return Retention(
            database=self._database,
            store=self._stores.telemetry,
            keep=str(self.config.get("telemetry.keep")),
            clock=self._clock,
        )


class ProposalUseCases(KnowledgeUseCases, ExtractionUseCases):
    """What may be worth knowing, and what people say to it."""

    @cached_property
    def proposing(self) -> Proposing:
        """Learnings that the repository's own words, and what agents were told, propose."""
        from tx_graph.proposals.proposing import Proposing

        return Proposing(
            learnings=self.learnings,
            store=self._stores.learnings,
            sync=self._sync,
            choosing=self._choosing_proposals,
            transcripts=self._transcripts,
            refining=self._refining,
            sources=self._sources,
            repository=self._checkout.askable,
            list_files=self._checkout.list_files,
            clock=self._clock,
        )

    @cached_property
    def reviewing(self) -> Reviewing:
        """What people say to staged learnings."""
        from tx_graph.proposals.gate import Reviewing

        return Reviewing(
            store=self._stores.learnings,
            sync=self._sync,
            references=self.references,
            gate=self._gate,
            clock=self._clock,
        )

    def _gate(self) -> Gate:
        from tx_graph.proposals.gate import Gate

        similarities = self._stores.similarities
        return Gate(standings=self._standings, lookalikes=self._lookalikes(), similarities=similarities)

    def _choosing_proposals(self) -> ProposalsChoosing:
        from tx_graph.proposals.proposing import Choosing

        return Choosing(learnings=self.learnings, anchoring=self._anchoring, lookalikes=self._lookalikes())

    def _lookalikes(self) -> Lookalikes:
        from tx_graph.proposals.gate import Lookalikes

        return Lookalikes(learnings=self._stores.learnings, vectors=self._stores.vectors, embedding=self.embedding)

    @property
    def _transcripts(self) -> Transcripts:
        from tx_graph.proposals.sources import Transcripts
        from tx_graph.work.telemetry_store import TelemetryReading
        from tx_graph.work.transcripts.content import SessionPaths

        return Transcripts(
            reading=TelemetryReading(self._database),
            provenance=self._stores.provenance,
            holds=SessionPaths(self.root).holds,
            clock=self._clock,
        )

    def _refining(self) -> Refining:
        from tx_graph.core.reply_store import ReplyStore
        from tx_graph.proposals.sessions.refining import PROMPT_VERSION, Refining

        replies = self.kernel.enter(closing(ReplyStore(self._place_of_replies(), prompt_version=PROMPT_VERSION)))
        return Refining(replies=replies, open_model=open_model, clock=self._clock)


class RetrievalUseCases(ProposalUseCases, GraphUseCases, DocumentUseCases):
    """Search, ranking, and the page to read before starting."""

    @property
    def search(self) -> Search:
        """Questions."""
        from tx_graph.context.search import Search

        return self.kernel.one(Search)

    @property
    def retrievers(self) -> Retrievers:
        """Who finds direct matches."""
        from tx_graph.context.matching import Retrievers

        return self.kernel.one(Retrievers)

    @property
    def open_files(self) -> OpenFiles:
        """What somebody works on."""
        from tx_graph.context.open_files import OpenFiles

        return self.kernel.one(OpenFiles)

    @property
    def file_ranking(self) -> FileRanking:
        """Which files a question is about."""
        from tx_graph.context.ranking import FileRanking

        return self.kernel.one(FileRanking)

    @cached_property
    def context(self) -> Context:
        """The page to read before starting."""
        from tx_graph.context.gathering import Context, Gathering, Known, Written
        from tx_graph.context.recall import AnchorSearch, Recall
        from tx_graph.documents.search import States
        from tx_graph.work.store import RunStore, TaskStore

        return Context(
            gathering=Gathering(
                search=self.search,
                written=Written(
                    stores=self._stores,
                    search=self.doc_search,
                    states=States(documents=self._stores.documents, tree=self._checkout.tree),
                ),
                known=Known(stores=self._stores, recall=self.kernel.one(Recall), anchors=self.kernel.one(AnchorSearch)),
                open_files=self.open_files,
                rank_files=self.file_ranking.rank,
                partners=self.partners,
                work=self._work,
                tasks=TaskStore(self._database),
                runs=RunStore(self._database),
            ),
            kernel=self.kernel,
        )

    @property
    def focus(self) -> Focus:
        """Everything around one node."""
        from tx_graph.context.focus.focus import Focus

        return self.kernel.one(Focus)

    def token_counter(self, by: TokensBy) -> CountTokens:
        """Return what counts tokens as asked."""
        if by is TokensBy.TOKENIZER:
            from tx_graph.vectors.minilm import configured_counter

            return configured_counter(str(self.config.get("context.tokenizer")), root=self.root)
        return by_characters if by is TokensBy.CHARS else by_bytes


class BriefingUseCases(RetrievalUseCases):
    """What agents are told by hooks."""

    @cached_property
    def session_briefing(self) -> SessionBriefing:
        """What to tell an agent whose session starts."""
        from tx_graph.context.briefing import Occasion, SessionBriefing
        from tx_graph.work.store import TaskStore

        checkout = self._checkout
        occasion = Occasion(
            repository=lambda: checkout.askable,
            exists=checkout.tree.exists,
            work=self._work,
            tasks=TaskStore(self._database),
        )
        return SessionBriefing(context=self.context, occasion=occasion, told=lambda: self._told)

    @cached_property
    def file_briefing(self) -> FileBriefing:
        """What to tell an agent that opens a file."""
        from tx_graph.context.briefing import FileBriefing

        checkout = self._checkout
        return FileBriefing(
            search=self.search,
            tree=checkout.tree,
            is_ignored=lambda path: checkout.askable is not None and checkout.askable.ignores(path),
            told=lambda: self._told,
        )

    @cached_property
    def _told(self) -> ToldStore:
        from tx_graph.context.told_store import ToldStore

        repository = self._checkout.askable
        path = repository.common_directory() / TOLD if repository else self.root / DIRECTORY / LOCAL_TOLD
        return ToldStore(path, today=self._clock.now().date())


class Workspace(AnchorUseCases, BriefingUseCases, TelemetryUseCases):
    """One repository with its memory. Close it, or use it as a context manager."""

    @cached_property
    def health(self) -> Health:
        """How the workspace is."""
        from tx_graph.workspace.health import Health

        return Health(
            root=self.root,
            stores=self._stores,
            repository=self._checkout.repository,
            graph=self.graph,
            embedding=self.embedding,
            index=self._index_freshness,
            documents=self.documents_health,
            sync=self._all_records,
            checks=(
                self._check_model,
                self._check_documents,
                self._check_retrievers,
                self._check_detector,
                self._check_facts,
            ),
            clock=self._clock,
        )

    @cached_property
    def renewal(self) -> Renewal:
        """All that is read of the repository."""
        from tx_graph.workspace.renewal import Renewal

        return Renewal(
            indexing=self.indexing,
            ingesting=self.ingesting,
            evidence=self.evidence,
            embedding=self.embedding,
            count_cochanges=self._count_cochanges,
        )

    def _count_cochanges(self, progress: Progress) -> CoChangeReport | None:
        """Count co-changes as the settings have it, where there is history and nobody has yet."""
        if not self.is_git or self.graph.last_cochanges() is not None:
            return None
        from tx_graph.history.cochanges import request_from

        return self.cochanges.run(request_from(self.config), progress=progress)

    def _check_model(self) -> Iterable[Finding]:
        from tx_graph.workspace.health import of_model

        sound, detail = self._model_state()
        return of_model(self.embedding, sound=sound, detail=detail)

    def _check_documents(self) -> Iterable[Finding]:
        from tx_graph.workspace.health import of_documents

        return of_documents(self.documents_health, self.embedding)

    def _check_detector(self) -> Iterable[Finding]:
        from tx_graph.workspace.health import of_detector

        return of_detector()

    def _check_facts(self) -> Iterable[Finding]:
        from tx_graph.workspace.health import of_facts

        return of_facts(self.kernel)

    def _check_retrievers(self) -> Iterable[Finding]:
        from tx_graph.workspace.health import of_retrievers

        return of_retrievers(self.retrievers)

    def _model_state(self) -> tuple[bool, str]:
        from tx_graph.vectors.download import DEFAULT_MODEL
        from tx_graph.vectors.installation import ModelState, ModelStore

        if self.embedding.name != DEFAULT_MODEL:
            return True, self.embedding.name
        status = ModelStore().status()
        if status.state is ModelState.INSTALLED:
            return True, f"{DEFAULT_MODEL} in {status.path}"
        detail = f": {status.detail}" if status.state is ModelState.DAMAGED else ""
        return False, f"{DEFAULT_MODEL} is {status.state}{detail}"
