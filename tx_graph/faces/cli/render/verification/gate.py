"""Which findings end in exit status 1."""

from __future__ import annotations

from enum import StrEnum

from tx_graph.anchors.verdict import Judgement, Verdict
from tx_graph.anchors.verify import Report


class Gate(StrEnum):
    """What stops a build: every finding, only anchors that are invalid, or nothing."""

    DRIFTED = "drifted"
    INVALID = "invalid"
    NEVER = "never"

    def stops_at(self, report: Report) -> bool:
        """Whether a report has something to stop at; a record that cannot be read may hide anything."""
        is_blind = report.unread > 0 and self is not Gate.NEVER
        return is_blind or any(self.stops(one.judgement) for one in report.checked)

    def stops(self, judgement: Judgement) -> bool:
        """Whether this verdict is one to stop at."""
        if self is Gate.DRIFTED:
            return judgement.is_finding
        return self is Gate.INVALID and judgement.verdict is Verdict.INVALID
