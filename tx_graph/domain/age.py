"""Lengths of time as people type them."""

from __future__ import annotations

import re
from datetime import timedelta

from tx_graph.errors import UsageError

_AGE = re.compile(r"(\d{1,5})\s*([hdw])", re.IGNORECASE | re.ASCII)
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}


def parse_age(text: str) -> timedelta:
    """Return the length of time that `90d`, `12h` or `2w` means.

    Raises:
        UsageError: The text is none, or one of more than five digits.
    """
    match = _AGE.fullmatch(text.strip())
    if match is None:
        raise UsageError(f"'{text}' is no length of time.", hint="Write hours, days or weeks: 12h, 90d or 2w.")
    return int(match[1]) * _UNITS[match[2].lower()]
