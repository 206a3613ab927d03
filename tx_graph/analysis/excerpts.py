"""Which lines of a text answer a question best."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tx_graph.analysis.identifiers import content_words

_SHORTEST_STEM = 4
"""Letters from which on a word of the question is found in a longer word too: `token` in `tokens`."""
_BLANK = -1
"""What a beginning at a blank line is worth: less than any other."""


def best_lines(text: str, question: str, *, most: int) -> tuple[int, int]:
    """Return (first, end) of the lines, counted from 0 and no more than `most` characters long, that answer best.

    These are the lines that have most words of the question, the first among equals, from where its words begin to
    occur: what follows says more about them than what comes before. At least one line is returned, however long;
    blank lines at both ends are left out.
    """
    lines = text.split("\n")
    having = [_shared(line, content_words(question)) for line in lines]
    worth = [_worth(lines, having, first, most) for first in range(len(lines))]
    best = worth.index(max(worth))
    if _end(lines, best, most) < len(lines) and worth[best]:
        best = _latest(worth, best)
    return _trimmed(lines, best, _end(lines, best, most))


def _latest(worth: Sequence[int], best: int) -> int:
    """Return the last line from `best` on that is worth as much, with none between that is worth less but blanks."""
    latest = best
    for place in range(best, len(worth)):
        if worth[place] == worth[best]:
            latest = place
        elif worth[place] != _BLANK:
            break
    return latest


def _shared(line: str, words: Collection[str]) -> frozenset[str]:
    lowered = line.lower()
    there = content_words(line)
    return frozenset(word for word in words if word in there or (len(word) >= _SHORTEST_STEM and word in lowered))


def _worth(lines: Sequence[str], having: Sequence[frozenset[str]], first: int, most: int) -> int:
    """Return how many words of the question the lines have that fit from `first` on; nothing for a blank beginning."""
    if not lines[first].strip():
        return _BLANK
    return len(frozenset().union(*having[first : _end(lines, first, most)]))


def _end(lines: Sequence[str], first: int, most: int) -> int:
    """Return where the lines end that fit, at least one."""
    end, used = first + 1, len(lines[first])
    while end < len(lines) and used + 1 + len(lines[end]) <= most:
        used += 1 + len(lines[end])
        end += 1
    return end


def _trimmed(lines: Sequence[str], first: int, end: int) -> tuple[int, int]:
    while end > first + 1 and not lines[end - 1].strip():
        end -= 1
    return first, end
