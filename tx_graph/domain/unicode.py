"""Text that is none: Python keeps bytes that are no UTF-8 as lone surrogates, which no record and no row can hold."""

from __future__ import annotations


def is_unicode(text: str) -> bool:
    """Return whether a text can be written as UTF-8."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
