"""Moments in the past that people name, and how long ago something was."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta

from tx_graph.core.errors import UsageError

_AGE = re.compile(r"(\d{1,5})\s*([hdw])", re.IGNORECASE | re.ASCII)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse_age(text: str) -> timedelta:
    """Return the length of time that `90d`, `12h` or `2w` means."""
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"'{text}' is no length of time.", hint="Write hours, days or weeks: 12h, 90d or 2w.")
    return int(match[1]) * _UNITS[match[2].lower()]


def moment_of(text: str) -> str:
    """Return a day or a time as UTC in ISO 8601; a day stands for its end, a time without a zone is UTC."""
    try:
        try:
            found = datetime.combine(date.fromisoformat(text.strip()), time(23, 59, 59))
        except ValueError:  # not a day, so a time
            found = datetime.fromisoformat(text.strip())
            found = found if found.tzinfo is None else found.astimezone(UTC)
    except (ValueError, OverflowError):
        raise UsageError(
            f"'{text}' is no date.", hint="Write a day, 2026-11-20, or a UTC time, 2026-11-20T22:00:00Z."
        ) from None
    return f"{found.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def ago(age: timedelta) -> str:
    """Return an age in its largest unit, `9 minutes ago`; the future is now."""
    whole = max(0, int(age.total_seconds()))
    for unit, seconds in (("year", 31_536_000), ("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if count := whole // seconds:
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    return "just now"
