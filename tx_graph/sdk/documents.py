"""Documents: read, searched, and related to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.ports import Progress, no_progress
from tx_graph.sdk.namespace import Namespace
from tx_graph.sdk.values import Question

if TYPE_CHECKING:
    from tx_graph.analysis.relations.batch import Batch
    from tx_graph.analysis.relations.edges import Pruning
    from tx_graph.services.doc_search import DocAnswer, DocQuery
    from tx_graph.services.documents import DocumentPruning
    from tx_graph.services.documents.library import ListedDocument, ShownDocument
    from tx_graph.services.extracting import Applied, CrossLinked, CrossLinkOptions, Extracted, ExtractOptions
    from tx_graph.services.extracting import Plan as ExtractionPlan
    from tx_graph.services.extracting.values import OnFailure
    from tx_graph.services.renewal import Ingested as DocumentsIngested


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
        from tx_graph.services.renewal import alike

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
        from tx_graph.services.doc_search import DocQuery

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
        from tx_graph.services.extracting import ExtractOptions
        from tx_graph.services.extracting.values import no_report

        with self._lasting.use() as workspace:
            wanted = options or ExtractOptions()
            return workspace.extracting.run(wanted, model=model, on_failure=on_failure or no_report, progress=progress)

    def plan_extraction(self, options: ExtractOptions | None = None, *, model: str | None = None) -> ExtractionPlan:
        """Return what `extract` would ask, and how long that is; nobody is asked.

        Raises:
            ModelError: There is no such model.
            NotFound: There is no such document.
        """
        from tx_graph.services.extracting import ExtractOptions

        with self._lasting.use() as workspace:
            return workspace.extracting.plan(options or ExtractOptions(), model=model)

    def questions(self, options: ExtractOptions | None = None, *, every: bool = False) -> tuple[Question, ...]:
        """Return what an agent is to be asked instead of a model, or `every` question again; `apply` takes its replies.

        Replies that were kept and that the graph lacks are taken in first.

        Raises:
            NotFound: There is no such document.
            StorageError: The database cannot be written.
        """
        from tx_graph.services.extracting import ExtractOptions

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
        from tx_graph.analysis.relations.edges import Pruning

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
        from tx_graph.services.extracting import CrossLinkOptions
        from tx_graph.services.extracting.values import no_report

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
        from tx_graph.services.extracting import CrossLinkOptions

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
    from tx_graph.analysis.relations.batch import name_of
    from tx_graph.analysis.relations.prompt import SYSTEM, prompt_for

    return Question(
        batch=name_of(batch), document=batch.document, ids=batch.ids, system=SYSTEM, prompt=prompt_for(batch)
    )
