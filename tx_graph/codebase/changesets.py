"""Streams what each commit did to the files of its parent, oldest first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tx_graph.codebase.git import decode_path, stream_git
from tx_graph.codebase.history import commit_records
from tx_graph.codebase.repository import GitRepository, foreign_owner
from tx_graph.domain.changeset import Changeset
from tx_graph.domain.labels import is_unicode

_LOG = (
    "log",
    "--no-merges",
    "--topo-order",  # neighbours in the list differ little, and no commit stands before one it builds on
    "--reverse",
    "-z",
    "--format=/%H %ct %P%x00 %s",  # the blank: a subject may start with a slash, which parts two commits
    "--encoding=UTF-8",
    "--no-show-signature",
    "--no-ext-diff",
    "--ignore-submodules=none",
    "--no-renames",
    "--raw",
    "--no-abbrev",
    "-O/dev/null",  # a diff.orderFile that is missing would be fatal
)
_REGULAR = ":100"
"""How git begins to tell of a path that was a regular file: symbolic links and submodules have other modes."""


def read_changesets(repository: GitRepository) -> Iterator[Changeset]:
    """Yield the commits reachable from HEAD without merges, oldest first.

    First commits, and the boundary of a shallow clone, are left out: they have no parent here. No commit at all gives
    nothing.

    Raises:
        RepositoryError: Git is missing or fails.
    """
    tip = repository.tip()
    if tip.head is None:
        return
    for record in commit_records(stream_git(repository.root, *_LOG, tip.head, "--", command="log")):
        header, subject, *fields = record.split(b"\0")
        sha, time, *parents = header.decode("ascii").split()
        if parents and sha not in tip.boundary:
            changes, paths = fields[::2], [decode_path(path) for path in fields[1::2]]
            yield Changeset(
                sha=sha,
                parent=parents[0],
                time=int(time),
                subject=subject.decode("utf-8", "replace").strip(),
                paths=len(paths),
                existing=tuple(_existing(changes, paths)),
            )


def _existing(changes: Sequence[bytes], paths: Sequence[str]) -> Iterator[str]:
    """Yield the paths that were regular files before, as far as tx takes them in."""
    for change, path in zip(changes, paths, strict=True):
        was_regular = change.lstrip(b"\n").startswith(_REGULAR.encode())
        if was_regular and not foreign_owner(path) and is_unicode(path):
            yield path
