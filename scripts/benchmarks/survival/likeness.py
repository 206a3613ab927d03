"""How much two symbols have in common: lines, or words in a row, but for their own names."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from scripts.benchmarks.survival.code import OWN_NAME

_WORD = re.compile(r"\w+|[^\w\s]")
_ROW = 3
"""Words in a row that count as one: fewer are alike in all code, more are broken by any edit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Features:
    """What a text is compared by: how often it has which line, and which words in a row."""

    lines: Counter[str]
    rows: Counter[str]


class Featured(Protocol):
    """What has features."""

    @property
    def features(self) -> Features:
        """The features."""


def features_of(name: str, lines: Sequence[str]) -> Features:
    """Return the features of lines that declare a name."""
    own = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    telling = [own.sub(OWN_NAME, line.strip()) for line in lines if re.search(r"\w", line)]
    words = [OWN_NAME if word == name else word for line in lines for word in _WORD.findall(line)]
    rows = (" ".join(words[start : start + _ROW]) for start in range(max(1, len(words) - _ROW + 1)))
    return Features(lines=Counter(telling), rows=Counter(rows))


def likeness(one: Featured, other: Featured) -> float:
    """Return the share of lines or of rows that two have in common (Dice's coefficient), in [0, 1]."""
    mine, others = one.features, other.features
    return max(_dice(mine.lines, others.lines), _dice(mine.rows, others.rows))


class Crowd:
    """Many symbols, to look for the one most like another."""

    def __init__(self, members: Iterable[Featured]) -> None:
        found = [member.features for member in members]
        self._lines = _Index([features.lines for features in found])
        self._rows = _Index([features.rows for features in found])

    def highest_likeness(self, symbol: Featured) -> float:
        """Return the likeness of the one most like it, 0 if there is none."""
        return max(self._lines.highest(symbol.features.lines), self._rows.highest(symbol.features.rows))


class _Index:
    """Which members have a feature, and how often."""

    def __init__(self, members: Sequence[Counter[str]]) -> None:
        self._sizes = [member.total() for member in members]
        self._having: Mapping[str, dict[int, int]] = defaultdict(dict)
        for number, member in enumerate(members):
            for feature, times in member.items():
                self._having[feature][number] = times

    def highest(self, wanted: Counter[str]) -> float:
        shared: Counter[int] = Counter()
        for feature, times in wanted.items():
            for number, others in self._having[feature].items() if feature in self._having else ():
                shared[number] += min(times, others)
        size = wanted.total()
        return max((2 * common / (size + self._sizes[number]) for number, common in shared.items()), default=0.0)


def _dice(one: Counter[str], other: Counter[str]) -> float:
    return 2 * (one & other).total() / max(1, one.total() + other.total())
