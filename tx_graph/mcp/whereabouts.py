"""Where the repository is: clients start servers from anywhere, and say in several ways what they work on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import url2pathname

from tx_graph.core.place import place_of
from tx_graph.errors import NotInitialised, RepositoryError
from tx_graph.workspace import LastingWorkspace

PROJECT_VARIABLE = "CLAUDE_PROJECT_DIR"
"""In which one client names the directory it works in, wherever it starts its servers."""


class Whereabouts:
    """Finds the workspace: that of the working directory, else of the directory in the variable, else of a root."""

    def __init__(self, start: Path, environment: Mapping[str, str] = os.environ) -> None:
        named = environment.get(PROJECT_VARIABLE, "")
        self._starts = [start, *([Path(named)] if named else [])]
        self._found: tuple[Path, LastingWorkspace] | None = None

    def is_known(self) -> bool:
        """Whether there is a workspace in any of the places known so far."""
        return any(map(_is_workspace, self._starts))

    def learn(self, roots: Iterable[str]) -> None:
        """Take in the roots, `file:` URIs, of what the client works on."""
        paths = [Path(url2pathname(urlsplit(root).path)) for root in roots if root.startswith("file:")]
        self._starts += [path for path in paths if path not in self._starts]

    def workspace(self) -> LastingWorkspace:
        """Return the first workspace; where there is none, one that says so when it is used."""
        start = next(filter(_is_workspace, self._starts), self._starts[0])
        if self._found is None or self._found[0] != start:
            self.close()
            self._found = start, LastingWorkspace(start)
        return self._found[1]

    def close(self) -> None:
        """Close the workspace, if one is open."""
        if self._found:
            self._found[1].close()


def _is_workspace(path: Path) -> bool:
    try:
        place_of(path)
    except (NotInitialised, RepositoryError, OSError):
        return False
    return True
