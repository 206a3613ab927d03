"""Time stamps of files, and when they may be trusted."""

from __future__ import annotations

import time
from datetime import datetime

_RACY_NS = 50_000_000
"""A file changed within 50 ms of being read may change again without showing in its time stamp (git's racy
entries)."""
UNTRUSTED = -1
"""Stands for a time stamp that proves nothing: the file is hashed again next time."""


def trusted_mtime(mtime_ns: int) -> int:
    """Return the time stamp of a file that was just read, or UNTRUSTED when it is too young to prove anything."""
    return mtime_ns if time.time_ns() - mtime_ns > _RACY_NS else UNTRUSTED


def iso(moment: datetime) -> str:
    """Return a UTC time as records and rows hold it, `2026-11-20T22:00:00Z`."""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")
