"""Finds lines again in a file that was edited: as they were, reformatted, or in part. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from typing import NamedTuple

from tx_graph.analysis.fingerprints import checksum, flat_sketch, similarity, sketch_of
from tx_graph.domain.anchor import Anchor

_LEAST_ALIKE = 0.5
"""Share of the old lines that have to be there still, for edited ones to count as the same."""
_SPREAD = 2
"""How many times longer than they were edited lines may have become."""

Span = tuple[int, int]
"""First and last line, from 1."""


class How(StrEnum):
    """How surely lines were found."""

    SAME = "same"
    TOKENS = "tokens"
    EDITED = "edited"


class Found(NamedTuple):
    """First and last line where they are now, from 1."""

    lines: Span
    how: How


def find_lines(
    anchor: Anchor,
    lines: Sequence[str],
    *,
    content_of: Callable[[Span], str],
    tokens_of: Callable[[], Sequence[Sequence[str]]],
) -> Found | None:
    """Return where the lines of an anchor are now, nearest to where they were; None when they are nowhere.

    Args:
        anchor: One with lines and fingerprints.
        lines: The file's lines as they are now.
        content_of: The hash of a span of them.
        tokens_of: The code tokens, without structure, that start on each of them.
    """
    if same := same_lines(anchor, len(lines), content_of):
        return Found(same, How.SAME)
    if reformatted := _reformatted(anchor, tokens_of()):
        return Found(reformatted, How.TOKENS)
    if anchor.text is not None and (edited := _edited(anchor.text.split("\n"), lines)):
        return Found(edited, How.EDITED)
    return _in_place(anchor, len(lines), tokens_of())


def same_lines(anchor: Anchor, count: int, content_of: Callable[[Span], str]) -> Span | None:
    """Return where exactly the lines of an anchor are, nearest to where they were, in a file of `count` lines."""
    first, last = anchor.lines or (1, 1)
    taken = anchor.fingerprints
    for start in _outward(first, count - (last - first)):
        span = (start, start + last - first)
        if taken and content_of(span) == taken.content:
            return span
    return None


def _outward(near: int, last: int) -> Iterator[int]:
    """Yield the numbers from 1 to `last`, the nearest to `near` first."""
    yield from sorted(range(1, last + 1), key=lambda place: (abs(place - near), place))


def _reformatted(anchor: Anchor, tokens: Sequence[Sequence[str]]) -> Span | None:
    """Return the lines that have the same tokens, however they are broken into lines."""
    sketch = sketch_of(anchor.fingerprints) if anchor.fingerprints else None
    if sketch is None or not sketch.size:
        return None
    flat = [(token, number) for number, line in enumerate(tokens, start=1) for token in line]
    starts = [place for place, (_, number) in enumerate(flat) if not place or flat[place - 1][1] != number]
    near = (anchor.lines or (1, 1))[0]
    for start in sorted(starts, key=lambda place: abs(flat[place][1] - near)):
        window = flat[start : start + sketch.size]
        if len(window) == sketch.size and checksum([token for token, _ in window]) == sketch.checksum:
            return (window[0][1], window[-1][1])
    return None


def _edited(old: Sequence[str], new: Sequence[str]) -> Span | None:
    """Return the lines that most of the old ones are among, if at least half of them are still there."""
    before, after = [line.strip() for line in old], [line.strip() for line in new]
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    blocks = [block for block in blocks if any(before[block.a : block.a + block.size])]
    if not blocks:
        return None
    core = max(blocks, key=lambda block: sum(map(len, before[block.a : block.a + block.size])))
    reach = _SPREAD * len(old)
    near = [block for block in blocks if abs(block.b - core.b) <= reach]
    kept = sum(bool(line) for block in near for line in before[block.a : block.a + block.size])
    if kept < _LEAST_ALIKE * max(1, sum(map(bool, before))):
        return None
    head, tail = near[0], near[-1]
    first = max(1, head.b + 1 - head.a)
    last = min(len(new), tail.b + tail.size + len(old) - tail.a - tail.size)
    return (first, max(first, last))


def _in_place(anchor: Anchor, count: int, tokens: Sequence[Sequence[str]]) -> Found | None:
    """Return the old place if the code there still looks like what was anchored."""
    first, last = anchor.lines or (1, 1)
    sketch = sketch_of(anchor.fingerprints) if anchor.fingerprints else None
    if sketch is None or last > count:
        return None
    now = flat_sketch([token for line in tokens[first - 1 : last] for token in line])
    return Found((first, last), How.EDITED) if similarity(sketch, now) >= _LEAST_ALIKE else None
