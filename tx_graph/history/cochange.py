"""Counts which files change together, and gives the commits of history the names that their files bear today."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from itertools import chain
from typing import ClassVar

from tx_graph.core.dataclass import dataclass, replace
from tx_graph.core.errors import UsageError
from tx_graph.core.shape import Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit as co-change analysis needs it. `time` is the committer's, in seconds since the epoch.

    Where renames are followed, a renamed file is one path, its new one, and `renames` has (old, new).
    """

    sha: str
    time: int
    paths: tuple[str, ...]
    renames: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CoChange(Answer):
    """Two files that changed together; `file_a < file_b`.

    `score` is the Jaccard index in (0, 1] of the sets of commits that touched each; `shared`,
    `commits_a` and `commits_b` are the (unweighted) sizes of their intersection and of each.
    """

    file_a: str
    file_b: str
    score: float
    shared: int
    commits_a: int
    commits_b: int
    JSON: ClassVar = (
        "file_a file_a_node=file_a@file file_b file_b_node=file_b@file score commit_count=shared commits_a commits_b"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Partner:
    """A file as another one's history sees it: it changed in `shared` of the `commits` that touched that one.

    `score` is the Jaccard index in (0, 1] of the pair, which says the same from both ends.
    """

    path: str
    shared: int
    commits: int
    score: float
    JSON: ClassVar = "node=path@file path shared commits score confidence"

    @property
    def confidence(self) -> float:
        """How often this one changed when the other did, in (0, 1]."""
        return self.shared / self.commits


_OLDEST = 1000.0  # Half-lives after which a commit ages no further: a weight of 2^-1000 still divides without underflow


@dataclass(frozen=True, slots=True, kw_only=True)
class CoChangeOptions:
    """What counts as changing together.

    A commit with more than `max_files` paths (a reformatting, an import) says nothing about any pair and is dropped
    whole. `min_support` is how many commits two files must share at least, `half_life` the age, counted back from
    HEAD, at which a commit counts half in the score; None: all count alike.
    """

    max_files: int = 30
    min_support: int = 3
    half_life: timedelta | None = None

    def __post_init__(self) -> None:
        if self.max_files < 2:  # noqa: PLR2004 - a pair has two
            raise UsageError(f"max_files must be at least 2, not {self.max_files}.")
        if self.min_support < 1:
            raise UsageError(f"min_support must be at least 1, not {self.min_support}.")
        if self.half_life is not None and self.half_life <= timedelta():
            raise UsageError("half_life must be longer than nothing.", hint="Give it in days, such as 180.")


@dataclass(frozen=True, slots=True, kw_only=True)
class CoChangeResult:
    """The pairs, best score first, and what they rest on.

    `commits` were read, `dropped` of them left out for touching too many files; `touched` says how many of the
    others touched each living file.
    """

    pairs: tuple[CoChange, ...]
    commits: int
    dropped: int
    touched: Mapping[str, int]


def count_cochanges(
    commits: Iterable[Commit],
    *,
    alive: Collection[str],
    options: CoChangeOptions | None = None,
    head_time: int | None = None,
    moved: Mapping[str, str] | None = None,
) -> CoChangeResult:
    """Return the pairs of living files that share enough commits, best first; the same input, the same order.

    `commits` is the history without merges, in any order, `alive` the files of HEAD's tree; all others are forgotten
    after they counted towards `max_files`. Ages count from `head_time`, HEAD's in seconds since the epoch, else from
    the newest commit; a later commit has no age. `moved` has the present path of files under their old ones.
    """
    options = options or CoChangeOptions()
    names = sorted(set(alive))
    if options.half_life is not None:
        # Sums of floats depend on their order, and git's may differ.
        commits = sorted(commits, key=lambda commit: commit.time)
    # Files are numbered in the order of their names, commits in the order they came. With both directions at hand the
    # partners of one file are counted at a time, so no table of all pairs ever exists.
    number = {name: index for index, name in enumerate(names)}
    number |= {old: number[now] for old, now in (moved or {}).items() if now in number and old not in number}
    files_of: list[tuple[int, ...]] = []
    commits_of: list[list[int]] = [[] for _ in names]
    times: list[int] = []
    read = dropped = 0
    for read, commit in enumerate(commits, start=1):  # noqa: B007 - how many there were
        if len(commit.paths) > options.max_files:
            dropped += 1
        elif files := {number[path] for path in commit.paths if path in number}:
            for file in files:
                commits_of[file].append(len(files_of))
            files_of.append(tuple(files))
            times.append(commit.time)
    weights: list[float] | None = None
    if options.half_life is not None:  # halve once every half-life before HEAD; what is dated after HEAD counts as now
        start = max(times, default=0) if head_time is None else head_time
        seconds = options.half_life.total_seconds()
        weights = [0.5 ** min(_OLDEST, max(0, start - time) / seconds) for time in times]
    pairs = _pairs(files_of, commits_of, names, options.min_support, weights)
    return CoChangeResult(
        pairs=tuple(sorted(pairs, key=lambda pair: (-pair.score, -pair.shared, pair.file_a, pair.file_b))),
        commits=read,
        dropped=dropped,
        touched={name: len(found) for name, found in zip(names, commits_of, strict=True) if found},
    )


def _pairs(
    files_of: Sequence[tuple[int, ...]],
    commits_of: Sequence[Sequence[int]],
    names: Sequence[str],
    min_support: int,
    weights: Sequence[float] | None,
) -> Iterator[CoChange]:
    """Yield the pairs that share enough commits; without weights each commit counts one."""
    masses: list[float] = [len(commits) for commits in commits_of]
    if weights is not None:
        masses = [0.0] * len(names)
        for file, commits in enumerate(commits_of):
            for commit in commits:
                masses[file] += weights[commit]
    for a, commits in enumerate(commits_of):
        if len(commits) < min_support:
            continue
        shared = Counter(chain.from_iterable(map(files_of.__getitem__, commits)))
        partners = [b for b, count in shared.items() if count >= min_support and b > a]
        overlap: Mapping[int, float] = shared
        if weights is not None and partners:
            overlap = defaultdict(float)
            for commit in commits:
                for file in files_of[commit]:
                    overlap[file] += weights[commit]
        for b in partners:
            # The size of the intersection over that of the union, at most 1 also when sums of weights round.
            score = min(1.0, overlap[b] / (masses[a] + masses[b] - overlap[b]))
            sizes = {"shared": shared[b], "commits_a": len(commits), "commits_b": len(commits_of[b])}
            yield CoChange(file_a=names[a], file_b=names[b], score=score, **sizes)


def under_present_names(commits: Sequence[Commit], *, alive: Collection[str]) -> Iterator[Commit]:
    """Yield the commits, each path replaced by the name that its file has in HEAD's tree.

    Read backwards from HEAD, a rename says what the old name stands for in all commits listed after it, through
    chains of renames. The new name is free again there: what bore it earlier was another file, or none. A rename
    into a file that HEAD lacks is not followed, so that a name which one branch renamed and another kept has its
    history. Lines of history that ran beside each other share one list of names; a name that HEAD lacks and that
    no rename listed before explains takes the last rename that does.

    `commits` come newest first, none before one of its descendants (git's `--topo-order`); `alive` are HEAD's files.
    """
    alive = frozenset(alive)
    last: dict[str, str] = {}
    names = _Names(alive)
    for commit in commits:
        if commit.renames:
            names.undo(commit)
            for old, _ in commit.renames:
                if (now := names.of(old)) in alive:
                    last.setdefault(old, now)
    names = _Names(alive)
    for commit in commits:
        paths = (names.of(path) for path in commit.paths)
        yield replace(commit, paths=tuple(path if path in alive else last.get(path, path) for path in paths))
        names.undo(commit)


class _Names:
    """What the names of one moment in history stand for in HEAD's tree."""

    def __init__(self, alive: frozenset[str]) -> None:
        self._alive = alive
        self._present: dict[str, str] = {}

    def of(self, path: str) -> str:
        """Return the present name of the file that was called `path`."""
        return self._present.get(path, path)

    def undo(self, commit: Commit) -> None:
        """Go back to the moment before a commit."""
        arrived = {old: self.of(new) for old, new in commit.renames}
        for _, new in commit.renames:
            self._present.pop(new, None)
        for old, now in arrived.items():
            self._present[old] = now if now in self._alive else old
