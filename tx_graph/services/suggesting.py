"""Suggests what to anchor to, from a file and a word: its symbol, else its lines, else the whole file."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from tx_graph.analysis.symbol_names import Match, match_of, readings_of, simple_name
from tx_graph.domain.anchor import AnchorRequest
from tx_graph.domain.symbols import Symbol
from tx_graph.errors import NotFound, UsageError
from tx_graph.services.anchoring.naming import tail_of
from tx_graph.services.anchoring.sources import Sources
from tx_graph.services.anchoring.taking import Anchoring

_MOST_NAMED = 5
"""Alternatives that are named: more help nobody to choose."""

Tier = Sequence[Symbol]
"""Symbols that answer to a word equally well, in the order of their file."""
Place = tuple[int, int]
"""First and last line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """The anchor to ask for, `why` in words, and other places that may be meant, nearest first, as one writes them."""

    request: AnchorRequest
    why: str
    alternatives: tuple[str, ...] = ()


class Suggesting:
    """Looks for words in files."""

    def __init__(self, *, anchoring: Anchoring, sources: Sources) -> None:
        self._anchoring = anchoring
        self._sources = sources

    def suggest(self, typed: str, word: str) -> Suggestion:
        """Return the best anchor to what `word` names in a file.

        Raises:
            NotFound: There is no such file, or nothing like the word in it.
            UsageError: The word is empty, or the path cannot be anchored.
        """
        word = word.strip()
        if not word:
            raise UsageError("The word to look for is empty.")
        path = self._anchoring.path(typed)
        source = self._sources.get(path)
        symbols, lines = (source.symbols, source.lines) if source else ((), [])
        named, places = _ranked(symbols, word), _places(lines, word)
        if not places and not named:
            raise _unknown(path, word, symbols)
        request, why = _chosen(path, word, named, places)
        others = [one for one in _alternatives(path, named, places) if one != _spec(request)]
        return Suggestion(request=request, why=why, alternatives=tuple(others[:_MOST_NAMED]))


def _chosen(path: str, word: str, named: Sequence[Tier], places: Sequence[Place]) -> tuple[AnchorRequest, str]:
    """Return what to ask for, and why."""
    if (symbol := _only(named)) is not None:
        return AnchorRequest(path=path, symbol=symbol.name), _why_symbol(symbol, word, named[0])
    if len(places) == 1:
        return AnchorRequest(path=path, lines=places[0]), f"the only place with '{word}' in it"
    return AnchorRequest(path=path), f"{_why_file(word, named, places)}, so the whole file"


def _unknown(path: str, word: str, symbols: Sequence[Symbol]) -> NotFound:
    near = get_close_matches(word, {simple_name(one.name): None for one in symbols}, n=3, cutoff=0.5)
    found = [one.fqname for one in symbols if simple_name(one.name) in near]
    hint = "Leave the word out to mean the whole file."
    return NotFound(f"There is no '{word}' in {path}.", hint=hint, candidates=found[:_MOST_NAMED])


def _ranked(symbols: Sequence[Symbol], word: str) -> list[Tier]:
    """Return the symbols that answer to a word: exactly so, in other case, or with it as a part; best first."""
    ranks: dict[Symbol, int] = {}
    for symbol in symbols:
        found = [_RANK[match] for name in readings_of(word) if (match := match_of(symbol.name, name))]
        if found:
            ranks[symbol] = min(found)
    tiers: list[Tier] = [[one for one in symbols if ranks.get(one) == rank] for rank in range(len(_TIERS))]
    return [tier for tier in tiers if tier]


_TIERS = ({Match.EXACT}, {Match.CASE}, {Match.BEGINNING, Match.PART})
_RANK = {match: rank for rank, tier in enumerate(_TIERS) for match in tier}


def _only(tiers: Sequence[Tier]) -> Symbol | None:
    """Return the one symbol that is meant, None when several may be.

    A class and its constructor bear one name; whoever types it means the class.
    """
    if not tiers:
        return None
    first, *rest = tiers[0]
    return first if all(_is_namesake_inside(one, first) for one in rest) else None


def _is_namesake_inside(one: Symbol, other: Symbol) -> bool:
    return one.name.startswith(f"{other.name}::") and simple_name(one.name) == simple_name(other.name)


def _places(lines: Sequence[str], word: str) -> list[Place]:
    """Return where a word stands, as first and last lines: as a whole word if it does anywhere, else as a part."""
    for holds in _searches(word):
        if numbers := [number for number, line in enumerate(lines, start=1) if holds(line)]:
            return _blocks(numbers)
    return []


def _searches(word: str) -> list[Callable[[str], object]]:
    whole = rf"(?<![\w$]){re.escape(word)}(?![\w$])"
    patterns = (re.compile(whole), re.compile(whole, re.IGNORECASE), re.compile(re.escape(word), re.IGNORECASE))
    return [pattern.search for pattern in patterns]


def _blocks(numbers: Sequence[int]) -> list[Place]:
    """Return runs of numbers without a gap."""
    blocks: list[Place] = []
    for number in numbers:
        if blocks and blocks[-1][1] == number - 1:
            blocks[-1] = (blocks[-1][0], number)
        else:
            blocks.append((number, number))
    return blocks


def _alternatives(path: str, tiers: Sequence[Tier], places: Sequence[Place]) -> list[str]:
    symbols = [symbol.fqname for tier in tiers for symbol in tier]
    return [*symbols, *(_spec(AnchorRequest(path=path, lines=place)) for place in places)]


def _spec(request: AnchorRequest) -> str:
    return f"{request.path}{tail_of(request)}"


def _why_symbol(symbol: Symbol, word: str, tier: Tier) -> str:
    if len(tier) > 1:
        return f"the outermost symbol named '{word}'"
    name = simple_name(symbol.name)
    asked = readings_of(word)[-1][-1]
    if name == asked:
        return f"the only symbol named '{word}'"
    if name.casefold() == asked.casefold():
        return f"the only symbol named '{word}', but for case"
    return f"the only symbol with '{word}' in its name"


def _why_file(word: str, tiers: Sequence[Tier], places: Sequence[Place]) -> str:
    count = len(tiers[0]) if tiers else 0
    parts = [f"in the names of {count} symbols"] if count else []
    if places:
        lines = sum(last - first + 1 for first, last in places)
        parts.append(f"on {lines:,} line{'' if lines == 1 else 's'}")
    return f"'{word}' is {' and '.join(parts)}"
