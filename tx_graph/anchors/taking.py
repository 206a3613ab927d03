"""Takes anchors to places as people type them, and suggests one from a file and a word."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from difflib import get_close_matches

from tx_graph.anchors.sources import SymbolLookup, sources
from tx_graph.code.symbols import Match, Symbol, match_of, readings_of, simple_name
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import NotFound, OutsideRepository, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import is_unicode
from tx_graph.core.shape import Answer
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorType, can_be_fallback

_SINGLY = 20  # files that git is asked about one by one, 3 ms each: beyond, listing all of them takes less


class Anchoring:
    """Looks places up and takes anchors; each file is read and parsed once. Globs match tracked files."""

    def __init__(self, kernel: Kernel) -> None:
        checkout = kernel.checkout
        self._tree = checkout.tree
        self._listed_files = checkout.listed_files
        self._tracked_files = checkout.tracked_files
        self._sources = kernel.one(sources)
        self._symbols = kernel.one(SymbolLookup)
        self._taken = 0

    def take(self, request: AnchorRequest) -> Anchor:
        """Return the anchor that is asked for, with the fingerprints of what it ties to now."""
        taken = self._taken_from(request)
        if request.fallback and not can_be_fallback(taken.type, taken.lines):
            raise UsageError(
                f"'{request.spec}' is no fallback: that is a whole file or a glob.",
                hint="It counts once the other anchors are lost, so it has to outlive them.",
            )
        return replace(taken, fallback=request.fallback)

    def _taken_from(self, request: AnchorRequest) -> Anchor:
        if request.is_section and self._tree.existing(request.spec):  # a file that is called so
            request = AnchorRequest(path=request.spec, type=request.type)
        given = request.inferred_type(exists=self._tree.existing(request.path) is not None)
        if given is not AnchorType.GLOB and self._tree.existing(request.path) is None and not request.lines:
            symbol = self._symbols.declared(request.spec)  # by its name alone
            request = (
                replace(request, path=f"{self._tree.root / symbol.path}", symbol=symbol.name) if symbol else request
            )
            given = AnchorType.SYMBOL if symbol else given
        kind = request.type or given
        needs = {AnchorType.SYMBOL: ("a symbol", request.symbol), AnchorType.LINES: ("lines", request.lines)}
        if kind in needs and needs[kind][1] is None:
            raise UsageError(f"An anchor of type '{kind}' needs {needs[kind][0]}.")
        if kind is not given and given in needs and (given, kind) != (AnchorType.LINES, AnchorType.HASH):
            raise UsageError(f"An anchor of type '{kind}' has no {needs[given][0].removeprefix('a ')}.")
        if request.symbol and request.lines:
            raise UsageError("An anchor names a symbol or lines, not both; add two anchors.")
        if kind is AnchorType.GLOB:
            pattern = request.path.strip().removeprefix("./")
            hint = "Globs start at the repository's root."
            if pattern.startswith(("/", "../")) or "/../" in pattern:
                raise OutsideRepository(f"'{pattern}' is outside the repository.", hint=hint)
            if not self._tracked_files().matching(pattern):
                untracked = self._listed_files().matching(pattern)
                if not untracked:
                    raise NotFound(f"The glob '{pattern}' matches no file.", hint=hint)
                files = untracked[0] if len(untracked) == 1 else f"{untracked[0]} and {len(untracked) - 1} more"
                raise NotFound(
                    f"The glob '{pattern}' matches only files that git does not track: {files}.",
                    hint="Track them first: git add.",
                )
            return Anchor(path=pattern, type=AnchorType.GLOB)
        path = self.path(request.path)
        symbol = self._sources.symbol(path, request.symbol or "") if kind is AnchorType.SYMBOL else None
        source = self._sources.get(path)
        if source is None:
            raise NotFound(f"'{path}' cannot be read any more.")
        if symbol:
            return Anchor(path=path, type=kind, symbol=symbol.name, fingerprints=source.anchored(symbol))
        if not request.lines:
            return Anchor(path=path, type=kind, fingerprints=source.anchored_whole())
        first, last = request.lines
        if not 1 <= first <= last:
            raise UsageError(f"Lines {first}-{last} are none: lines count from 1, first to last.")
        if last > len(source.lines):
            raise NotFound(f"{path} ends at line {len(source.lines)}; there is no line {last}.")
        text = source.text_of(request.lines)
        kept = text if kind is AnchorType.LINES and is_unicode(text) else None
        taken = source.of_lines(request.lines)
        return Anchor(path=path, type=kind, lines=request.lines, text=kept, fingerprints=taken)

    def path(self, typed: str) -> str:
        """Return the repository-relative path of an existing file that may be anchored."""
        found = self._tree.existing(typed)
        if found is None:
            raise NotFound(f"There is no file '{typed}'.", candidates=self._listed_files().nearest(typed))
        self._taken += 1
        # From a list of all files once many are anchored at a time.
        is_listed = self._taken > _SINGLY and found in self._listed_files()
        if foreign := "" if is_listed else self._tree.why_foreign(found):
            raise UsageError(
                f"'{typed}' cannot be anchored: {foreign}.",
                hint="An anchor is shared with the learning: tie it to a file that others have too.",
            )
        if self._tree.is_directory(found):
            raise UsageError(f"'{typed}' is a directory.", hint=f"To mean all files in it, use the glob '{found}/**'.")
        if self._sources.get(found) is None:
            raise UsageError(f"'{typed}' cannot be read as a file.")
        return found


_MOST_NAMED = 5  # alternatives that are named: more help nobody to choose

_TIERS = ({Match.EXACT}, {Match.CASE}, {Match.BEGINNING, Match.PART})
_RANK = {match: rank for rank, tier in enumerate(_TIERS) for match in tier}


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion(Answer):
    """The anchor to ask for, `why` in words, and other places that may be meant, nearest first, as one writes them."""

    request: AnchorRequest
    why: str
    alternatives: tuple[str, ...] = ()


def suggested(kernel: Kernel, typed: str, word: str) -> Suggestion:
    """Return the best anchor to what `word` names in a file."""
    word = word.strip()
    if not word:
        raise UsageError("The word to look for is empty.")
    path = kernel.one(Anchoring).path(typed)
    source = kernel.one(sources).get(path)
    symbols, lines = (source.symbols, source.lines) if source else ((), [])
    # The symbols that answer to the word: exactly so, in other case, or with it as a part; best first.
    ranked: dict[int, list[Symbol]] = defaultdict(list)
    for symbol in symbols:
        ranks = [_RANK[match] for name in readings_of(word) if (match := match_of(symbol.name, name))]
        if ranks:
            ranked[min(ranks)].append(symbol)
    tiers, places = [ranked[rank] for rank in sorted(ranked)], _places(lines, word)
    if not places and not tiers:
        near = get_close_matches(word, {simple_name(one.name): None for one in symbols}, n=3, cutoff=0.5)
        found = [one.fqname for one in symbols if simple_name(one.name) in near]
        hint = "Leave the word out to mean the whole file."
        raise NotFound(f"There is no '{word}' in {path}.", hint=hint, candidates=found[:_MOST_NAMED])
    # A class and its constructor bear one name; whoever types it means the class.
    tier = tiers[0] if tiers else []
    first = tier[0].name if tier else ""
    name = simple_name(first)
    if tier and all(one.name.startswith(f"{first}::") and simple_name(one.name) == name for one in tier[1:]):
        request, asked = AnchorRequest(path=path, symbol=first), readings_of(word)[-1][-1]
        if len(tier) > 1:
            why = f"the outermost symbol named '{word}'"
        elif name.casefold() == asked.casefold():
            why = f"the only symbol named '{word}'{'' if name == asked else ', but for case'}"
        else:
            why = f"the only symbol with '{word}' in its name"
    elif len(places) == 1:
        request, why = AnchorRequest(path=path, lines=places[0]), f"the only place with '{word}' in it"
    else:
        count = sum(last - start + 1 for start, last in places)
        parts = [f"in the names of {len(tier)} symbols"] if tier else []
        parts += [f"on {count:,} line{'' if count == 1 else 's'}"] if places else []
        request, why = AnchorRequest(path=path), f"'{word}' is {' and '.join(parts)}, so the whole file"
    others = [symbol.fqname for tier in tiers for symbol in tier]
    others += [AnchorRequest(path=path, lines=place).spec for place in places]
    alternatives = [one for one in others if one != request.spec]
    return Suggestion(request=request, why=why, alternatives=tuple(alternatives[:_MOST_NAMED]))


def _places(lines: Sequence[str], word: str) -> list[tuple[int, int]]:
    """Return where a word stands, as first and last lines: as a whole word if it does anywhere, else as a part."""
    whole = rf"(?<![\w$]){re.escape(word)}(?![\w$])"
    patterns = (re.compile(whole), re.compile(whole, re.IGNORECASE), re.compile(re.escape(word), re.IGNORECASE))
    blocks: list[tuple[int, int]] = []
    for holds in (pattern.search for pattern in patterns):
        for number in (number for number, line in enumerate(lines, start=1) if holds(line)):
            if blocks and blocks[-1][1] == number - 1:
                blocks[-1] = (blocks[-1][0], number)
            else:
                blocks.append((number, number))
        if blocks:
            break
    return blocks
