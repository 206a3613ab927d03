"""What history knows of anchored code: when it last held, which commit changed it, and what was there already."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from tx_graph.anchors.relocation import Novelty, Span, same_lines
from tx_graph.anchors.sources import SourceText, source_text
from tx_graph.code.symbols import unnumbered
from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import RepositoryError
from tx_graph.core.kernel import Kernel
from tx_graph.records.anchor import Anchor, AnchorType, Fingerprints, leads_outside

if TYPE_CHECKING:
    from tx_graph.history.past import Past, Revision


_MOST_KEPT = 200
"""Versions of files that are kept as they were read: a long history of long files would fill the memory."""
_MOST_RENAMES = 5  # of one file that are looked back through
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


class Departure(NamedTuple):
    """The last version of a file that has a symbol, and a name for the last commit that has it."""

    source: SourceText
    base: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """The last version in which an anchor held.

    `base` names a commit that has it, `since` the one as of which it was anchored: what that has elsewhere was there.
    """

    source: SourceText
    base: str
    since: str
    lines: Span


class Evidence:
    """Asks history, as little as possible and each thing once."""

    def __init__(self, past: Past) -> None:
        self._past = past
        self._revisions: dict[str, list[Revision]] = {}
        self._texts: dict[tuple[str, str], SourceText | None] = {}
        self._held: dict[Anchor, Held | None] = {}
        self._origins: dict[str, str | None] = {}
        self._altered: dict[str, list[tuple[str | None, str | None]]] = {}
        self._earlier: dict[tuple[str, str], list[Revision]] = {}
        self.failure = ""  # of git, as in a partial clone
        self.unfollowed: set[str] = set()  # paths of which it therefore is not known whether they were renamed
        self.head = past.head

    @property
    def caveat(self) -> str:
        """Why history does not tell all: a sentence where git failed or the clone is shallow, else nothing."""
        return self.failure or (_SHALLOW if self._past.is_cut_off else "")

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
            exact = None if place is None else self._held_in(anchor, versions[place])
            if exact and place is not None:
                exact = self._held[anchor] = replace(exact, since=self._since(anchor, versions, place))
            while exact and place and (newer := self._alike_in(anchor, versions[place - 1], exact)):
                self._held[anchor], place = newer, place - 1
        return self._held[anchor]

    def _since(self, anchor: Anchor, versions: Sequence[_Version], place: int) -> str:
        """Return the commit as of which an anchor was taken; where that is unknown, the last one in which it held."""
        taken = anchor.fingerprints.commit if anchor.fingerprints else ""
        if not taken or self._asked(lambda: self._past.blob(taken)) is None:
            return versions[place].base
        if self._held_in(anchor, _Version(taken, partial(self.version, taken, anchor.path))):
            return taken
        # The code was not committed yet: what came with it in one commit may have been there too.
        while place + 1 < len(versions) and self._held_in(anchor, versions[place + 1]):
            place += 1
        revisions = self._revisions[anchor.path]
        return revisions[place].commit if place < len(revisions) else versions[place].base

    def _versions(self, path: str) -> list[_Version]:
        """Return the versions of a file in commits, newest first."""
        revisions = [one for one in self.revisions(path) if one.before]
        before = [_Version(f"{one.commit}^", partial(self.blob, path, one.before)) for one in revisions]
        return [_Version(self.head, partial(self.version, self.head, path)), *before]

    def revisions(self, path: str) -> list[Revision]:
        """Return what made a file what it is in HEAD, newest first."""
        self.prepare([path])
        return self._revisions[path]

    def revisions_before(self, commit: str, path: str) -> list[Revision]:
        """Return what made a file what it was before a commit, newest first."""
        if (commit, path) not in self._earlier:
            self._earlier[commit, path] = self._asked(lambda: self._past.revisions_before(commit, path)) or []
        return self._earlier[commit, path]

    def altered(self, commit: str) -> list[tuple[str | None, str | None]]:
        """Return the old and the new name of each file that a commit changed; None where there was none."""
        if commit not in self._altered:
            self._altered[commit] = self._asked(lambda: self._past.altered(commit)) or []
        return self._altered[commit]

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
            symbol = source.declared(anchor.symbol or "")
            lines = symbol.lines if symbol and source.content_of(symbol.lines) == content else None
        elif anchor.lines:
            lines = same_lines(anchor, len(source.lines), source.content_of)
        elif source.whole_content == content:
            lines = (1, len(source.lines))
        return Held(source=source, base=version.base, since=version.base, lines=lines) if lines else None

    def _alike_in(self, anchor: Anchor, version: _Version, exact: Held) -> Held | None:
        """Return a version if its code differs in formatting alone from that which held exactly."""
        source = version.read()
        symbol = source.symbol(anchor.symbol or "") if source else None
        if not source or not symbol or source.code_of(symbol.lines) != exact.source.code_of(exact.lines):
            return None
        return replace(exact, source=source, base=version.base, lines=symbol.lines)

    def prepare_origins(self, places: Iterable[tuple[str, str]]) -> None:
        """Find out at once what the files (commit, path) were called that the commits do not have."""
        absent = {(base, path) for base, path in set(places) if self.version(base, path) is None}
        for _ in range(_MOST_RENAMES):
            if unknown := {path for _, path in absent} - self._origins.keys():
                self._origins |= dict.fromkeys(unknown) | (self._asked(partial(self._past.origins, unknown)) or {})
            older = {(base, was) for base, path in absent if (was := self._origins[path])}
            if not (absent := {(base, path) for base, path in older if self.version(base, path) is None}):
                return

    def novelty(self, base: str, path: str, symbol: str, now: Fingerprints) -> Novelty:
        """Return how new a symbol is since a commit, whatever its file was called then.

        Overloads are numbered in their order, so among them only the same code is the same symbol.
        """
        self.prepare_origins([(base, path)])
        source, was, names = self.version(base, path), self._origins.get(path), {path}
        while source is None and was and was not in names:
            names.add(was)
            source, was = self.version(base, was), self._origins.get(was)
        old = source.declared(symbol) if source else None
        if source is None or old is None:
            return Novelty.NEW
        is_numbered = unnumbered(symbol) != symbol or any(map(source.symbol, (f"{symbol}#2", f"{symbol}-1")))
        return Novelty.OVERLOAD if is_numbered and source.of_symbol(old).tokens != now.tokens else Novelty.OLD

    def departure(self, path: str, symbol: str) -> Departure | None:
        """Return how a symbol went that is not in the working tree; None where history never had it."""
        versions = [] if leads_outside(path) else self._versions(path)

        def has_it(place: int) -> bool:
            source = versions[place].read()
            return source is not None and source.declared(symbol) is not None

        place = first_true(len(versions), has_it)
        # A commit of a parallel branch may have it as well, before it and after.
        while place and place + 1 < len(versions) and self._keeps(versions[place], path, symbol) and has_it(place + 1):
            place += 1
        source = None if place is None else versions[place].read()
        return Departure(source, versions[place].base) if source and place is not None else None

    def _keeps(self, version: _Version, path: str, symbol: str) -> bool:
        """Whether the commit that a version was there before has a symbol, too."""
        source = self.version(version.base.removesuffix("^"), path)
        return source is not None and source.declared(symbol) is not None

    def had(self, base: str, path: str) -> bool:
        """Whether a commit has a file at a path."""
        return self.version(base, path) is not None

    def new_path(self, path: str) -> str | None:
        """Return what git says a file that is gone was renamed to, None when it was deleted."""
        found = self._asked(lambda: [self._past.follow(path)])
        if found is None:
            self.unfollowed.add(path)
            return None
        return found[0]

    def _asked(self, ask: Callable[[], T]) -> T | None:
        """Return what history answers; None where it fails, as a partial clone may: verdicts do without and say so."""
        try:
            return ask()
        except RepositoryError as error:
            self.failure = f"History could not be read: {error.message} {error.hint}".rstrip()
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
    return Evidence(kernel.enter(Past(repository, kernel.checkout.seen))) if repository else None


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
