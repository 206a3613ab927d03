"""Learnings, paths and verdicts in words."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.cli.render.terminal import print_table, shortened, styled, width
from tx_graph.domain.anchor import Verdict
from tx_graph.domain.edges import SYMMETRIC, EdgeType
from tx_graph.domain.learning import Status, StoredLearning
from tx_graph.services.graph import Step

_COLOURS = {
    Verdict.FRESH: "green",
    Verdict.RELOCATED: "cyan",
    Verdict.DRIFTED: "yellow",
    Verdict.GONE: "red",
    Verdict.UNANCHORED: "bright_black",
}
_ONE_WAY = frozenset(EdgeType) - {*SYMMETRIC, EdgeType.ANCHORED_TO}
"""Edge types whose arrow must not be turned round; an anchor reads the same from both ends."""


def verdict(value: Verdict) -> str:
    """Return a verdict in its colour."""
    return styled(value.value, fg=_COLOURS[value])


def way(steps: Sequence[Step], *, last: str = "this") -> str:
    """Return a path in words: `src/auth.ts ─IMPORTS→ src/jwt.ts ─ANCHORED_TO→ this`."""
    words = [steps[0].source]
    for place, step in enumerate(steps, start=1):
        turned = not step.forward and step.type in _ONE_WAY
        words += [f"←{step.type}─" if turned else f"─{step.type}→", last if place == len(steps) else step.target]
    return " ".join(words)


def heading(stored: StoredLearning) -> str:
    """Return what identifies a learning in one line."""
    learning = stored.learning
    marks = [learning.category or "", "" if learning.status is Status.ACTIVE else learning.status.value]
    marks.append("removed" if learning.removed_at else "")
    return "  ".join([styled(stored.ref, bold=True), learning.uid, *(mark for mark in marks if mark)])


def print_learnings(many: Sequence[StoredLearning]) -> None:
    """Print learnings as a table."""
    rows = [
        (
            str(stored.id),
            stored.learning.uid,
            stored.learning.created_at[:10],
            stored.learning.category or "",
            shortened(stored.learning.content, max(30, width() - 48)),
        )
        for stored in many
    ]
    print_table(["#", "uid", "created", "category", "content"], rows, right=["#"])
