"""Use cases that answer a question or an open file."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.domain.tokens import CountTokens, TokensBy, by_bytes, by_characters
from tx_graph.workspace.code_graph import GraphUseCases
from tx_graph.workspace.documents import DocumentUseCases
from tx_graph.workspace.knowledge import KnowledgeUseCases

if TYPE_CHECKING:
    from tx_graph.services.context import Context
    from tx_graph.services.file_ranking import FileRanking
    from tx_graph.services.open_files import OpenFiles
    from tx_graph.services.search import Search
    from tx_graph.services.search.diversifying import Diversifying
    from tx_graph.services.search.retrievers import Retrievers


class RetrievalUseCases(KnowledgeUseCases, GraphUseCases, DocumentUseCases):
    """Search, ranking, and the page to read before starting."""

    @cached_property
    def search(self) -> Search:
        """Questions."""
        from tx_graph.services.search import Search
        from tx_graph.services.search.filtering import Filtering

        return Search(
            learnings=self._stores.learnings,
            text=self._stores.text,
            filtering=Filtering(selection=self._stores.selection, anchoring=self._anchoring),
            retrievers=self.retrievers,
            open_files=self.open_files,
            embedding=self.embedding,
            standings=self._standings,
            diversifying=self.diversifying,
            view_of=self._view_of,
            clock=self._clock,
        )

    @cached_property
    def retrievers(self) -> Retrievers:
        """Who finds direct matches."""
        from tx_graph.services.search.matching import Hybrid, Words
        from tx_graph.services.search.retrievers import Retrievers

        stores, config = self._stores, self.config
        return Retrievers(
            hybrid=Hybrid(
                text=stores.text,
                vectors=stores.vectors,
                embedding=self.embedding,
                min_similarity=float(config.get("search.min_similarity")),
            ),
            words=Words(stores.text),
            corpus=stores.corpus,
            selection=stores.selection,
            standard=str(config.get("search.retriever")),
            options=config.texts("search.retriever_options"),
        )

    @cached_property
    def diversifying(self) -> Diversifying:
        """Results that do not repeat each other."""
        from tx_graph.services.search.diversifying import Diversifying

        stores = self._stores
        return Diversifying(similarities=stores.similarities, learnings=stores.learnings, model=self.embedding.name)

    @cached_property
    def open_files(self) -> OpenFiles:
        """What somebody works on."""
        from tx_graph.services.open_files import OpenFiles

        checkout = self._checkout
        return OpenFiles(references=self.references, tree=checkout.tree, listed_files=checkout.listed_files)

    @cached_property
    def file_ranking(self) -> FileRanking:
        """Which files a question is about."""
        from tx_graph.services.file_ranking import FileRanking

        return FileRanking(
            stores=self._stores,
            retrievers=self.retrievers,
            view_of=self._view_of,
            is_there=self._checkout.tree.exists,
            clock=self._clock,
            weights=self.config.weights(),
        )

    @cached_property
    def context(self) -> Context:
        """The page to read before starting."""
        from tx_graph.services.context import Context
        from tx_graph.services.context.gathering import Gathering
        from tx_graph.services.context.written import Written
        from tx_graph.services.doc_search.telling import States

        return Context(
            gathering=Gathering(
                search=self.search,
                written=Written(
                    stores=self._stores,
                    search=self.doc_search,
                    states=States(documents=self._stores.documents, tree=self._checkout.tree),
                ),
                open_files=self.open_files,
                rank_files=self.file_ranking.rank,
                partners=self.partners,
                tasks=self.tasks,
                runs=self.runs,
            ),
            runs=self.runs,
        )

    def token_counter(self, by: TokensBy) -> CountTokens:
        """Return what counts tokens as asked.

        Raises:
            UsageError: No tokenizer is configured.
            ModelError: The tokenizer cannot be read.
        """
        if by is TokensBy.TOKENIZER:
            from tx_graph.embeddings.tokenizer import configured_counter

            return configured_counter(str(self.config.get("context.tokenizer")), root=self.root)
        return by_characters if by is TokensBy.CHARS else by_bytes
