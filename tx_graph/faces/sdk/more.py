"""What was learned, the settings and the embedding model."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from tx_graph.context.search import Query, SearchAnswer, search_here_and_elsewhere
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.settings import SETTINGS
from tx_graph.core.settings import Value as SettingValue
from tx_graph.learnings import learnings
from tx_graph.learnings.merging import Merging
from tx_graph.learnings.transfer import Transfer
from tx_graph.proposals.gate import Reviewing
from tx_graph.proposals.proposing import Proposing
from tx_graph.vectors.models import DEFAULT_MODEL

if TYPE_CHECKING:
    from tx_graph.vectors.installation import Installation, ModelStatus


class Learnings(learnings.Learnings, Merging, Transfer, Proposing, Reviewing):
    """What was learned: `workspace.learnings`."""

    def search(self, query: Query | str) -> SearchAnswer:
        """Return what answers a query, best first; a text stands for a query with the standard options."""
        return search_here_and_elsewhere(self._kernel, Query(text=query) if isinstance(query, str) else query)


class Settings:
    """What `.tx/config.toml` says, else the defaults: `workspace.config`. An unknown name raises NotFound."""

    def __init__(self, kernel: Kernel) -> None:
        self._config = kernel.config

    def all(self) -> dict[str, SettingValue]:
        """Return every setting by its name."""
        return {key: self._config.value(key) for key in SETTINGS}

    def get(self, key: str) -> SettingValue:
        """Return a setting, such as `cochanges.min_support`; lists are tuples."""
        return self._config.value(key)

    def set(self, key: str, value: str | float | Sequence[str]) -> SettingValue:
        """Return the new value of a setting after writing it; comments in the file are kept. It counts at once.

        Example:
            >>> workspace.config.set("cochanges.min_support", 5)
            5
        """
        text = str(value) if isinstance(value, str | int | float) else json.dumps(list(value))
        return self._config.set(key, text)

    def is_default(self, key: str) -> bool:
        """Return whether the file leaves a setting alone."""
        return self._config.is_default(key)


class Model:
    """The embedding model: `workspace.model`. It belongs to the machine, not to one repository."""

    def install(self, name: str = DEFAULT_MODEL, *, progress: Progress = no_progress) -> Installation:
        """Return what came of downloading a model: the default one, or `fastembed:` and one of fastembed's list.

        Nothing else ever downloads. Progress counts bytes.
        """
        from tx_graph.vectors.installation import install

        return install(name, progress=progress)

    def status(self, *, verify: bool = False) -> ModelStatus:
        """Return whether the default model is there, by its files' sizes, or with `verify` by their digests."""
        from tx_graph.vectors.installation import ModelStore

        return ModelStore().status(verify=verify)

    def remove(self) -> int:
        """Return how many bytes were freed by deleting the default model's files."""
        from tx_graph.vectors.installation import ModelStore

        return ModelStore().remove()
