"""Finds the learnings that people name; what is unknown or ambiguous is an error that names the nearest."""

from __future__ import annotations

from tx_graph.core.arguments import Ref, ref_of
from tx_graph.core.errors import NotFound
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import DIGITS_OF_A_ROWID, excerpt, nearest
from tx_graph.graph.references import Lookup, Node, NodeKind, Reference, parse_reference
from tx_graph.records.learning import Status, StoredLearning
from tx_graph.records.learning_store import LearningStore

_MARK = "staged: "  # stands before what nobody has confirmed


class LearningReferences(Lookup):
    """Looks learnings up."""

    def __init__(self, kernel: Kernel) -> None:
        self._learnings = LearningStore(kernel.database)

    def learning(self, ref: Ref) -> StoredLearning:
        """Return the learning with this local number, uid or unique uid prefix."""
        text = ref_of(ref)
        reference = parse_reference(text)
        if NodeKind.LEARNING not in reference.kinds:
            raise NotFound(
                f"'{text}' is not a learning.", hint="Name one by its number or its uid; see 'tx learning:list'."
            )
        found = self._named(reference)
        if len(found) == 1:
            return found[0]
        if found:
            labels = [_label(one.id, one.learning.uid, one.learning.content, one.learning.status) for one in found]
            raise NotFound(f"'{text}' begins several uids.", candidates=labels)
        raise NotFound(f"There is no learning '{text}'.", candidates=self.nearest(reference.text))

    def is_learning(self, text: str) -> bool:
        """Say whether `text` can mean nothing but a learning, or means one that is there."""
        reference = parse_reference(text)
        if NodeKind.LEARNING not in reference.kinds:
            return False
        return len(reference.kinds) == 1 or bool(self._named(reference))

    def nodes(self, reference: Reference) -> list[Node]:
        """Return the learnings with this number, or whose uids begin so."""
        return [
            Node(
                kind=NodeKind.LEARNING,
                key=one.learning.uid,
                ref=one.ref,
                id=one.node,
                status=one.learning.status,
            )
            for one in self._named(reference)
        ]

    def nearest(self, text: str) -> list[str]:
        """Return the learnings whose numbers or uids are nearest."""
        staged = self._learnings.staged()
        return [
            _label(number, uid, content, Status.STAGED if number in staged else None)
            for number, uid, content in nearest(self._learnings.labels(), text)
        ]

    def text(self, ref: str) -> str:
        """Return what a learning says."""
        return self.learning(ref).learning.content

    def _named(self, reference: Reference) -> list[StoredLearning]:
        if reference.is_number:
            fits = len(reference.text) <= DIGITS_OF_A_ROWID
            return self._learnings.by_numbers([int(reference.text)]) if fits else []
        return self._learnings.by_uid_prefix(reference.text.lower())


def _label(number: int, uid: str, content: str, status: Status | None) -> str:
    return f"{number} ({uid}) {_MARK if status is Status.STAGED else ''}{excerpt(content)}"
