"""What is asked of a verification, and what it answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tx_graph.domain.verdict import Drift, Judgement, Verdict
from tx_graph.services.anchoring.evidence import Change
from tx_graph.storage.learnings import Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Which anchors to check: all of the learnings that answers show, unless something is named.

    `places` are learnings, files, directories and symbols as one types them; `since` a revision, so that only what
    differs from it is checked; `withheld` takes in superseded, retracted and removed learnings.
    """

    places: Sequence[str] = ()
    since: str | None = None
    withheld: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """One anchor with its verdict.

    For a finding, `change` is the commit that changed the code, if history knows, and `difference` lines of a unified
    diff from what was anchored to what is there, as far as both are known. `mended` says that the record was updated.
    """

    learning: Label
    judgement: Judgement
    change: Change | None = None
    difference: tuple[str, ...] = ()
    mended: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a verification found, by learning and anchor.

    `unread` counts the records that are damaged: nobody knows what they are anchored to. `notices` are sentences about
    what limited it.
    """

    checked: tuple[Checked, ...]
    unread: int = 0
    notices: tuple[str, ...] = ()

    @property
    def findings(self) -> list[Checked]:
        """What somebody has to look at."""
        return [one for one in self.checked if one.judgement.is_finding]

    def summary(self) -> dict[str, int]:
        """Return how many anchors there are of each outcome; every anchor counts once.

        What drifted in format or comments alone stands apart from `drifted`, for it is no finding.
        """
        counts = Counter(map(_outcome, (one.judgement for one in self.checked)))
        return {name: counts[name] for name in _OUTCOMES}


_OUTCOMES = (*(verdict.value for verdict in Verdict), Drift.FORMAT.value, Drift.COMMENT.value)


def _outcome(judgement: Judgement) -> str:
    if judgement.verdict is Verdict.DRIFTED and not judgement.is_finding and judgement.drift:
        return judgement.drift.value
    return judgement.verdict.value


def distinct(sentences: Iterable[str]) -> tuple[str, ...]:
    """Return sentences once each, in order, without empty ones."""
    return tuple(dict.fromkeys(filter(None, sentences)))
