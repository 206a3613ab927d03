"""Commits that explain, fixes of fixes, and reverts: what they are worth as learnings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from tx_graph.history.commits import CommitMessage
from tx_graph.proposals import prose
from tx_graph.proposals.prose import Kind, Paragraph
from tx_graph.proposals.values import Reason

SUREST = 0.95
"""Nobody has confirmed a proposal, so none is beyond doubt."""
LEAST = 0.25
"""The confidence below which a proposal is not worth somebody's time."""
_MOST_READ = 50_000  # characters of a message: what is longer was not written to be read
_LONGEST_SUBJECT = 200
_FEWEST_WORDS = 15
_MANY_WORDS = 40
_REWRITTEN = 0.7
_MANY_LISTS = 4  # lists from which on a body was put together from many messages, as squashed merges are
_MOST_FILES = 25  # paths of a commit beyond which it is about the repository rather than about code
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
_MENDS = re.compile(
    r"\b(?:fix(?:e[sd]|up)?|hot-?fix|bug(?:fix)?|repair|correct(?:ly)?|prevent|avoid|handle|regression|don't|do not)\b"
)
_BOT = re.compile(r"\[bot\]|\bbot\b|dependabot|renovate|pre-commit-ci|greenkeeper|github-actions|snyk|weblate")
_ROUTINE = re.compile(
    r"""
      ^\W*(?:merge|wip)\b
    | ^(?:\w+(?:\([^)]*\))?:\s*)?(?:
          bump | release\s+(?:v?\d|notes?|candidate) | prepare\s+(?:for\s+)?(?:the\s+)?(?:next\s+)?(?:release|v?\d)
        | (?:upgrade|update|refresh)[sd]?\s+(?:\w+\s+){0,3}
          (?:dependenc|deps\b|packages\b|requirements\b|lock-?file|submodules?\b)
        | (?:upgrade|update)[sd]?\s+[\w./@-]+\s+(?:from|to)\s | synced?$
        | update\s+(?:readme|docs?|translations?|authors)\b
        | (?:fix(?:e[sd])?|add|update|improve)\s+(?:\w+\s+)?(?:comments?|grammar|punctuation)$
        | (?:fix(?:e[sd])?\s+)?lint(?:er|ing)?(?:\s+(?:errors?|issues?|warnings?|fix(?:es)?))?\W*$
      )
    | ^(?:version\s+)?v?\d+(?:\.\d+)+\S*$ | ^\W*release\W+v?\d | \brelease[-_\s]notes\b | \b(?:changelog|relnotes)\b
    | \btypos?\b | \bspelling\b | \bcopyright\b | \bmailmap\b | \bcosmetics?\b | ^(?:l10n|i18n|po)\b
    | \b(?:trailing|fix(?:es)?|cleanups?)\s+white-?space\b | ^\W*re-?format
    | \b(?:run|apply|with)\s+(?:black|prettier)\b | \bclang-format\b
    | \bflake8\b | \bpep\s?8\b | ^what'?s\s+cooking | \d(?:st|nd|rd|th)\s+batch\b
    """,
    re.VERBOSE,
)
_SIDE_TYPE = re.compile(r"(?:docs?|style|chore|tests?|ci|build|gha|github|readme)\b[^:]{0,30}:")
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
        parts = (self.said.subject, prose.extract(self.said.body), self.said.epilogue)
        return "\n\n".join(filter(None, parts))


def told(message: CommitMessage) -> Told:
    """Return a commit's message without what is for machines; a subject that goes on in the body is joined again."""
    subject, _, body = prose.clean(message.text[:_MOST_READ]).partition("\n")
    body = body.strip("\n")
    if subject.rstrip().endswith(("...", "…")) and body.startswith(("...", "…")):
        rest, _, body = body.partition("\n")
        subject = f"{subject.rstrip().rstrip('.…')}{rest.lstrip('.…')}"
    subject = prose.shortened(tidy_subject(subject), _LONGEST_SUBJECT)
    found = prose.paragraphs(body)
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
    return bool(_BOT.search(message.author.lower()) or _ROUTINE.search(tidy_subject(message.subject).lower()))


def judge(message: CommitMessage) -> Judged | None:
    """Return what a commit's explanation is worth, None when it does not explain."""
    if is_routine(message):
        return None
    said = told(message)
    reasons = prose.cues(said.prose)
    if prose.size(said.body) < _FEWEST_WORDS or not prose.explains(reasons):
        return None
    if prose.size(said.body) >= _MANY_WORDS:
        reasons = [*reasons, Reason("long explanation", 0.1)]
    if _MENDS.search(said.subject.lower()):
        reasons = [*reasons, Reason("fix", 0.1)]
    return _worth("rationale", said, reasons, weight_of(message, said))


def _worth(category: str, said: Told, reasons: Sequence[Reason], weight: float) -> Judged | None:
    confidence = bounded(prose.certainty(reasons) * weight)
    if confidence < LEAST:
        return None
    return Judged(said=said, category=category, reasons=tuple(reasons), confidence=confidence)


def weight_of(message: CommitMessage, said: Told) -> float:
    """Return what the kind of a commit leaves of its worth: less where it is not about code, or tells its own story."""
    discounts = (
        (0.6, _SIDE_TYPE.match(said.subject.lower())),  # it is not about the program itself
        (0.6, message.paths and all(map(prose.is_side_path, message.paths))),
        (0.7, len(message.paths) > _MOST_FILES),
        (0.6, sum(one.kind is Kind.LIST for one in said.body) >= _MANY_LISTS),
        (0.75, _NARRATIVE.search(f"{said.subject}\n{said.prose}".lower())),
    )
    return math.prod(share for share, holds in discounts if holds)


def discounted(judged: Judged) -> Judged | None:
    """Return what a commit is worth whose code has been rewritten since; None if that is too little."""
    confidence = bounded(judged.confidence * _REWRITTEN)
    return replace(judged, confidence=confidence) if confidence >= LEAST else None


def bounded(confidence: float) -> float:
    """Return a confidence as it is told: two digits, and never beyond doubt."""
    return round(min(confidence, SUREST), 2)


SOON = 14 * 86_400
"""Seconds between two fixes that count as one story."""
_MOST_FILES_OF_A_FIX = 5  # paths of a fix beyond which two of them meet in a file by chance
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
SHORTEST = 7
"""Digits by which messages name commits at least."""


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
    by_start = {message.sha[:SHORTEST]: message for message in messages}
    before = _fix_before(messages)
    for message in messages:
        if is_routine(message):
            continue
        text = message.text.lower()  # patterns that ignore case take five times as long
        for match in _NAMES_IT.finditer(text) if _NAME.search(text) else ():
            named = by_start.get(match["sha"][:SHORTEST])
            if named and named.sha.startswith(match["sha"]) and named.sha != message.sha:
                yield FollowUp(fix=message, earlier=named, names_it=match[0])
                break
        else:
            if earlier := before.get(message.sha):
                yield FollowUp(fix=message, earlier=earlier)


def judge_follow_up(found: FollowUp) -> Judged | None:
    """Return what a fix after a fix is worth, None when it is too little."""
    said, plain = told(found.fix), judge(found.fix)
    reasons = [_NAMED if found.is_certain else _AGAIN, *(plain.reasons if plain else prose.cues(said.prose))]
    return _worth("pitfall", replace(said, epilogue=found.sentence), reasons, weight_of(found.fix, said))


def _fix_before(messages: Iterable[CommitMessage]) -> dict[str, CommitMessage]:
    """Return, for each fix by name, the last fix before it that touched one of its files, if that was soon before."""
    waiting: dict[str, list[CommitMessage]] = {}
    found: dict[str, CommitMessage] = {}
    for message in messages:
        is_small = len(message.paths) <= _MOST_FILES_OF_A_FIX
        if not is_small or not _FIX.search(message.subject) or is_routine(message):
            continue
        for path in prose.code_paths(message.paths):
            for later in waiting.pop(path, []):
                if 0 <= later.time - message.time <= SOON and later.subject != message.subject:
                    found.setdefault(later.sha, message)
            waiting[path] = [message]
    return found


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
_FEWEST_WORDS_OF_A_REVERT = 8
_DAY = 86_400


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
    by_subject: dict[str, list[str]] = {taken.subject.casefold(): [] for taken in gone if not taken.sha}
    for message in messages if by_subject else ():
        if (subject := tidy_subject(message.subject).casefold()) in by_subject:
            by_subject[subject].append(message.sha)
    # Of several commits with one subject another one may be what came again.
    return frozenset(named | {commits[0] for commits in by_subject.values() if len(commits) == 1})


def judge_revert(
    message: CommitMessage, *, returned: frozenset[str], earlier: CommitMessage | None = None
) -> Judged | None:
    """Return what a revert is worth, None when it is none: what `returned` was no mistake.

    Where it does not say why, it tells what the `earlier` commit was meant for, if that stood for a while or said so.
    """
    taken = reverted(message)
    if taken is None or taken.subject.casefold() in returned:
        return None
    original = replace(message, text=taken.subject)
    if reverted(original) or is_routine(original):
        return None
    body: list[Paragraph] = []
    for one in told(message).body:
        is_prose = one.kind is Kind.PROSE
        text = " ".join(_BOILERPLATE.sub("", one.text).split()) if is_prose else one.text
        if text := text.lstrip(" .,:;"):
            body.append(Paragraph(one.kind, text[0].upper() + text[1:] if is_prose else text))
    said = Told(subject=f"Reverted: {taken.subject}", body=tuple(body))
    if prose.size(said.body) >= _FEWEST_WORDS_OF_A_REVERT:
        found = prose.cues(said.prose)
        reasons = [_REVERT, _WHY, *found] if prose.explains(found) else [_TOLD, *found]
    elif silence := _silent(message, earlier):
        reasons, said = [_SILENT], silence
    else:
        return None
    return _worth("pitfall", said, reasons, weight_of(message, replace(said, subject=taken.subject)))


def _silent(message: CommitMessage, earlier: CommitMessage | None) -> Told | None:
    """Return what a revert without a reason tells; None if it took back at once what had not said why either."""
    if earlier is None or reverted(earlier):
        return None
    said, days = told(earlier), (message.time - earlier.time) // _DAY
    if days < 1 and prose.size(said.body) < _FEWEST_WORDS_OF_A_REVERT:
        return None
    stood = f" It had stood for {days} day{'s' if days > 1 else ''}." if days > 0 else ""
    epilogue = f"Why it was reverted was not recorded.{stood}"
    return Told(subject=f"Reverted: {said.subject}", body=said.body, epilogue=epilogue)
