"""Commits as they explain themselves: their messages and the files they touched."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TRAILER = re.compile(r"^[A-Z][A-Za-z-]+(?:-by|-Id|-id|-From|-from): .*$", re.MULTILINE)
"""Lines that tools add: `Signed-off-by: …`, `Co-authored-by: …`, `Change-Id: …`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitMessage:
    """One commit; `time` is the committer's, in seconds since the epoch, `text` the whole message.

    `author` is who wrote it, by the name that git has. Nothing in it is to be trusted.
    """

    sha: str
    time: int
    author: str
    text: str
    paths: tuple[str, ...]

    @property
    def subject(self) -> str:
        """The first line."""
        return self.text.partition("\n")[0].strip()

    @property
    def body(self) -> str:
        """The rest, without the lines that tools add."""
        return _TRAILER.sub("", self.text.partition("\n")[2]).strip()
