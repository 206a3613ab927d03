"""Which findings end in exit status 1."""

from __future__ import annotations

from enum import StrEnum

from tx_graph.domain.verdict import Judgement, Verdict


class Gate(StrEnum):
    """What stops a build: every finding, only anchors that are invalid, or nothing."""

    DRIFTED = "drifted"
    INVALID = "invalid"
    NEVER = "never"

    def stops(self, judgement: Judgement) -> bool:
        """Whether this verdict is one to stop at."""
        if self is Gate.DRIFTED:
            return judgement.is_finding
        return self is Gate.INVALID and judgement.verdict is Verdict.INVALID
