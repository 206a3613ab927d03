"""Follows code that was moved and edited, from one commit that took it away to the next.

Far apart, what was edited again and again is like anything. In the one commit that moved it, it goes at one place and
comes at another, much the same.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from tx_graph.anchors.fingerprints import flat
from tx_graph.anchors.relocation import HEAVY
from tx_graph.anchors.sources import Sources, SourceText
from tx_graph.code.languages import has_sections, language_of
from tx_graph.code.symbols import Symbol, is_section, simple_name

if TYPE_CHECKING:
    from tx_graph.anchors.evidence import Evidence

_MOST_MOVES = 5  # of one symbol
_MOST_FILES = 200  # of one commit that are read
_ALIKE_BY_NAME = 0.5
_ALIKE = 0.7
_ALIKE_BETWEEN_STRANGERS = 0.8
_MARGIN = 0.15

Place = tuple[str, str]
"""A path, and the qualified name of a symbol there."""


class Seen:
    """A symbol in one version of its file."""

    def __init__(self, source: SourceText, symbol: Symbol) -> None:
        self.source = source
        self.symbol = symbol
        self.place: Place = (source.path, symbol.name)
        self.owner = symbol.name.rpartition("::")[0]
        self.simple = simple_name(symbol.name)

    @cached_property
    def pairs(self) -> Counter[tuple[str, str]]:
        """Its neighbouring tokens, but for its own name."""
        passage = self.source.passages.of_symbol(self.symbol)
        tokens = ["" if token == self.simple else token for token in flat(passage.tokens)]
        return Counter(pairwise(tokens))


class Step(NamedTuple):
    """What went and came in one commit, and where git says that files went."""

    departed: Sequence[Seen]
    arrived: Sequence[Seen]
    renames: Mapping[str, SourceText]


def trace(
    evidence: Evidence, lost: Mapping[Place, bool], *, sources: Sources, uncommitted: Callable[[], Iterable[str]]
) -> dict[Place, Place]:
    """Return where the working tree has symbols that it does not have where they were, as far as history tells.

    `lost` tells of each whether its code is light or alike in many places; `uncommitted` names what differs from HEAD.
    """
    found: dict[Place, Place] = {}
    going = {place: place for place in lost}
    for _ in range(_MOST_MOVES):
        evidence.prepare({path for path, _ in going.values()})
        gone: dict[str, dict[Place, SourceText]] = defaultdict(dict)
        for place, at in going.items():
            if departure := evidence.departure(*at):
                gone[departure.base][place] = departure.source
        there: dict[Place, Place] = {}
        for base, before in gone.items():  # one commit after the other: each may bring many files
            commit, is_uncommitted = base.removesuffix("^"), base == evidence.head
            altered = [(path, path) for path in uncommitted()] if is_uncommitted else evidence.altered(commit)
            sorts = {is_section(name) for _, name in (going[place] for place in before)}
            files = [(old, new) for old, new in altered if sorts.intersection(_holds(old or new or ""))]
            if len(files) > _MOST_FILES:  # then only what stayed in its file, or went with it
                files = [(old, new) for old, new in files if old in {one.path for one in before.values()}]
            after = sources.get if is_uncommitted else partial(evidence.version, commit)
            step = _step(
                (evidence.version(base, old) if old else None, after(new) if new else None) for old, new in files
            )
            for place, source in before.items():
                if new_place := _next(going[place], source, step, is_weak=lost[place]):
                    there[place] = new_place
        found |= {place: at for place, at in there.items() if (now := sources.get(at[0])) and now.symbol(at[1])}
        going = {place: at for place, at in there.items() if place not in found}
    return found


def _holds(path: str) -> tuple[bool, ...]:
    """Return what a file may hold: sections (True), other symbols (False), or nothing that could have moved."""
    return (True,) if has_sections(path) else (False,) if language_of(path) else ()


def _step(changes: Iterable[tuple[SourceText | None, SourceText | None]]) -> Step:
    """Return what a commit did, from the files that it changed before and after it."""
    departed: list[Seen] = []
    arrived: list[Seen] = []
    renames: dict[str, SourceText] = {}
    for before, after in changes:
        if before and after and before.path != after.path:
            renames[before.path] = after
            if before.text == after.text:
                continue
        old, new = ({one.name for one in source.symbols} if source else set() for source in (before, after))
        departed += [Seen(before, one) for one in before.symbols if one.name not in new] if before else []
        arrived += [Seen(after, one) for one in after.symbols if one.name not in old] if after else []
    return Step(departed, arrived, renames)


def _next(at: Place, before: SourceText, step: Step, *, is_weak: bool) -> Place | None:
    """Return where a commit took a symbol that a file had before, None where that is in doubt."""
    path, name = at
    if (symbol := before.symbol(name)) is None:
        return None
    old, renamed = Seen(before, symbol), step.renames.get(path)
    namesakes = [one for one in step.arrived if one.simple == old.simple]
    if renamed and (same := renamed.symbol(name)):
        if not namesakes:
            return renamed.path, name
        namesakes.append(Seen(renamed, same))  # of which there may be a copy
    near = [one for one in step.arrived if one.place[0] == path] if is_weak else step.arrived
    others = [one for one in near if one.symbol.kind == symbol.kind]
    for arrived, least in ((namesakes, _ALIKE_BY_NAME), (others, _ALIKE)):
        scored = sorted(((_likeness(old, one), one) for one in arrived), key=lambda pair: (-pair[0], pair[1].place))
        if not scored or scored[0][0] < least:
            continue
        (best, new), *rest = scored
        if rest and best - rest[0][0] < _MARGIN:
            return None
        rivals = (one for one in step.departed if one.place != at and one.symbol.kind == symbol.kind)
        if any(_likeness(one, new) >= best for one in rivals if one.simple == new.simple or new.simple != old.simple):
            return None
        # What implements one interface looks alike: in another class elsewhere it is told by what went there with it.
        is_elsewhere = new.place[0] != path and (renamed is None or new.place != (renamed.path, name))
        is_stranger = old.owner and new.owner and old.owner != new.owner and best < _ALIKE_BETWEEN_STRANGERS
        return new.place if not is_elsewhere or not (is_weak or is_stranger) or _went_together(old, new, step) else None
    return None


def _went_together(old: Seen, new: Seen, step: Step) -> bool:
    """Whether something that tells went from the class of one to that of the other, or from file to file."""
    there = {one.simple: one for one in step.arrived if one.place[0] == new.place[0] and one.owner == new.owner}
    return any(
        one.simple in there and one.pairs.total() >= HEAVY and _likeness(one, there[one.simple]) >= _ALIKE_BY_NAME
        for one in step.departed
        if one.place[0] == old.place[0] and one.owner == old.owner and one.simple != old.simple
    )


def _likeness(one: Seen, other: Seen) -> float:
    """Return how many pairs of neighbouring tokens two symbols share, but for their own names (Dice), in [0, 1]."""
    mine, others = one.pairs, other.pairs
    return 2 * (mine & others).total() / max(1, mine.total() + others.total())
