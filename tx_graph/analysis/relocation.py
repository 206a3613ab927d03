"""Chooses where lost code went among the places that look like it, or none when that is not certain. Pure.

The order is that of trust: the same name with the same code, another name with the same code, similar code. What is
not alone at its level is no choice. "Same code" is equality of fingerprints, never a guess.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import takewhile
from typing import TypeVar

from tx_graph.analysis.fingerprints import Sketch, similarity, sketch_of
from tx_graph.analysis.symbol_names import simple_name, unnumbered
from tx_graph.analysis.wanted import PLAUSIBLE
from tx_graph.domain.anchor import Fingerprints

K = TypeVar("K", bound=Hashable)

ALIKE_BY_NAME = 0.5
"""Least similarity of edited code under its own simple name."""
ALIKE = 0.75
"""Least similarity of edited code under another name."""
MARGIN = 0.15
"""How much more alike the best candidate must be than the next: two and a half standard errors of the estimate."""
TELLING = 12
"""Code tokens from which on equal code in another file is no coincidence, where history cannot say what is new."""


class Novelty(StrEnum):
    """What history says of a candidate: new since the lost code was there, an overload with new code, or nothing."""

    NEW = "new"
    OVERLOAD = "overload"
    UNKNOWN = "unknown"


class Way(StrEnum):
    """How a place was recognised, surest first."""

    MOVED = "moved"
    RENAMED = "renamed"
    SIMILAR = "similar"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A symbol that may be the lost one.

    `is_home` says that it is in the file that the lost one was in, also under its new name.
    """

    path: str
    symbol: str
    fingerprints: Fingerprints
    is_home: bool = False
    novelty: Novelty = Novelty.UNKNOWN

    @property
    def fqname(self) -> str:
        """The name that is unique in the repository."""
        return f"{self.path}::{self.symbol}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """Where lost code went and how that was recognised, or, without a `found`, what may be meant."""

    found: Candidate | None = None
    way: Way | None = None
    likeness: float = 1.0
    candidates: tuple[str, ...] = ()


def choose(name: str, taken: Fingerprints, candidates: Sequence[Candidate]) -> Choice:
    """Return where the symbol called `name` went.

    Args:
        name: Its qualified name inside its old file.
        taken: Its fingerprints when it was anchored.
        candidates: What may be it; nothing that was there beside it.
    """
    sketch = sketch_of(taken)
    if sketch is None or not taken.tokens:
        return Choice(candidates=tuple(sorted(one.fqname for one in candidates if _has_name(one, name))))
    trusted = [one for one in candidates if _is_telling(one, sketch)]
    same = [one for one in trusted if _has_name(one, name) and one.fingerprints.tokens == taken.tokens]
    if same:
        return _only(_nearest(same, name), Way.MOVED)
    renamed = [one for one in trusted if taken.unnamed and one.fingerprints.unnamed == taken.unnamed]
    if renamed:
        return _only(renamed, Way.RENAMED) if not sketch.twins else _abstain(renamed)
    return _most_alike(name, sketch, candidates)


def mutual(choices: Mapping[K, Choice], *, symbol_of: Callable[[K], str]) -> dict[K, Choice]:
    """Return the choices without those in which two lost symbols contest one place.

    The one that was recognised most surely has it, if there is only one such. `symbol_of` gives the qualified name of
    the symbol that each choice is about; several may be about one.
    """
    claims: dict[str, set[tuple[int, str]]] = {}
    for one, choice in choices.items():
        if choice.found and choice.way:
            claims.setdefault(choice.found.fqname, set()).add((list(Way).index(choice.way), symbol_of(one)))
    holders = {place: _holder(sorted(claimed)) for place, claimed in claims.items()}
    return {
        one: choice
        if choice.found is None or holders[choice.found.fqname] == symbol_of(one)
        else Choice(candidates=(choice.found.fqname,))
        for one, choice in choices.items()
    }


def _holder(claims: Sequence[tuple[int, str]]) -> str | None:
    (best, name), *others = claims
    contested = any(level == best and other != name for level, other in others)
    return None if contested else name


def _has_name(candidate: Candidate, name: str) -> bool:
    return simple_name(candidate.symbol) == simple_name(name)


def _is_telling(candidate: Candidate, lost: Sketch) -> bool:
    """Whether equal code says enough: what is not known to be new may have been there before, looking just the same."""
    if candidate.novelty is Novelty.NEW:
        return True
    return not lost.twins and (candidate.is_home or lost.size >= TELLING)


def _nearest(same: Sequence[Candidate], name: str) -> list[Candidate]:
    """Return the candidates in the home file or, among several, those whose qualified name ends most like the old."""
    near = [one for one in same if one.is_home] or list(same)
    shared = {one.fqname: _shared_tail(one.symbol, name) for one in near}
    return [one for one in near if shared[one.fqname] == max(shared.values())]


def _shared_tail(one: str, other: str) -> int:
    pairs = zip(reversed(unnumbered(one).split("::")), reversed(unnumbered(other).split("::")), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _only(found: Sequence[Candidate], way: Way) -> Choice:
    return Choice(found=found[0], way=way) if len(found) == 1 else _abstain(found)


def _abstain(found: Iterable[Candidate]) -> Choice:
    return Choice(candidates=tuple(sorted(one.fqname for one in found)))


def _most_alike(name: str, lost: Sketch, candidates: Sequence[Candidate]) -> Choice:
    alike = sorted(
        ((_likeness(lost, one), one.fqname, one) for one in candidates if _may_be_edited(one)),
        key=lambda scored: (-scored[0], scored[1]),
    )
    plausible = [(score, one) for score, _, one in alike if score >= PLAUSIBLE]
    if not plausible:
        return Choice()
    (best, winner), *others = plausible
    enough = ALIKE_BY_NAME if _has_name(winner, name) else ALIKE
    runner_up = others[0][0] if others else 0.0
    if best < enough or best - runner_up < MARGIN or (lost.twins and winner.novelty is not Novelty.NEW):
        return _abstain(one for _, one in plausible[:5])
    return Choice(found=winner, way=Way.SIMILAR, likeness=best)


def _may_be_edited(candidate: Candidate) -> bool:
    return candidate.novelty is Novelty.NEW or (candidate.novelty is Novelty.UNKNOWN and candidate.is_home)


def _likeness(lost: Sketch, candidate: Candidate) -> float:
    now = sketch_of(candidate.fingerprints)
    return similarity(lost, now) if now else 0.0
