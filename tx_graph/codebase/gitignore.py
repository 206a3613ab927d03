"""What .gitignore files leave out, for when git itself cannot be asked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_FILE = ".gitignore"


class IgnoreRules:
    """The rules of a directory and of those above it. The user's own and `.git/info/exclude` are not known here."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._specs: dict[str, GitIgnoreSpec | None] = {}

    def ignores(self, path: str) -> bool:
        """Whether git would leave out what is at `path`, a directory with a slash at its end, by these rules.

        The nearest .gitignore that says anything decides, as in git. Ask about the directories above first.
        """
        prefix = path.rstrip("/").rpartition("/")[0]
        while True:
            spec = self._of(prefix)
            verdict = spec.check_file(path[len(prefix) :].lstrip("/")).include if spec else None
            if verdict is not None or not prefix:
                return bool(verdict)
            prefix = prefix.rpartition("/")[0]

    def _of(self, directory: str) -> GitIgnoreSpec | None:
        if directory not in self._specs:
            self._specs[directory] = self._read(directory)
        return self._specs[directory]

    def _read(self, directory: str) -> GitIgnoreSpec | None:
        from pathspec import GitIgnoreSpec

        try:
            text = (self._root / directory / _FILE).read_text(encoding="utf-8", errors="surrogateescape")
        except OSError:
            return None
        return GitIgnoreSpec.from_lines(text.splitlines())
