"""Says of learnings, at the moment they are read, whether their code still stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection

from tx_graph.domain.edges import NodeId
from tx_graph.domain.verdict import Judgement, Standing, standing
from tx_graph.services.anchoring.checking import Checking
from tx_graph.storage.anchors import AnchorStore


class Standings:
    """Checks the anchors of what is shown, no more, and writes nothing.

    Code that went elsewhere is looked for in its own file and where the index knows its name; graph:verify looks
    further. `look_again` makes whatever was read of the working tree count as old.
    """

    def __init__(self, *, anchors: AnchorStore, checking: Checking, look_again: Callable[[], None]) -> None:
        self._anchors = anchors
        self._checking = checking
        self._look_again = look_again

    def now(self) -> Moment:
        """Return the working tree as it is from here on, to judge learnings by."""
        self._look_again()
        return Moment(anchors=self._anchors, checking=self._checking)


class Moment:
    """One look at the working tree: however often a learning is asked about, it is judged once."""

    def __init__(self, *, anchors: AnchorStore, checking: Checking) -> None:
        self._anchors = anchors
        self._checking = checking
        self._judged: dict[NodeId, tuple[Judgement, ...]] = {}

    def judgements(self, learnings: Collection[NodeId]) -> dict[NodeId, tuple[Judgement, ...]]:
        """Return the verdicts on the anchors of each learning, in the order of their specs."""
        self._judged |= self._judge([node for node in learnings if node not in self._judged])
        return {node: self._judged[node] for node in learnings}

    def standings(self, learnings: Collection[NodeId]) -> dict[NodeId, Standing]:
        """Return what is said of each learning."""
        return {node: standing(judged) for node, judged in self.judgements(learnings).items()}

    def _judge(self, learnings: Collection[NodeId]) -> dict[NodeId, tuple[Judgement, ...]]:
        rows = self._anchors.rows(learnings) if learnings else []
        found: dict[NodeId, list[Judgement]] = defaultdict(list)
        for row, judgement in zip(rows, self._checking.check(rows) if rows else (), strict=True):
            found[row.learning].append(judgement)
        return {node: tuple(found[node]) for node in learnings}
