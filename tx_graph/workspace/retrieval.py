"""Use cases that answer a question or an open file."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.domain.fact import StoredFact, clean_predicate
from tx_graph.domain.tokens import CountTokens, TokensBy, by_bytes, by_characters
from tx_graph.workspace.code_graph import GraphUseCases
from tx_graph.workspace.documents import DocumentUseCases
from tx_graph.workspace.proposals import ProposalUseCases

if TYPE_CHECKING:
    from tx_graph.services.context import Context
    from tx_graph.services.file_ranking import FileRanking
    from tx_graph.services.focus import Focus
    from tx_graph.services.focus.families import Families
    from tx_graph.services.open_files import OpenFiles
    from tx_graph.services.recall import Recall
    from tx_graph.services.recall.anchoring import AnchorSearch
    from tx_graph.services.search import Search
    from tx_graph.services.search.diversifying import Diversifying
    from tx_graph.services.search.retrievers import Retrievers


class RetrievalUseCases(ProposalUseCases, GraphUseCases, DocumentUseCases):
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
    def recall(self) -> Recall:
        """What is known of the entities that a question is about."""
        from tx_graph.services.doc_search.telling import States
        from tx_graph.services.recall import Recall
        from tx_graph.services.recall.states import FactStates

        stores, tree = self._stores, self._checkout.tree
        return Recall(
            database=self._database,
            anchors=self._anchor_search,
            facts=stores.facts,
            version=stores.facts_version,
            states=FactStates(states=States(documents=stores.documents, tree=tree), tree=tree),
            conflicting=self._conflicting,
            clock=self._clock,
        )

    @cached_property
    def _anchor_search(self) -> AnchorSearch:
        from tx_graph.services.recall.anchoring import AnchorSearch

        stores = self._stores
        return AnchorSearch(entities=stores.entities, vectors=stores.warm_entity_vectors, embedding=self.embedding)

    def _conflicting(self, facts: Collection[StoredFact]) -> Collection[int]:
        """Return those of these facts that others contradict, as the settings have it."""
        single_valued = [clean_predicate(name) for name in self.config.texts("facts.single_valued")]
        return self._stores.contradictions.among(facts, single_valued=single_valued)

    @cached_property
    def context(self) -> Context:
        """The page to read before starting."""
        from tx_graph.services.context import Context
        from tx_graph.services.context.gathering import Gathering
        from tx_graph.services.context.known import Known
        from tx_graph.services.context.written import Written
        from tx_graph.services.doc_search.telling import States
        from tx_graph.work.store import RunStore, TaskStore

        return Context(
            gathering=Gathering(
                search=self.search,
                written=Written(
                    stores=self._stores,
                    search=self.doc_search,
                    states=States(documents=self._stores.documents, tree=self._checkout.tree),
                ),
                known=Known(stores=self._stores, recall=self.recall, anchors=self._anchor_search),
                open_files=self.open_files,
                rank_files=self.file_ranking.rank,
                partners=self.partners,
                work=self._work,
                tasks=TaskStore(self._database),
                runs=RunStore(self._database),
            ),
            kernel=self.kernel,
        )

    @cached_property
    def focus(self) -> Focus:
        """Everything around one node."""
        from tx_graph.services.focus import Focus
        from tx_graph.services.focus.resolving import Resolving
        from tx_graph.services.focus.whereabouts import Whereabouts

        resolving = Resolving(
            references=self.references,
            tree=self._checkout.tree,
            files=self._stores.focus_files,
            whereabouts=Whereabouts(self._stores),
        )
        return Focus(resolving=resolving, gather=self._families)

    def _families(self) -> Families:
        from tx_graph.services.focus.families import Families, Surroundings

        return Families(
            Surroundings(
                stores=self._stores,
                tree=self._checkout.tree,
                sources=self._sources,
                standings=self._standings,
                glob_files=self._checkout.tracked_files,
            )
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
