"""What a change touches: the files that differ from HEAD, in the index from HEAD, or from where a branch began.

Renames are not looked for: the old name is a file that is gone and has a history, the new one is a new file. What
lies in .tx/ and node_modules/ is no file of the project.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from tx_graph.codebase.commits import full_name
from tx_graph.codebase.git import ask_git, decode_path
from tx_graph.codebase.repository import GitRepository, foreign_owner
from tx_graph.errors import RepositoryError

_DIFF = (
    "diff",
    "--name-only",
    "--no-renames",
    "-z",
    "--no-relative",
    "--no-ext-diff",
    "--ignore-submodules=all",
    "-O/dev/null",
)
_NEW = ("ls-files", "-z", "--others", "--exclude-standard")
_MOST_NAMED = 100
"""Paths that git is asked about by name: with more, the command line would grow too long."""


def changed_files(repository: GitRepository) -> list[str]:
    """Return the files that differ between HEAD and the working tree, sorted; new ones too, ignored ones not."""
    return _changed_from(repository, repository.head())


def staged_files(repository: GitRepository) -> list[str]:
    """Return the files that differ between HEAD and the index, sorted.

    In a hook it is the index of the commit under way, which `git commit -a` and `git commit FILE` build aside.
    """
    head = repository.head()
    if head is None:
        listing = ask_git(repository.root, "ls-files", "-z", "--cached", index=_index_of_hook(repository))
    else:
        listing = ask_git(repository.root, *_DIFF, "--cached", head, "--", index=_index_of_hook(repository))
    return _paths(listing.output)


def files_changed_since(repository: GitRepository, revision: str) -> list[str]:
    """Return the files that differ between the working tree and the commit where HEAD's line left `revision`'s.

    Raises:
        NotFound: There is no such revision.
        RepositoryError: The two have no commit in common, as far as this clone knows.
        UsageError: The revision is empty.
    """
    return _changed_from(repository, _merge_base(repository, revision))


def below_changed_since(repository: GitRepository, revision: str, directory: str) -> list[str]:
    """Return the files below a directory that differ likewise, also where they are no files of the project.

    Raises:
        NotFound, RepositoryError, UsageError: As above.
    """
    pathspec = f":(top,literal){directory}"
    new = repository.run(*_NEW, "--", pathspec)
    old = repository.run(*_DIFF, _merge_base(repository, revision), "--", pathspec)
    return sorted({*decode_path(new + old).split("\0")} - {""})


def left_out_files(repository: GitRepository, paths: Collection[str]) -> frozenset[str]:
    """Return those of the paths that a sparse checkout keeps out of the working tree: they are not gone."""
    if not paths or not repository.may_be_sparse():
        return frozenset()
    few = [f":(top,literal){path}" for path in sorted(paths)] if len(paths) <= _MOST_NAMED else []
    entries = decode_path(repository.run("ls-files", "-z", "-t", "--cached", "--", *few)).split("\0")
    return frozenset(entry.removeprefix("S ") for entry in entries if entry.startswith("S ")) & frozenset(paths)


def _changed_from(repository: GitRepository, commit: str | None) -> list[str]:
    new = repository.run(*_NEW)
    old = repository.run(*_DIFF, commit, "--") if commit else repository.run("ls-files", "-z", "--cached")
    return _paths(new + old)


def _merge_base(repository: GitRepository, revision: str) -> str:
    base = ask_git(repository.root, "merge-base", full_name(repository, revision), "HEAD", fine=(0, 1, 128))
    if base.status:
        raise RepositoryError(
            f"HEAD and '{revision}' have no commit in common here.",
            hint="In a shallow clone, 'git fetch --unshallow' brings the history.",
        )
    return base.output.decode("ascii").split()[0]


def _index_of_hook(repository: GitRepository) -> Path | None:
    """Return the index that git gave to the hook we run in, if it is one of this working tree.

    A hook of one repository may run tx in another, whose index is its own. Git makes the indexes of a commit in
    the git directory of the working tree, so what lies elsewhere is not ours.
    """
    given = os.environ.get("GIT_INDEX_FILE")
    if not given:
        return None
    index = repository.root / given
    home = repository.root / os.fsdecode(repository.run("rev-parse", "--absolute-git-dir").removesuffix(b"\n"))
    return index if index.is_file() and index.parent.resolve() == home.resolve() else None


def _paths(listing: bytes) -> list[str]:
    paths = {*decode_path(listing).split("\0")} - {""}
    return sorted(path for path in paths if not foreign_owner(path))
