"""Co-changes: files that git history shows changing together."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Commit:
    """One commit as co-change analysis needs it. `time` is the committer's, in seconds since the epoch."""

    sha: str
    time: int
    paths: tuple[str, ...]


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
