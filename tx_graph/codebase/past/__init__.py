"""The past of files: what changed them, what they held, and where those went that are gone."""

from __future__ import annotations

import sys
from collections.abc import Collection, Mapping
from functools import cached_property
from typing import Self

from tx_graph.codebase.git import decode_path
from tx_graph.codebase.past.following import Journey, journeys_of
from tx_graph.codebase.past.objects import Objects
from tx_graph.codebase.past.renames import Uncommitted, renames_in, uncommitted_in
from tx_graph.codebase.past.revisions import Revision, revisions_of
from tx_graph.codebase.repository import GitRepository, Tip

__all__ = ["Journey", "Past", "Revision"]

MOST_REVISIONS = 200
"""Revisions of one file that are read, unless more are wanted: an older change explains little about today."""


class Past:
    """A repository's history up to HEAD, asked about many files at once and with few processes.

    HEAD is where it was at the first question. One process for contents stays; `close` or leaving the `with` ends it.
    Every question raises `RepositoryError` when git fails, as in a partial clone that lacks what it needs.
    """

    def __init__(self, repository: GitRepository) -> None:
        self._root = repository.root
        self._repository = repository
        self._objects = Objects(repository.root)
        self._journeys: dict[str, Journey | None] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process that reads contents; a second time does no harm."""
        self._objects.close()

    @property
    def is_cut_off(self) -> bool:
        """Whether the clone is shallow: then a list of revisions may end before the file's creation."""
        return bool(self._tip.boundary)

    def revisions(self, paths: Collection[str], *, limit: int = MOST_REVISIONS) -> dict[str, list[Revision]]:
        """Return the changes of content that made each path what it is in HEAD, newest first.

        They go back to where the file was created last, and are `limit` at most. Changes on side branches count, as do
        those of a merge itself; what a merge threw away does not. A path that no commit ever held has none.
        """
        return revisions_of(self._root, self._tip, paths, state=self._in_head, limit=limit)

    def blob(self, oid: str) -> bytes | None:
        """Return the content of the blob with this full id; None when it is missing."""
        return self._objects.blob(oid)

    def at(self, commit: str, path: str) -> bytes | None:
        """Return what a commit has at a path; None when it has no file there, or the content is missing.

        A symbolic link has its target as content.
        """
        return self._objects.named(f"{commit}:{path}")

    def renames(self, deletions: Mapping[str, str]) -> dict[str, str]:
        """Return the new names of files, given the commits that took the old ones away; one merely deleted has none."""
        by_commit = renames_in(self._root, set(deletions.values()))
        found = {path: by_commit.get(commit, {}).get(path) for path, commit in deletions.items()}
        return {old: new for old, new in found.items() if new}

    def uncommitted_renames(self) -> dict[str, str]:
        """Return the new names of files that were moved since HEAD, by their old ones; only what git tracks."""
        return self._uncommitted.renames

    def journeys(self, paths: Collection[str]) -> dict[str, Journey]:
        """Return where these files are now and by which commits; one that was deleted is left out.

        A path that is in HEAD has its first journey since then; one that is not starts where it was last.
        """
        if unknown := set(paths) - self._journeys.keys():
            found = journeys_of(self._root, self._tip, unknown, in_head=self._in_head, uncommitted=self._uncommitted)
            self._journeys |= {path: found.get(path) for path in unknown}
        return {path: journey for path in paths if (journey := self._journeys[path])}

    def follow(self, path: str) -> str | None:
        """Return where this file is now, None when it was deleted; for many, ask for their `journeys` first."""
        journey = self.journeys([path]).get(path)
        return journey.path if journey else None

    def origins(self, paths: Collection[str]) -> dict[str, str]:
        """Return the names that files had before their last renames; those that were never renamed are left out."""
        revisions = self.revisions([path for path in paths if path not in self._old_names], limit=sys.maxsize)
        creations = {path: found[-1].commit for path, found in revisions.items() if found and found[-1].is_creation}
        old_names = {
            commit: {new: old for old, new in renames.items()}
            for commit, renames in renames_in(self._root, set(creations.values())).items()
        }
        committed = {path: old_names.get(commit, {}).get(path) for path, commit in creations.items()}
        known = committed | {path: self._old_names[path] for path in paths if path in self._old_names}
        return {path: old for path, old in known.items() if old}

    @cached_property
    def _tip(self) -> Tip:
        return self._repository.tip()

    @cached_property
    def _in_head(self) -> dict[str, str]:
        """The blobs of HEAD's regular files, by path."""
        if self._tip.head is None:
            return {}
        listing = decode_path(self._repository.run("ls-tree", "-r", "-z", "--full-tree", self._tip.head))
        entries = (entry.partition("\t") for entry in listing.split("\0") if entry.startswith("100"))
        return {path: facts.rpartition(" ")[2] for facts, _, path in entries}

    @cached_property
    def _uncommitted(self) -> Uncommitted:
        return uncommitted_in(self._root, self._tip.head) if self._tip.head else Uncommitted()

    @cached_property
    def _old_names(self) -> dict[str, str]:
        return {new: old for old, new in self._uncommitted.renames.items()}
