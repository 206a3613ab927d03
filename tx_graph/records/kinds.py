"""How the records of each kind are kept equal to the database."""

from __future__ import annotations

from typing import TypeVar

from tx_graph.core.kernel import Kernel
from tx_graph.records.front_matter import RecordFormat
from tx_graph.records.learning import Learning
from tx_graph.records.learning_record import LEARNING_FORMAT
from tx_graph.records.learning_store import LearningStore
from tx_graph.records.seen_store import Shelf
from tx_graph.records.sync import AllRecords, RecordSync
from tx_graph.records.watch import FOLLOWERS, KINDS, RECORDS

T = TypeVar("T")


def learning_sync(kernel: Kernel) -> RecordSync[Learning]:
    """Return what keeps learnings and their records equal."""
    return record_sync(kernel, LearningStore(kernel.database), LEARNING_FORMAT)


def all_records(kernel: Kernel) -> AllRecords:
    """Return the records of every kind together."""
    return AllRecords(kinds={kind: kernel.registered(RECORDS, kind) for kind in KINDS})


def record_sync(kernel: Kernel, shelf: Shelf[T], form: RecordFormat[T]) -> RecordSync[T]:
    """Return what keeps the records of one kind and their rows equal."""
    return RecordSync(kernel, shelf, form, settled=lambda: kernel.call_all(FOLLOWERS))
