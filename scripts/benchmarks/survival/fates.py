"""What can become of a symbol between two revisions."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fate(StrEnum):
    """What became of a symbol.

    `DRIFT` is a changed body or signature where we cannot tell which. `MOVED` and `RENAMED` have the same code;
    `UNCERTAIN` is whatever can be argued about.
    """

    UNCHANGED = "unchanged"
    FORMAT = "format"
    COMMENT = "comment"
    BODY = "body"
    SIGNATURE = "signature"
    DRIFT = "body or signature"
    MOVED = "moved"
    RENAMED = "renamed"
    MOVED_AND_EDITED = "moved and edited"
    DELETED = "deleted"
    UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """What became of one symbol; `place` is its FQName now, empty when it is gone or that is uncertain.

    `reason` says why an uncertain one is.
    """

    fate: Fate
    place: str = ""
    reason: str = ""
