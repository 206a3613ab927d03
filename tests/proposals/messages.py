"""Commits as the rules see them, without a repository."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.history.commits import CommitMessage

DAY = 86_400


def message(
    text: str, *, name: str = "a", day: int = 0, author: str = "Ada", paths: Sequence[str] = ("src/a.py",)
) -> CommitMessage:
    """Return a commit; its full name is its `name` over and over, which must be of hexadecimal digits."""
    return CommitMessage(sha=(name * 40)[:40], time=day * DAY, author=author, text=text, paths=tuple(paths))
