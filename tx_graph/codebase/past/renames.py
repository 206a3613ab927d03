"""Tells which files were renamed: in commits, and since HEAD."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from posixpath import basename

from tx_graph.codebase.git import ask_git, decode_path

_RENAMES = (
    "--find-renames=50%",
    "-l1000",  # git's own default, whatever the user's configuration says; identical files are found beyond it too
    "-z",
    "-O/dev/null",  # a diff.orderFile that is missing would be fatal
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncommitted:
    """How the tracked files differ from HEAD: new names by old ones, and the files that are gone without one."""

    renames: dict[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()


def renames_in(root: Path, commits: Collection[str]) -> dict[str, dict[str, str]]:
    """Return, for each of these commits that renamed files, the new names by the old ones.

    A merge renamed what it calls otherwise than all of its parents: the rest came in by it, but was renamed before. A
    file of which a commit made several copies went to the only one that kept its last name, or to none for certain.

    Raises:
        RepositoryError: Git fails; it reads contents, which partial clones lack.
    """
    if not commits:
        return {}
    question = "".join(f"{commit}\n" for commit in sorted(set(commits))).encode("ascii")
    merges = ("-c", "--combined-all-paths")
    answer = ask_git(
        root, "diff-tree", "--stdin", "-r", *merges, "--raw", "--diff-filter=AR", *_RENAMES, question=question
    )
    return _renames_by_commit(decode_path(answer.output))


def uncommitted_in(root: Path, head: str) -> Uncommitted:
    """Return how the files that git tracks now differ from those of HEAD; an untracked file is no new name."""
    options = ("--name-status", "--diff-filter=DR", *_RENAMES, "--no-relative", "--no-ext-diff")
    listing = ask_git(root, "diff", *options, "--ignore-submodules=all", head, "--").output
    fields = iter(decode_path(listing).split("\0"))
    renames: dict[str, str] = {}
    gone: set[str] = set()
    for letter in filter(None, fields):
        path = next(fields)
        if letter.startswith("R"):
            renames[path] = next(fields)
        else:
            gone.add(path)
    return Uncommitted(renames=renames, gone=frozenset(gone))


def _renames_by_commit(listing: str) -> dict[str, dict[str, str]]:
    """Read names of commits, each followed by its changes: `:modes ids letter`, for renames the old path, and the new.

    In a merge there is a colon, a letter and an old path for each parent.
    """
    fields = iter(listing.split("\0"))
    found: dict[str, _Changes] = {}
    changes = _Changes()
    for head in filter(None, fields):
        if not head.startswith(":"):
            changes = found.setdefault(head, _Changes())
            continue
        *_, blob, letters = head.split(" ")
        is_rename = letters.startswith("R")
        old = list(islice(fields, head.count(":"))) if is_rename else []
        new = next(fields)
        changes.renames |= dict.fromkeys(old, new)
        changes.created.setdefault(blob, []).append(new)
        changes.blobs[new] = blob
    return {commit: changes.certain() for commit, changes in found.items() if changes.renames}


@dataclass(slots=True)
class _Changes:
    """What one commit renamed, and the paths that it created, by their blobs and with them."""

    renames: dict[str, str] = field(default_factory=dict)
    created: dict[str, list[str]] = field(default_factory=dict)
    blobs: dict[str, str] = field(default_factory=dict)

    def certain(self) -> dict[str, str]:
        """Return the renames that leave no choice; git takes the first of several copies."""
        return {old: meant for old, new in self.renames.items() if (meant := self._meant(old, new))}

    def _meant(self, old: str, new: str) -> str | None:
        copies = self.created[self.blobs[new]]
        namesakes = [path for path in copies if basename(path) == basename(old)]
        only = copies if len(copies) == 1 else namesakes
        return only[0] if len(only) == 1 else None
