"""Finds code that looks like what was lost: in the files where it was, and in all others."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from tx_graph.analysis.fingerprints import Sketch, sketch_of, word_hashes
from tx_graph.analysis.relocation import TELLING, Candidate
from tx_graph.analysis.symbol_names import simple_name
from tx_graph.domain.anchor import Anchor
from tx_graph.domain.languages import LANGUAGES, language_of
from tx_graph.domain.symbols import Symbol
from tx_graph.services.anchoring.evidence import Evidence, Held
from tx_graph.services.anchoring.sources import Sources, SourceText

_WORDS_KEPT = 0.6
"""Share of the sketch's words that a text must have for it to be worth parsing."""

OtherFiles = Callable[[Collection[str]], Iterable[str]]
"""Gives the files where symbols of these simple names may have gone."""


class Lost(NamedTuple):
    """A symbol that is not where it was, and the files it may have stayed in: its own, also under its new name."""

    anchor: Anchor
    homes: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its qualified name inside its file."""
        return self.anchor.symbol or ""

    @property
    def sketch(self) -> Sketch | None:
        """What to look for, None when the anchor has no fingerprints."""
        return sketch_of(self.anchor.fingerprints) if self.anchor.fingerprints else None


class Lookalikes:
    """Looks for symbols; what history says was there beside the lost one is left out."""

    def __init__(self, *, sources: Sources, other_files: OtherFiles, evidence: Evidence | None) -> None:
        self._sources = sources
        self._other_files = other_files
        self._evidence = evidence

    def at_home(self, lost: Sequence[Lost]) -> list[list[Candidate]]:
        """Return, for each lost symbol, those in the files where it was that look like it."""
        found = [
            [candidate for path in one.homes for candidate in self._in_file(one, self._sources.get(path), is_home=True)]
            for one in lost
        ]
        return self._proven(lost, found)

    def elsewhere(self, lost: Sequence[Lost]) -> list[list[Candidate]]:
        """Return, for each lost symbol, those in other files that look like it; each file is looked at once."""
        found: list[list[Candidate]] = [[] for _ in lost]
        wanted = [(place, one, sketch) for place, one in enumerate(lost) if (sketch := one.sketch)]
        if not wanted:
            return found
        families = {_family(one.anchor.path) for _, one, _ in wanted}
        for path in self._other_files({simple_name(one.name) for _, one, _ in wanted}):
            source = self._sources.get(path) if _family(path) in families else None
            words = word_hashes(source.text) if source else frozenset()
            for place, one, sketch in wanted:
                if path not in one.homes and _has_words(words, sketch):
                    found[place] += self._in_file(one, source, is_home=False)
        return self._proven(lost, found)

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

    def _in_file(self, lost: Lost, source: SourceText | None, *, is_home: bool) -> Iterator[Candidate]:
        for symbol in source.symbols if source else ():
            if source and _looks_like(symbol, source, lost):
                taken = source.of_symbol(symbol)
                yield Candidate(path=source.path, symbol=symbol.name, fingerprints=taken, is_home=is_home)

    def _proven(self, lost: Sequence[Lost], found: Sequence[list[Candidate]]) -> list[list[Candidate]]:
        """Return the candidates without those that were there already, as far as history knows."""
        if self._evidence is None:
            return list(found)
        held = [self._evidence.last_held(one.anchor) for one in lost]
        self._evidence.prepare_origins(
            (one.base, candidate.path)
            for one, candidates in zip(held, found, strict=True)
            if one
            for candidate in candidates
        )
        return [
            list(self._new_since(one, candidates)) if one else candidates
            for one, candidates in zip(held, found, strict=True)
        ]

    def _new_since(self, held: Held, candidates: Iterable[Candidate]) -> Iterator[Candidate]:
        for one in candidates:
            novelty = self._evidence and self._evidence.novelty(held.base, one.path, one.symbol, one.fingerprints)
            if novelty:
                yield replace(one, novelty=novelty)


def _looks_like(symbol: Symbol, source: SourceText, lost: Lost) -> bool:
    if (source.path, symbol.name) == (lost.anchor.path, lost.name):
        return False
    text = "\n".join(source.lines[symbol.line_start - 1 : symbol.line_end])
    return lost.sketch is None or _has_words(word_hashes(text), lost.sketch)


def _has_words(words: frozenset[int], sketch: Sketch) -> bool:
    return sum(word in words for word in sketch.words) >= _WORDS_KEPT * len(sketch.words)


def _family(path: str) -> str:
    """Return what languages have in common between which code moves, such as JavaScript and TypeScript."""
    language = LANGUAGES.get(language_of(path) or "")
    return (language.resolver or language.reader) if language else ""
