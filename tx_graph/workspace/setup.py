"""Makes a repository a workspace."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tx_graph.core.errors import StorageError
from tx_graph.core.layout import CONFIG, DIRECTORY, LEARNINGS
from tx_graph.core.root import Root, find_root

_IGNORE = ".gitignore"
_IGNORED = """\
# Local state; the text files beside it are the truth that git carries.
/graph.db
/graph.db-*
/graph.db.damaged*
/replies.db
/replies.db-*
/told.db
/told.db-*
/errors.log
/learnings/.*
"""

_CONFIG = """\
# Settings of tx for this repository; 'tx config' lists them all with their defaults.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A workspace directory, and which of its files were made just now."""

    root: Path
    is_git: bool
    created: tuple[str, ...]


def prepare(start: Path) -> Prepared:
    """Create `.tx/` with its text files where they are missing; what exists stays as it is.

    The place is the git top level, else the nearest ancestor with `.tx`, else `start` itself.
    """
    root = find_root(start) or Root(path=start.resolve(), is_git=False)
    directory = root.path / DIRECTORY
    files = {directory / _IGNORE: _IGNORED, directory / CONFIG: _CONFIG}
    missing = {path: text for path, text in files.items() if not path.exists()}
    try:
        (directory / LEARNINGS).mkdir(parents=True, exist_ok=True)
        for path, text in missing.items():
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise StorageError(f"{directory} cannot be made: {error.strerror}.") from error
    created = tuple(path.relative_to(root.path).as_posix() for path in missing)
    return Prepared(root=root.path, is_git=root.is_git, created=created)


def keep_ignored(directory: Path) -> None:
    """Let git ignore the local state in a `.tx` that somebody made by hand; what exists stays as it is."""
    with suppress(OSError), (directory / _IGNORE).open("x", encoding="utf-8") as stream:
        stream.write(_IGNORED)
