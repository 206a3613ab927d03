"""completion."""

from __future__ import annotations


def completion() -> None:
    """Print the completion script for a shell."""
