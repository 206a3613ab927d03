"""Fixes after fixes: code that was mended, and soon had to be mended again, breaks easily."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tx_graph.analysis.proposals.commits import (
    LEAST,
    Judged,
    bounded,
    is_routine,
    judge,
    tidy_subject,
    told,
    weight_of,
)
from tx_graph.analysis.proposals.routine import code_paths
from tx_graph.analysis.proposals.why import certainty, cues
from tx_graph.domain.commit_message import CommitMessage
from tx_graph.domain.proposal import Reason

SOON = 14 * 86_400
"""Seconds between two fixes that count as one story."""
_MOST_FILES = 5
"""Paths of a fix beyond which two of them meet in a file by chance."""
_FIX = re.compile(r"\b(?:fix(?:es|ed|ing)?|hot-?fix|bug-?fix|regression|repair(?:s|ed)?)\b", re.IGNORECASE)
_NAME = re.compile(r"\b[0-9a-f]{7,40}\b")
_NAMES_IT = re.compile(
    r"""(?:fixes|follow[- ]?up(?:\s+(?:to|of|for|fix\s+(?:to|for)))?|fix-?up\s+(?:to|of|for)|amends?
        |regress(?:ion|ed|es)\s+(?:in|from|since|introduced\s+(?:in|by)|caused\s+by|by|of|after)
        |(?:broken?|regressed|broke)\s+(?:in|by|with|since)
        |(?:bug|issue|problem|regression|breakage|mistake|race|leak|crash|failure)\b[^.]{0,40}\b(?:introduced|caused)\s+(?:in|by|with))
        :?\s+(?:the\s+)?(?:commit\s+)?\(?(?P<sha>[0-9a-f]{7,40})\b""",
    re.VERBOSE,
)
_NAMED = Reason("follow-up fix", 0.3)
_AGAIN = Reason("fixed again", 0.2)
_SHORTEST = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class FollowUp:
    """A fix of what an earlier commit did; `names_it` is how it says so, empty where their lines must be compared."""

    fix: CommitMessage
    earlier: CommitMessage
    names_it: str = ""

    @property
    def is_certain(self) -> bool:
        """Whether the fix itself says what it mends."""
        return bool(self.names_it)

    @property
    def sentence(self) -> str:
        """What is to be said of it beside the fix's own words."""
        earlier = f"“{tidy_subject(self.earlier.subject)}” ({self.earlier.sha[:12]})"
        if not self.names_it:
            return f"Fragile: the same lines had been fixed shortly before, by {earlier}."
        return f"It {'follows up on' if self.names_it.startswith('follow') else 'mends'} {earlier}."


def follow_ups(messages: Sequence[CommitMessage]) -> Iterator[FollowUp]:
    """Yield the fixes that mend an earlier commit, each with it; the messages come newest first."""
    by_start = {message.sha[:_SHORTEST]: message for message in messages}
    before = _fix_before(messages)
    for message in messages:
        if is_routine(message):
            continue
        if found := _named(message, by_start):
            yield found
        elif earlier := before.get(message.sha):
            yield FollowUp(fix=message, earlier=earlier)


def judge_follow_up(found: FollowUp) -> Judged | None:
    """Return what a fix after a fix is worth, None when it is too little."""
    said, plain = told(found.fix), judge(found.fix)
    reasons = [_NAMED if found.is_certain else _AGAIN, *(plain.reasons if plain else cues(said.prose))]
    confidence = bounded(certainty(reasons) * weight_of(found.fix, said))
    if confidence < LEAST:
        return None
    said = replace(said, epilogue=found.sentence)
    return Judged(said=said, category="pitfall", reasons=tuple(reasons), confidence=confidence)


def _named(message: CommitMessage, by_start: Mapping[str, CommitMessage]) -> FollowUp | None:
    """Return what a message says it mends."""
    text = message.text.lower()  # patterns that ignore case take five times as long
    for match in _NAMES_IT.finditer(text) if _NAME.search(text) else ():
        earlier = by_start.get(match["sha"][:_SHORTEST])
        if earlier and earlier.sha.startswith(match["sha"]) and earlier.sha != message.sha:
            return FollowUp(fix=message, earlier=earlier, names_it=match[0])
    return None


def _fix_before(messages: Iterable[CommitMessage]) -> dict[str, CommitMessage]:
    """Return, for each fix by name, the last fix before it that touched one of its files, if that was soon before."""
    waiting: dict[str, list[CommitMessage]] = {}
    found: dict[str, CommitMessage] = {}
    for message in messages:
        if len(message.paths) > _MOST_FILES or not _FIX.search(message.subject) or is_routine(message):
            continue
        for path in code_paths(message.paths):
            for later in waiting.pop(path, []):
                if 0 <= later.time - message.time <= SOON and later.subject != message.subject:
                    found.setdefault(later.sha, message)
            waiting[path] = [message]
    return found
