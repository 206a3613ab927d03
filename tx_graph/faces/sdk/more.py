"""What agents did, as their transcripts tell it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.ports import Progress, no_progress
from tx_graph.faces.sdk.live import Namespace
from tx_graph.learnings import learnings
from tx_graph.learnings.merging import Merging
from tx_graph.learnings.transfer import Transfer
from tx_graph.records.learning import StoredLearning
from tx_graph.vectors.download import DEFAULT_MODEL

if TYPE_CHECKING:
    from tx_graph.context.matching import Query, SearchAnswer
    from tx_graph.core.settings import Value as SettingValue
    from tx_graph.proposals.gate import Checked as CheckedProposal
    from tx_graph.proposals.gate import Promotion
    from tx_graph.proposals.values import ProposalRequest, Proposals
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

    def staged(self) -> tuple[StoredLearning, ...]:
        """Return the learnings that wait for somebody to look at them, the surest first."""
        with self._lasting.use() as workspace:
            return tuple(workspace.reviewing.staged())

    def check(self, *learnings: Ref, min_confidence: float | None = None) -> tuple[CheckedProposal, ...]:
        """Return what staged learnings have and lack to be promoted; nothing is changed.

        Raises:
            NotFound: One of them names nothing.
            UsageError: One of them is not staged, or the least confidence is not from 0 to 1.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.reviewing.check([ref_of(one) for one in learnings], least=min_confidence))

    def promote(self, *learnings: Ref, min_confidence: float | None = None, force: bool = False) -> Promotion:
        """Return what became of staged learnings: those with the evidence answer from now on, with `force` all.

        Raises:
            NotFound: One of them names nothing; nothing was changed.
            UsageError: One of them is not staged, or the least confidence is not from 0 to 1; nothing was changed.
        """
        with self._lasting.use() as workspace:
            return workspace.reviewing.promote([ref_of(one) for one in learnings], least=min_confidence, force=force)

    def reject(self, *learnings: Ref, reason: str = "") -> tuple[StoredLearning, ...]:
        """Return staged learnings after turning them down: they are removed, and not proposed again. All or none.

        Raises:
            NotFound: One of them names nothing; nothing was changed.
            UsageError: One of them is not staged, or the reason is too long; nothing was changed.
        """
        with self._lasting.use() as workspace:
            return tuple(workspace.reviewing.reject([ref_of(one) for one in learnings], reason=reason))


class Learnings(learnings.Learnings, Merging, Transfer, Proposing):
    """What was learned: `workspace.learnings`."""

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
