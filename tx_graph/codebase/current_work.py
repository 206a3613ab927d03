"""What somebody is at work on, as git knows it: the branch, and what its last commits say of themselves."""

from __future__ import annotations

from tx_graph.codebase.git import ask_git
from tx_graph.codebase.repository import GitRepository


def branch(repository: GitRepository) -> str:
    """Return the name of the branch that is checked out, empty where none is."""
    answer = ask_git(repository.root, "symbolic-ref", "--quiet", "--short", "HEAD", fine=(0, 1, 128))
    return answer.output.decode("utf-8", "replace").strip() if answer.status == 0 else ""


def last_subjects(repository: GitRepository, number: int) -> list[str]:
    """Return the first lines of the messages of the last commits, newest first; none where there is no commit."""
    options = ("--no-show-signature", "--no-merges", f"--max-count={number}", "-z", "--format=%s", "--encoding=UTF-8")
    answer = ask_git(repository.root, "log", *options, fine=(0, 128))
    return [line for line in answer.output.decode("utf-8", "replace").split("\0") if line.strip()]
