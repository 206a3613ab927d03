"""Marks: what of a note may not hold any more, so that nothing stale goes unmarked."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Any, NamedTuple, TypedDict, cast

from tx_graph.anchors.relocating import Standings
from tx_graph.anchors.verdict import Standing
from tx_graph.code.file_store import FileStore
from tx_graph.context.focus.rules import Note, Related, Relationship, shape
from tx_graph.context.focus.store import LearningNote
from tx_graph.core.dataclass import dataclass
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer, Word
from tx_graph.documents.edge_store import SectionWalk
from tx_graph.documents.search import State
from tx_graph.graph.edges import NodeId
from tx_graph.records.anchor import Drift
from tx_graph.records.learning import Status

STANDARD_BUDGET = 2_500
"""Tokens for related notes (Doughnut, Graph RAG)."""


class NameShape(TypedDict):
    """A node by its reference and its title."""

    ref: str
    title: str


class NoteShape(TypedDict):
    """What JSON has of every note, and what it is to the focus."""

    ref: str
    kind: str
    title: str
    relationship: Relationship
    details: str


class RelatedShape(NoteShape, total=False):
    """A note as JSON has it: what to know before relying on it, and what binds it to the focus, where that applies."""

    uid: str
    parent: NameShape
    target: NameShape
    details_truncated: bool
    verdict: Word
    drift: Drift
    stale: bool
    state: State
    status: Status
    removed: bool
    superseded_by: str
    uses: dict[str, list[int]]
    more_uses: int
    import_line: int
    unread: bool
    relation: str
    description: str
    weight: float
    origin: str
    forward: bool


class FocusedShape(RelatedShape):
    """The focus itself, with references of what lies around it."""

    contextual_path: list[str]
    children: list[str]
    older_siblings: list[str]
    younger_siblings: list[str]
    inbound_references: list[str]


class FocusShape(TypedDict):
    """A focus view as JSON has it."""

    focus: FocusedShape
    related: list[RelatedShape]
    tokens: int
    budget: int
    omitted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FocusView(Answer):
    """A node in focus, and what is worth knowing around it, most relevant first.

    `path` leads from the root to the parent of the focus. The lists hold references of related notes, each in its
    natural order. `omitted` counts the nodes that stood in line and did not fit.
    """

    focus: Note
    path: tuple[str, ...]
    children: tuple[str, ...]
    older_siblings: tuple[str, ...]
    younger_siblings: tuple[str, ...]
    inbound_references: tuple[str, ...]
    related: tuple[Related, ...]
    tokens: int
    budget: int
    omitted: int

    def as_json(self) -> FocusShape:
        """Return the view as JSON has it."""
        focus = shape(Related(note=self.focus, relationship=Relationship.SELF))
        lists = {
            "contextual_path": list(self.path),
            "children": list(self.children),
            "older_siblings": list(self.older_siblings),
            "younger_siblings": list(self.younger_siblings),
            "inbound_references": list(self.inbound_references),
        }
        return {
            "focus": cast(FocusedShape, focus | lists),
            "related": [cast(RelatedShape, shape(one)) for one in self.related],
            "tokens": self.tokens,
            "budget": self.budget,
            "omitted": self.omitted,
        }


class Kind(StrEnum):
    """What a node of a focus view is."""

    DIRECTORY = "directory"
    DOCUMENT = "document"
    SECTION = "section"
    TYPED_LINE = "typed_line"
    FILE = "file"
    SYMBOL = "symbol"
    LEARNING = "learning"
    LINK = "link"
    ENTITY = "entity"


RELATION = "relation"
"""What typed lines of documents and links of learnings are called: both are relation notes."""


class Place(NamedTuple):
    """A node, by what its family knows it by.

    Directories and files have a path as `name`, symbols their qualified one; documents, sections, learnings and
    entities a `node`. A typed line is the link at a `position` in the row of a section; the link of a learning has the
    node that it leads to there, and its relation as `name`.
    """

    kind: Kind
    name: str = ""
    node: NodeId = 0
    position: int = 0


Told = Mapping[Place, Note]
"""What is said of nodes."""


Marks = Mapping[str, Any]
Read = tuple[int, int, str | None]
"""What a file was like when it was read: its size, time of change (ns) and SHA-256, None where that was not taken."""


class Marking:
    """Looks at the working tree once: what was asked about is remembered."""

    def __init__(self, kernel: Kernel) -> None:
        self._files = FileStore(kernel.database)
        self._lines = SectionWalk(kernel.database)
        self._tree = kernel.checkout.tree
        self._moment = Standings(kernel)
        self._states: dict[str, State] = {}
        self._with_successors = self._lines.documents_with_successors()

    def of_files(self, paths: Collection[str]) -> dict[str, Marks]:
        """Return for each file whether it says something else than at the last index, or is gone."""
        rows = self._files.rows_of([path for path in paths if path not in self._states])
        read = {path: (row.size, row.mtime_ns, row.content_hash) for path, row in rows.items()}
        return {path: self.of_read(path, read.get(path)) for path in paths}

    def of_read(self, path: str, read: Read | None) -> Marks:
        """Return whether a file says something else than when it was read, or is gone; None: it never was."""
        if path not in self._states:
            self._states[path] = self._state(path, read)
        state = self._states[path]
        return {} if state is State.FRESH else {"verdict": state.value, "state": state.value}

    def superseded(self, sections: Mapping[NodeId, NodeId]) -> dict[NodeId, Marks]:
        """Return for each section, given with its document, that no longer holds what took its place."""
        concerned = [section for section, document in sections.items() if document in self._with_successors]
        found = self._lines.superseded_by(concerned) if concerned else {}
        return {node: {"superseded_by": successor} for node, successor in found.items()}

    def of_learnings(self, notes: Collection[LearningNote]) -> dict[NodeId, Marks]:
        """Return for each learning whether its code still stands, and whether anybody has confirmed it."""
        standings = self._moment.standings([one.node for one in notes])
        return {one.node: _learning_mark(one, standings[one.node]) for one in notes}

    def _state(self, path: str, read: Read | None) -> State:
        """Return how a file is: by its time stamp, and by its content where that proves nothing."""
        stamp = self._tree.stamp(path)
        if stamp is None:
            return State.GONE
        if read is None or stamp == read[:2]:
            return State.FRESH
        data = self._tree.read(path)
        is_same = data is not None and hashlib.sha256(data).hexdigest() == read[2]
        return State.FRESH if is_same else State.CHANGED


def _learning_mark(one: LearningNote, told: Standing) -> Marks:
    return {
        "verdict": told.word.value,
        **({"drift": told.drift.value} if told.drift else {}),
        **({"stale": True} if told.is_stale else {}),
        **({"status": one.status} if one.status != Status.ACTIVE else {}),
        **({"removed": True} if one.is_removed else {}),
        **({"superseded_by": f"learning:{one.successor}"} if one.successor else {}),
    }
