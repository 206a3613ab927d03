"""What a file takes from another: the names, the lines where they stand, and how much it is tied to it. Pure."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import accumulate
from math import log
from typing import NamedTuple

from tx_graph.code.imports import ImportType, Specifier
from tx_graph.code.languages import language_of
from tx_graph.core.dataclass import dataclass

STRENGTH = {ImportType.STATIC: 1.0, ImportType.RE_EXPORT: 0.8, ImportType.DYNAMIC: 0.6, ImportType.TYPE_ONLY: 0.4}
"""What an import counts by its type: what only a type checker sees is worth least."""
MOST_NAMES, MOST_LINES = 6, 3
"""Names that are told of one import, and lines of each; of the others it is told how many they are."""
_WORD = re.compile(r"[\w$-]+")
_OF_A_DIRECTORY = ("__init__", "index", "mod")  # names of files that go by the name of their directory


class Tie(NamedTuple):
    """An import between the focus and another file; `cochange` is the Jaccard index of their commits."""

    path: str
    type: ImportType
    cochange: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TieWeights:
    """How much each part of the score of a tie counts, as its exponent; 0 leaves it out."""

    cochange: float = 1.0
    type: float = 1.0
    references: float = 1.0

    def score(self, tie: Tie, references: int) -> float:
        """Return (1 + co-change)^c x type^t x (1 + ln(1 + references))^r; references are lines that name it."""
        return float(
            (1 + tie.cochange) ** self.cochange
            * STRENGTH[tie.type] ** self.type
            * (1 + log(1 + references)) ** self.references
        )


def asked_for(
    specifiers: Iterable[Specifier], target: str, declared: Collection[str]
) -> tuple[Sequence[Specifier], Sequence[str]]:
    """Return the specifiers that name a file, and the names that may be meant: those they give, else its own.

    A specifier names a file by the end of its path: of `src/auth/jwt.py`, `from ..auth.jwt import decode` has two parts
    and a name. The one with most parts counts, and each whose name the file declares.
    """
    own = _WORD.findall(target.rpartition(".")[0] or target)
    own = own[:-1] if own and own[-1] in _OF_A_DIRECTORY else own
    found = list[tuple[int, str, Specifier]]()
    for one in specifiers:
        module = one.module.rpartition(".")[0] if "/" in one.module and language_of(one.module) else one.module
        words = [*_WORD.findall(module), *([one.name] if one.name and one.name != "*" else [])]
        whole, part = _shared_end(words, own), _shared_end(words[:-1], own)
        if part and part >= whole:
            found.append((part, words[-1], one))
        elif whole:
            found.append((whole, "", one))
    best = max((length for length, _, _ in found), default=0)
    meant = [(name, one) for length, name, one in found if length == best or name in declared]
    named = dict.fromkeys(name for name, _ in meant if name)
    are_all_named = meant and all(name for name, _ in meant)
    return [one for _, one in meant], [*named] if are_all_named else [*named, *(set(declared) - set(named))]


def _shared_end(words: Sequence[str], others: Sequence[str]) -> int:
    length = 0
    while length < min(len(words), len(others)) and words[-1 - length] == others[-1 - length]:
        length += 1
    return length


def lines_with(lines: Sequence[str], names: Collection[str], *, start: int = 1) -> dict[str, list[int]]:
    """Return the numbers of the lines where each of these names stands, in the order in which the names come."""
    if not names or not lines:
        return {}
    text, starts = "\n".join(lines), [0, *accumulate(len(line) + 1 for line in lines)]
    near = set[int]()  # to look for a text is much faster than to match a pattern, so only these lines are matched
    for name in names:
        place = text.find(name)
        while place >= 0:
            near.add(number := bisect_right(starts, place) - 1)
            place = text.find(name, starts[number + 1])
    any_of = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    pattern, found = re.compile(rf"(?<![\w$])(?:{any_of})(?![\w$])"), defaultdict[str, list[int]](list)
    for number in sorted(near):
        for name in dict.fromkeys(pattern.findall(lines[number])):
            found[name].append(start + number)
    return dict(found)


def uses_shape(uses: Mapping[str, Sequence[int]]) -> dict[str, object]:
    """Return which names are used in which lines, as JSON has it; what is left out is counted."""
    shown = {name: list(lines[:MOST_LINES]) for name, lines in list(uses.items())[:MOST_NAMES]}
    more = sum(map(len, uses.values())) - sum(map(len, shown.values()))
    return {"uses": shown, **({"more_uses": more} if more else {})}
