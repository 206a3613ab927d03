"""Lessons: what one place in a session may teach, and what makes it the same lesson elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from tx_graph.analysis.proposals.commits import bounded
from tx_graph.analysis.proposals.why import certainty
from tx_graph.domain.proposal import Reason

_DIGITS = 12
"""Hexadecimal digits of an identity: 48 bits, so that no two lessons of a repository share one by chance."""
_LONGEST_SESSION = 80
_ODD = re.compile(r"[^\w.-]+")


class Rule(StrEnum):
    """How a lesson was found."""

    ERROR = "error"
    """A call failed, and later the same call did not."""
    CORRECTION = "correction"
    """The user said how things are done here."""
    COMMAND = "command"
    """A command came again and again."""
    REMEMBER = "remember"
    """The user asked to remember something."""

    @property
    def is_users_word(self) -> bool:
        """Whether such a lesson is what a user said, in the user's own words."""
        return self in (Rule.CORRECTION, Rule.REMEMBER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """What a session may teach.

    `said` is what makes it the same lesson in another session. `line` is where the transcript shows it, `paths` are
    the files it is about, surest first, and `patterns` those that it holds as long as they exist. `evidence` quotes
    what it rests on, for somebody who judges it. `share`, in (0, 1], is what is left of its worth by how it was said.
    """

    rule: Rule
    content: str
    category: str
    reasons: tuple[Reason, ...]
    said: str
    line: int
    at: str | None = None
    paths: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    share: float = 1.0

    @property
    def confidence(self) -> float:
        """How sure it is, in (0, 1)."""
        return bounded(certainty(self.reasons) * self.share)

    @property
    def identity(self) -> str:
        """What is the same wherever the same lesson is taught: a digest of its rule and of what was said."""
        words = " ".join(self.said.casefold().split())
        return sha256(f"{self.rule}\n{words}".encode("utf-8", "replace")).hexdigest()[:_DIGITS]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A lesson, and the session that taught it, as the agent that held it calls it."""

    lesson: Lesson
    session: str

    @property
    def reference(self) -> str:
        """What a record says of where it comes from: `correction:4f35e220#L120:3fa29c11de70`."""
        session = _ODD.sub("-", self.session).strip("-")[:_LONGEST_SESSION]
        return f"{self.lesson.rule}:{session}#L{self.lesson.line}:{self.lesson.identity}"


_REFERENCE = re.compile(rf"(?P<rule>{'|'.join(Rule)}):[\w.-]*#L\d+:(?P<identity>[0-9a-f]{{{_DIGITS}}})")


def identity_of(reference: str) -> str | None:
    """Return the identity of the lesson that a record says it comes from; None where it comes from none."""
    found = _REFERENCE.fullmatch(reference)
    return found["identity"] if found else None


def is_users_word(reference: str) -> bool:
    """Whether a record says that it comes from what a user said."""
    found = _REFERENCE.fullmatch(reference)
    return found is not None and Rule(found["rule"]).is_users_word
