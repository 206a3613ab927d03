"""Marks: what of a note may not hold any more, so that nothing stale goes unmarked."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.edges import NodeId
from tx_graph.domain.learning import Status
from tx_graph.domain.verdict import Standing
from tx_graph.services.doc_search import State
from tx_graph.services.standings import Standings
from tx_graph.storage.focus_learnings import LearningNote
from tx_graph.storage.stores import Stores

Marks = Mapping[str, Any]
Read = tuple[int, int, str | None]
"""What a file was like when it was read: its size, time of change (ns) and SHA-256, None where that was not taken."""


class Marking:
    """Looks at the working tree once: what was asked about is remembered."""

    def __init__(self, *, stores: Stores, tree: WorkingTree, standings: Standings) -> None:
        self._stores = stores
        self._tree = tree
        self._moment = standings.now()
        self._states: dict[str, State] = {}
        self._with_successors = stores.section_lines.documents_with_successors()

    def of_files(self, paths: Collection[str]) -> dict[str, Marks]:
        """Return for each file whether it says something else than at the last index, or is gone."""
        rows = self._stores.files.rows_of([path for path in paths if path not in self._states])
        read = {path: (row.size, row.mtime_ns, row.content_hash) for path, row in rows.items()}
        return {path: self.of_read(path, read.get(path)) for path in paths}

    def of_read(self, path: str, read: Read | None) -> Marks:
        """Return whether a file says something else than when it was read, or is gone; None: it never was."""
        if path not in self._states:
            self._states[path] = self._state(path, read)
        return _state_mark(self._states[path])

    def superseded(self, sections: Mapping[NodeId, NodeId]) -> dict[NodeId, Marks]:
        """Return for each section, given with its document, that no longer holds what took its place."""
        concerned = [section for section, document in sections.items() if document in self._with_successors]
        found = self._stores.section_lines.superseded_by(concerned) if concerned else {}
        return {node: {"superseded_by": successor} for node, successor in found.items()}

    def of_learnings(self, notes: Collection[LearningNote]) -> dict[NodeId, Marks]:
        """Return for each learning whether its code still stands, and whether anybody has confirmed it."""
        standings = self._moment.standings([one.node for one in notes])
        return {one.node: _learning_mark(one, standings[one.node]) for one in notes}

    def _state(self, path: str, read: Read | None) -> State:
        """Return how a file is: by its time stamp, and by its content where that proves nothing."""
        stamp = self._tree.size_and_time(path)
        if stamp is None:
            return State.GONE
        if read is None or stamp == read[:2]:
            return State.FRESH
        data = self._tree.read(path)
        is_same = data is not None and hashlib.sha256(data).hexdigest() == read[2]
        return State.FRESH if is_same else State.CHANGED


def _state_mark(state: State) -> Marks:
    return {} if state is State.FRESH else {"state": state.value}


def _learning_mark(one: LearningNote, told: Standing) -> Marks:
    return {
        "verdict": told.value,
        **({"stale": True} if told.is_stale else {}),
        **({"status": one.status} if one.status != Status.ACTIVE else {}),
        **({"removed": True} if one.is_removed else {}),
        **({"superseded_by": f"learning:{one.successor}"} if one.successor else {}),
    }
