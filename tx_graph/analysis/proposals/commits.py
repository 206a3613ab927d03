"""Commits: which messages explain something that is worth knowing before one touches the code."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from tx_graph.analysis.proposals.extract import extract, shortened, size
from tx_graph.analysis.proposals.prose import Kind, Paragraph, clean, paragraphs
from tx_graph.analysis.proposals.routine import is_bot, is_routine_subject, is_side_path, is_side_subject
from tx_graph.analysis.proposals.why import certainty, cues, explains
from tx_graph.domain.commit_message import CommitMessage
from tx_graph.domain.proposal import Reason

SUREST = 0.95
"""Nobody has confirmed a proposal, so none is beyond doubt."""
LEAST = 0.25
"""The confidence below which a proposal is not worth somebody's time."""
_MOST_READ = 50_000
"""Characters of a message: what is longer was not written to be read."""
_LONGEST_SUBJECT = 200
_FEWEST_WORDS = 15
_MANY_WORDS = 40
_REWRITTEN = 0.7
_MANY_LISTS = 4
"""Lists from which on a body was put together from many messages, as squashed merges are."""
_MOST_FILES = 25
"""Paths of a commit beyond which it is about the repository rather than about code."""
_NARRATIVE = re.compile(
    r"""
    \b(?:
        (?:next|following|subsequent|later|future|upcoming|coming|other|previous|preceding|earlier|last|parent)\s+
        (?:few\s+|two\s+|couple\s+of\s+)?(?:commits?|patch(?:es)?|changes?\s+in\s+this|steps?)
      | this\s+(?:patch\s+)?series | in\s+preparation | preparatory | prepare\s+(?:for|to) | groundwork
      | will\s+be\s+(?:used|needed|added)\s+(?:in|by|later) | no\s+functional\s+change
      | let\s+me\s+know | thanks?\s+(?:you|very|so|for|to)
      | this\s+step | this\s+topic | this\s+pull\s+request | this\s+pr\b
    )
    """,
    re.VERBOSE,
)
"""What tells that a commit is told as a part of a story, which a learning stands without."""
_FIX = re.compile(
    r"\b(?:fix(?:e[sd]|up)?|hot-?fix|bug(?:fix)?|repair|correct(?:ly)?|prevent|avoid|handle|regression|don't|do not)\b"
)
_NUMBER = re.compile(r"\s*\(#\d+\)")
_PULL_REQUEST = re.compile(r"\s*\((?:#\d+|GH-\d+|PR\s?#?\d+)\)$|\s*\[(?:ci skip|skip ci)\]$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """A commit's message taken apart; the `epilogue` is what we have to say of it."""

    subject: str
    body: tuple[Paragraph, ...]
    epilogue: str = ""

    @property
    def prose(self) -> str:
        """The sentences of the body."""
        return "\n".join(one.text for one in self.body if one.kind is Kind.PROSE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a commit is worth as a learning: its words, and the reasons, from which the confidence in (0, 1) comes."""

    said: Told
    category: str
    reasons: tuple[Reason, ...]
    confidence: float

    @property
    def content(self) -> str:
        """The text of the learning: what was done, and why."""
        parts = (self.said.subject, extract(self.said.body), self.said.epilogue)
        return "\n\n".join(filter(None, parts))


def told(message: CommitMessage) -> Told:
    """Return a commit's message without what is for machines; a subject that goes on in the body is joined again."""
    subject, _, body = clean(message.text[:_MOST_READ]).partition("\n")
    body = body.strip("\n")
    if subject.rstrip().endswith(("...", "…")) and body.startswith(("...", "…")):
        rest, _, body = body.partition("\n")
        subject = f"{subject.rstrip().rstrip('.…')}{rest.lstrip('.…')}"
    subject = shortened(tidy_subject(subject), _LONGEST_SUBJECT)
    found = paragraphs(body)
    is_repeated = bool(found) and _plain(found[0].text) == _plain(subject)
    return Told(subject=subject, body=tuple(found[is_repeated:]))


def _plain(text: str) -> str:
    return _NUMBER.sub("", tidy_subject(text).casefold()).strip("\"'“”. ")


def tidy_subject(text: str) -> str:
    """Return a subject without the numbers that a forge adds, on one line."""
    subject = " ".join(text.split())
    while (shorter := _PULL_REQUEST.sub("", subject)) != subject:
        subject = shorter
    return subject


def is_routine(message: CommitMessage) -> bool:
    """Whether a commit comes from a machine, or says by its subject that there is nothing to learn from it."""
    return is_bot(message.author) or is_routine_subject(tidy_subject(message.subject))


def judge(message: CommitMessage) -> Judged | None:
    """Return what a commit's explanation is worth, None when it does not explain."""
    if is_routine(message):
        return None
    said = told(message)
    reasons = cues(said.prose)
    if size(said.body) < _FEWEST_WORDS or not explains(reasons):
        return None
    if size(said.body) >= _MANY_WORDS:
        reasons = [*reasons, Reason("long explanation", 0.1)]
    if _FIX.search(said.subject.lower()):
        reasons = [*reasons, Reason("fix", 0.1)]
    confidence = bounded(certainty(reasons) * weight_of(message, said))
    if confidence < LEAST:
        return None
    return Judged(
        said=said,
        category="rationale",
        reasons=tuple(reasons),
        confidence=confidence,
    )


def weight_of(message: CommitMessage, said: Told) -> float:
    """Return what the kind of a commit leaves of its worth: less where it is not about code, or tells its own story."""
    weight = 1.0
    if is_side_subject(said.subject):
        weight *= 0.6
    if message.paths and all(map(is_side_path, message.paths)):
        weight *= 0.6
    if len(message.paths) > _MOST_FILES:
        weight *= 0.7
    if sum(one.kind is Kind.LIST for one in said.body) >= _MANY_LISTS:
        weight *= 0.6
    if _NARRATIVE.search(f"{said.subject}\n{said.prose}".lower()):
        weight *= 0.75
    return weight


def discounted(judged: Judged) -> Judged | None:
    """Return what a commit is worth whose code has been rewritten since; None if that is too little."""
    confidence = bounded(judged.confidence * _REWRITTEN)
    return replace(judged, confidence=confidence) if confidence >= LEAST else None


def bounded(confidence: float) -> float:
    """Return a confidence as it is told: two digits, and never beyond doubt."""
    return round(min(confidence, SUREST), 2)
