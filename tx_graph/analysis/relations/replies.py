"""What a reply says: the edges in it, whatever prose or fences stand around them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

_DRAFTS = ("think", "thinking")
"""Tags around what some models write before they answer: it may hold edges that they think better of."""
_OPENING = re.compile(r'\{\s*"|\[\s*\{')
"""Where an object, or a list of objects, may begin."""
_LOOSE_COMMA = re.compile(r",\s*[}\]]")
_COMMA_OR_STRING = re.compile(r'"(?:\\.|[^"\\])*"|,(?=\s*[}\]])', re.DOTALL)
_MOST_OPENINGS = 500
_LONGEST = 500_000
"""Places to look at, and characters: a reply that quotes half a repository is no answer."""


class UnreadableReply(ValueError):
    """There is no list of edges in a reply; the message says so as the end of a sentence."""


def edges_in(reply: str) -> list[Any]:
    """Return the entries of every `{"edges": […]}` in a reply, in their order, unchecked.

    A bare list of objects counts too where there is no such object. Commas before a closing bracket are forgiven;
    what was cut off is not.

    Raises:
        UnreadableReply: There is none.
    """
    if len(reply) > _LONGEST:
        raise UnreadableReply(f"it is longer than {_LONGEST:,} characters")
    answer = _without_drafts(reply)
    found = list(_values(answer))
    objects = [value["edges"] for value in found if isinstance(value, dict)]
    if any(not isinstance(edges, list) for edges in objects):
        raise UnreadableReply('its "edges" is no list')
    lists = objects or [value for value in found if isinstance(value, list)]
    if not lists:
        raise UnreadableReply("it is empty" if not answer.strip() else "it holds no JSON with edges")
    return [edge for edges in lists for edge in edges]


def _without_drafts(reply: str) -> str:
    """Return a reply without its drafts. Not by an expression: that would look for each opening's end anew."""
    for tag in _DRAFTS:
        opening, closing = f"<{tag}>", f"</{tag}>"
        kept, place = [], 0
        while (start := reply.find(opening, place)) >= 0 and (end := reply.find(closing, start)) >= 0:
            kept.append(reply[place:start])
            place = end + len(closing)
        reply = "".join((*kept, reply[place:]))
    return reply


def _values(text: str) -> Iterator[Any]:
    """Yield what looks like an answer, from left to right, nothing that lies within another answer."""
    place = 0
    for _ in range(_MOST_OPENINGS):
        opening = _OPENING.search(text, place)
        if opening is None:
            return
        place = opening.start() + 1
        value, end = _decoded(text, opening.start())
        if _is_answer(value):
            yield value
            place = end


def _is_answer(value: Any) -> bool:  # noqa: ANN401 - whatever JSON can hold
    if isinstance(value, dict):
        return "edges" in value
    return isinstance(value, list) and all(isinstance(one, dict) and "relation" in one for one in value)


def _decoded(text: str, start: int) -> tuple[Any, int]:
    """Return the value that begins at `start`, None where there is none, and where it ends."""
    with suppress(ValueError, RecursionError):
        return json.JSONDecoder().raw_decode(text, start)
    with suppress(ValueError, RecursionError):
        if _LOOSE_COMMA.search(text, start):
            value, end = json.JSONDecoder().raw_decode(_without_loose_commas(text[start:]))
            return value, start + end
    return None, start


def _without_loose_commas(text: str) -> str:
    """Return the text with blanks for commas that stand before a closing bracket, outside strings."""
    return _COMMA_OR_STRING.sub(lambda found: " " if found[0] == "," else found[0], text)
