"""One open workspace: it hands out its use cases, each made when it is first asked for."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.core.text import CountTokens, TokensBy, by_bytes, by_characters
from tx_graph.workspace.shared import Shared

if TYPE_CHECKING:
    from tx_graph.anchors.anchors import Anchors
    from tx_graph.code.indexing import Indexing
    from tx_graph.context.focus.focus import Focus
    from tx_graph.context.gathering import Context
    from tx_graph.context.graph import Graph
    from tx_graph.context.matching import Retrievers
    from tx_graph.context.open_files import OpenFiles
    from tx_graph.context.ranking import FileRanking
    from tx_graph.context.search import Search
    from tx_graph.history.cochanges import CoChanges
    from tx_graph.learnings.learnings import Learnings
    from tx_graph.work.runs import Runs
    from tx_graph.work.tasks import Tasks
    from tx_graph.workspace.evidence import EvidenceIndex
    from tx_graph.workspace.health import Health
    from tx_graph.workspace.renewal import Renewal


class KnowledgeUseCases(Shared):
    """Learnings, tasks and runs."""

    @property
    def learnings(self) -> Learnings:
        """Learnings one at a time."""
        from tx_graph.learnings.learnings import Learnings

        return self.kernel.one(Learnings)

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
    def anchors(self) -> Anchors:
        """What one does to anchors."""
        from tx_graph.anchors.anchors import Anchors

        return self.kernel.one(Anchors)


class GraphUseCases(Shared):
    """Files, imports, symbols, history, and what is connected with what."""

    @property
    def graph(self) -> Graph:
        """What is connected with what."""
        from tx_graph.context.graph import Graph

        return self.kernel.one(Graph)

    @property
    def indexing(self) -> Indexing:
        """Files and imports."""
        from tx_graph.code.indexing import Indexing

        return self.kernel.one(Indexing)

    @cached_property
    def evidence(self) -> EvidenceIndex:
        """What files and history say in words."""
        from tx_graph.workspace.evidence import EvidenceIndex

        checkout = self._checkout
        return EvidenceIndex(stores=self._stores, tree=checkout.tree, repository=checkout.askable)

    @property
    def cochanges(self) -> CoChanges:
        """Which files change together."""
        from tx_graph.history.cochanges import CoChanges

        return self.kernel.one(CoChanges)


class RetrievalUseCases(KnowledgeUseCases, GraphUseCases):
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

    @property
    def context(self) -> Context:
        """The page to read before starting."""
        from tx_graph.context.gathering import Context

        return self.kernel.one(Context)

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


class Workspace(AnchorUseCases, RetrievalUseCases):
    """One repository with its memory. Close it, or use it as a context manager."""

    @property
    def health(self) -> Health:
        """How the workspace is."""
        from tx_graph.workspace.health import Health

        return self.kernel.one(Health)

    @property
    def renewal(self) -> Renewal:
        """All that is read of the repository."""
        from tx_graph.workspace.renewal import Renewal

        return self.kernel.one(Renewal)
