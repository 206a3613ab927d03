"""What may make a reply wrong, as its last line and in its structure, as far as the budget holds it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tx_graph.domain.tokens import CHARACTERS_PER_TOKEN
from tx_graph.mcp.replies.reply import Reply, size
from tx_graph.mcp.replies.words import brief_line

_SHARE = 8
"""Notices may keep an eighth of the budget from what the reply is about; what that leaves is theirs, too."""
_LONGEST = 300
_FIELD = len(',"notices":[]') + 2 * len("\\n")
"""Characters that come with the first notice: the field, and the blank line before the last one of the text."""
_EACH = len('"", ')


def reserve(notices: Sequence[str], *, budget: int) -> int:
    """Return how many tokens are kept for the notices."""
    share = budget // _SHARE
    taken = sum(_cost(one) for one in _chosen(notices, share * CHARACTERS_PER_TOKEN))
    return -(-(taken + _FIELD) // CHARACTERS_PER_TOKEN) if taken else 0


def noted(reply: Reply, notices: Sequence[str], *, budget: int) -> Reply:
    """Return the reply with the notices that find room in the budget, the shorter ones sooner."""
    room = budget * CHARACTERS_PER_TOKEN - reply.characters
    told = list(_chosen(notices, room))
    if not told:
        return reply
    return replace(
        reply, text=f"{reply.text.rstrip()}\n\n{' '.join(told)}".lstrip(), structure=reply.structure | {"notices": told}
    )


def _chosen(notices: Sequence[str], room: int) -> Iterator[str]:
    """Yield those that fit, in their order."""
    sentences = [brief_line(one, _LONGEST) for one in dict.fromkeys(notices)]
    room -= _FIELD
    fitting = set()
    for one in sorted(sentences, key=size):
        room -= _cost(one)
        if room < 0:
            break
        fitting.add(one)
    return (one for one in sentences if one in fitting)


def _cost(notice: str) -> int:
    """Return what a notice takes, as text and in the structure."""
    return 2 * size(notice) + _EACH
