"""Gives the commits of history the names that their files bear today."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from tx_graph.domain.cochange import Commit


def under_present_names(commits: Sequence[Commit], *, alive: Collection[str]) -> Iterator[Commit]:
    """Yield the commits, each path replaced by the name that its file has in HEAD's tree.

    Read backwards from HEAD, a rename says what the old name stands for in all commits listed after it, through
    chains of renames. The new name is free again there: what bore it earlier was another file, or none. A rename
    into a file that HEAD lacks is not followed, so that a name which one branch renamed and another kept has its
    history. Lines of history that ran beside each other share one list of names; a name that HEAD lacks and that
    no rename listed before explains takes the last rename that does.

    Args:
        commits: Newest first, no commit before one of its descendants (git's `--topo-order`).
        alive: The files of HEAD's tree.
    """
    alive = frozenset(alive)
    last = _last_names(commits, alive)
    names = _Names(alive)
    for commit in commits:
        paths = (names.of(path) for path in commit.paths)
        yield replace(commit, paths=tuple(path if path in alive else last.get(path, path) for path in paths))
        names.undo(commit)


def _last_names(commits: Sequence[Commit], alive: frozenset[str]) -> dict[str, str]:
    """Return what each renamed file is called in HEAD's tree, by the last of its renames."""
    last: dict[str, str] = {}
    names = _Names(alive)
    for commit in filter(lambda commit: commit.renames, commits):
        names.undo(commit)
        for old, _ in commit.renames:
            if (now := names.of(old)) in alive:
                last.setdefault(old, now)
    return last


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
