"""What one look at the record files brought in; apart from the work itself, because most looks bring nothing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What one pass over the record files took in; `pending` changes could not be written down."""

    changed: int = 0
    vanished: int = 0
    pending: int = 0

    @classmethod
    def sum(cls, reports: Iterable[Self]) -> Self:
        """Return what several passes took in together."""
        every = list(reports)
        return cls(
            changed=sum(report.changed for report in every),
            vanished=sum(report.vanished for report in every),
            pending=sum(report.pending for report in every),
        )
