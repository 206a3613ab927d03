"""Cuts a text where neighbouring sentences have least in common."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from tx_graph.analysis.chunking.cutting import cut
from tx_graph.analysis.chunking.places import Places
from tx_graph.analysis.chunking.spans import Span

Alike = Callable[[Sequence[str]], Sequence[float]]
"""Says how alike each sentence is to the next one, by cosine: one value less than there are sentences."""

FEWEST = 3
"""Sentences below which no place stands out among the others."""


def sentences_of(places: Places) -> list[Span]:
    """Return the sentences of a text in order, headings with what follows; code, tables and the like are one each."""
    text = places.text
    ends = sorted({0, *places.between, *places.lesser, *places.sentences, len(text)})
    spans = (_stripped(text, Span(start, end)) for start, end in pairwise(ends))
    return [span for span in spans if span.end > span.start]


def cut_by_meaning(places: Places, sentences: Sequence[Span], alike: Alike, *, percentile: float) -> Iterator[Span]:
    """Yield the pieces between those neighbours that are least alike; one that is too large is cut further.

    A cut falls where likeness is at or below the percentile of all, but never where it is highest: sentences that
    are all alike stay together.
    """
    text = places.text
    likeness = alike([text[span.start : span.end] for span in sentences])
    least, highest = percentile_of(likeness, percentile), max(likeness)
    start = sentences[0].start
    for (span, following), value in zip(pairwise(sentences), likeness, strict=True):
        if value <= least and value < highest:
            yield from cut(places, Span(start, span.end))
            start = following.start
    yield from cut(places, Span(start, sentences[-1].end))


def percentile_of(values: Sequence[float], percentile: float) -> float:
    """Return the value below which so many percent of the others lie, between two of them in proportion."""
    ordered = sorted(values)
    place = percentile / 100 * (len(ordered) - 1)
    lower, upper = ordered[math.floor(place)], ordered[math.ceil(place)]
    return min(upper, lower + (upper - lower) * (place - math.floor(place)))


def _stripped(text: str, span: Span) -> Span:
    words = text[span.start : span.end]
    return Span(span.end - len(words.lstrip()), span.start + len(words.rstrip()))
