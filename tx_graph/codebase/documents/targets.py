"""Targets of links: which of them may be in the repository."""

from __future__ import annotations

import re

_OUTSIDE = re.compile(r"[a-zA-Z][a-zA-Z\d+-]*:|//")


def may_be_here(target: str) -> bool:
    """Return whether a destination is a path or a part of a page: not a URL, an address of mail, or nothing."""
    return bool(target.strip("#")) and not _OUTSIDE.match(target)
