"""Turns references into nodes; what is unknown or ambiguous is an error that names the nearest."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import NotFound
from tx_graph.core.kernel import Kernel
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.graph.references import NodeKind, Reference, canonical_reference, parse_reference
from tx_graph.records.learning import Status, StoredLearning
from tx_graph.records.learning_store import LearningStore

if TYPE_CHECKING:
    from tx_graph.anchors.sources import Sources
    from tx_graph.documents.store import SectionStore
    from tx_graph.knowledge.entity_store import EntityStore
    from tx_graph.work.references import WorkReferences

_EXCERPT = 60
_LOOKED_AT = 1000
"""The newest are looked at, where it is not numbers that are compared."""
_DIGITS = 18
"""A longer number fits no 64-bit row id."""


def excerpt(text: str) -> str:
    """Return the first line of a text, at most 60 characters of it."""
    line = text.split("\n", 1)[0]
    return line if len(line) <= _EXCERPT else f"{line[: _EXCERPT - 1]}…"


def nearest(labels: Sequence[tuple[int, str, str]], text: str, *, most: int = 3) -> list[tuple[int, str, str]]:
    """Return the labels (number, uid, words), given newest first, that are nearest to a number or a uid."""
    from difflib import SequenceMatcher

    if text.isascii() and text.isdigit() and len(text) <= _DIGITS:
        return sorted(labels, key=lambda label: abs(label[0] - int(text)))[:most]
    return sorted(labels[:_LOOKED_AT], key=lambda label: -SequenceMatcher(None, text, label[1]).ratio())[:most]


_MARK = "staged: "
"""Stands before what nobody has confirmed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """A node that a reference names. `id` is None for a file or symbol of which the graph knows nothing yet.

    `status` is that of a learning, None of other nodes: who names one that nobody has confirmed is to be told.
    """

    kind: NodeKind
    key: str
    ref: str
    id: NodeId | None
    status: Status | None = None

    def as_json(self) -> dict[str, str]:
        """Return the node, a learning with its status."""
        shape = {"ref": self.ref, "kind": self.kind.value, "key": self.key}
        return shape | ({"status": self.status.value} if self.status else {})


class References:
    """Looks references up."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel
        self._learnings = LearningStore(kernel.database)
        self._nodes = NodeStore(kernel.database)
        self._tree = kernel.checkout.tree
        self._listed_files = kernel.checkout.listed_files

    # Most references are learnings and files: what reads the other kinds is loaded when one is named.

    @cached_property
    def _sections(self) -> SectionStore:
        from tx_graph.documents.store import SectionStore

        return SectionStore(self._kernel.database)

    @cached_property
    def _entities(self) -> EntityStore:
        from tx_graph.knowledge.entity_store import EntityStore

        return EntityStore(self._kernel.database)

    @cached_property
    def _sources(self) -> Sources:
        from tx_graph.anchors.sources import sources

        return self._kernel.one(sources)

    @cached_property
    def _work(self) -> WorkReferences:
        from tx_graph.work.references import WorkReferences

        return self._kernel.one(WorkReferences)

    def learning(self, ref: Ref) -> StoredLearning:
        """Return the learning with this local number, uid or unique uid prefix."""
        text = ref_of(ref)
        reference = parse_reference(text)
        if NodeKind.LEARNING not in reference.kinds:
            raise NotFound(
                f"'{text}' is not a learning.", hint="Name one by its number or its uid; see 'tx learning:list'."
            )
        found = self._learnings_named(reference)
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFound(f"'{text}' begins several uids.", candidates=[_label(stored) for stored in found])
        raise NotFound(f"There is no learning '{text}'.", candidates=self._similar_uids(reference.text))

    def is_learning(self, text: str) -> bool:
        """Say whether `text` can mean nothing but a learning, or means one that is there."""
        reference = parse_reference(text)
        if NodeKind.LEARNING not in reference.kinds:
            return False
        return len(reference.kinds) == 1 or bool(self._learnings_named(reference))

    def node(self, text: str) -> Node:
        """Return the node that `text` names."""
        reference = parse_reference(text)
        is_learning = NodeKind.LEARNING in reference.kinds
        found = [learning_node(stored) for stored in self._learnings_named(reference)] if is_learning else []
        found += self._file_nodes(reference) + self._symbol_nodes(reference)
        found += self._section_nodes(reference) + self._commit_nodes(reference) + self._work_nodes(reference)
        found += self._entity_nodes(reference)
        if len(found) == 1:
            return found[0]
        if found:
            raise NotFound(f"'{text}' names several things.", candidates=[_explicit(node) for node in found])
        raise NotFound(f"There is nothing named '{text}'.", candidates=self._nearest(reference))

    def file(self, text: str) -> Node:
        """Return the node of the file that `text` names, whatever else that could name; one that is gone too."""
        typed = text.strip().removeprefix(f"{NodeKind.FILE}:")
        if found := self._file_nodes(Reference(text=typed, kinds=(NodeKind.FILE,))):
            return found[0]
        raise NotFound(f"There is no file '{typed}'.", candidates=self._listed_files().nearest(typed))

    def file_nodes(self, paths: Collection[str]) -> dict[str, NodeId]:
        """Return the nodes of those of these files, by repository-relative path, that the graph knows."""
        return self._nodes.find(NodeKind.FILE, paths)

    def text(self, ref: str) -> str:
        """Return what a node, by its canonical reference, is about; empty for what has no words of its own.

        That is what a learning, task or run says, the title of a document or section, and what an entity is where
        anybody said so.
        """
        kind = ref.partition(":")[0]
        if kind == NodeKind.ENTITY:
            entity = self._entities.named(ref.partition(":")[2])
            return f"{entity.name}: {entity.description}" if entity and entity.description else ""
        if kind == NodeKind.LEARNING:
            return self.learning(ref).learning.content
        return self._work.text(ref) if kind in (NodeKind.TASK, NodeKind.RUN) else self._sections.title(ref)

    def directory(self, typed: str) -> str:
        """Return the repository-relative path of a directory or file; the root is the empty text."""
        found = self._tree.existing(typed)
        if found is None:
            raise NotFound(f"There is no directory '{typed}'.")
        return "" if found == "." else found

    def _learnings_named(self, reference: Reference) -> list[StoredLearning]:
        if reference.is_number:
            return self._learnings.by_numbers([int(reference.text)]) if len(reference.text) <= _DIGITS else []
        return self._learnings.by_uid_prefix(reference.text.lower())

    def _file_nodes(self, reference: Reference) -> list[Node]:
        if NodeKind.FILE not in reference.kinds:
            return []
        candidates = self._tree.candidates(reference.text)
        known = self._nodes.find(NodeKind.FILE, candidates)
        existing = (path for path in candidates if self._tree.exists(path) and not self._tree.is_directory(path))
        # A deleted file keeps its node, so that one may ask what was known of it; it must not hide one that exists.
        remembered = (path for path in candidates if path in known)
        path = next(existing, None) or next(remembered, None)
        return [] if path is None else [Node(kind=NodeKind.FILE, key=path, ref=path, id=known.get(path))]

    def _symbol_nodes(self, reference: Reference) -> list[Node]:
        if NodeKind.SYMBOL not in reference.kinds:
            return []
        path, _, name = reference.text.partition("::")
        if not name:
            return []
        keys = [f"{candidate}::{name}" for candidate in self._tree.candidates(path)]
        known = self._nodes.find(NodeKind.SYMBOL, keys)
        key = next((key for key in keys if key in known), None) or self._symbol_in_its_file(path, name)
        if key is None:
            return []
        node = known.get(key) or self._nodes.find(NodeKind.SYMBOL, [key]).get(key)
        return [Node(kind=NodeKind.SYMBOL, key=key, ref=key, id=node)]

    def _section_nodes(self, reference: Reference) -> list[Node]:
        if NodeKind.SECTION not in reference.kinds:
            return []
        path, _, part = reference.text.rpartition("#")
        keys = [f"{candidate}#{part}" for candidate in self._tree.candidates(path)] if path and part else []
        known = self._nodes.find(NodeKind.SECTION, keys)
        return [Node(kind=NodeKind.SECTION, key=key, ref=key, id=known[key]) for key in keys if key in known][:1]

    def _commit_nodes(self, reference: Reference) -> list[Node]:
        """Return the commits that edges lead to and that begin so."""
        if NodeKind.COMMIT not in reference.kinds:
            return []
        found = self._nodes.beginning(NodeKind.COMMIT, reference.text.lower(), limit=5)
        return [
            Node(kind=NodeKind.COMMIT, key=key, ref=canonical_reference(NodeKind.COMMIT, key), id=node)
            for key, node in found.items()
        ]

    def _work_nodes(self, reference: Reference) -> list[Node]:
        """Return the task or run that is named as one."""
        kind, text = reference.kinds[0], f"{reference.kinds[0]}:{reference.text}"
        if kind is NodeKind.TASK:
            task = self._work.task(text)
            return [Node(kind=kind, key=str(task.id), ref=task.ref, id=task.node)]
        if kind is NodeKind.RUN:
            run = self._work.run(text)
            return [Node(kind=kind, key=str(run.id), ref=run.ref, id=run.node)]
        return []

    def _entity_nodes(self, reference: Reference) -> list[Node]:
        """Return the entity that goes by this name, its own or another one."""
        if NodeKind.ENTITY not in reference.kinds:
            return []
        entity = self._entities.named(reference.text)
        return [] if entity is None else [Node(kind=NodeKind.ENTITY, key=entity.key, ref=entity.ref, id=entity.node)]

    def _symbol_in_its_file(self, typed: str, name: str) -> str | None:
        """Return the key of a symbol that nothing is tied to; None when there is no such file."""
        path = self._tree.existing(typed)
        if path is None or self._sources.text(path) is None:
            return None
        return f"{path}::{self._sources.symbol(path, name).name}"

    def _nearest(self, reference: Reference) -> list[str]:
        if NodeKind.ENTITY in reference.kinds:
            return [f"{NodeKind.ENTITY}:{name}" for name in self._entities.like(reference.text, limit=5)]
        if NodeKind.SECTION in reference.kinds and (found := self._sections_like(reference.text)):
            return found
        if NodeKind.SYMBOL in reference.kinds:
            return self._nodes.symbols_like(reference.text.rpartition("::")[2], limit=5)
        if NodeKind.FILE in reference.kinds:
            return self._listed_files().nearest(reference.text)
        return self._similar_uids(reference.text)

    def _sections_like(self, text: str) -> list[str]:
        """Return sections of the document that a reference names, those that are called most like it first."""
        from difflib import SequenceMatcher

        path, _, part = text.rpartition("#")
        documents = self._tree.candidates(path) if path else []
        found = [key for one in documents for key in self._nodes.beginning(NodeKind.SECTION, f"{one}#", limit=500)]
        return sorted(found, key=lambda key: -SequenceMatcher(None, part, key.rpartition("#")[2]).ratio())[:5]

    def _similar_uids(self, text: str) -> list[str]:
        staged = self._learnings.staged()
        return [
            f"{number} ({uid}) {_MARK if number in staged else ''}{excerpt(content)}"
            for number, uid, content in nearest(self._learnings.labels(), text)
        ]


def learning_node(stored: StoredLearning) -> Node:
    """Return the node of a learning."""
    learning = stored.learning
    return Node(kind=NodeKind.LEARNING, key=learning.uid, ref=stored.ref, id=stored.node, status=learning.status)


def _explicit(node: Node) -> str:
    return node.ref if node.kind is NodeKind.LEARNING else f"{node.kind}:{node.ref}"


def _label(stored: StoredLearning) -> str:
    mark = _MARK if stored.learning.status is Status.STAGED else ""
    return f"{stored.id} ({stored.learning.uid}) {mark}{excerpt(stored.learning.content)}"
