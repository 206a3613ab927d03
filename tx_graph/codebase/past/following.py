"""Follows files that are gone to where they are now, through any number of renames."""

from __future__ import annotations

from collections.abc import Collection, Generator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from tx_graph.codebase.past.renames import Uncommitted, renames_in
from tx_graph.codebase.past.revisions import Change, deletions_in
from tx_graph.codebase.repository import Tip


@dataclass(frozen=True, slots=True, kw_only=True)
class Journey:
    """Where a file is now, and the commits that renamed it, oldest first.

    `is_committed` is False when its last name is in the index, but not in HEAD.
    """

    path: str
    commits: tuple[str, ...] = ()
    is_committed: bool = True


def journeys_of(
    root: Path, tip: Tip, paths: Collection[str], *, in_head: Collection[str], uncommitted: Uncommitted
) -> dict[str, Journey]:
    """Return where each file is now; one that was deleted is left out, wherever it had been renamed to before.

    That takes one process, and one more for each link in the longest chain of renames.
    """
    missing = {path for path in paths if path not in in_head}
    arrived = {path: Journey(path=path) for path in paths if path not in missing}
    travelling = {path: Journey(path=path) for path in missing}
    departures = _Departures(deletions_in(root, tip), missing) if missing else None
    while travelling and departures:
        leaving = {start: commit for start, on in travelling.items() if (commit := departures.next_of(on))}
        arrived |= {start: on for start, on in travelling.items() if start not in leaving and on.path in in_head}
        renames = renames_in(root, set(leaving.values()))
        travelling = {
            start: Journey(path=new, commits=(*travelling[start].commits, commit))
            for start, commit in leaving.items()
            if (new := renames.get(commit, {}).get(travelling[start].path))
        }
    return {start: end for start, journey in arrived.items() if (end := _now(journey, uncommitted))}


class _Departures:
    """The commits that took files away, back to the newest ones for all those that are asked for."""

    def __init__(self, deletions: Generator[Change, None, None], asked: Collection[str]) -> None:
        self._places: dict[str, int] = {}
        self._by_path: dict[str, list[str]] = {}
        waiting = set(asked)
        with closing(deletions):
            for place, change in enumerate(deletions):
                self._places[change.commit] = place
                for entry in change.entries:
                    self._by_path.setdefault(entry.path, []).append(change.commit)
                    waiting.discard(entry.path)
                if not waiting:
                    break

    def next_of(self, journey: Journey) -> str | None:
        """Return the commit that next took the file away, None when it is still where it has come to.

        For a file that has not moved yet, that is whatever took its path away last. For others it is the first such
        commit after the rename that brought it: the path may have been used again since.
        """
        commits = self._by_path.get(journey.path, [])
        if not journey.commits:
            return commits[0] if commits else None
        arrival = self._places[journey.commits[-1]]
        return next((commit for commit in reversed(commits) if self._places[commit] < arrival), None)


def _now(journey: Journey, uncommitted: Uncommitted) -> Journey | None:
    if journey.path in uncommitted.gone:
        return None
    new = uncommitted.renames.get(journey.path)
    return replace(journey, path=new, is_committed=False) if new else journey
