"""Commits that explain, and reverts: what they are worth as learnings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice

from tx_graph.core.errors import RepositoryError
from tx_graph.core.repository import GitRepository
from tx_graph.history.commits import CommitMessage, read_messages
from tx_graph.proposals import prose
from tx_graph.proposals.prose import Kind, Paragraph, Point
from tx_graph.proposals.values import Reason

SUREST = 0.95
"""Nobody has confirmed a proposal, so none is beyond doubt."""
LEAST = 0.25
"""The confidence below which a proposal is not worth somebody's time."""
_MOST_READ = 20_000  # characters of a message: what is longer was not written to be read
_LONGEST_SUBJECT = 200
_MOST_FILES = 25  # paths of a commit beyond which it is about the repository rather than about code
_MANY_LISTS = 4  # lists from which on a body was put together from many messages, as squashed merges are
_BOT = re.compile(r"\[bot\]|\bbot\b|dependabot|renovate|pre-commit-ci|greenkeeper|github-actions|snyk|weblate")
_ROUTINE = re.compile(
    r"^\W*(?:merge|wip|squash)\b|^(?:\w+(?:\([^)]*\))?:\s*)?(?:bump|release(?:\s+(?:v?\d|notes)|$)|(?:prepare|update|upgrade)\s+(?:for\s+)?"
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
_SIDE = re.compile(
    r"^(?:style|chore|ci|build|gha|github|website)\b[^:]{0,30}:"
    r"|\b(?:docs?|documentation|docstrings?|comments?|readme|descriptions?|tests?)\b",
    re.IGNORECASE,
)
"""Subjects of what is done beside the program: words about it, tests, and what builds it."""
_TYPE = re.compile(r"^(?:\w+(?:\([^)]*\))?!?|aider):\s+(?=\S)")
_SUBJECT_ONLY = ((0.3, 0.95), (0.25, 0.6))
"""What is left of a subject's worth, by its strongest cue: a reason, or a bare rule. Others name what was mended."""
TIED = Reason("tied to its code", 0.3)
"""It names its code, or only one place was changed; taken for granted until that was looked up."""
_SIDE_SHARE = 0.45
_MANY_SHARE = 0.7
_PULL_REQUEST = re.compile(
    r"(?<=\S)(?:(?<=[^\s,;:-])\s*[,;:-]+\s*(?:closes?|fix(?:es)?|refs?))?\s*\(?(?:#\d+|GH-\d+|PR\s?#?\d+)\)?$"
    r"|\s*\[(?:ci skip|skip ci)]$",
    re.IGNORECASE,
)


def is_source(message: CommitMessage) -> bool:
    """Whether people wrote a commit's message, to explain it: no tool, nobody by rote, and it is no conversation."""
    subject, body = told(message)
    return not (
        _BOT.search(message.author.lower())
        or _ROUTINE.search(subject.lower())
        or _TURN.search(message.text)
        or prose.is_chat(subject)
        or prose.is_chat(" ".join(one.text for one in body))
        or (message.paths and all(map(prose.is_foreign, message.paths)))
    )


def judge(message: CommitMessage) -> Point | None:
    """Return the sentence of a commit that explains most, None when none does, or too little.

    That of one that takes another one back says so; one whose code lies at the program's side is worth less.
    """
    if not is_source(message):
        return None
    subject, body = told(message)
    plain = prose.begun(_TYPE.sub("", subject))
    found = prose.point(body, about=plain)
    if is_revert(message):
        found = found and found._replace(text=f"{plain}: {found.text.removeprefix(f'{plain}: ')}")
    elif alone := prose.point([Paragraph(Kind.PROSE, plain)]):
        strongest = max(one.weight for one in alone.reasons)
        share = next((share for least, share in _SUBJECT_ONLY if strongest >= least), 0)
        alone = alone._replace(share=alone.share * share)
        found = max(found or alone, alone, key=lambda one: one.worth)
    if found is None:
        return None
    is_side = _SIDE.search(subject) or (message.paths and all(map(prose.is_side_path, message.paths)))
    is_many = len(message.paths) > _MOST_FILES or sum(one.kind is Kind.LIST for one in body) >= _MANY_LISTS
    share = found.share * (_SIDE_SHARE if is_side else 1) * (_MANY_SHARE if is_many else 1)
    found = found._replace(reasons=(*found.reasons, TIED), share=share)
    return found if bounded(found.worth) >= LEAST else None


def lessons_in(repository: GitRepository, *, most: int) -> int:
    """Return how many of so many latest commits explain something, by their words alone; where git fails, none."""
    with suppress(RepositoryError):
        latest = list(islice(read_messages(repository, repository.tip()), most))
        gone = taken_back(latest)
        return sum(one.sha not in gone and judge(one) is not None for one in latest)
    return 0


def is_revert(message: CommitMessage) -> bool:
    """Whether a commit takes another one back, by its subject."""
    return bool(_TAKES_BACK.match(tidy_subject(message.subject)))


def told(message: CommitMessage) -> tuple[str, list[Paragraph]]:
    """Return a commit's subject, on one line, and its body, without what is for machines."""
    subject, _, body = prose.clean(message.text[:_MOST_READ]).partition("\n")
    if (below := body.lstrip("\n")).startswith(("...", "…")) or body[:1].islower():  # it goes on there
        rest, _, body = below.partition("\n")
        subject = f"{subject.rstrip(' .…')} {rest.lstrip(' .…')}"
    subject = tidy_subject(subject)
    subject = subject if len(subject) <= _LONGEST_SUBJECT else f"{subject[:_LONGEST_SUBJECT]}…"
    found = prose.paragraphs(body.strip("\n"))
    is_repeated = bool(found) and tidy_subject(found[0].text).rstrip(".").casefold() == subject.rstrip(".").casefold()
    return subject, found[is_repeated:]


def tidy_subject(text: str) -> str:
    """Return a subject without the numbers that a forge adds, on one line; of a very long one, a part."""
    subject = " ".join(text[: 5 * _LONGEST_SUBJECT].split())
    while (shorter := _PULL_REQUEST.sub("", subject)) != subject:
        subject = shorter
    return subject


def bounded(confidence: float) -> float:
    """Return a confidence as it is told: two digits, and never beyond doubt."""
    return round(min(confidence, SUREST), 2)


_TAKES_BACK = re.compile(
    r"""^(?:\w+(?:\([^)]*\))?:\s*)?(?:(?P<again>re-?(?:apply|land|do))|revert(?:s|ed|ing)?)\b:?\W+(?P<subject>.+?)["'\u201d]?\W*$""",
    re.IGNORECASE,
)
_SHA = re.compile(r"\breverts?\s+(?:commit\s+)?(?P<sha>[0-9a-f]{7,40})\b", re.IGNORECASE)
_SHORTEST = 7  # digits by which messages name commits at least


def taken_back(messages: Sequence[CommitMessage]) -> frozenset[str]:
    """Return which of these commits, newest first, were taken back and did not come again, reverts among them."""
    by_start = {message.sha[:_SHORTEST]: message.sha for message in messages}
    by_subject: dict[str, str] = {}
    taken: dict[str, str] = {}
    gone: set[str] = set()
    for message in reversed(messages):
        subject = tidy_subject(message.subject).casefold()
        if match := _TAKES_BACK.match(subject):
            named = _SHA.search(message.text)
            target = by_start.get(named["sha"][:_SHORTEST].lower() if named else "") or by_subject.get(match["subject"])
            if target and match["again"]:
                gone |= {revert for revert, what in taken.items() if what == target}
                gone.discard(target)
            elif target:
                taken[message.sha] = target
                gone.add(target)
                gone.discard(taken.get(target, ""))
        by_subject[subject.rstrip("\"'\u201d. ")] = message.sha
    return frozenset(gone)
