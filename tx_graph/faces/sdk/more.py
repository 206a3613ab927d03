"""What agents did, as their transcripts tell it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from tx_graph.anchors.verdict import Standing
from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.ports import Progress, no_progress
from tx_graph.faces.sdk.live import Namespace
from tx_graph.faces.sdk.values import Embedded, chosen, several
from tx_graph.proposals.gate import Reviewing
from tx_graph.records.anchor import AnchorRequest, parse_anchor
from tx_graph.records.learning import Link, SourceType, Status, StoredLearning
from tx_graph.vectors.download import DEFAULT_MODEL

if TYPE_CHECKING:
    from tx_graph.context.matching import Query, SearchAnswer
    from tx_graph.core.settings import Value as SettingValue
    from tx_graph.learnings.learnings import Added as LearningAdded
    from tx_graph.learnings.learnings import Draft
    from tx_graph.learnings.learnings import Shown as LearningShown
    from tx_graph.learnings.merging import Merged, Superseded
    from tx_graph.learnings.transfer import ImportReport
    from tx_graph.proposals.values import ProposalRequest, Proposals
    from tx_graph.vectors.embedding import EmbeddingStatus
    from tx_graph.vectors.installation import Installation, ModelStatus


class Proposing(Namespace):
    """What may be worth knowing, and what people say to it."""

    def propose(self, request: ProposalRequest | None = None, *, progress: Progress = no_progress) -> Proposals:
        """Return what the repository's own words, and transcripts if asked, propose; it is staged, the surest first.

        Raises:
            UsageError: The limit is not from 1 to 10,000, or `since` cannot be understood.
            RepositoryError: Git fails.
            ModelUnusable: A model is to look through it, and none can be asked.
            StorageError: The records or the database cannot be written; nothing was staged.
        """
        from tx_graph.proposals.values import ProposalRequest

        with self._lasting.use() as workspace:
            return workspace.proposing.run(request or ProposalRequest(), progress=progress)


class Learnings(Proposing, Reviewing):
    """What was learned: `workspace.learnings`."""

    def add(
        self,
        content: str,
        *,
        category: str | None = None,
        keywords: Sequence[str] = (),
        source_type: SourceType = SourceType.MANUAL,
        source_ref: str | None = None,
        task: Ref | None = None,
        run: Ref | None = None,
        confidence: float = 1.0,
        status: Status = Status.ACTIVE,
        anchors: Sequence[str | AnchorRequest] = (),
        links: Sequence[str | Link] = (),
    ) -> LearningAdded:
        """Return the learning that was added; the same content again is recognised, and revived if it was removed.

        Anchors are written `PATH[::SYMBOL][:L1-L2]`, links `REF[:RELATION]`. The `task` or `run` is where it was
        learned.

        Raises:
            UsageError: A field is empty, too long or out of range, or it comes from two places.
            NotFound: An anchor, a link, the task or the run names nothing.
            StorageError: The record or the database cannot be written.

        Example:
            >>> added = workspace.learnings.add("Tokens are secret", anchors=["src/tokens.py::verify"])
            >>> added.stored.ref, added.existed
            ('learning:1', False)
        """
        from tx_graph.anchors.linking import parse_link
        from tx_graph.learnings.learnings import Draft

        draft = Draft(
            content=content,
            category=category,
            keywords=several(keywords),
            status=chosen(Status, status),
            confidence=confidence,
            source_type=chosen(SourceType, source_type),
            source_ref=source_ref,
            anchors=[parse_anchor(one) if isinstance(one, str) else one for one in several(anchors)],
            links=[parse_link(one) if isinstance(one, str) else one for one in several(links)],
        )
        return self.add_draft(draft, task=task, run=run)

    def add_draft(self, draft: Draft, *, task: Ref | None = None, run: Ref | None = None) -> LearningAdded:
        """Return what `add` does, for a draft that is at hand.

        Raises:
            UsageError: A field is empty, too long or out of range, or it comes from two places.
            NotFound: An anchor, a link, the task or the run names nothing.
            StorageError: The record or the database cannot be written.
        """
        origin = {"task": None if task is None else ref_of(task), "run": None if run is None else ref_of(run)}
        with self._lasting.use() as workspace:
            return workspace.learnings.add(workspace.origins.draft(draft, **origin))

    def get(self, learning: Ref) -> StoredLearning:
        """Return a learning by its number, its uid or the beginning of its uid.

        Raises:
            NotFound: There is none, or several begin like it.
        """
        with self._lasting.use() as workspace:
            return workspace.references.learning(ref_of(learning))

    def show(self, learning: Ref) -> LearningShown:
        """Return a learning with the verdict on each of its anchors, judged now.

        Raises:
            NotFound: There is no such learning.
        """
        with self._lasting.use() as workspace:
            return workspace.learnings.show(ref_of(learning))

    def list(
        self,
        *,
        category: str | None = None,
        status: Status | None = None,
        source_type: SourceType | None = None,
        keyword: str | None = None,
        removed: bool = False,
        limit: int = 50,
    ) -> tuple[StoredLearning, ...]:
        """Return learnings, newest first; staged ones only where their status or removed ones are asked for.

        Raises:
            UsageError: The limit is not from 1 to 10,000.
        """
        from tx_graph.records.learning_store import LearningFilter

        criteria = LearningFilter(
            category=category,
            status=chosen(Status, status),
            source_type=chosen(SourceType, source_type),
            keyword=keyword,
            removed=removed,
            confirmed=status is None and not removed,
        )
        with self._lasting.use() as workspace:
            return tuple(workspace.learnings.listed(criteria, limit=limit))

    def recent(self, *, limit: int = 10) -> tuple[StoredLearning, ...]:
        """Return the learnings that were used last; before any use, the newest.

        Raises:
            UsageError: The limit is not from 1 to 10,000.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.learnings.recent(limit=limit))

    def standings(self, learnings: Collection[StoredLearning]) -> dict[int, Standing]:
        """Return what is to be said of the code of these learnings now, by their numbers."""
        with self._lasting.use() as workspace:
            return workspace.learnings.standings(learnings)

    def search(self, query: Query | str) -> SearchAnswer:
        """Return what answers a query, best first; a text stands for a query with the standard options.

        Raises:
            UsageError: An option is out of range, or there is no such retriever.
            NotFound: An open file does not exist.
            ModelError: The retriever or the embedding model fails.
        """
        from tx_graph.context.matching import Query

        asked = Query(text=query) if isinstance(query, str) else query
        with self._lasting.use() as workspace:
            return workspace.search.run(asked)

    def edit(
        self,
        learning: Ref,
        *,
        content: str | None = None,
        category: str | None = None,
        add_keywords: Sequence[str] = (),
        remove_keywords: Sequence[str] = (),
        status: Status | None = None,
        confidence: float | None = None,
        expected: str | None = None,
    ) -> StoredLearning:
        """Return a learning after changing it; None leaves a field as it is, an empty category clears it.

        With `expected`, the content that the new one was made from, somebody else's change is not overwritten.

        Raises:
            NotFound: There is no such learning.
            UsageError: A new value is empty, too long or out of range, or a staged learning would become active.
            StorageError: The content is not the expected one, or the record or the database cannot be written.
        """
        from tx_graph.learnings.learnings import Changes

        changes = Changes(
            content=content,
            category=category,
            add_keywords=several(add_keywords),
            remove_keywords=several(remove_keywords),
            status=chosen(Status, status),
            confidence=confidence,
            expected=expected,
        )
        with self._lasting.use() as workspace:
            return workspace.learnings.edit(ref_of(learning), changes)

    def remove(self, learning: Ref) -> StoredLearning:
        """Return a learning after hiding it from every answer; its record and history stay.

        Raises:
            NotFound: There is no such learning.
        """
        with self._lasting.use() as workspace:
            return workspace.learnings.remove(ref_of(learning))

    def restore(self, learning: Ref) -> StoredLearning:
        """Return a learning after bringing it back from removal.

        Raises:
            NotFound: There is no such learning.
        """
        with self._lasting.use() as workspace:
            return workspace.learnings.restore(ref_of(learning))

    def helpful(self, learning: Ref, *, score: float = 1.0) -> StoredLearning:
        """Return a learning after noting how much it helped, from 0 (not at all) to 1.

        Raises:
            NotFound: There is no such learning.
            UsageError: The score is out of range.
        """
        with self._lasting.use() as workspace:
            return workspace.learnings.helpful(ref_of(learning), score=score)

    def merge(self, keep: Ref, other: Ref) -> Merged:
        """Return what came of merging one learning into another: the first one stays and gains what it lacks.

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are the same, or one of them was removed or answers nothing itself.
        """
        with self._lasting.use() as workspace:
            return workspace.merging.merge(ref_of(keep), ref_of(other))

    def supersede(self, old: Ref, new: Ref) -> Superseded:
        """Return the two learnings after one took the place of the other, which is withheld from then on.

        Raises:
            NotFound: One of them does not exist.
            UsageError: They are the same, one was removed, or the new one answers nothing itself.
        """
        with self._lasting.use() as workspace:
            return workspace.merging.supersede(ref_of(old), ref_of(new))

    def import_(self, lines: Iterable[str], *, progress: Progress = no_progress) -> ImportReport:
        """Return what came of taking in learnings, one JSON object a line as `export_lines` gives them; all or none.

        Raises:
            UsageError: Some lines are no learnings; the message names them.
            StorageError: The records or the database cannot be written.
        """
        with self._lasting.use() as workspace:
            return workspace.importing.run(lines, progress=progress)

    def export(self) -> tuple[StoredLearning, ...]:
        """Return all learnings that were not removed, oldest first."""
        from tx_graph.records.learning_store import LearningFilter

        with self._lasting.use() as workspace:
            return tuple(reversed(workspace.learnings.everything(LearningFilter())))

    def export_lines(self) -> tuple[str, ...]:
        """Return what `export` does, each as a line of JSON that `import_` takes elsewhere."""
        return tuple(json.dumps(one.as_json(), ensure_ascii=False) for one in self.export())

    def embed(self, *, again: bool = False, progress: Progress = no_progress) -> Embedded:
        """Return how many learnings and entities got the vector they lacked, or with `again` all of them a new one.

        Raises:
            UsageError: Embedding is turned off.
            ModelError: The model is not installed or cannot be loaded.
        """
        with self._lasting.use() as workspace:
            return Embedded(
                learnings=workspace.embedding.embed_lacking(again=again, progress=progress),
                entities=workspace.embedding.embed_lacking_entities(again=again, progress=progress),
            )

    def embedding_status(self) -> EmbeddingStatus:
        """Return which model is in force, what vectors there are, and what lacks one."""
        with self._lasting.use() as workspace:
            return workspace.embedding.status()


class Settings(Namespace):
    """What `.tx/config.toml` says, else the defaults: `workspace.config`."""

    def all(self) -> dict[str, SettingValue]:
        """Return every setting by its name."""
        from tx_graph.core.settings import SETTINGS

        with self._lasting.use() as workspace:
            return {key: workspace.config.value(key) for key in SETTINGS}

    def get(self, key: str) -> SettingValue:
        """Return a setting, such as `cochanges.min_support`; lists are tuples.

        Raises:
            NotFound: There is no such setting.
        """
        with self._lasting.use() as workspace:
            return workspace.config.value(key)

    def set(self, key: str, value: str | float | Sequence[str]) -> SettingValue:
        """Return the new value of a setting after writing it; comments in the file are kept. It counts at once.

        Raises:
            NotFound: There is no such setting.
            UsageError: It cannot have this value.
            StorageError: The file cannot be written.

        Example:
            >>> workspace.config.set("cochanges.min_support", 5)
            5
        """
        text = str(value) if isinstance(value, str | int | float) else json.dumps(list(value))
        with self._lasting.use() as workspace:
            return workspace.config.set(key, text)

    def is_default(self, key: str) -> bool:
        """Return whether the file leaves a setting alone."""
        with self._lasting.use() as workspace:
            return workspace.config.is_default(key)


class Model:
    """The embedding model: `workspace.model`. It belongs to the machine, not to one repository."""

    def install(self, name: str = DEFAULT_MODEL, *, progress: Progress = no_progress) -> Installation:
        """Return what came of downloading a model: the default one, or `fastembed:` and one of fastembed's list.

        Nothing else ever downloads. Progress counts bytes.

        Raises:
            ModelError: It cannot be downloaded or stored, or it is not what it should be.
            UsageError: There is no such model.
        """
        from tx_graph.vectors.installation import install

        return install(name, progress=progress)

    def status(self, *, verify: bool = False) -> ModelStatus:
        """Return whether the default model is there, by its files' sizes, or with `verify` by their digests."""
        from tx_graph.vectors.installation import ModelStore

        return ModelStore().status(verify=verify)

    def remove(self) -> int:
        """Return how many bytes were freed by deleting the default model's files.

        Raises:
            ModelError: They cannot be deleted.
        """
        from tx_graph.vectors.installation import ModelStore

        return ModelStore().remove()
