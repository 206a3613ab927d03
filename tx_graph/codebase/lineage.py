"""How commits descend from each other, and what alters that from outside."""

from __future__ import annotations

import os
from hashlib import sha256

from tx_graph.codebase.git import ask_git
from tx_graph.codebase.repository import GitRepository, Tip


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
    parts = [*sorted(tip.boundary), replaced.decode("utf-8", "replace"), _grafts(repository)]
    parts.append(os.environ.get("GIT_NO_REPLACE_OBJECTS", ""))
    return sha256("\n".join(parts).encode()).hexdigest()


def _grafts(repository: GitRepository) -> str:
    path = repository.run("rev-parse", "--git-path", "info/grafts").removesuffix(b"\n")
    try:
        return (repository.root / os.fsdecode(path)).read_text("utf-8", "replace")
    except OSError:
        return ""
