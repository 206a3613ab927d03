"""Commits that explain, and reverts: what they are worth as learnings."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from tx_graph.history.commits import CommitMessage
from tx_graph.proposals import prose
from tx_graph.proposals.prose import Kind, Paragraph
from tx_graph.proposals.values import Reason

SUREST = 0.95
"""Nobody has confirmed a proposal, so none is beyond doubt."""
LEAST = 0.25
"""The confidence below which a proposal is not worth somebody's time."""
_MOST_READ = 20_000  # characters of a message: what is longer was not written to be read
_LONGEST_SUBJECT = 200
_MOST_FILES = 25  # paths of a commit beyond which it is about the repository rather than about code
_BOT = re.compile(r"\[bot\]|\bbot\b|dependabot|renovate|pre-commit-ci|greenkeeper|github-actions|snyk|weblate")
_ROUTINE = re.compile(
    r"^\W*(?:merge|wip|squash)\b|^(?:\w+(?:\([^)]*\))?:\s*)?(?:bump|release\b|(?:prepare|update|upgrade)\s+(?:for\s+)?"
    r"(?:the\s+)?(?:\w+\s+){0,3}(?:release|v?\d|dependenc|deps\b|packages\b|readme|docs?\b|translations?))"
    r"|^(?:version\s+)?v?\d+(?:\.\d+)+\S*$|\b(?:change-?log|release[-_\s]notes|typos?|copyright)\b|\btrailing\s+white-?space\b"
)
"""Subjects of what tools write, or that people write by rote."""
_TURN = re.compile(
    r"^[ \t>*#]*(?:user|human|assistant|system|ai|bot|agent|chatgpt|claude|gpt-?\w*)[ \t*]*:|^\#{4}[ \t]+\S"
    r"|^(?:the )?commit message\b[^\n]*:|^diff --git ",
    re.IGNORECASE | re.MULTILINE,
)
"""Lines by which somebody takes a turn in a conversation that was pasted, and that a tool's output begins with."""
_SIDE_TYPE = re.compile(r"(?:docs?|style|chore|tests?|ci|build|gha|github|readme|website)\b[^:]{0,30}:", re.IGNORECASE)
_TYPE = re.compile(r"^(?:\w+(?:\([^)]*\))?!?|aider):\s+(?=\S)")
_SUBJECT_ONLY = ((0.3, 0.85), (0.25, 0.55))
"""What is left of a subject's worth, by its strongest reason: one with a reason, a bare rule; others name what was mended."""
TIED = Reason("tied to its code", 0.3)
"""It names its code, or there is only one place that it can be about: so it is taken for granted until that was looked up."""
_SIDE_SHARE = 0.5
_MANY_SHARE = 0.7
_PULL_REQUEST = re.compile(r"\s*\(?(?:#\d+|GH-\d+|PR\s?#?\d+)\)?$|\s*\[(?:ci skip|skip ci)\]$", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What a commit is worth as a learning: one sentence with its reason, and which `share` of its worth is left."""

    content: str
    category: str
    reasons: tuple[Reason, ...]
    share: float

    @property
    def confidence(self) -> float:
        """How sure it is, in (0, 1)."""
        return bounded(prose.certainty(self.reasons) * self.share)


def is_source(message: CommitMessage) -> bool:
    """Whether people wrote a commit's message, to explain it: no tool, nobody by rote, and it is no conversation."""
    subject = tidy_subject(message.subject).lower()
    is_told = not _BOT.search(message.author.lower()) and not _ROUTINE.search(subject)
    is_ours = not message.paths or not all(map(prose.is_foreign, message.paths))
    return (
        is_told
        and is_ours
        and not _TURN.search(message.text)
        and not prose.is_chat(" ".join(one.text for one in told(message)[1]) or subject)
    )


def judge(message: CommitMessage) -> Judged | None:
    """Return what the sentence of a commit is worth that explains most, None when none does."""
    if not is_source(message):
        return None
    subject, body = told(message)
    plain = prose.begun(_TYPE.sub("", subject))
    found = prose.point(body, about=plain)
    if alone := prose.point([Paragraph(Kind.PROSE, plain)]):
        strongest = max(one.weight for one in alone.reasons)
        alone = alone._replace(
            share=alone.share * next((share for least, share in _SUBJECT_ONLY if strongest >= least), 0)
        )
        found = max(found or alone, alone, key=lambda one: one.worth)
    return _judged("rationale", found, message, subject) if found else None


def _judged(category: str, found: prose.Point, message: CommitMessage, subject: str) -> Judged | None:
    """Return what a sentence is worth: less where the commit is not about code."""
    is_side = _SIDE_TYPE.match(subject) or (message.paths and all(map(prose.is_side_path, message.paths)))
    share = found.share * (_SIDE_SHARE if is_side else 1) * (_MANY_SHARE if len(message.paths) > _MOST_FILES else 1)
    judged = Judged(content=found.text, category=category, reasons=(*found.reasons, TIED), share=share)
    return judged if judged.confidence >= LEAST else None


def told(message: CommitMessage) -> tuple[str, list[Paragraph]]:
    """Return a commit's subject, on one line, and its body, without what is for machines."""
    subject, _, body = prose.clean(message.text[:_MOST_READ]).partition("\n")
    subject = prose.shortened(tidy_subject(subject), _LONGEST_SUBJECT)
    found = prose.paragraphs(body.strip("\n"))
    is_repeated = bool(found) and tidy_subject(found[0].text).rstrip(".").casefold() == subject.rstrip(".").casefold()
    return subject, found[is_repeated:]


def tidy_subject(text: str) -> str:
    """Return a subject without the numbers that a forge adds, on one line."""
    subject = " ".join(text.split())
    while (shorter := _PULL_REQUEST.sub("", subject)) != subject:
        subject = shorter
    return subject


def bounded(confidence: float) -> float:
    """Return a confidence as it is told: two digits, and never beyond doubt."""
    return round(min(confidence, SUREST), 2)


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
_SHORTEST = 7  # digits by which messages name commits at least


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
    starts = {taken.sha[:_SHORTEST].lower() for taken in gone if taken.sha}
    named = {message.sha for message in messages if message.sha[:_SHORTEST] in starts}
    by_subject: dict[str, list[str]] = {taken.subject.casefold(): [] for taken in gone if not taken.sha}
    for message in messages if by_subject else ():
        if (subject := tidy_subject(message.subject).casefold()) in by_subject:
            by_subject[subject].append(message.sha)
    # Of several commits with one subject another one may be what came again.
    return frozenset(named | {commits[0] for commits in by_subject.values() if len(commits) == 1})


def judge_revert(message: CommitMessage, *, returned: frozenset[str]) -> Judged | None:
    """Return what a revert is worth that says why, None when it is none: what `returned` was no mistake."""
    taken = reverted(message)
    if taken is None or taken.subject.casefold() in returned or not is_source(message):
        return None
    original = replace(message, text=taken.subject)
    if reverted(original) or not is_source(original):
        return None
    body = [
        one._replace(text=" ".join(_BOILERPLATE.sub("", one.text).split()).lstrip(" .,:;"))
        for one in told(message)[1]
        if one.kind is Kind.PROSE
    ]
    if (found := prose.point(body)) is None:
        return None
    text = f"Reverted: {taken.subject.rstrip('.')}. {prose.begun(found.text)}"
    return _judged("pitfall", found._replace(text=text, reasons=(_REVERT, *found.reasons)), message, taken.subject)
