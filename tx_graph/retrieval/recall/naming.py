"""Names that a text states word for word."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tx_graph.domain.edges import NodeId
from tx_graph.domain.entity import entity_key

NamesOf = Callable[[Collection[str]], Mapping[str, NodeId]]
"""Says which of these keys are names of entities, and of which, all in one question."""

_IDEOGRAPH = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Scripts without blanks, or with endings that stick to a name: each character is a token."""
_TOKEN = re.compile(rf"[{_IDEOGRAPH}]|(?:(?![{_IDEOGRAPH}])\w)+|[^\w\s]")
_MOST_TOKENS = 400
"""Of a text to look at; what it is about stands in its beginning."""
_LONGEST_NAME = 12
"""Tokens of a name: `tx_graph/storage/lanes.py` has seven."""


class _Span(NamedTuple):
    """Where a name may stand in a text."""

    start: int
    end: int

    def meets(self, other: _Span) -> bool:
        """Whether the two share a character."""
        return self.start < other.end and other.start < self.end


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """The entities that a text names, in its order, each with the key by which it does; `rest` is all other words."""

    names: Mapping[NodeId, str]
    rest: str


def stated(text: str, names_of: NamesOf, *, is_name: Callable[[str], bool] = bool) -> Stated:
    """Return the entities that a text names by whole tokens. Of names that overlap the longest is meant.

    `is_name` says of a key whether it can be meant as a name at all: a common word is not.
    """
    key = entity_key(text)
    places = _places(key)
    known = names_of([one for one in places if is_name(one)])
    found: dict[_Span, NodeId] = {}
    for name in sorted(known, key=lambda one: (-len(one), one)):
        for span in places[name]:
            if not any(span.meets(other) for other in found):
                found[span] = known[name]
    names: dict[NodeId, str] = {}
    for span in sorted(found):
        names.setdefault(found[span], key[span.start : span.end])
    return Stated(names=names, rest=_without(key, found))


def _places(key: str) -> dict[str, list[_Span]]:
    """Return every run of tokens that may be a name, with all its places."""
    tokens = [_Span(*match.span()) for match in _TOKEN.finditer(key)][:_MOST_TOKENS]
    places: dict[str, list[_Span]] = defaultdict(list)
    for number, first in enumerate(tokens):
        for last in tokens[number : number + _LONGEST_NAME]:
            places[key[first.start : last.end]].append(_Span(first.start, last.end))
    return places


def _without(key: str, spans: Iterable[_Span]) -> str:
    for span in sorted(spans, reverse=True):
        key = f"{key[: span.start]} {key[span.end :]}"
    return " ".join(key.split())
