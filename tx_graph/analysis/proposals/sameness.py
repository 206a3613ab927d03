"""Sameness: whether two texts that share their words can still say different things."""

from __future__ import annotations

import re

from tx_graph.analysis.identifiers import content_words

_SPAN = re.compile(r"`([^`]+)`")
_AGAINST = re.compile(
    r"\b(?:not|never|no|don'?t|doesn'?t|isn'?t|aren'?t|won'?t|can'?t|cannot|mustn'?t|shouldn'?t|stop|avoid|without|except"
    r"|instead\s+of|rather\s+than)\b(?P<rest>(?:\W+[\w./-]+){1,4})",
    re.IGNORECASE,
)
"""Words that turn round what comes behind them."""


def may_be_same(one: str, other: str) -> bool:
    """Whether nothing speaks against two texts of much the same words saying the same.

    They do not if they quote different code, or if what is ruled out in one is not in the other: `use tabs, not blanks`
    and `use blanks, not tabs` have the same words.
    """
    spans, others = set(_SPAN.findall(one)), set(_SPAN.findall(other))
    if spans and others and not (spans <= others or others <= spans):
        return False
    against, for_ = _ruled_out(one), _ruled_out(other)
    return not against.isdisjoint(for_) if against or for_ else True


def _ruled_out(text: str) -> set[str]:
    return {word for found in _AGAINST.finditer(text) for word in content_words(found["rest"])}
