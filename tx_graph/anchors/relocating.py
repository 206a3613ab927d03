"""Finds code that went elsewhere, and says of many anchors at once whether they hold."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from tx_graph.anchors.evidence import Evidence, evidence
from tx_graph.anchors.fallbacks import with_fallbacks
from tx_graph.anchors.fingerprints import similarity, sketch_of, word_hashes
from tx_graph.anchors.judging import CHANGED, compared, judge, judge_in, moved, of_its_kind, relocated, taken_from
from tx_graph.anchors.recorded import rows_of
from tx_graph.anchors.relocation import HEAVY, MANY, PLAUSIBLE, Candidate, Choice, Wanted, Way, choose, mutual
from tx_graph.anchors.sources import Contents, SourceText, sources
from tx_graph.anchors.tracing import trace
from tx_graph.anchors.verdict import Judgement, Standing, Verdict, standing
from tx_graph.code.file_store import SymbolStore
from tx_graph.code.languages import LANGUAGES, has_sections, language_of
from tx_graph.code.symbols import SECTION, Symbol, is_section, simple_name
from tx_graph.core.kernel import Kernel
from tx_graph.graph.edges import NodeId
from tx_graph.graph.node_store import NodeStore
from tx_graph.records.anchor import Anchor, AnchorType, Drift, Fingerprints, Reason, leads_outside, parse_anchor
from tx_graph.records.anchor_store import AnchorRow
from tx_graph.version import __version__

OtherFiles = Callable[[Collection[str]], Iterable[str]]
"""Gives the files where symbols of these simple names may have gone."""


_UNKNOWN = Fingerprints(content="")
_LOST = (Reason.FILE_DELETED, Reason.SYMBOL_MISSING)
_WORDS = {Way.MOVED: "with the same code", Way.RENAMED: "renamed, with the same code"}


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


class Relocating:
    """Looks for everything that is lost at once: two that are lost must not both be found at one place.

    Without `evidence`, as outside git, nothing can be known to be new, so less is recognised.
    """

    def __init__(self, kernel: Kernel, *, other_files: OtherFiles, evidence: Evidence | None) -> None:
        self._sources = kernel.one(sources)
        self._other_files = other_files
        self._evidence = evidence
        self._uncommitted = partial(kernel.checkout.changed_since, "HEAD")

    def settle(self, judgements: Sequence[Judgement], *, hints: Mapping[str, str]) -> list[Judgement]:
        """Return the judgements in their order, with what is lost found where that is certain.

        `hints` are new names of files that an earlier look found; they are told where history is not asked.
        """
        suspects = [one.anchor.path for one in judgements if one.reason in _LOST or one.drift is Drift.SIGNATURE]
        gone = [one.anchor for one in judgements if one.reason is Reason.FILE_DELETED]
        if self._evidence and suspects:
            self._evidence.prepare(suspects, gone=[anchor.path for anchor in gone])
        paths: dict[Anchor, str] = {}
        for anchor in gone:
            path = self._evidence.new_path(anchor.path) if self._evidence else hints.get(anchor.path)
            same = [] if path else self._same_content(anchor)
            if path or len(same) == 1:
                paths[anchor] = path or same[0]
        followed = [self._followed(one, paths.get(one.anchor)) for one in judgements]
        lost = [
            Lost(one.anchor, tuple(filter(None, (one.anchor.path, paths.get(one.anchor)))))
            for one in followed
            if _is_lost_symbol(one)
        ]
        choices = self._choices(list(dict.fromkeys(lost)))
        return [self._settled(one, choices[one.anchor]) if _is_lost_symbol(one) else one for one in followed]

    def _followed(self, judgement: Judgement, path: str | None) -> Judgement:
        """Return the verdict from the new name of a file if it has one."""
        anchor, source = judgement.anchor, self._sources.get(path) if path else None
        if path is None or source is None:
            return self._unstolen(judgement)
        there = judge_in(replace(anchor, path=path), source)
        if there.verdict is Verdict.INVALID:
            detail = f"{anchor.path} is {path} now, without it"
            return replace(judgement, reason=there.reason, detail=detail, candidates=there.candidates)
        place = there.relocated_to or replace(there.anchor, fingerprints=taken_from(there.anchor, source))
        followed = replace(there, anchor=anchor, relocated_to=place)
        if there.is_finding:
            return replace(followed, detail=f"{there.detail}; it is {place.spec} now")
        detail = f"it is {place.spec} now, its file was renamed"
        return replace(followed, verdict=Verdict.RELOCATED, detail=detail)

    def _unstolen(self, judgement: Judgement) -> Judgement:
        """Return a drifted overload as missing if what bears its name now is another one, which moved up."""
        anchor = judgement.anchor
        if judgement.drift is not Drift.SIGNATURE or anchor.type is not AnchorType.SYMBOL or judgement.relocated_to:
            return judgement
        held = self._evidence.last_held(anchor) if self._evidence else None
        source = self._sources.get(anchor.path)
        now = source.symbol(anchor.symbol or "") if source else None
        if held is None or source is None or now is None:
            return judgement
        tokens, name = source.of_symbol(now).tokens, simple_name(now.name)
        others = (one for one in held.source.symbols if simple_name(one.name) == name and one.name != now.name)
        if not any(held.source.of_symbol(other).tokens == tokens for other in others):
            return judgement
        detail = f"'{anchor.symbol}' is gone; what is called so now is another overload"
        return Judgement(anchor=anchor, verdict=Verdict.INVALID, reason=Reason.SYMBOL_MISSING, detail=detail)

    def _same_content(self, anchor: Anchor) -> list[str]:
        """Return the files that hold exactly what a whole lost file held, and did not while it was there."""
        if anchor.type is not AnchorType.HASH or anchor.lines or anchor.fingerprints is None:
            return []
        suffix = anchor.path.rpartition(".")[2]
        paths = [path for path in self._other_files(()) if path.endswith(suffix) and path != anchor.path]
        content = anchor.fingerprints.content
        same = [path for path in paths if (source := self._sources.get(path)) and source.whole_content == content]
        held = self._evidence.last_held(anchor) if self._evidence else None
        if held is None or self._evidence is None:
            sketch = sketch_of(anchor.fingerprints)
            return same if sketch and sketch.size >= HEAVY else []
        return [path for path in same if not self._evidence.had(held.since, path)]

    def _choices(self, lost: Sequence[Lost]) -> dict[Anchor, Choice]:
        """Return where each lost symbol went; other files are looked at for those that are not certain at home."""
        near: dict[Lost, list[Candidate]] = {one: [] for one in lost}
        choices: dict[Lost, Choice] = {}
        for declared in (attrgetter("symbols"), attrgetter("details")):  # which few are, and which take long to read
            left = [one for one in lost if one not in choices or not choices[one].found]
            for one, found in zip(left, self._at_home(left, declared), strict=True):
                near[one] += found
                choices[one] = choose(one.anchor.path, one.name, one.taken, near[one])
        # Before it is known what is alike elsewhere, only equal code in the very file is certain.
        far = [
            one
            for one, choice in choices.items()
            if choice.way not in _WORDS or (choice.found and choice.found.path != one.anchor.path)
        ]
        for one, found in zip(far, self._elsewhere(far), strict=True):
            choices[one] = choose(one.anchor.path, one.name, one.taken, [*near[one], *found])
        choices |= self._traced({one: choices[one] for one in far if choices[one].way not in _WORDS})
        agreed = mutual(choices, symbol_of=lambda one: one.anchor.spec)
        return {one.anchor: choice for one, choice in agreed.items()}

    def _traced(self, unsure: Mapping[Lost, Choice]) -> dict[Lost, Choice]:
        """Return where history took those whose code does not tell by itself where it is."""
        if self._evidence is None:
            return {}
        sketches = {one: sketch for one in unsure if (sketch := sketch_of(one.taken)) and one.taken.tokens}
        here = {one: (one.anchor.path, one.name) for one in sketches if self._evidence.last_held(one.anchor)}
        weak = {at: sketches[one].size < HEAVY or unsure[one].alike >= MANY for one, at in here.items()}
        places = trace(self._evidence, weak, sources=self._sources, uncommitted=self._uncommitted)
        found: dict[Lost, Choice] = {}
        for one, at in here.items():
            source = self._sources.get(places[at][0]) if at in places else None
            symbol = source.symbol(places[at][1]) if source else None
            if source and symbol:
                now = source.of_symbol(symbol)
                there = Candidate(path=source.path, symbol=symbol.name, fingerprints=now)
                same = {one.taken.tokens: Way.MOVED, one.taken.unnamed: Way.RENAMED}
                way = same.get(now.tokens) or same.get(now.unnamed) or Way.SIMILAR
                likeness = similarity(sketches[one], new) if (new := sketch_of(now)) else 0.0
                if likeness >= PLAUSIBLE or simple_name(symbol.name) == simple_name(one.name):
                    found[one] = Choice(found=there, way=way, likeness=likeness)
        return found

    def _settled(self, judgement: Judgement, choice: Choice) -> Judgement:
        anchor = judgement.anchor
        source = self._sources.get(choice.found.path) if choice.found else None
        symbol = source.symbol(choice.found.symbol) if source and choice.found else None
        if source is None or symbol is None or choice.way is None:
            return replace(judgement, candidates=tuple(dict.fromkeys((*judgement.candidates, *choice.candidates))))
        if choice.way is not Way.SIMILAR:
            return relocated(anchor, symbol, source, how=of_its_kind(anchor, _WORDS[choice.way]))
        judged, there = compared(anchor, source.of_symbol(symbol), lines=symbol.lines), moved(anchor, symbol, source)
        detail = f"{judged.detail}; it is probably {there.spec} now ({choice.likeness:.0%} alike)"
        return replace(judged, detail=detail, relocated_to=there)

    def _at_home(
        self, lost: Sequence[Lost], declared: Callable[[SourceText], Iterable[Symbol]]
    ) -> list[list[Candidate]]:
        """Return, for each lost symbol, those declared in the files where it was that look like it."""
        found: list[list[Candidate]] = [[] for _ in lost]
        by_home: dict[str, list[int]] = defaultdict(list)
        for place, one in enumerate(lost):
            for path in one.homes:
                by_home[path].append(place)
        for path, places in by_home.items():
            if source := self._sources.get(path):
                wanted = Wanted([lost[place].taken for place in places])
                for index, candidate in _in_file(source, declared(source), wanted, is_home=True):
                    found[places[index]].append(candidate)
        return self._new_ones(lost, found)

    def _elsewhere(self, lost: Sequence[Lost]) -> list[list[Candidate]]:
        """Return, for each lost symbol, those in other files that look like it; each file is looked at once."""
        found: list[list[Candidate]] = [[] for _ in lost]
        if not lost:
            return found
        families, names = {_family(one.anchor.path) for one in lost}, {simple_name(one.name) for one in lost}
        wanted = Wanted([one.taken for one in lost])
        for path in self._other_files(names):
            source = self._sources.peek(path) if _family(path) in families else None
            if source is None or not wanted.is_any_in(source.words):
                continue
            namesakes = source.details if any(map(source.may_declare, names)) else ()
            declared = (*source.symbols, *(one for one in namesakes if simple_name(one.name) in names))
            for place, candidate in _in_file(source, declared, wanted, is_home=False):
                if path not in lost[place].homes:
                    found[place].append(candidate)
        return self._new_ones(lost, found)

    def _new_ones(self, lost: Sequence[Lost], found: Sequence[list[Candidate]]) -> list[list[Candidate]]:
        """Return the candidates without the lost symbols' old selves, and whether they were there, if history knows."""
        others = [
            [each for each in candidates if (each.path, each.symbol) != (one.anchor.path, one.name)]
            for one, candidates in zip(lost, found, strict=True)
        ]
        if self._evidence is None:
            return others
        held = [self._evidence.last_held(one.anchor) if each else None for one, each in zip(lost, others, strict=True)]
        asked = {(past.since, each) for past, several in zip(held, others, strict=True) if past for each in several}
        self._evidence.prepare_origins((base, each.path) for base, each in asked)
        # in an order in which no file is read twice
        ordered = sorted(asked, key=lambda pair: (pair[0], pair[1].path, pair[1].symbol))
        known = {
            (since, one): replace(one, novelty=self._evidence.novelty(since, one.path, one.symbol, one.fingerprints))
            for since, one in ordered
        }
        return [
            [known[past.since, each] for each in several] if past else several
            for past, several in zip(held, others, strict=True)
        ]


def _in_file(
    source: SourceText, declared: Iterable[Symbol], wanted: Wanted, *, is_home: bool
) -> Iterator[tuple[int, Candidate]]:
    """Yield those symbols of a file that may be one of those wanted, with the place of that one."""
    for symbol in declared:
        words = word_hashes(source.text_of(symbol.lines))
        if is_home or wanted.is_any_in(words):
            taken = source.of_symbol(symbol)
            candidate = Candidate(path=source.path, symbol=symbol.name, fingerprints=taken, is_home=is_home)
            for place in wanted.matches(taken, words):
                yield place, candidate


def _family(path: str) -> str:
    """Return what languages have in common between which code moves, such as JavaScript and TypeScript."""
    language = LANGUAGES.get(language_of(path) or "")
    return (language.resolver or language.reader) if language else SECTION if has_sections(path) else ""


def _is_lost_symbol(judgement: Judgement) -> bool:
    return judgement.reason in _LOST and judgement.anchor.type is AnchorType.SYMBOL


def check(kernel: Kernel, relocating: Relocating, rows: Sequence[AnchorRow]) -> list[Judgement]:
    """Return the verdict on each of many anchors, in order; with a fallback come all anchors of its learning.

    A file whose stamp is as it was is not read; one with the same content is not parsed.
    """
    contents = kernel.one(Contents)
    kept = {row.id: _kept(contents, row) for row in rows}
    fresh = [row for row in rows if kept[row.id] is None]
    hints = {row.anchor.path: parse_anchor(row.state.found_at).path for row in fresh if row.state.found_at}
    judged = relocating.settle([judge(kernel, row.anchor) for row in fresh], hints=hints)
    found = dict(zip((row.id for row in fresh), judged, strict=True))
    return with_fallbacks(rows, [kept[row.id] or found[row.id] for row in rows])


def _kept(contents: Contents, row: AnchorRow) -> Judgement | None:
    """Return the verdict of last time if it is about the same content, or that a whole file is what it was."""
    anchor, state = row.anchor, row.state
    if anchor.type is AnchorType.GLOB or anchor.pinned or anchor.invalidated:
        return None
    content = contents.of(anchor.path)
    if content is None:
        return None
    if state.verified_hash != about(content):
        # A whole file that is what it was needs no look.
        is_whole = anchor.type is AnchorType.HASH and not anchor.lines and not leads_outside(anchor.path)
        is_same = anchor.fingerprints is not None and anchor.fingerprints.content == content
        return Judgement(anchor=anchor, verdict=Verdict.VALID) if is_whole and is_same else None
    if state.status == "drifted":
        detail = of_its_kind(anchor, CHANGED[state.drift or Drift.BODY])
        return Judgement(
            anchor=anchor, verdict=Verdict.DRIFTED, drift=state.drift, detail=detail, lines=state.found_lines
        )
    return Judgement(anchor=anchor, verdict=Verdict.VALID, lines=state.found_lines)


def about(content: str) -> str:
    """Return what a verdict is about: the content, as this version of tx sees it."""
    return f"{content}:{__version__}"


class Standings:
    """One look at the working tree as it is from here on: however often a learning is asked about, it is judged once.

    Nothing is written. Code that went elsewhere is looked for in its own file and where the index knows its name;
    graph:verify looks further, and asks history.
    """

    def __init__(self, kernel: Kernel) -> None:
        kernel.one(sources).forget()
        self._kernel = kernel
        self._relocating = Relocating(kernel, other_files=self._declaring, evidence=None)
        self._judged: dict[NodeId, tuple[Judgement, ...]] = {}

    def _declaring(self, names: Collection[str]) -> list[str]:
        """Return the files in which symbols and sections of these simple names stood when they were last read."""
        slugs, database = list(filter(is_section, names)), self._kernel.database
        documents = NodeStore(database).documents_with(slugs) if slugs else []
        return [*SymbolStore(database).files_declaring(names), *documents]

    def judgements(self, learnings: Collection[NodeId]) -> dict[NodeId, tuple[Judgement, ...]]:
        """Return the verdicts on the anchors of each learning, in the order of their specs."""
        if new := [node for node in learnings if node not in self._judged]:
            rows = rows_of(self._kernel, new)
            self._kernel.one(Contents).look({row.anchor.path for row in rows})
            found: dict[NodeId, list[Judgement]] = defaultdict(list)
            judged = check(self._kernel, self._relocating, rows) if rows else ()
            for row, judgement in zip(rows, judged, strict=True):
                found[row.learning].append(judgement)
            self._judged |= {node: tuple(found[node]) for node in new}
        return {node: self._judged[node] for node in learnings}

    def judged(self, anchors: Sequence[Anchor]) -> list[Judgement]:
        """Return the verdicts on anchors that are no learning's."""
        return self._relocating.settle([judge(self._kernel, one) for one in anchors], hints={})

    def standings(self, learnings: Collection[NodeId]) -> dict[NodeId, Standing]:
        """Return what is said of each learning."""
        return {node: standing(judged) for node, judged in self.judgements(learnings).items()}


def everywhere(kernel: Kernel) -> Relocating:
    """Return what looks for lost code in all files of the repository, and asks history."""
    return Relocating(kernel, other_files=lambda _: kernel.checkout.listed_files().paths, evidence=kernel.one(evidence))
