"""What a question is after, told by how it is put. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection
from enum import StrEnum


class Purpose(StrEnum):
    """What a question is after: the files that something will change in, or the place where something is."""

    CHANGE = "change"
    WHERE = "where"


_ASKS = re.compile(
    r"(?:where|how|what|which|who|why|when|does|is|are|can|explain|find|locate|show me)\b", re.IGNORECASE
)
_COMMIT = re.compile(
    r"^[\w./-]+(?:\([^)]*\))?!?: |^\[[^\]]+\]|#\d|^(?:release|version|v?\d+\.\d+)\b|\n",  # feat(api): …, [docs] …, #12
    re.IGNORECASE,
)
_ACTS = frozenset(
    """add added adding adds adjust allow allows apply avoid backport build bump bumps change changed changes check
    clarify clean cleanup comment convert copy correct create cut delete deprecate deprecated detect disable do document
    don't drop dropped enable enforce ensure exclude expand export expose extend extract fall fix fixed fixes fixing
    follow force format generate get give guard handle hide ignore implement implemented improve improved improves
    include increase inline install introduce keep let limit lint load log lower make makes mark mention merge migrate
    minor modify move moved moves normalize optimize override pass pin point port prefer prepare prevent print publish
    put raise re-add read rebuild reduce refactor refactored refactoring regenerate register reject relax remove removed
    removes removing rename renamed reorganize reorder replace replaced report require reset resolve restore restrict
    restructure return revert reverts rewrite rework run separate set setup shorten silence simplify skip sort specify
    split start stop suppress support switch sync tag tidy tweak tweaks undo unify unpin update updated updates updating
    upgrade upgrading use uses validate verify wip wrap write""".split()
)
"""How messages of commits, and tasks, begin."""
_VERSION = re.compile(r"(?:[a-z-]+-)?v?\d+(?:\.\w+)+")
_TELLS = re.compile(
    r"[.!:]$|^[a-z]+(?:ed|ies)\b"
    r"|\b(?:now|longer|instead|[a-z]+n't|not|should|we|isn't|so that|when|again|some|more|this|fix(?:es|ed|ing)?|typos?"
    r"|tests?|updates?|docs?|documentation|changelog|readme|cleanup)\b"
    r"|^[A-Z][a-z']+ (?!.*\b(?:and|for|of)\b)"
)
"""What a phrase that names a place hardly has. With all this 95 in 100 subjects of six repositories are told, 79
without it, and 98 in 100 of 1,251 questions for a place."""


def purpose_of(text: str, open_files: Collection[str] = ()) -> Purpose:
    """Return what a question is after: a change where files are open, or where it reads like a task or a commit."""
    text = text.strip()
    words = text.split()
    if open_files or not words:
        return Purpose.CHANGE
    if _ASKS.match(text):
        return Purpose.WHERE
    if len(words) == 1:
        return Purpose.CHANGE if _VERSION.fullmatch(text) else Purpose.WHERE
    is_task = _COMMIT.search(text) or words[0].lower() in _ACTS or _TELLS.search(text)
    return Purpose.CHANGE if is_task else Purpose.WHERE
