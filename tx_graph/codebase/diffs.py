"""What single commits changed, line by line."""

from __future__ import annotations

import re
from typing import NamedTuple

from tx_graph.codebase.git import ask_git, decode_path
from tx_graph.codebase.repository import GitRepository

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,\d+)? @@")
_FILE = "+++ b/"
_QUESTION = (
    "-c",
    "core.quotePath=false",
    "diff-tree",
    "--root",
    "--no-commit-id",
    "-r",
    "-p",
    "-U0",
    "--no-renames",
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--src-prefix=a/",
    "--dst-prefix=b/",
)


class Hunk(NamedTuple):
    """Lines that changed: the first one and how many there were, and the first one after and what they say.

    Where lines only went, the first one after is the line that the gap follows.
    """

    old_start: int
    old_count: int
    new_start: int
    added: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many lines it removes and adds."""
        return self.old_count + len(self.added)

    @property
    def lines(self) -> tuple[int, int]:
        """The first and the last line after the change; where lines only went, the one before the gap."""
        return (self.new_start, self.new_start + max(len(self.added) - 1, 0))


def changed_lines(repository: GitRepository, commit: str) -> dict[str, list[Hunk]]:
    """Return the hunks of each file that a commit changed and did not remove, by path, in their order.

    Files whose names git quotes are left out, and so are binary ones.

    Raises:
        RepositoryError: Git fails, for example in a partial clone that lacks the contents.
    """
    output = decode_path(ask_git(repository.root, *_QUESTION, commit, "--").output)
    found: dict[str, list[Hunk]] = {}
    for part in f"\n{output}".split("\ndiff --git ")[1:]:
        head, *hunks = part.split("\n@@ -")
        name = next((line for line in head.split("\n") if line.startswith(_FILE)), None)
        if name:
            found[name.removeprefix(_FILE).removesuffix("\t")] = [_hunk(f"@@ -{hunk}") for hunk in hunks]
    return found


def _hunk(text: str) -> Hunk:
    header, *lines = text.split("\n")
    old_start, old_count, new_start = _HUNK.match(header).groups(default="1")  # type: ignore[union-attr]
    added = tuple(line[1:] for line in lines if line.startswith("+"))
    return Hunk(int(old_start), int(old_count), int(new_start), added)
