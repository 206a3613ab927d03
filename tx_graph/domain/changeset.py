"""What one commit did to the files of its parent."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Changeset:
    """A commit that is no merge, seen from its one parent.

    Attributes:
        sha: Its full name.
        parent: The full name of the commit it was made on.
        time: The committer's, in seconds since the epoch.
        subject: The first line of its message.
        paths: How many paths it changed; a renamed file counts twice, as one removed and one added.
        existing: Those of the changed files that are in the parent's tree, as regular files with readable names.
    """

    sha: str
    parent: str
    time: int
    subject: str
    paths: int
    existing: tuple[str, ...]
