"""Co-changes: files that git history shows changing together."""

from __future__ import annotations

from dataclasses import dataclass


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
class CoChange:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Partner:
    """A file as another one's history sees it: it changed in `shared` of the `commits` that touched that one.

    `score` is the Jaccard index in (0, 1] of the pair, which says the same from both ends.
    """

    path: str
    shared: int
    commits: int
    score: float

    @property
    def confidence(self) -> float:
        """How often this one changed when the other did, in (0, 1]."""
        return self.shared / self.commits
