"""Sets that overlap: every pair whose Jaccard index reaches a threshold, without comparing each two. Pure."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from typing import TypeVar

Word = TypeVar("Word", bound=Hashable)
_ROUNDING = 1e-9


def overlap(one: frozenset[Word], other: frozenset[Word]) -> float:
    """Return the Jaccard index of two sets, in [0, 1]; 0 when both are empty."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0


def overlapping(
    sets: Mapping[int, frozenset[Word]], *, threshold: float, among: Collection[int] | None = None
) -> Iterator[tuple[int, int, float]]:
    """Yield (smaller id, larger id, Jaccard index) of every pair whose index is at least `threshold`, in (0, 1].

    `among`, if given, must hold one of the two. Two sets that overlap so much share one of their rarest words (prefix
    filtering: Chaudhuri, Ganti and Kaushik, ICDE 2006), so only those that do are compared.
    """
    frequency = Counter(word for words in sets.values() for word in words)
    rarity = {
        word: place for place, word in enumerate(sorted(frequency, key=lambda word: (frequency[word], str(word))))
    }
    having: dict[Word, list[int]] = defaultdict(list)
    for id_ in sorted(sets):
        prefix = _prefix(sorted(sets[id_], key=rarity.__getitem__), threshold)
        for other in sorted({other for word in prefix for other in having[word]}):
            if among is None or id_ in among or other in among:
                index = overlap(sets[id_], sets[other])
                if index >= threshold:
                    yield other, id_, index
        for word in prefix:
            having[word].append(id_)


def _prefix(words: Sequence[Word], threshold: float) -> Sequence[Word]:
    """Return the rarest words, of which a set that overlaps with this one so much must have at least one."""
    return words[: len(words) - math.ceil(threshold * len(words) - _ROUNDING) + 1] if words else words
