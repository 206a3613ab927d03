"""Reads the revisions of many files in one pass over the history.

Every commit is looked at (`--full-history`), because git's usual shortcut at a merge follows one parent that has the
file as the merge has it: for a file that is gone that may be a side branch that never had it. A change on a side
branch is told by its own commit, as a merge is compared with all parents at once (`-c`) and tells only of files that
it leaves as no parent had them: conflicts resolved, and what somebody slipped in.

Looking at every commit also finds changes that a merge threw away. They are left out by their content: a change
counts when its result is what HEAD has, or what a change that counts began with.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from tx_graph.codebase.git import decode_path, stream_git
from tx_graph.codebase.history import commit_records
from tx_graph.codebase.repository import Tip

_LOG = (
    "--literal-pathspecs",
    "-c",
    "log.showRoot=true",  # the first commit's files count, whatever the user's configuration says
    "log",
    "-z",
    "--format=/%H %ct %s",
    "--encoding=UTF-8",
    "--no-show-signature",
    "--full-history",
    "-c",
    "--raw",
    "--no-abbrev",
    "--no-renames",  # finding renames needs blobs, which partial clones lack
    "--no-follow",  # a user may have set log.follow
    "--no-relative",
    "--no-ext-diff",
    "--ignore-submodules=none",
    "-O/dev/null",  # a diff.orderFile that is missing would be fatal
)

_FEW = 1
"""Paths that git is asked about by name. Git tries each entry of each tree against each name: one file takes about half
the time that all files take, four take up to twice that, a hundred 17 times (in git's own history)."""

Content = str | None
"""A blob's id; None where there is no regular file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One change of one file: the commit that made it, and what the file held on either side.

    `commit` is the full name; `time` is the committer's, in seconds since the epoch; `before` and `after` are ids of
    blobs, None where there was no regular file. For a merge `before` is what its first parent had, and `merged` what
    the others had; the file then differs from all of them.
    """

    commit: str
    time: int
    subject: str
    path: str
    before: Content
    after: Content
    merged: tuple[Content, ...] = ()

    @property
    def is_creation(self) -> bool:
        """Whether no parent had the file."""
        return not any((self.before, *self.merged))


class Entry(NamedTuple):
    """A file that a commit changed: what each parent had, and what the commit has."""

    path: str
    before: tuple[Content, ...]
    after: Content


class Change(NamedTuple):
    """A commit, and the files that it changed, as far as they were asked for."""

    commit: str
    time: int
    subject: str
    entries: list[Entry]


def revisions_of(
    root: Path, tip: Tip, paths: Collection[str], *, state: Mapping[str, str], limit: int
) -> dict[str, list[Revision]]:
    """Return the changes of each path that led to its `state` in HEAD, newest first, `limit` of them at most.

    A list ends where the file was created last. Reading stops when all lists have ended.
    """
    trails = {path: _Trail(state.get(path), limit) for path in paths}
    if not trails:
        return {}
    waiting = dict(trails)
    with closing(_changes(root, tip, waiting)) as changes:
        for change in changes:
            for entry in change.entries:
                trail = waiting[entry.path]
                trail.take(change, entry)
                if trail.has_ended:
                    del waiting[entry.path]
            if not waiting:
                break
    return {path: trail.revisions for path, trail in trails.items()}


def deletions_in(root: Path, tip: Tip) -> Generator[Change, None, None]:
    """Yield the commits that took files away, newest first."""
    for change in _changes(root, tip):  # git's --diff-filter=D makes it look at merges the slow way: twice the time
        if entries := [entry for entry in change.entries if entry.after is None]:
            yield change._replace(entries=entries)


def _changes(root: Path, tip: Tip, paths: Collection[str] | None = None) -> Generator[Change, None, None]:
    """Yield the commits that changed the content of files, newest first; a path may be taken out meanwhile.

    The boundary commits of a shallow clone are left out: they seem to add every file, but their parents are unknown.
    """
    if tip.head is None:
        return
    named = sorted(paths) if paths and len(paths) <= _FEW else ()
    with closing(stream_git(root, *_LOG, tip.head, "--", *named, command="log")) as output:
        for record in commit_records(output):
            header, _, listing = decode_path(record).partition("\0")
            commit, time, subject = header.split(" ", 2)
            entries = list(_entries(listing.lstrip("\n\0"), paths))  # a newline comes first, in a merge a NUL
            if entries and commit not in tip.boundary:
                yield Change(commit, int(time), subject, entries)


class _Trail:
    """The revisions of one file, as its changes are read.

    Commits come by time, so where clocks say the same or are wrong, a change may come before the one that it led to.
    """

    def __init__(self, state: Content, limit: int) -> None:
        self.revisions: list[Revision] = []
        self._led_to: set[Content] = {state}
        self._early: dict[Content, list[tuple[Change, Entry]]] = {}
        self._limit = limit

    @property
    def has_ended(self) -> bool:
        """Whether enough is known, or the file's creation."""
        return bool(self.revisions) and (self.revisions[-1].is_creation or len(self.revisions) >= self._limit)

    def take(self, change: Change, entry: Entry) -> None:
        """Add a change that led to what is known already, and those that came early and led to it."""
        if entry.after not in self._led_to:
            self._early.setdefault(entry.after, []).append((change, entry))
            return
        pending = [(change, entry)]
        while pending and not self.has_ended:
            change, entry = pending.pop(0)
            self.revisions.append(_revision(change, entry))
            for content in set(entry.before) - self._led_to:
                self._led_to.add(content)
                pending += self._early.pop(content, ()) if content else ()


def _revision(change: Change, entry: Entry) -> Revision:
    before, *merged = entry.before
    return Revision(
        commit=change.commit,
        time=change.time,
        subject=change.subject,
        path=entry.path,
        before=before,
        after=entry.after,
        merged=tuple(merged),
    )


def _entries(listing: str, paths: Collection[str] | None) -> Iterator[Entry]:
    """Read `:modes ids letter` and a path in turn; a merge has a colon, a mode and an id more for each parent."""
    fields = iter(listing.split("\0"))
    for facts, path in zip(fields, fields, strict=False):
        if paths is None or path in paths:
            *before, after = _contents(facts)
            if after not in before:  # else only its mode changed
                yield Entry(path, tuple(before), after)


def _contents(facts: str) -> list[Content]:
    """The blob on every side: those of the parents, then the commit's own."""
    *sides, _ = facts.lstrip(":").split(" ")
    count = len(sides) // 2
    return [oid if mode.startswith("100") else None for mode, oid in zip(sides[:count], sides[count:], strict=True)]
