"""The words of reasons: each reads after the path of a file. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from tx_graph.domain.inert import quoted_line

NAMED = "named in the question"
WORDS = "words of the question"
_MOST_WORDS = 3
"""Words of the question to name for a path, and for a text: those that tell most come first."""
_SUBJECT_SHOWN = 72
_SHA_SHOWN = 7


def commit_name(sha: str, subject: str) -> str:
    """Return `1a2b3c4: "Fix token expiry"`; a long subject is cut."""
    cut = subject if len(subject) <= _SUBJECT_SHOWN else f"{subject[: _SUBJECT_SHOWN - 1].rstrip()}…"
    return f"{sha[:_SHA_SHOWN]}: {quoted_line(cut)}" if subject else sha[:_SHA_SHOWN]


def told_words(in_path: Sequence[str], in_text: Sequence[str]) -> str:
    """Return `"golang" in its path and "install" in its text`: words are named once."""
    beyond = [word for word in in_text if word not in in_path]
    places = {"in its path": in_path, "in its text": beyond}
    return " and ".join(f"{_listed(words)} {place}" for place, words in places.items() if words) or WORDS


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words[:_MOST_WORDS])
