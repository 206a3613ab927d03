"""Takes anchors to places as people type them, and suggests one from a file and a word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from tx_graph.anchors.sources import SourceText, sources
from tx_graph.code.symbols import Match, Symbol, match_of, readings_of, simple_name
from tx_graph.core.errors import NotFound, OutsideRepository, UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.labels import is_unicode
from tx_graph.records.anchor import Anchor, AnchorRequest, AnchorType

_OTHERS_LACK_IT = "An anchor is shared with the learning: tie it to a file that others have too."
_SINGLY = 20
"""Files that git is asked about one by one, 3 ms each: beyond, listing all of them takes less."""


class Anchoring:
    """Looks places up and takes anchors; each file is read and parsed once. Globs match tracked files."""

    def __init__(self, kernel: Kernel) -> None:
        checkout = kernel.checkout
        self._tree = checkout.tree
        self._listed_files = checkout.listed_files
        self._tracked_files = checkout.tracked_files
        self._sources = kernel.one(sources)
        self._taken = 0

    def take(self, request: AnchorRequest) -> Anchor:
        """Return the anchor that is asked for, with the fingerprints of what it ties to now."""
        kind = self._kind(request)
        if kind is AnchorType.GLOB:
            return self._take_glob(request)
        path = self.path(request.path)
        if kind is AnchorType.SYMBOL:
            symbol = self._sources.symbol(path, request.symbol or "")
            taken = self._source(path).anchored(symbol)
            return Anchor(path=path, type=kind, symbol=symbol.name, fingerprints=taken)
        if request.lines:
            return self._take_lines(path, request.lines, kind)
        return Anchor(path=path, type=kind, fingerprints=self._source(path).whole())

    def path(self, typed: str) -> str:
        """Return the repository-relative path of an existing file that may be anchored."""
        found = self._tree.existing(typed)
        if found is None:
            document, mark, _ = typed.rpartition("#")
            if mark and document and (path := self._tree.existing(document)) and not self._tree.is_directory(path):
                raise UsageError(
                    f"'{typed}' names a section, and anchors tie to files, symbols and lines.",
                    hint=f"Name the document, or the section's lines: 'tx doc:show {path}' has them.",
                )
            raise NotFound(f"There is no file '{typed}'.", candidates=self._listed_files().nearest(typed))
        if foreign := self._why_foreign(found):
            raise UsageError(f"'{typed}' cannot be anchored: {foreign}.", hint=_OTHERS_LACK_IT)
        if self._tree.is_directory(found):
            raise UsageError(f"'{typed}' is a directory.", hint=f"To mean all files in it, use the glob '{found}/**'.")
        if self._sources.text(found) is None:
            raise UsageError(f"'{typed}' cannot be read as a file.")
        return found

    def _why_foreign(self, path: str) -> str:
        """Return why a file is no part of the project; from a list of all files once many are anchored at a time."""
        self._taken += 1
        if self._taken > _SINGLY and path in self._listed_files():
            return ""
        return self._tree.why_foreign(path)

    def candidates(self, typed: str) -> list[str]:
        """Return the repository-relative paths that a typed path may mean; one that leads outside is refused."""
        return self._tree.candidates(typed)

    def existing(self, typed: str) -> str | None:
        """Return the repository-relative path of the file or directory that is meant, None if there is none."""
        return self._tree.existing(typed)

    def files_matching(self, pattern: str) -> Sequence[str]:
        """Return the repository's files that a glob matches."""
        return self._tracked_files().matching(pattern)

    def matches_any(self, pattern: str, paths: Sequence[str]) -> bool:
        """Whether a glob matches one of these files."""
        return self._tracked_files().matches_any(pattern, paths)

    def _kind(self, request: AnchorRequest) -> AnchorType:
        given = request.inferred_type(exists=self._tree.existing(request.path) is not None)
        kind = request.type or given
        needs = {AnchorType.SYMBOL: request.symbol, AnchorType.LINES: request.lines}
        if kind in needs and needs[kind] is None:
            raise UsageError(
                f"An anchor of type '{kind}' needs {'a symbol' if kind is AnchorType.SYMBOL else 'lines'}."
            )
        if kind is not given and given in needs and (given, kind) != (AnchorType.LINES, AnchorType.HASH):
            raise UsageError(
                f"An anchor of type '{kind}' has no {'symbol' if given is AnchorType.SYMBOL else 'lines'}."
            )
        if request.symbol and request.lines:
            raise UsageError("An anchor names a symbol or lines, not both; add two anchors.")
        return kind

    def _take_glob(self, request: AnchorRequest) -> Anchor:
        pattern = request.path.strip()
        if pattern.startswith(("/", "../")) or "/../" in pattern:
            raise OutsideRepository(
                f"'{pattern}' is outside the repository.", hint="Globs start at the repository's root."
            )
        if not self.files_matching(pattern):
            untracked = self._listed_files().matching(pattern)
            if not untracked:
                raise NotFound(f"The glob '{pattern}' matches no file.", hint="Globs start at the repository's root.")
            files = untracked[0] if len(untracked) == 1 else f"{untracked[0]} and {len(untracked) - 1} more"
            raise NotFound(
                f"The glob '{pattern}' matches only files that git does not track: {files}.",
                hint="Track them first: git add.",
            )
        return Anchor(path=pattern, type=AnchorType.GLOB)

    def _take_lines(self, path: str, lines: tuple[int, int], kind: AnchorType) -> Anchor:
        source = self._source(path)
        if not 1 <= lines[0] <= lines[1]:
            raise UsageError(f"Lines {lines[0]}-{lines[1]} are none: lines count from 1, first to last.")
        if lines[1] > len(source.lines):
            raise NotFound(f"{path} ends at line {len(source.lines)}; there is no line {lines[1]}.")
        text = source.text_of(lines)
        kept = text if kind is AnchorType.LINES and is_unicode(text) else None
        return Anchor(path=path, type=kind, lines=lines, text=kept, fingerprints=source.of_lines(lines))

    def _source(self, path: str) -> SourceText:
        source = self._sources.get(path)
        if source is None:
            raise NotFound(f"'{path}' cannot be read any more.")
        return source


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


def suggested(kernel: Kernel, typed: str, word: str) -> Suggestion:
    """Return the best anchor to what `word` names in a file."""
    word = word.strip()
    if not word:
        raise UsageError("The word to look for is empty.")
    path = kernel.one(Anchoring).path(typed)
    source = kernel.one(sources).get(path)
    symbols, lines = (source.symbols, source.lines) if source else ((), [])
    named, places = _ranked(symbols, word), _places(lines, word)
    if not places and not named:
        near = get_close_matches(word, {simple_name(one.name): None for one in symbols}, n=3, cutoff=0.5)
        found = [one.fqname for one in symbols if simple_name(one.name) in near]
        hint = "Leave the word out to mean the whole file."
        raise NotFound(f"There is no '{word}' in {path}.", hint=hint, candidates=found[:_MOST_NAMED])
    request, why = _chosen(path, word, named, places)
    others = [symbol.fqname for tier in named for symbol in tier]
    others += [AnchorRequest(path=path, lines=place).spec for place in places]
    alternatives = [one for one in others if one != request.spec]
    return Suggestion(request=request, why=why, alternatives=tuple(alternatives[:_MOST_NAMED]))


def _chosen(path: str, word: str, named: Sequence[Tier], places: Sequence[Place]) -> tuple[AnchorRequest, str]:
    """Return what to ask for, and why."""
    if (symbol := _only(named)) is not None:
        return AnchorRequest(path=path, symbol=symbol.name), _why_symbol(symbol, word, named[0])
    if len(places) == 1:
        return AnchorRequest(path=path, lines=places[0]), f"the only place with '{word}' in it"
    return AnchorRequest(path=path), f"{_why_file(word, named, places)}, so the whole file"


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
    inside, name = f"{first.name}::", simple_name(first.name)
    is_meant = all(one.name.startswith(inside) and simple_name(one.name) == name for one in rest)
    return first if is_meant else None


def _places(lines: Sequence[str], word: str) -> list[Place]:
    """Return where a word stands, as first and last lines: as a whole word if it does anywhere, else as a part."""
    whole = rf"(?<![\w$]){re.escape(word)}(?![\w$])"
    patterns = (re.compile(whole), re.compile(whole, re.IGNORECASE), re.compile(re.escape(word), re.IGNORECASE))
    for holds in (pattern.search for pattern in patterns):
        if numbers := [number for number, line in enumerate(lines, start=1) if holds(line)]:
            return _blocks(numbers)
    return []


def _blocks(numbers: Sequence[int]) -> list[Place]:
    """Return runs of numbers without a gap."""
    blocks: list[Place] = []
    for number in numbers:
        if blocks and blocks[-1][1] == number - 1:
            blocks[-1] = (blocks[-1][0], number)
        else:
            blocks.append((number, number))
    return blocks


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
