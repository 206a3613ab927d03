"""Reverts: what was tried and taken back, and why; what came again later is no lesson."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace

from tx_graph.analysis.proposals.commits import LEAST, Judged, Told, bounded, is_routine, tidy_subject, told, weight_of
from tx_graph.analysis.proposals.extract import size
from tx_graph.analysis.proposals.prose import Kind, Paragraph
from tx_graph.analysis.proposals.why import certainty, cues, explains
from tx_graph.domain.commit_message import CommitMessage
from tx_graph.domain.proposal import Reason

_QUOTED = re.compile(
    r'^(?:\w+(?:\([^)]*\))?:\s*)?revert(?:s|ed|ing)?:?\s+["\u201c\'](?P<subject>.+)["\u201d\']\W*$', re.IGNORECASE
)
_PLAIN = re.compile(r"^revert(?:s|ed|ing)?(?:\s+to\b)?:?\s+(?P<subject>\S.+)$", re.IGNORECASE)
_REAPPLIED = re.compile(r'^(?:re-?apply|re-?land|re-?do)\W+["\u201c]?(?P<subject>.+?)["\u201d]?$', re.IGNORECASE)
_BOILERPLATE = re.compile(
    r"""
      (?:this\s+)?(?:reverts?|backs?\s+out)\s+(?:(?:the|merge)\s+)*(?:commits?\s+)?[0-9a-f]{7,40}\b
      (?:\s*(?:,|and|\((?:[^()]|\([^()]*\))*\)))*[.:]?
      (?:,?\s*reversing\s+changes\s+made\s+to\s+[0-9a-f]{7,40}\.?)?
    | reverts\s+[\w.-]+/[\w.-]+\#\d+\.?
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SHA = re.compile(r"\breverts?\s+(?:commit\s+)?(?P<sha>[0-9a-f]{7,40})\b", re.IGNORECASE)
_REVERT = Reason("revert", 0.35)
_WHY = Reason("says why", 0.3)
_TOLD = Reason("revert", 0.27)
_SILENT = Reason("revert", LEAST)
_FEWEST_WORDS = 8
_DAY = 86_400
SHORTEST = 7
"""Digits by which messages name commits at least."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reverted:
    """A commit that takes another one back: the subject of that one and, where it is told, its name."""

    subject: str
    sha: str = ""


def reverted(message: CommitMessage) -> Reverted | None:
    """Return what a commit takes back, None when it takes nothing back."""
    subject = tidy_subject(message.subject)
    if (match := _QUOTED.match(subject) or _PLAIN.match(subject)) is None:
        return None
    named = _SHA.search(message.text)
    if named is None and match.re is _PLAIN:  # "Revert to the old icons" names no commit
        return None
    return Reverted(subject=tidy_subject(match["subject"]), sha=named["sha"] if named else "")


def came_back(messages: Iterable[CommitMessage]) -> frozenset[str]:
    """Return the subjects of commits that were taken back and came again, as reverts of reverts or by name."""
    found: set[str] = set()
    for message in messages:
        subject = tidy_subject(message.subject)
        if match := _REAPPLIED.match(subject):
            found.add(match["subject"].casefold())
        elif (taken := reverted(message)) and (inner := reverted(replace(message, text=taken.subject))):
            found.add(inner.subject.casefold())
    return frozenset(found)


def taken_back(messages: Iterable[CommitMessage], *, returned: frozenset[str]) -> frozenset[str]:
    """Return the names of commits that were taken back and did not come again: what they explain is no more so."""
    messages = list(messages)
    reverts = [taken for message in messages if (taken := reverted(message))]
    gone = [taken for taken in reverts if taken.subject.casefold() not in returned]
    starts = {taken.sha[:SHORTEST].lower() for taken in gone if taken.sha}
    named = {message.sha for message in messages if message.sha[:SHORTEST] in starts}
    return frozenset(named | _only_ones(messages, {taken.subject.casefold() for taken in gone if not taken.sha}))


def _only_ones(messages: Iterable[CommitMessage], subjects: Collection[str]) -> set[str]:
    """Return the commits with these subjects, as far as no other has the same: that one may have come again."""
    found: dict[str, list[str]] = {}
    for message in messages:
        subject = tidy_subject(message.subject).casefold()
        if subject in subjects:
            found.setdefault(subject, []).append(message.sha)
    return {commits[0] for commits in found.values() if len(commits) == 1}


def judge_revert(
    message: CommitMessage, *, returned: frozenset[str], earlier: CommitMessage | None = None
) -> Judged | None:
    """Return what a revert is worth, None when it is none: what `returned` was no mistake.

    Where it does not say why, it tells what the `earlier` commit was meant for, if that stood for a while or said so.
    """
    taken = reverted(message)
    if taken is None or taken.subject.casefold() in returned or _is_trivial(message, taken):
        return None
    said = told(message)
    said = Told(subject=f"Reverted: {taken.subject}", body=tuple(_without_boilerplate(said.body)))
    if size(said.body) >= _FEWEST_WORDS:
        found = cues(said.prose)
        reasons = [_REVERT, _WHY, *found] if explains(found) else [_TOLD, *found]
    elif silence := _silent(message, earlier):
        reasons, said = [_SILENT], silence
    else:
        return None
    confidence = bounded(certainty(reasons) * weight_of(message, replace(said, subject=taken.subject)))
    if confidence < LEAST:
        return None
    return Judged(said=said, category="pitfall", reasons=tuple(reasons), confidence=confidence)


def _silent(message: CommitMessage, earlier: CommitMessage | None) -> Told | None:
    """Return what a revert without a reason tells; None if it took back at once what had not said why either."""
    if earlier is None or reverted(earlier):
        return None
    said, days = told(earlier), (message.time - earlier.time) // _DAY
    if days < 1 and size(said.body) < _FEWEST_WORDS:
        return None
    stood = f" It had stood for {days} day{'s' if days > 1 else ''}." if days > 0 else ""
    epilogue = f"Why it was reverted was not recorded.{stood}"
    return Told(subject=f"Reverted: {said.subject}", body=said.body, epilogue=epilogue)


def _is_trivial(message: CommitMessage, taken: Reverted) -> bool:
    return bool(reverted(replace(message, text=taken.subject))) or is_routine(replace(message, text=taken.subject))


def _without_boilerplate(body: Iterable[Paragraph]) -> Iterable[Paragraph]:
    for one in body:
        text = " ".join(_BOILERPLATE.sub("", one.text).split()) if one.kind is Kind.PROSE else one.text
        text = text.lstrip(" .,:;")
        if text:
            yield Paragraph(one.kind, text[0].upper() + text[1:] if one.kind is Kind.PROSE else text)
