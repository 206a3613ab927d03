"""What became of every symbol of one revision at a later one, worked out without the verifier.

Certain is only what can be told from names, equal code and git's own renames; all else is set apart as uncertain, with
its reason, and is neither for nor against the verifier.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence

from scripts.benchmarks.survival.code import COUNTED, Difference, difference
from scripts.benchmarks.survival.fates import Fate, Truth
from scripts.benchmarks.survival.likeness import Crowd, likeness
from scripts.benchmarks.survival.snapshot import Declared, Rename, Snapshot

_LEAST_WEIGHT = 4
"""Names, literals and operators in a body below which equal code may be chance: `return self._name` is everywhere."""
_LEAST_WEIGHT_OF_STRANGERS = 8
"""The same for a symbol of another name in another file."""
_ALIKE = 1 / 3
"""A symbol that shares this much with a new one may have become it, so it is not surely deleted."""
_TRUSTED = 90
"""Percent of a file that stayed the same from which git's word on where it went is good; less, and templates and the
like are taken for one another."""
_RELATED = 0.3
"""An edited symbol shares at least this much with what it was; less, and git may have taken files for one another."""

_FATES = {
    Difference.NONE: Fate.UNCHANGED,
    Difference.FORMAT: Fate.FORMAT,
    Difference.COMMENT: Fate.COMMENT,
    Difference.BODY: Fate.BODY,
    Difference.SIGNATURE: Fate.SIGNATURE,
    Difference.DRIFT: Fate.DRIFT,
}


def truths(before: Snapshot, after: Snapshot, renames: Mapping[str, Rename]) -> dict[str, Truth]:
    """Return what became of every symbol by its FQName; `renames` says where files went."""
    history = _History(before, after, renames)
    return {symbol.fqname: history.truth(symbol) for symbol in before.symbols}


class _History:
    """Two revisions side by side."""

    def __init__(self, before: Snapshot, after: Snapshot, renames: Mapping[str, Rename]) -> None:
        self._before = before
        self._after = after
        self._renames = renames
        sources = {now.path: then for then, now in renames.items()}
        new = [
            symbol for symbol in after.symbols if not before.group(sources.get(symbol.path, symbol.path), symbol.name)
        ]
        self._new = {symbol.fqname for symbol in new}
        self._new_by_name = _by(new, lambda symbol: symbol.simple)
        self._arrived_by_name = _by(
            (symbol for symbol in after.symbols if symbol.path in sources or symbol.fqname in self._new),
            lambda symbol: symbol.simple,
        )
        self._newcomers = Crowd(new)
        self._twins_before = _by(before.symbols, lambda symbol: symbol.named)
        self._unnamed_before = Counter(symbol.unnamed for symbol in before.symbols)
        self._named_after = _by(after.symbols, lambda symbol: symbol.named)
        self._unnamed_after = _by(after.symbols, lambda symbol: symbol.unnamed)

    def truth(self, symbol: Declared) -> Truth:
        """Return what became of one symbol."""
        if self._after.group(symbol.path, symbol.name):
            return self._stayed(symbol)
        renamed = self._renames.get(symbol.path)
        if renamed and self._after.group(renamed.path, symbol.name):
            return self._went_with_its_file(symbol, renamed)
        return self._left(symbol)

    def _stayed(self, symbol: Declared) -> Truth:
        same = self._counterpart(symbol, symbol.path)
        if same is None:
            return _uncertain("overloads changed")
        found = _difference(symbol, same)
        doubt = self._doubt(symbol, same, found)
        return _uncertain(doubt) if doubt else Truth(fate=_FATES[found], place=same.fqname)

    def _went_with_its_file(self, symbol: Declared, renamed: Rename) -> Truth:
        same = self._counterpart(symbol, renamed.path)
        if same is None:
            return _uncertain("overloads changed")
        found = _difference(symbol, same)
        if doubt := self._doubt_of_rename(symbol, same, renamed, found) or self._doubt(symbol, same, found):
            return _uncertain(doubt)
        return Truth(fate=Fate.MOVED_AND_EDITED if found in COUNTED else Fate.MOVED, place=same.fqname)

    def _doubt_of_rename(self, symbol: Declared, same: Declared, renamed: Rename, found: Difference) -> str:
        """Return why git may be wrong about where a symbol's file went; empty when it is right."""
        if self._twin_left(symbol):
            return "had a twin"
        if (renamed.likeness < _TRUSTED or found in COUNTED) and self._has_better_place(symbol, same):
            return "its file was renamed, but others are as like it"
        if found in COUNTED and likeness(symbol, same) < _RELATED:
            return "its file was renamed, but nothing of it is left"
        return ""

    def _doubt(self, symbol: Declared, same: Declared, found: Difference) -> str:
        """Return why the difference from a symbol of the same name says little; empty when it says all."""
        if found is Difference.DOUBT:
            return "a formatter, or not"
        if found in COUNTED and (symbol.shares_a_line or same.shares_a_line):
            return "shares a line"
        if found in COUNTED and self._new_equals(symbol):
            return "changed, and its old code is new elsewhere"
        if found in COUNTED and self._newcomers.highest_likeness(symbol) > max(_ALIKE, likeness(symbol, same)):
            return "changed, and a new symbol is more like it"
        return ""

    def _left(self, symbol: Declared) -> Truth:
        """Return what became of a symbol that neither its file nor that file's successor declares."""
        named = self._named_after.get(symbol.named, [])
        if named:
            return self._found(Fate.MOVED, symbol, named, len(self._twins_before[symbol.named]))
        unnamed = self._unnamed_after.get(symbol.unnamed, [])
        if unnamed:
            return self._found(Fate.RENAMED, symbol, unnamed, self._unnamed_before[symbol.unnamed])
        doubt = self._doubt_of_deletion(symbol)
        return _uncertain(doubt) if doubt else Truth(fate=Fate.DELETED)

    def _doubt_of_deletion(self, symbol: Declared) -> str:
        """Return why a symbol that is nowhere to be found may live on all the same; empty when it surely does not."""
        if symbol.simple in self._new_by_name:
            return "a new symbol has its name"
        if any(self._after.mentions(path, symbol.simple) for path in self._paths(symbol)):
            return "its file still says its name"
        if self._newcomers.highest_likeness(symbol) >= _ALIKE:
            return "a new symbol is like it"
        if any(self._may_be(symbol, other) for other in self._arrived_by_name.get(symbol.simple, ())):
            return "one of its name arrived with a file"
        return ""

    def _found(self, fate: Fate, symbol: Declared, places: Sequence[Declared], twins: int) -> Truth:
        """Return where a symbol went whose code is in these places, if that is certain."""
        place = places[0]
        namesakes = {other.fqname for other in self._after.group(place.path, symbol.name)}
        doubts = {
            "had a twin": twins > 1,
            "several candidates": len(places) > 1,
            "an old symbol became equal to it": place.fqname not in self._new,
            "beside its code is another of its name": bool(namesakes - {place.fqname}),
            "tiny": symbol.code.weight < self._least_weight(fate, symbol, place),
            "shares a line": symbol.shares_a_line or place.shares_a_line,
        }
        doubt = next((reason for reason, holds in doubts.items() if holds), "")
        return _uncertain(doubt) if doubt else Truth(fate=fate, place=place.fqname)

    def _least_weight(self, fate: Fate, symbol: Declared, place: Declared) -> int:
        are_strangers = fate is Fate.RENAMED and place.path not in self._paths(symbol)
        return _LEAST_WEIGHT_OF_STRANGERS if are_strangers else _LEAST_WEIGHT

    def _paths(self, symbol: Declared) -> list[str]:
        """Return where the symbol's file is and was."""
        renamed = self._renames.get(symbol.path)
        return [symbol.path, renamed.path] if renamed else [symbol.path]

    def _has_better_place(self, symbol: Declared, place: Declared) -> bool:
        """Whether a symbol of the same name that arrived elsewhere is at least as like it."""
        others = [other for other in self._arrived_by_name[symbol.simple] if other is not place]
        here = likeness(symbol, place)
        return any(likeness(symbol, other) >= here for other in others)

    def _counterpart(self, symbol: Declared, path: str) -> Declared | None:
        """Return the symbol of the same name and number in a file; None if it is one of several that changed."""
        old, new = self._before.group(symbol.path, symbol.name), self._after.group(path, symbol.name)
        if len(old) != len(new):
            return None
        changed = [pair for pair in zip(old, new, strict=True) if pair[0].lines != pair[1].lines]
        if len(changed) > 1 or (len(old) > 1 and len({tuple(one.lines) for one in old}) < len(old)):
            return None
        return new[old.index(symbol)]

    @staticmethod
    def _may_be(symbol: Declared, arrived: Declared) -> bool:
        """Whether a symbol that arrived with another's file may be this one, of which that was a copy."""
        return arrived.name == symbol.name or likeness(symbol, arrived) >= _ALIKE

    def _twin_left(self, symbol: Declared) -> bool:
        """Whether a symbol with the same code left too and git did not say where to, so that it had to choose."""
        return any(
            other is not symbol and other.path not in self._renames and not self._after.group(other.path, other.name)
            for other in self._twins_before[symbol.named]
        )

    def _new_equals(self, symbol: Declared) -> bool:
        """Whether a new symbol has the code that this one had."""
        equal = self._unnamed_after.get(symbol.unnamed, [])
        return any(other.fqname in self._new for other in equal) and symbol.code.weight >= _LEAST_WEIGHT


def _difference(before: Declared, after: Declared) -> Difference:
    return Difference.NONE if before.lines == after.lines else difference(before.code, after.code)


def _by(symbols: Iterable[Declared], key: Callable[[Declared], Hashable]) -> Mapping[Hashable, list[Declared]]:
    found: dict[Hashable, list[Declared]] = defaultdict(list)
    for symbol in symbols:
        found[key(symbol)].append(symbol)
    return found


def _uncertain(reason: str) -> Truth:
    return Truth(fate=Fate.UNCERTAIN, reason=reason)
