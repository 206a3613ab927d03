"""Commits by the names that people give them, and what each says of itself."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from difflib import get_close_matches

from tx_graph.codebase.git import ask_git
from tx_graph.codebase.repository import GitRepository
from tx_graph.errors import NotFound, UsageError

_NO_SUCH = "Fetch it first: in CI a clone often has one branch only."


def full_name(repository: GitRepository, revision: str) -> str:
    """Return the full name of the commit that a branch, a tag or the beginning of a name means.

    Raises:
        NotFound: There is no such commit here.
        UsageError: The revision is empty.
    """
    if not revision.strip():
        raise UsageError("The revision is empty.", hint="Name a branch, a tag or a commit, such as main.")
    question = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    answer = ask_git(repository.root, *question, fine=(0, 1, 128))
    if answer.status:
        raise NotFound(
            f"There is no revision '{revision}' here.", hint=_NO_SUCH, candidates=_near(repository, revision)
        )
    return answer.output.decode("ascii").strip()


def _near(repository: GitRepository, revision: str) -> list[str]:
    """Return the branches and tags, remote ones too, whose names are most like a revision that does not exist."""
    from git import Repo  # slow to import, which somebody who reads an error does not notice

    with suppress(Exception), Repo(repository.root) as opened:  # it knows fewer kinds of repositories than git does
        return get_close_matches(revision, [ref.name for ref in opened.refs])
    return []


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
