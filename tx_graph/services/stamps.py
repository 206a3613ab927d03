"""Time stamps of files, and when they may be trusted."""

from __future__ import annotations

import time
from datetime import datetime, timedelta

_RACY_NS = 50_000_000
"""A file changed within 50 ms of being read may change again without showing in its time stamp (git's racy
entries)."""
_COARSE_NS = 2_000_000_000
"""The same where time stamps are whole seconds, or even ones, as FAT and some network file systems keep them."""
_SECOND_NS = 1_000_000_000
UNTRUSTED = -1
"""Stands for a time stamp that proves nothing: the file is hashed again next time."""


def trusted_mtime(mtime_ns: int) -> int:
    """Return the time stamp of a file that was just read, or UNTRUSTED when it is too young to prove anything."""
    racy = _RACY_NS if mtime_ns % _SECOND_NS else _COARSE_NS
    return mtime_ns if abs(time.time_ns() - mtime_ns) > racy else UNTRUSTED


def ago(age: timedelta) -> str:
    """Return an age in its largest unit, `9 minutes ago`; the future is now."""
    whole = max(0, int(age.total_seconds()))
    for unit, seconds in (("year", 31_536_000), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if count := whole // seconds:
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"


def iso(moment: datetime) -> str:
    """Return a UTC time as records and rows hold it, `2026-11-20T22:00:00Z`."""
    return moment.strftime(f"{moment.year:04}-%m-%dT%H:%M:%SZ")  # %Y has no leading zeros, and texts are compared
