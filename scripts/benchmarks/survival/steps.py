"""What became of symbols that left their files, followed commit by commit.

Between two revisions far apart a symbol that moved and was edited again and again is like any other new one. In the
one commit that moved it, it is not: there its name goes at one place and comes at exactly one other, much the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from scripts.benchmarks.survival.code import COUNTED, Difference, difference
from scripts.benchmarks.survival.fates import Fate, Truth
from scripts.benchmarks.survival.git import git_output
from scripts.benchmarks.survival.likeness import likeness
from scripts.benchmarks.survival.snapshot import Declared, SourceFile, snapshot
from tx_graph.code.languages import language_of
from tx_graph.code.parsing import why_skipped

_SAME = 0.5
"""Likeness to what has its name from which it is the same one; the commit that moved it did little else to it."""
_LEAST_WEIGHT = 4
"""As for the truth between two revisions."""
_NOTHING = "0" * 40


def followed(repository: Path, before: str, after: str, truths: Mapping[str, Truth]) -> dict[str, Truth]:
    """Return the truths, with those that were uncertain told where commits tell them."""
    follower = _Follower(repository, snapshot(repository, before).symbols, before)
    for commit in git_output(repository, "rev-list", "--first-parent", "--reverse", after, f"^{before}").split():
        follower.step(commit.decode())
    found = dict(truths)
    for name, truth in truths.items():
        if truth.fate is Fate.UNCERTAIN and name in follower.left and (now := follower.now.get(name)):
            found[name] = _told(follower.first[name], now)
    return found


class _Follower:
    """Where each symbol is, as commits go by."""

    def __init__(self, repository: Path, symbols: Sequence[Declared], revision: str) -> None:
        self._repository = repository
        self._revision = revision
        self.first = {symbol.fqname: symbol for symbol in symbols}
        self.now: dict[str, Declared | None] = dict(self.first)
        self.left: set[str] = set()
        self._here: dict[str, set[str]] = defaultdict(set)
        for symbol in symbols:
            self._here[symbol.path].add(symbol.fqname)

    def step(self, commit: str) -> None:
        """Follow every symbol into the next tree."""
        changes = list(_changes(self._repository, self._revision, commit))
        self._revision = commit
        departed: list[tuple[str, Declared]] = []
        for old, new, _, blob in changes:
            for name in list(self._here.get(old, ())) if old else ():
                if (was := self.now[name]) is None:
                    continue
                there = self._named(new, blob, was)
                if len(there) == 1:
                    self._went(name, there[0], left=new != old)
                elif there:
                    self._lost(name)  # overloads
                else:
                    departed.append((name, was))
        arrived: dict[str, list[Declared]] = defaultdict(list)
        for old, new, former, blob in changes if departed else ():
            names = {one.name for one in self._file(old, former).declared} if former != _NOTHING else set()
            for one in self._file(new, blob).declared if blob != _NOTHING else ():
                if one.name not in names:
                    arrived[one.simple].append(one)
        claims: dict[str, list[str]] = defaultdict(list)
        for name, was in departed:
            there = arrived[was.simple]
            if len(there) == 1:
                claims[there[0].fqname].append(name)
        for name, was in departed:
            there = arrived[was.simple]
            is_it = len(there) == 1 and len(claims[there[0].fqname]) == 1 and likeness(was, there[0]) >= _SAME
            if is_it and there[0].code.weight >= _LEAST_WEIGHT and not there[0].shares_a_line:
                self._went(name, there[0], left=True)
            else:
                self._lost(name)

    def _went(self, name: str, there: Declared, *, left: bool) -> None:
        if was := self.now[name]:
            self._here[was.path].discard(name)
        self._here[there.path].add(name)
        self.now[name] = there
        if left:
            self.left.add(name)

    def _lost(self, name: str) -> None:
        if was := self.now[name]:
            self._here[was.path].discard(name)
        self.now[name] = None

    def _named(self, path: str, blob: str, was: Declared) -> list[Declared]:
        if blob == _NOTHING:
            return []
        return [one for one in self._file(path, blob).declared if one.name == was.name]

    def _file(self, path: str, blob: str) -> SourceFile:
        return _file(self._repository, path, blob)


@lru_cache(maxsize=500)
def _file(repository: Path, path: str, blob: str) -> SourceFile:
    source = git_output(repository, "cat-file", "blob", blob)
    return SourceFile(path, b"" if why_skipped(path, language_of(path) or "", source) else source)


def _changes(repository: Path, before: str, after: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield old and new path and blob of each source file that differs: empty and zeros where there is none."""
    raw = ("diff", "-M50%", "--raw", "--no-abbrev", "-z", "--no-ext-diff", before, after)
    fields = iter(git_output(repository, *raw).decode("utf-8", "surrogateescape").split("\0"))
    for about in filter(None, fields):
        _, mode, old_blob, new_blob, letter = about.split(" ")
        old = next(fields)
        new = next(fields) if letter.startswith("R") else old
        if language_of(old) and language_of(new) and (mode.startswith("100") or letter == "D"):
            yield old, new, old_blob, new_blob


def _told(first: Declared, now: Declared) -> Truth:
    """Return what became of a symbol that is at another place now."""
    found = Difference.NONE if first.lines == now.lines else difference(first.code, now.code)
    if found is Difference.DOUBT:
        return Truth(fate=Fate.UNCERTAIN, reason="a formatter, or not")
    return Truth(fate=Fate.MOVED_AND_EDITED if found in COUNTED else Fate.MOVED, place=now.fqname)
