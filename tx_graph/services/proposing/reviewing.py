"""What people say to staged learnings: promote those with the evidence it takes, or reject them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tx_graph.domain.labels import clean_label
from tx_graph.domain.learning import Learning, Status, StoredLearning
from tx_graph.errors import UsageError
from tx_graph.ports import Clock
from tx_graph.services.record_sync import RecordSync
from tx_graph.services.references import References
from tx_graph.services.stamps import iso
from tx_graph.storage.learnings import LearningFilter, LearningStore

if TYPE_CHECKING:
    from tx_graph.services.proposing.gate import Checked, Gate

Change = Callable[[Learning], Learning]


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """What became of staged learnings: `forced` ones lack evidence, and were promoted all the same."""

    promoted: tuple[StoredLearning, ...]
    held_back: tuple[Checked, ...]
    forced: tuple[Checked, ...]
    checked: tuple[Checked, ...]


class Reviewing:
    """Makes staged learnings active, or hides them for good."""

    def __init__(
        self,
        *,
        store: LearningStore,
        sync: RecordSync[Learning],
        references: References,
        gate: Callable[[], Gate],
        clock: Clock,
    ) -> None:
        self._store = store
        self._sync = sync
        self._references = references
        self._gate = gate
        self._clock = clock

    def staged(self) -> list[StoredLearning]:
        """Return the learnings that wait for review, the surest first."""
        found = self._store.listed(LearningFilter(status=Status.STAGED), limit=-1)
        return sorted(found, key=lambda stored: (-stored.learning.confidence, stored.id))

    def waiting(self) -> int:
        """Return how many learnings wait for review."""
        return self._store.numbers_by_status().get(Status.STAGED.value, 0)

    def check(self, refs: Sequence[str], *, least: float | None = None) -> list[Checked]:
        """Return what the gate finds of staged learnings, in the order they are named; nothing is changed.

        Raises:
            NotFound: One of them names nothing.
            UsageError: One of them is not staged, or the least confidence is not from 0 to 1.
        """
        return self._gate().check(self._staged(refs), least=least)

    def promote(self, refs: Sequence[str], *, least: float | None = None, force: bool = False) -> Promotion:
        """Make the staged learnings active that have the evidence, or all with `force`: search shows them from now on.

        They keep where they came from.

        Raises:
            NotFound: One of them names nothing; nothing was changed.
            UsageError: One of them is not staged, or the least confidence is not from 0 to 1; nothing was changed.
        """
        with self._sync.exclusively():
            checked = self.check(refs, least=least)
            chosen = [one for one in checked if force or one.passes]
            done = self._write([one.stored for one in chosen], lambda learning: replace(learning, status=Status.ACTIVE))
        return Promotion(
            promoted=tuple(done),
            held_back=tuple(one for one in checked if one not in chosen),
            forced=tuple(one for one in chosen if not one.passes),
            checked=tuple(checked),
        )

    def reject(self, refs: Sequence[str], *, reason: str = "") -> list[StoredLearning]:
        """Remove staged learnings, so that they are not proposed again; they can be restored like any other.

        Raises:
            NotFound: One of them names nothing; nothing was changed.
            UsageError: One of them is not staged, or the reason is too long; nothing was changed.
        """
        why = clean_label(reason, what="reason") if reason else None
        now = iso(self._clock.now())
        return self._changed(refs, lambda learning: replace(learning, removed_at=now, removal_reason=why))

    def _changed(self, refs: Sequence[str], change: Change) -> list[StoredLearning]:
        with self._sync.exclusively():
            return self._write(self._staged(refs), change)

    def _staged(self, refs: Sequence[str]) -> list[StoredLearning]:
        """Return each learning that is named, once."""
        found = list({stored.id: stored for stored in map(self._references.learning, refs)}.values())
        _check_staged(found)
        return found

    def _write(self, found: Sequence[StoredLearning], change: Change) -> list[StoredLearning]:
        changed = {stored.record: change(stored.learning) for stored in found}
        self._sync.write_many((), changed, progress=lambda _: None)
        return self._store.by_numbers([stored.id for stored in found])


def _check_staged(found: Sequence[StoredLearning]) -> None:
    others = [stored for stored in found if _standing(stored) != Status.STAGED]
    if others:
        named = ", ".join(f"{stored.ref} is {_standing(stored)}" for stored in others)
        raise UsageError(f"Only staged learnings can be reviewed: {named}; nothing was changed.", hint=_hint(others))


def _standing(stored: StoredLearning) -> str:
    return "removed" if stored.learning.removed_at else stored.learning.status.value


def _hint(others: Sequence[StoredLearning]) -> str:
    removed = next((stored for stored in others if stored.learning.removed_at), None)
    return f"Restore it first: tx learning:remove {removed.id} --restore" if removed else ""
