"""How commits descend from each other, and what alters that from outside."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import suppress
from difflib import get_close_matches
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from tx_graph.core.errors import NotFound, RepositoryError, UsageError
from tx_graph.core.git import ask_git, decode_path
from tx_graph.core.repository import GitRepository, Tip, foreign_owner


def full_name(repository: GitRepository, revision: str) -> str:
    """Return the full name of the commit that a branch, a tag or the beginning of a name means."""
    if not revision.strip():
        raise UsageError("The revision is empty.", hint="Name a branch, a tag or a commit, such as main.")
    question = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    answer = ask_git(repository.root, *question, fine=(0, 1, 128))
    if answer.status:
        from git import Repo  # slow to import, which somebody who reads an error does not notice

        near: list[str] = []  # branches and tags, remote ones too
        with suppress(Exception), Repo(repository.root) as opened:  # it knows fewer kinds of repositories than git does
            near = get_close_matches(revision, [ref.name for ref in opened.refs])
        raise NotFound(f"There is no revision '{revision}' here.", hint=_how_to_get_it(repository), candidates=near)
    return answer.output.decode("ascii").strip()


def _how_to_get_it(repository: GitRepository) -> str:
    if repository.head() is None:
        return "Nothing has been committed here yet."
    if repository.is_shallow():
        return "The history is cut off here (a shallow clone); 'git fetch --unshallow' brings the rest."
    return "Fetch it first: in CI a clone often has one branch only."


def subjects(repository: GitRepository, commits: Collection[str]) -> dict[str, str]:
    """Return the first line of the message of each commit, by its full name; what is not here is left out."""
    if not commits:
        return {}
    question = "".join(f"{commit}\n" for commit in sorted(commits)).encode()
    options = ("--no-walk=unsorted", "--ignore-missing", "--stdin", "-z", "--format=%H %s", "--encoding=UTF-8")
    answer = ask_git(repository.root, "log", "--no-show-signature", *options, question=question)
    told = answer.output.decode("utf-8", "replace").split("\0")
    return dict(line.split(" ", 1) for line in told if " " in line)


def author(repository: GitRepository) -> str:
    """Return the name under which git would record a commit of this user; empty where it knows none."""
    answer = ask_git(repository.root, "var", "GIT_AUTHOR_IDENT", fine=(0, 1, 128))
    return answer.output.decode("utf-8", "replace").partition(" <")[0].strip() if answer.status == 0 else ""


def branch(repository: GitRepository) -> str:
    """Return the name of the branch that is checked out, empty where none is."""
    answer = ask_git(repository.root, "symbolic-ref", "--quiet", "--short", "HEAD", fine=(0, 1, 128))
    return answer.output.decode("utf-8", "replace").strip() if answer.status == 0 else ""


def last_subjects(repository: GitRepository, number: int) -> list[str]:
    """Return the first lines of the messages of the last commits, newest first; none where there is no commit."""
    options = ("--no-show-signature", "--no-merges", f"--max-count={number}", "-z", "--format=%s", "--encoding=UTF-8")
    answer = ask_git(repository.root, "log", *options, fine=(0, 128))
    return [line for line in answer.output.decode("utf-8", "replace").split("\0") if line.strip()]


_DIFF = "diff --name-only --no-renames -z --no-relative --no-ext-diff --ignore-submodules=all -O/dev/null".split()
_NEW = ("ls-files", "-z", "--others", "--exclude-standard")
_MOST_NAMED = 100  # paths that git is asked about by name: with more, the command line would grow too long


class Side(NamedTuple):
    """What a commit is compared with: the working tree, the index (`--cached` is in the `options`), or a `commit`.

    `index_file` is that of the index where it is another than git's own.
    """

    options: tuple[str, ...] = ()
    index_file: Path | None = None
    commit: str | None = None


TREE = Side()
"""The working tree."""


def index_side(repository: GitRepository) -> Side:
    """Return the index; in a hook that of the commit under way, which `git commit -a` and `git commit FILE` build."""
    return Side(options=("--cached",), index_file=_index_of_hook(repository))


def changed_files(repository: GitRepository) -> list[str]:
    """Return the files that differ between HEAD and the working tree, sorted; new ones too, ignored ones not."""
    return _changed_from(repository, repository.head())


def staged_files(repository: GitRepository) -> list[str]:
    """Return the files that differ between HEAD and the index, sorted."""
    return _changed_from(repository, repository.head(), index_side(repository))


def files_changed_since(repository: GitRepository, revision: str, seen: Side = TREE) -> list[str]:
    """Return the files that differ between what is seen and the commit where its line left `revision`'s."""
    return _changed_from(repository, merge_base(repository, revision, seen), seen)


def below_changed_since(repository: GitRepository, revision: str, directory: str, seen: Side = TREE) -> list[str]:
    """Return the files below a directory that differ likewise, also where they are no files of the project."""
    pathspec = f":(top,literal){directory}"
    changed = _changes_from(repository, merge_base(repository, revision, seen), seen, pathspec)
    return sorted({*decode_path(changed).split("\0")} - {""})


def new_files(repository: GitRepository) -> list[str]:
    """Return the files that git does not know yet, sorted; ignored ones not."""
    return _paths(repository.run(*_NEW))


def uncommitted(repository: GitRepository, directories: Collection[str]) -> list[str]:
    """Return the tracked files that differ from HEAD, and what git does not know yet below some directories, sorted."""
    changed = ask_git(repository.root, *_DIFF, "HEAD", "--").output
    new = repository.run(*_NEW, "--", *(f":(top,literal){one}" for one in directories))
    return sorted({*decode_path(changed + new).split("\0")} - {""})


def paths_of(repository: GitRepository, commit: str) -> list[str]:
    """Return the paths of all files of a commit, whatever directory they are in, sorted."""
    listing = repository.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit)
    return sorted({*decode_path(listing).split("\0")} - {""})


def knows_commit(repository: GitRepository, commit: str) -> bool:
    """Whether a commit is in this clone; what no name of one looks like is none."""
    return (
        commit.isalnum()
        and ask_git(repository.root, "cat-file", "-e", f"{commit}^{{commit}}", fine=(0, 1, 128)).status == 0
    )


def commits_between(repository: GitRepository, base: str, commit: str) -> int:
    """Return how many commits `commit` has that `base` lacks."""
    return int(repository.run("rev-list", "--count", f"{base}..{commit}", "--"))


def origin_of(repository: GitRepository) -> str:
    """Return the address of the remote `origin`, empty where there is none."""
    answer = ask_git(repository.root, "config", "--get", "remote.origin.url", fine=(0, 1))
    return decode_path(answer.output).strip()


def left_out_files(repository: GitRepository, paths: Collection[str]) -> frozenset[str]:
    """Return those of the paths that a sparse checkout keeps out of the working tree: they are not gone."""
    if not paths or not repository.may_be_sparse():
        return frozenset()
    few = [f":(top,literal){path}" for path in sorted(paths)] if len(paths) <= _MOST_NAMED else []
    entries = decode_path(repository.run("ls-files", "-z", "-t", "--cached", "--", *few)).split("\0")
    return frozenset(entry.removeprefix("S ") for entry in entries if entry.startswith("S ")) & frozenset(paths)


def _changed_from(repository: GitRepository, commit: str | None, seen: Side = TREE) -> list[str]:
    return _paths(_changes_from(repository, commit, seen))


def _changes_from(repository: GitRepository, commit: str | None, seen: Side, *pathspec: str) -> bytes:
    new = repository.run(*_NEW, "--", *pathspec) if seen == TREE else b""
    if commit is None:
        listing: tuple[str, ...] = ("ls-files", "-z", "--cached", "--", *pathspec)
    else:
        listing = (*_DIFF, *seen.options, commit, *filter(None, [seen.commit]), "--", *pathspec)
    return new + ask_git(repository.root, *listing, index=seen.index_file).output


def merge_base(repository: GitRepository, revision: str, seen: Side = TREE) -> str | None:
    """Return the commit where the line of what is seen left that of a revision; None for HEAD before any commit."""
    if revision == "HEAD" and seen.commit is None and repository.head() is None:
        return None
    ends = (full_name(repository, revision), seen.commit or "HEAD")
    base = ask_git(repository.root, "merge-base", *ends, fine=(0, 1, 128))
    if base.status:
        raise RepositoryError(
            f"HEAD and '{revision}' have no commit in common here.",
            hint="In a shallow clone, 'git fetch --unshallow' brings the history.",
        )
    return base.output.decode("ascii").split()[0]


_DEFAULTS = ("origin/main", "origin/master", "main", "master")


def default_branch(repository: GitRepository) -> str:
    """Return the branch that others start from: the one that origin names, else the first of the usual names."""
    question = ("symbolic-ref", "--quiet", "--short", "refs/remotes/origin/HEAD")
    answer = ask_git(repository.root, *question, fine=(0, 1, 128))
    if answer.status == 0:
        return decode_path(answer.output).strip()
    for name in _DEFAULTS:
        if (
            ask_git(repository.root, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}", fine=(0, 1, 128)).status
            == 0
        ):
            return name
    raise NotFound("There is no default branch to compare with.", hint="Name one: --base REV.")


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


def builds_on(repository: GitRepository, commit: str, base: str) -> bool:
    """Return whether `base` is `commit` or one of its ancestors; one that was pruned is none."""
    question = ("merge-base", "--is-ancestor", base, commit)
    return ask_git(repository.root, *question, fine=(0, 1, 128)).status == 0


def order_of(repository: GitRepository, head: str) -> dict[str, int]:
    """Return the place of every commit in git's `--topo-order`: 0 for HEAD, descendants before ancestors."""
    listing = repository.run("rev-list", "--topo-order", "--no-merges", head, "--")
    return {sha: place for place, sha in enumerate(listing.decode("ascii").split())}


def shape_of(repository: GitRepository, tip: Tip) -> str:
    """Return a digest of what makes git show another history for the same HEAD.

    That is the boundary of a shallow clone, `git replace`, and its predecessor, grafts.
    """
    replaced = repository.run("for-each-ref", "--format=%(refname) %(objectname)", "refs/replace/")
    grafts = ""
    with suppress(OSError):
        grafts = repository.own_path("info/grafts").read_text("utf-8", "replace")
    parts = [*sorted(tip.boundary), replaced.decode("utf-8", "replace"), grafts]
    parts.append(os.environ.get("GIT_NO_REPLACE_OBJECTS", ""))
    return sha256("\n".join(parts).encode()).hexdigest()
