"""How a workspace is: what is in it, and what of it is old or missing."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from tx_graph.code.freshness import index_freshness
from tx_graph.context.freshness import (
    asking,
    cochange_notices,
    document_notices,
    index_notices,
    message_notices,
)
from tx_graph.core.dataclass import dataclass
from tx_graph.core.errors import RepositoryError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer, LeftOut, with_reasons
from tx_graph.graph.node_store import AnalysisStore
from tx_graph.workspace.updating import Updating

if TYPE_CHECKING:
    from tx_graph.code.freshness import Freshness
    from tx_graph.context.graph import GraphStats
    from tx_graph.core.settings import Value
    from tx_graph.documents.documents import DocumentsState
    from tx_graph.vectors.embedding import EmbeddingStatus

TEMPORARY = (
    "Nothing can be written here, and there is no database that can be read: answers come from the records alone, "
    "without files, imports and co-changes. Set TX_DB to where a database may stand, then run 'tx sync'."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Answer):
    """A workspace at a glance."""

    root: Path
    database: Path
    is_git: bool
    head: str | None
    graph: GraphStats
    embedding: EmbeddingStatus
    problems: tuple[tuple[str, str], ...]
    freshness: Freshness | None
    documents: DocumentsState
    lacking_chunks: int
    facts: Mapping[str, int]
    entities: int
    notices: tuple[str, ...]
    withheld: Mapping[str, Value]

    JSON: ClassVar = (
        "root database git=is_git head learnings=graph.learnings files=graph.files languages=graph.languages "
        "anchors=graph.anchors verdicts=graph.verdicts findings=graph.findings edges=graph.edges "
        "documents.*=graph.documents "
        "documents.lacking=lacking_chunks documents.changed=documents.changed.# documents.new=documents.new.# "
        "documents.gone=documents.gone.# documents.unread=unread documents.broken_links=documents.broken.# facts "
        "entities embedding analyses=graph.analyses problems=damaged withheld freshness notices"
    )

    @property
    def unread(self) -> list[LeftOut]:
        """The documents that could not be read."""
        return with_reasons(*self.documents.unread)

    @property
    def damaged(self) -> list[dict[str, str]]:
        """The records that could not be read."""
        return [{"record": name, "problem": problem} for name, problem in self.problems]


@dataclass(frozen=True, slots=True, kw_only=True)
class Age(Answer):
    """How old the graph is: what it lags behind the working tree, and each reason for care as a sentence.

    `freshness` is None where that cannot be told: git fails, or there is no database.
    """

    freshness: Freshness | None
    notices: tuple[str, ...]


class Health:
    """Looks at a workspace as a whole."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._database = kernel.database

    def status(self) -> Status:
        """Show the workspace at a glance: what is in it, and what is old or missing.

        Example:
          tx status
          tx status --json

        Raises:
            RepositoryError: Git fails.
        """
        from tx_graph.context.graph import Graph
        from tx_graph.documents.documents import documents_state
        from tx_graph.knowledge.entity_store import EntityStore
        from tx_graph.knowledge.fact_store import FactStore
        from tx_graph.vectors.embedding import Embedding

        repository = self._kernel.checkout.repository
        embedding = self._kernel.one(Embedding)
        graph = self._kernel.one(Graph).stats()
        head = repository.head() if repository else None
        freshness, documents = self.freshness(), documents_state(self._kernel)
        notices = index_notices(freshness) if freshness else []
        if graph.analyses["index"]:
            from tx_graph.history.commit_store import CommitStore

            notices += message_notices(CommitStore(self._database), repository)
        run = graph.analyses["cochanges"]
        notices += cochange_notices(run, now=self._kernel.clock.now(), is_git=repository is not None)
        notices += document_notices(documents)
        return Status(
            root=self._kernel.root,
            database=self._database.path,
            is_git=repository is not None,
            head=head,
            graph=graph,
            embedding=embedding.status(),
            problems=tuple(record_problems(self._kernel)),
            freshness=freshness,
            documents=documents,
            lacking_chunks=embedding.lacking("chunks"),
            facts=FactStore(self._database).numbers_by_status(),
            entities=EntityStore(self._database).count(),
            notices=(TEMPORARY,) if self._database.is_temporary else tuple(asking(notices)),
            withheld=self._kernel.config.withheld,
        )

    def age(self, *, path: str | None = None, with_cochanges: bool = True) -> Age:
        """Return how old the graph is, for whoever read imports and symbols or, `with_cochanges`, walked all of it.

        `path` is the file that was asked about: a sentence says whether it has changed.
        """
        if self._database.is_temporary:
            return Age(freshness=None, notices=(TEMPORARY,))
        freshness = self.freshness()
        notices = index_notices(freshness, path=path) if freshness else []
        if path is not None:
            from tx_graph.documents.search import State, states_of

            if states_of(self._kernel, [path]).get(path) is State.CHANGED:
                notices.append(f"{path} has changed since it was read.")
        if with_cochanges:
            run = AnalysisStore(self._database).last("cochanges")
            # Where nothing was ever indexed, that says it all.
            is_git = self._kernel.place.root.is_git and bool(freshness is None or freshness.indexed_at)
            notices += cochange_notices(run, now=self._kernel.clock.now(), is_git=is_git)
        updating = self._kernel.one(Updating)
        return Age(freshness=freshness, notices=(*asking([*notices, *updating.left]), *updating.lacking))

    def freshness(self) -> Freshness | None:
        """Return how far the index lags behind; None where git fails: whoever asks about git will hear of it."""
        try:
            return index_freshness(self._kernel)
        except RepositoryError:
            return None


def record_problems(kernel: Kernel) -> list[tuple[str, str]]:
    """Return (record and line, what is wrong) of each record that is skipped."""
    from tx_graph.records.seen_store import RecordStore
    from tx_graph.records.watch import KINDS

    found = [(kind, row) for kind in KINDS for row in RecordStore(kernel.database, kind).problems()]
    return [(f"{kind}/{row.name}:{row.problem_line}", row.problem or "") for kind, row in found]
