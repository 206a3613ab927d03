"""Checks of single fields of a record: each error names the field."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from tx_graph.domain.learning import unit_interval
from tx_graph.errors import UsageError

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z", re.ASCII)


class FieldError(UsageError):
    """A field of a record that holds what it must not; `key` is its name."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(reason)
        self.key = key


def is_time(text: str) -> bool:
    """Whether `text` is a UTC time as a record holds it, `2026-11-20T22:00:00Z`."""
    if not _TIME.fullmatch(text):
        return False
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def choice(kind: Any, value: Any, key: str, *, what: str = "") -> Any:
    """Return the member of the enumeration `kind` that `value` names; `what` says what it is, if not the key.

    Raises:
        UsageError: It names none.
    """
    try:
        return kind(value)
    except ValueError:
        raise FieldError(key, f"'{value}' is no {what or key}; choose from {', '.join(kind)}.") from None


def unit(value: Any, key: str, *, what: str = "") -> float:
    """Return the number from 0 to 1 that `value` is or spells; `what` says what it is, if not the key.

    Raises:
        UsageError: It is no such number.
    """
    try:
        return unit_interval(float(value), what=what or key)
    except (TypeError, ValueError, OverflowError):
        raise FieldError(key, f"The {what or key} must be a number from 0 to 1.") from None
    except UsageError as error:
        raise FieldError(key, error.message) from None


def utc_time(value: str, key: str) -> str:
    """Return `value` if it is a UTC time as a record holds it.

    Raises:
        UsageError: It is none.
    """
    if not is_time(value):
        raise FieldError(key, f"'{key}' must be a UTC time such as 2026-11-20T22:00:00Z, not '{value}'.")
    return value


def is_text(value: Any) -> bool:
    """Whether `value` is text that SQLite and a file system can hold, or stands for none."""
    if isinstance(value, dict | list):
        return False
    return "\0" not in str(value) and str(value).encode("utf-8", "ignore").decode() == str(value)
