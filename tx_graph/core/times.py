"""Moments in the past that people name."""

from __future__ import annotations

import re
from contextlib import suppress
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
        found = _moment(text.strip())
    except (ValueError, OverflowError):
        raise UsageError(
            f"'{text}' is no date.", hint="Write a day, 2026-11-20, or a UTC time, 2026-11-20T22:00:00Z."
        ) from None
    return f"{found.replace(tzinfo=None).isoformat(timespec='seconds')}Z"


def _moment(text: str) -> datetime:
    with suppress(ValueError):  # not a day, so a time
        return datetime.combine(date.fromisoformat(text), time(23, 59, 59))
    found = datetime.fromisoformat(text)
    return found if found.tzinfo is None else found.astimezone(UTC)
