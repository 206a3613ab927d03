"""What one look at the record files brought in; apart from the work itself, because most looks bring nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What one pass over the record files took in; `pending` changes could not be written down."""

    changed: int = 0
    vanished: int = 0
    pending: int = 0
