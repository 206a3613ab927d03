"""The files that the page is made of."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable

TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
"""What is served, by the ends of names."""


def assets() -> dict[str, Traversable]:
    """Return the files of the page by their names below its directory: `index.html`, `vendor/sigma.js`."""
    return dict(_below(files("tx_graph.view") / "page", ""))


def _below(directory: Traversable, path: str) -> Iterator[tuple[str, Traversable]]:
    for one in directory.iterdir():
        if one.is_dir():
            yield from _below(one, f"{path}{one.name}/")
        elif one.name.rpartition(".")[2] in TYPES:
            yield f"{path}{one.name}", one
