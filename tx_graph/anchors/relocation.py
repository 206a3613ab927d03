"""An index of what is looked for, so that each symbol of a large repository is held against it at once. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import takewhile
from typing import TypeVar

from tx_graph.anchors.fingerprints import Sketch, checksum, flat_sketch, similarity, sketch_of
from tx_graph.code.symbols import fqname, simple_name, unnumbered
from tx_graph.core.dataclass import dataclass
from tx_graph.records.anchor import Anchor, Fingerprints

_LEAST_ALIKE = 0.5  # share of the old lines that have to be there still, for edited ones to count as the same
_SPREAD = 2  # how many times longer than they were edited lines may have become

Span = tuple[int, int]
"""First and last line, from 1."""


def find_lines(
    anchor: Anchor,
    lines: Sequence[str],
    *,
    content_of: Callable[[Span], str],
    tokens_of: Callable[[], Sequence[Sequence[str]]],
) -> Span | None:
    """Return where the lines of an anchor are now, nearest to where they were; None when they are nowhere.

    `content_of` gives the hash of a span of the file's `lines`, `tokens_of` the code tokens, without structure, that
    start on each of them.
    """
    if same := same_lines(anchor, len(lines), content_of):
        return same
    tokens, (first, last) = tokens_of(), anchor.lines or (1, 1)
    sketch = sketch_of(anchor.fingerprints) if anchor.fingerprints else None
    if sketch and sketch.size:  # the same tokens, however they are broken into lines
        flat = [(token, number) for number, line in enumerate(tokens, start=1) for token in line]
        starts = [place for place, (_, number) in enumerate(flat) if not place or flat[place - 1][1] != number]
        for start in sorted(starts, key=lambda place: abs(flat[place][1] - first)):
            window = flat[start : start + sketch.size]
            if len(window) == sketch.size and checksum([token for token, _ in window]) == sketch.checksum:
                return (window[0][1], window[-1][1])
    if anchor.text is not None and (edited := _edited(anchor.text.split("\n"), lines)):
        return edited
    if sketch is None or last > len(lines):
        return None
    now = flat_sketch([token for line in tokens[first - 1 : last] for token in line])
    return (first, last) if similarity(sketch, now) >= _LEAST_ALIKE else None


def same_lines(anchor: Anchor, count: int, content_of: Callable[[Span], str]) -> Span | None:
    """Return where exactly the lines of an anchor are, nearest to where they were, in a file of `count` lines."""
    first, last = anchor.lines or (1, 1)
    content, starts = anchor.fingerprints and anchor.fingerprints.content, range(1, count - (last - first) + 1)
    for start in sorted(starts, key=lambda place: (abs(place - first), place)):
        if content_of((start, start + last - first)) == content:
            return start, start + last - first
    return None


def _edited(old: Sequence[str], new: Sequence[str]) -> Span | None:
    """Return the lines that most of the old ones are among, if at least half of them are still there."""
    before, after = [line.strip() for line in old], [line.strip() for line in new]
    blocks = SequenceMatcher(None, before, after, autojunk=False).get_matching_blocks()
    blocks = [block for block in blocks if any(before[block.a : block.a + block.size])]
    if not blocks:
        return None
    core = max(blocks, key=lambda block: sum(map(len, before[block.a : block.a + block.size])))
    near = [block for block in blocks if abs(block.b - core.b) <= _SPREAD * len(old)]
    kept = sum(bool(line) for block in near for line in before[block.a : block.a + block.size])
    if kept < _LEAST_ALIKE * max(1, sum(map(bool, before))):
        return None
    head, tail = near[0], near[-1]
    first = max(1, head.b + 1 - head.a)
    last = min(len(new), tail.b + tail.size + len(old) - tail.a - tail.size)
    return (first, max(first, last))


WORDS_KEPT = 0.6
"""Share of the words of a sketch that a text must have for it to be worth a closer look."""
PLAUSIBLE = 0.3
"""Least similarity of what is told as a candidate."""
_MOST_ALIKE = 50  # similar places of one piece of code that are kept: among so many none stands out


class Wanted:
    """Fingerprints that are looked for, by their places in a sequence."""

    def __init__(self, wanted: Sequence[Fingerprints]) -> None:
        self._sketches = [sketch_of(one) for one in wanted]
        self._by_code: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[int, list[int]] = defaultdict(list)
        self._alike = Counter[int]()
        for place, (one, sketch) in enumerate(zip(wanted, self._sketches, strict=True)):
            for code in {one.unnamed, one.tokens} - {""}:
                self._by_code[code].append(place)
            for word in sketch.words if sketch else ():
                self._by_word[word].append(place)

    def is_any_in(self, words: Collection[int]) -> bool:
        """Whether a text with these words may hold something that is wanted."""
        return next(self._likely(words), None) is not None

    def matches(self, found: Fingerprints, words: Collection[int]) -> Iterator[int]:
        """Yield the places of what some code may be: equal to it but for the name, or similar to it."""
        equal = {place for code in (found.unnamed, found.tokens) for place in self._by_code.get(code, ())}
        yield from equal
        now = sketch_of(found)
        for place, sketch in self._likely(words):
            is_new = place not in equal and self._alike[place] < _MOST_ALIKE
            if is_new and now and similarity(sketch, now) >= PLAUSIBLE:
                self._alike[place] += 1
                yield place

    def _likely(self, words: Collection[int]) -> Iterator[tuple[int, Sketch]]:
        shared = Counter(place for word in words for place in self._by_word.get(word, ()))
        for place, count in shared.items():
            sketch = self._sketches[place]
            if sketch and count >= WORDS_KEPT * len(sketch.words):
                yield place, sketch


K = TypeVar("K", bound=Hashable)

ALIKE_BY_NAME = 0.5
"""Least similarity of edited code under its own simple name."""
ALIKE = 0.75
"""Least similarity of edited code under another name."""
MARGIN = 0.15
"""How much more alike the best candidate must be than the next: two and a half standard errors of the estimate."""
HEAVY = 20
"""Code tokens from which on code tells: of lighter symbols in six repositories one in five stands under another name in
another file too, of heavier ones one in two hundred."""
MANY = 3
"""Places with equal code from which on it is everywhere, as what a template or an interface asks for is."""


class Novelty(StrEnum):
    """What history says of a candidate as of when the anchor was taken: it came later, it was there, or nothing.

    An overload was there, but with other code.
    """

    NEW = "new"
    OLD = "old"
    OVERLOAD = "overload"
    UNKNOWN = "unknown"


class Way(StrEnum):
    """How a place was recognised, surest first."""

    MOVED = "moved"
    RENAMED = "renamed"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A symbol that may be the lost one; `is_home` in the file that this was in, also under its new name."""

    path: str
    symbol: str
    fingerprints: Fingerprints
    is_home: bool = False
    novelty: Novelty = Novelty.UNKNOWN

    @property
    def fqname(self) -> str:
        """The name that is unique in the repository."""
        return fqname(self.path, self.symbol)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Where lost code went and how that was recognised, or, without a `found`, what may be meant."""

    found: Candidate | None = None
    way: Way | None = None
    likeness: float = 1.0
    candidates: tuple[str, ...] = ()
    alike: int = 0
    """Places with equal code, as far as they were looked at; those that were there already count too."""


def choose(path: str, name: str, taken: Fingerprints, candidates: Sequence[Candidate]) -> Choice:
    """Return where a symbol went, of which these were the file, the qualified name inside it, and the fingerprints.

    Of the `candidates`, those that were there beside it only show how little its code tells.
    """
    there, candidates = candidates, [one for one in candidates if one.novelty is not Novelty.OLD]
    namesakes = {one.fqname for one in candidates if simple_name(one.symbol) == simple_name(name)}
    sketch = sketch_of(taken)
    if sketch is None or not taken.tokens:
        return Choice(candidates=tuple(sorted(namesakes)))
    # Equal code must say enough: what is not known to be new may have been there before, looking just the same.
    trusted = [
        one
        for one in candidates
        if one.novelty is Novelty.NEW or (not sketch.twins and (one.is_home or sketch.size >= HEAVY))
    ]
    # Light code is everywhere: in another file it is known by its whole name alone, if no other has both.
    alike = [one for one in there if one.fingerprints.unnamed == taken.unnamed] if taken.unnamed else []
    bearers = [one for one in alike if unnumbered(one.symbol) == unnumbered(name)]
    is_light = sketch.size < HEAVY or len(alike) >= MANY
    told = [one for one in trusted if not is_light or one.path == path or bearers == [one]]
    same = [one for one in trusted if one.fqname in namesakes and one.fingerprints.tokens == taken.tokens]
    if same:  # best in the home file; among several the one whose qualified name ends most like the old
        near = [one for one in same if one.is_home and one in told] or [one for one in same if one in told]
        shared = [_shared_tail(one.symbol, name) for one in near]
        nearest = [one for one, tail in zip(near, shared, strict=True) if tail == max(shared)]
        return _only(nearest, Way.MOVED) if nearest else _abstain(same, alike=len(alike))
    renamed = [one for one in trusted if one in alike]
    if renamed:
        is_sure = renamed[0] in told and not sketch.twins and (renamed[0].is_home or len(alike) == 1)
        return _only(renamed, Way.RENAMED) if is_sure else _abstain(renamed, alike=len(alike))
    plausible: list[tuple[float, Candidate]] = []
    for one in sorted(candidates, key=lambda one: one.fqname):
        now = sketch_of(one.fingerprints)
        may_be_edited = one.novelty is Novelty.NEW or (one.novelty is Novelty.UNKNOWN and one.is_home)
        if may_be_edited and now and (likeness := similarity(sketch, now)) >= PLAUSIBLE:
            plausible.append((likeness, one))
    if not plausible:
        return Choice(alike=len(alike))
    (best, winner), *others = sorted(plausible, key=lambda scored: -scored[0])
    enough = ALIKE_BY_NAME if winner.fqname in namesakes else ALIKE
    # Also what was there already shows that there is more of the kind.
    rivals = [sketch_of(one.fingerprints) for one in there if one != winner]
    runner_up = max((similarity(sketch, one) for one in rivals if one), default=0.0)
    is_told = not is_light or winner.path == path or unnumbered(winner.symbol) == unnumbered(name)
    is_new = winner.novelty is Novelty.NEW or not sketch.twins
    if is_told and is_new and best >= enough and best - runner_up >= MARGIN:
        return Choice(found=winner, way=Way.SIMILAR, likeness=best, alike=len(alike))
    return _abstain([one for _, one in [(best, winner), *others][:5]], alike=len(alike))


def _shared_tail(one: str, other: str) -> int:
    pairs = zip(reversed(unnumbered(one).split("::")), reversed(unnumbered(other).split("::")), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _only(found: Sequence[Candidate], way: Way) -> Choice:
    return Choice(found=found[0], way=way) if len(found) == 1 else _abstain(found)


def _abstain(found: Iterable[Candidate], *, alike: int = 0) -> Choice:
    return Choice(candidates=tuple(sorted(one.fqname for one in found)), alike=alike)


def mutual(choices: Mapping[K, Choice], *, symbol_of: Callable[[K], str]) -> dict[K, Choice]:
    """Return the choices without those in which two lost symbols contest one place.

    The one that was recognised most surely has it, if there is only one such. `symbol_of` gives the qualified name of
    the symbol that each choice is about; several may be about one.
    """
    claims: dict[str, set[tuple[int, str]]] = {}
    for one, choice in choices.items():
        if choice.found and choice.way:
            claims.setdefault(choice.found.fqname, set()).add((list(Way).index(choice.way), symbol_of(one)))
    holders: dict[str, str | None] = {}
    for place, claimed in claims.items():
        (best, name), *others = sorted(claimed)
        is_contested = any(level == best and other != name for level, other in others)
        holders[place] = None if is_contested else name
    return {
        one: choice
        if choice.found is None or holders[choice.found.fqname] == symbol_of(one)
        else Choice(candidates=(choice.found.fqname,))
        for one, choice in choices.items()
    }
