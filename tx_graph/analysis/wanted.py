"""An index of what is looked for, so that each symbol of a large repository is held against it at once. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence

from tx_graph.analysis.fingerprints import Sketch, similarity, sketch_of
from tx_graph.domain.anchor import Fingerprints

WORDS_KEPT = 0.6
"""Share of the words of a sketch that a text must have for it to be worth a closer look."""
PLAUSIBLE = 0.3
"""Least similarity of what is told as a candidate."""
_MOST_ALIKE = 50
"""Similar places of one piece of code that are kept: among so many none stands out."""


class Wanted:
    """Fingerprints that are looked for, by their places in a sequence."""

    def __init__(self, wanted: Sequence[Fingerprints]) -> None:
        self._sketches = [sketch_of(one) for one in wanted]
        self._by_code: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[int, list[int]] = defaultdict(list)
        self._alike = Counter[int]()
        for place, (one, sketch) in enumerate(zip(wanted, self._sketches, strict=True)):
            for code in {one.unnamed, one.tokens} - {""}:
                self._by_code[code].append(place)
            for word in sketch.words if sketch else ():
                self._by_word[word].append(place)

    def is_any_in(self, words: Collection[int]) -> bool:
        """Whether a text with these words may hold something that is wanted."""
        return next(self._likely(words), None) is not None

    def matches(self, found: Fingerprints, words: Collection[int]) -> Iterator[int]:
        """Yield the places of what some code may be: equal to it but for the name, or similar to it."""
        equal = {place for code in (found.unnamed, found.tokens) for place in self._by_code.get(code, ())}
        yield from equal
        now = sketch_of(found)
        for place in self._likely(words):
            sketch = self._sketches[place]
            if place not in equal and self._alike[place] < _MOST_ALIKE and _is_plausible(sketch, now):
                self._alike[place] += 1
                yield place

    def _likely(self, words: Collection[int]) -> Iterator[int]:
        shared = Counter(place for word in words for place in self._by_word.get(word, ()))
        for place, count in shared.items():
            sketch = self._sketches[place]
            if sketch and count >= WORDS_KEPT * len(sketch.words):
                yield place


def _is_plausible(one: Sketch | None, other: Sketch | None) -> bool:
    return one is not None and other is not None and similarity(one, other) >= PLAUSIBLE
