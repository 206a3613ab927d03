"""Moments in the past that people name."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, date, datetime, time

from tx_graph.errors import UsageError


def moment_of(text: str) -> str:
    """Return a day or a time as UTC in ISO 8601; a day stands for its end, a time without a zone is UTC.

    Raises:
        UsageError: It is neither.
    """
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
