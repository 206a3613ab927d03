"""What history knows of anchored code: when it last held, which commit changed it, and what was there already."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tx_graph.anchors.relocation import Novelty, Span, same_lines
from tx_graph.anchors.sources import SourceText, source_text
from tx_graph.code.symbols import simple_name
from tx_graph.core.errors import RepositoryError
from tx_graph.core.kernel import Kernel
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints, leads_outside

if TYPE_CHECKING:
    from tx_graph.history.past import Past, Revision


_MOST_KEPT = 200
"""Versions of files that are kept as they were read: a long history of long files would fill the memory."""
_ONE_BY_ONE = 8  # versions of a file that are looked at one after the other before the steps grow

T = TypeVar("T")

_SHALLOW = (
    "This clone is shallow, its history ends early: what changed code may be unknown, and less is recognised as moved."
)


class Change(NamedTuple):
    """A commit that changed anchored code: its full hash, when (seconds since the epoch), and its subject."""

    commit: str
    time: int
    subject: str


class _Version(NamedTuple):
    """A version of a file: a commit that has it, and its text, read when it is asked for."""

    base: str
    read: Callable[[], SourceText | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The last version in which an anchor held; `base` names a commit that has it."""

    source: SourceText
    base: str
    lines: Span


class Evidence:
    """Asks history, as little as possible and each thing once."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._revisions: dict[str, list[Revision]] = {}
        self._texts: dict[tuple[str, str], SourceText | None] = {}
        self._held: dict[Anchor, Held | None] = {}
        self._origins: dict[str, str | None] = {}
        self._failure = ""

    @property
    def caveat(self) -> str:
        """Why history does not tell all: a sentence where git failed or the clone is shallow, else nothing."""
        return self._failure or (_SHALLOW if self._past.is_cut_off else "")

    def prepare(self, paths: Collection[str], *, gone: Collection[str] = ()) -> None:
        """Read the history of these paths at once, and where those went that are gone: each would take a process."""
        unknown = set(paths) - self._revisions.keys()
        inside = sorted(path for path in unknown if not leads_outside(path))
        found = self._asked(lambda: self._past.revisions(inside)) if inside else None
        self._revisions |= {path: [] for path in unknown} | (found or {})
        if gone:
            self._asked(lambda: self._past.journeys(gone))

    def last_held(self, anchor: Anchor) -> Held | None:
        """Return the last version in which the anchored code was as its fingerprints say; None if none is known.

        That is the newest with the exact text, or a newer one that only formatting tells from it.
        """
        if anchor not in self._held:
            self._held[anchor] = None
            if anchor.fingerprints is None or leads_outside(anchor.path):
                return None
            versions = self._versions(anchor.path)

            def holds(place: int) -> bool:
                return self._held_in(anchor, versions[place]) is not None

            # Only symbols have to be parsed for that, so there fewer are tried first; one version may be all there is.
            place = first_true(len(versions), holds) if anchor.type is AnchorType.SYMBOL else None
            place = next(filter(holds, range(len(versions))), None) if place is None else place
            exact = self._held[anchor] = None if place is None else self._held_in(anchor, versions[place])
            while exact and place and (newer := self._alike_in(anchor, versions[place - 1], exact)):
                self._held[anchor], place = newer, place - 1
        return self._held[anchor]

    def _versions(self, path: str) -> list[_Version]:
        """Return the versions of a file before the working tree, newest first."""
        revisions = [one for one in self.revisions(path) if one.before]
        before = [_Version(f"{one.commit}^", partial(self.blob, path, one.before)) for one in revisions]
        return [_Version("HEAD", partial(self.version, "HEAD", path)), *before]

    def revisions(self, path: str) -> list[Revision]:
        """Return what made a file what it is in HEAD, newest first."""
        self.prepare([path])
        return self._revisions[path]

    def revisions_before(self, commit: str, path: str) -> list[Revision]:
        """Return what made a file what it was before a commit, newest first."""
        return self._asked(lambda: self._past.revisions_before(commit, path)) or []

    def altered(self, commit: str) -> list[tuple[str | None, str | None]]:
        """Return the old and the new name of each file that a commit changed; None where there was none."""
        return self._asked(lambda: self._past.altered(commit)) or []

    def origin(self, path: str) -> str | None:
        """Return what a file was called before its last rename, None if it never was renamed."""
        if path not in self._origins:
            self._origins[path] = (self._asked(lambda: self._past.origins([path])) or {}).get(path)
        return self._origins[path]

    def _held_in(self, anchor: Anchor, version: _Version) -> Held | None:
        """Return a version if it holds the exact text of an anchor."""
        source, lines = version.read(), None
        content = anchor.fingerprints.content if anchor.fingerprints else ""
        if source is None:
            return None
        if anchor.type is AnchorType.SYMBOL:
            symbol = source.symbol(anchor.symbol or "") if simple_name(anchor.symbol or "") in source.text else None
            lines = symbol.lines if symbol and source.content_of(symbol.lines) == content else None
        elif anchor.lines:
            lines = same_lines(anchor, len(source.lines), source.content_of)
        elif source.whole_content == content:
            lines = (1, len(source.lines))
        return Held(source=source, base=version.base, lines=lines) if lines else None

    def _alike_in(self, anchor: Anchor, version: _Version, exact: Held) -> Held | None:
        """Return a version if its code differs in formatting alone from that which held exactly."""
        source = version.read()
        symbol = source.symbol(anchor.symbol or "") if source else None
        if not source or not symbol or source.code_of(symbol.lines) != exact.source.code_of(exact.lines):
            return None
        return Held(source=source, base=version.base, lines=symbol.lines)

    def prepare_origins(self, places: Iterable[tuple[str, str]]) -> None:
        """Find out at once what the files (commit, path) were called that the commits do not have."""
        absent = {path for base, path in set(places) if self.version(base, path) is None} - self._origins.keys()
        if absent:
            self._origins |= dict.fromkeys(absent) | (self._asked(lambda: self._past.origins(absent)) or {})

    def novelty(self, base: str, path: str, symbol: str, now: Fingerprints) -> Novelty | None:
        """Return how new a symbol is since a commit; None when the commit had it already.

        Overloads are numbered in their order, so among them only the same code is the same symbol.
        """
        source = self.version(base, path)
        if source is None:  # the file had another name then
            was = self.origin(path)
            source = self.version(base, was) if was else None
        old = source.symbol(symbol) if source and simple_name(symbol) in source.text else None
        if source is None or old is None:
            return Novelty.NEW
        is_numbered = "#" in symbol or source.symbol(f"{symbol}#2") is not None
        return Novelty.OVERLOAD if is_numbered and source.of_symbol(old).tokens != now.tokens else None

    def had(self, base: str, path: str) -> bool:
        """Whether a commit has a file at a path."""
        return self.version(base, path) is not None

    def new_path(self, path: str) -> str | None:
        """Return what git says a file that is gone was renamed to, None when it was deleted."""
        return self._asked(lambda: self._past.follow(path))

    def _asked(self, ask: Callable[[], T]) -> T | None:
        """Return what history answers; None where it fails, as a partial clone may: verdicts do without and say so."""
        try:
            return ask()
        except RepositoryError as error:
            self._failure = f"History could not be read: {error.message} {error.hint}".rstrip()
            return None

    def version(self, commit: str, path: str) -> SourceText | None:
        """Return a file as a commit has it, None where it has none."""
        return self._cached((commit, path), lambda: self._past.at(commit, path))

    def blob(self, path: str, oid: str | None) -> SourceText | None:
        """Return a file with the content of this id, None where there is none."""
        return self._cached((oid, path), lambda: self._past.blob(oid)) if oid else None

    def _cached(self, key: tuple[str, str], read: Callable[[], bytes | None]) -> SourceText | None:
        if key not in self._texts:
            data = self._asked(read)
            self._texts[key] = None if data is None else source_text(key[1], data)
            for old in list(self._texts)[:-_MOST_KEPT] if len(self._texts) > 2 * _MOST_KEPT else ():
                del self._texts[old]
        return self._texts[key]


def evidence(kernel: Kernel) -> Evidence | None:
    """Return what history knows; None where there is no git to ask."""
    from tx_graph.history.past import Past

    repository = kernel.checkout.askable
    return Evidence(kernel.enter(Past(repository))) if repository else None


def first_true(count: int, holds: Callable[[int], bool]) -> int | None:
    """Return the first place below `count` where something holds, as far as few questions tell; None if nowhere.

    The first places are asked one by one, as what broke was mostly broken of late; then the steps double, and what
    lies between is halved. What held, stopped holding and held again between two steps is not seen.
    """
    places, step = list(range(min(count, _ONE_BY_ONE + 1))), 1
    while places and places[-1] < count - 1:
        places.append(min(places[-1] + step, count - 1))
        step *= 2
    for missed, place in pairwise([-1, *places]):
        if holds(place):
            return missed + 1 + bisect_left(range(missed + 1, place), x=True, key=holds)
    return None
