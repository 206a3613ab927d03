"""The tree that everything hangs in: directories, and the names of what lies in them."""

from __future__ import annotations

import posixpath

from tx_graph.retrieval.focus import Name
from tx_graph.services.focus.place import Kind, Place

ROOT = "."
"""How the root of the repository is named."""


def directory_of(path: str) -> Place:
    """Return the directory that a file or directory lies in."""
    return Place(Kind.DIRECTORY, posixpath.dirname(path) or ROOT)


def name_of_directory(path: str) -> Name:
    """Return a directory by its path and its last part, with a slash behind."""
    return Name(path, f"{posixpath.basename(path)}/" if path != ROOT else "./")


def name_of_file(path: str) -> Name:
    """Return a file by its path and its last part."""
    return Name(path, posixpath.basename(path))
