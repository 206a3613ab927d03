"""Finds code that looks like what was lost: in the files where it was, and in all others."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from tx_graph.analysis.fingerprints import sketch_of
from tx_graph.analysis.relocation import TELLING, Candidate, Novelty
from tx_graph.analysis.symbol_names import simple_name
from tx_graph.analysis.wanted import Wanted
from tx_graph.domain.anchor import Anchor, Fingerprints
from tx_graph.domain.languages import LANGUAGES, language_of
from tx_graph.services.anchoring.evidence import Evidence, Held
from tx_graph.services.anchoring.sources import Sources, SourceText

OtherFiles = Callable[[Collection[str]], Iterable[str]]
"""Gives the files where symbols of these simple names may have gone."""


_UNKNOWN = Fingerprints(content="")


class Lost(NamedTuple):
    """A symbol that is not where it was, and the files it may have stayed in: its own, also under its new name."""

    anchor: Anchor
    homes: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its qualified name inside its file."""
        return self.anchor.symbol or ""

    @property
    def taken(self) -> Fingerprints:
        """What to look for; an anchor without fingerprints is like nothing."""
        return self.anchor.fingerprints or _UNKNOWN


class Lookalikes:
    """Looks for symbols; what history says was there beside the lost one is left out."""

    def __init__(self, *, sources: Sources, other_files: OtherFiles, evidence: Evidence | None) -> None:
        self._sources = sources
        self._other_files = other_files
        self._evidence = evidence

    def at_home(self, lost: Sequence[Lost]) -> list[list[Candidate]]:
        """Return, for each lost symbol, those in the files where it was that look like it."""
        found: list[list[Candidate]] = [[] for _ in lost]
        by_home: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(lost):
            for path in one.homes:
                by_home[path].append(place)
        for path, places in by_home.items():
            wanted = Wanted([lost[place].taken for place in places])
            for index, candidate in _in_file(self._sources.get(path), wanted, is_home=True):
                found[places[index]].append(candidate)
        return self._new_ones(lost, found)

    def elsewhere(self, lost: Sequence[Lost]) -> list[list[Candidate]]:
        """Return, for each lost symbol, those in other files that look like it; each file is looked at once."""
        found: list[list[Candidate]] = [[] for _ in lost]
        if not lost:
            return found
        families = {_family(one.anchor.path) for one in lost}
        wanted = Wanted([one.taken for one in lost])
        for path in self._other_files({simple_name(one.name) for one in lost}):
            source = self._sources.peek(path) if _family(path) in families else None
            if source is None or not wanted.is_any_in(source.words):
                continue
            for place, candidate in _in_file(source, wanted, is_home=False):
                if path not in lost[place].homes:
                    found[place].append(candidate)
        return self._new_ones(lost, found)

    def same_content(self, anchor: Anchor) -> list[str]:
        """Return the files that hold exactly what a lost file held, and did not while it was there."""
        if anchor.fingerprints is None:
            return []
        suffix = anchor.path.rpartition(".")[2]
        paths = [path for path in self._other_files(()) if path.endswith(suffix) and path != anchor.path]
        content = anchor.fingerprints.content
        same = [path for path in paths if (source := self._sources.get(path)) and source.whole_content == content]
        held = self._evidence.last_held(anchor) if self._evidence else None
        if held is None or self._evidence is None:
            sketch = sketch_of(anchor.fingerprints)
            return same if sketch and sketch.size >= TELLING else []
        return [path for path in same if not self._evidence.had(held.base, path)]

    def _new_ones(self, lost: Sequence[Lost], found: Sequence[list[Candidate]]) -> list[list[Candidate]]:
        """Return the candidates without the lost symbols' old selves and what was there already, if history knows."""
        others = [
            [each for each in candidates if not _is_self(each, one)]
            for one, candidates in zip(lost, found, strict=True)
        ]
        if self._evidence is None:
            return others
        held = {one: self._evidence.last_held(one.anchor) for one, each in zip(lost, others, strict=True) if each}
        known = [(held[one], each) for one, candidates in zip(lost, others, strict=True) for each in candidates]
        self._evidence.prepare_origins((past.base, each.path) for past, each in known if past)
        new = self._novelties((past.base, each) for past, each in known if past)
        return [
            [told for each in candidates if (told := self._told(held[one], each, new))]
            for one, candidates in zip(lost, others, strict=True)
        ]

    def _novelties(self, asked: Iterable[tuple[str, Candidate]]) -> dict[tuple[str, Candidate], Novelty | None]:
        """Return how new each candidate is since a commit; in an order in which no file is read twice."""
        if self._evidence is None:
            return {}
        ordered = sorted(set(asked), key=lambda pair: (pair[0], pair[1].path, pair[1].symbol))
        return {
            (base, one): self._evidence.novelty(base, one.path, one.symbol, one.fingerprints) for base, one in ordered
        }

    def _told(
        self, past: Held | None, candidate: Candidate, new: Mapping[tuple[str, Candidate], Novelty | None]
    ) -> Candidate | None:
        if past is None:
            return candidate
        novelty = new[past.base, candidate]
        return replace(candidate, novelty=novelty) if novelty else None


def _in_file(source: SourceText | None, wanted: Wanted, *, is_home: bool) -> Iterator[tuple[int, Candidate]]:
    """Yield the symbols of a file that may be one of those wanted, with the place of that one."""
    for symbol in source.symbols if source else ():
        words = source.words_of(symbol) if source else frozenset()
        if source is None or not (is_home or wanted.is_any_in(words)):
            continue
        taken = source.of_symbol(symbol)
        candidate = Candidate(path=source.path, symbol=symbol.name, fingerprints=taken, is_home=is_home)
        for place in wanted.matches(taken, words):
            yield place, candidate


def _is_self(candidate: Candidate, lost: Lost) -> bool:
    return (candidate.path, candidate.symbol) == (lost.anchor.path, lost.name)


def _family(path: str) -> str:
    """Return what languages have in common between which code moves, such as JavaScript and TypeScript."""
    language = LANGUAGES.get(language_of(path) or "")
    return (language.resolver or language.reader) if language else ""
