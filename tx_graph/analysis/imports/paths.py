"""Repository-relative paths as text: `/` between names, the empty string for the root."""

from __future__ import annotations

from collections.abc import Iterator


def parent(path: str) -> str:
    """Return the directory of a path; the root is its own parent."""
    return path.rpartition("/")[0]


def basename(path: str) -> str:
    """Return the last name of a path."""
    return path.rpartition("/")[2]


def child(directory: str, name: str) -> str:
    """Return the path of a name inside a directory."""
    return f"{directory}/{name}" if directory else name


def upward(directory: str) -> Iterator[str]:
    """Yield the directory, then each directory above it, the root last."""
    while directory:
        yield directory
        directory = parent(directory)
    yield ""


def joined(directory: str, relative: str) -> str | None:
    """Return the normalised path `directory/relative`, or None when it climbs out of the repository."""
    names = directory.split("/") if directory else []
    for name in relative.split("/"):
        if name == "..":
            if not names:
                return None
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    return "/".join(names)
