"""A generated workspace of a hundred thousand sections: real Markdown, really read."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from scripts.benchmarks import vocabulary
from scripts.benchmarks.environment import having
from scripts.opened import open_workspace
from tx_graph.documents.ingesting import Ingesting
from tx_graph.vectors.models import DIRECTORY_VARIABLE
from tx_graph.workspace import prepare

DOCUMENTS, CHAPTERS, PARTS = 5_000, 4, 4
"""Documents, the chapters of each, and the sections of each chapter."""
SECTIONS = DOCUMENTS * (1 + CHAPTERS * (1 + PARTS))
"""Headings in all of them."""
_SHELVES = 100
"""Directories, two levels deep; the last one holds a fifth of the documents."""
_WORDS = 40
"""Of each section."""
HUB = "docs/shelf-00/doc-0000.md#chapter-1"
"""The section that one document in two links to."""


def make(root: Path) -> None:
    """Make the workspace and read its documents, without vectors."""
    root.mkdir(parents=True)
    for path, text in _documents():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    subprocess.run(["git", "init", "--quiet", str(root)], check=True)
    subprocess.run(["git", "add", "--all"], cwd=root, check=True)
    prepare(root)
    with having({DIRECTORY_VARIABLE: str(root / "no-model")}), open_workspace(root) as workspace:
        workspace.indexing.run()
        workspace.kernel.one(Ingesting).run()


def paths() -> list[str]:
    """Return the documents, by number."""
    return [f"docs/shelf-{_shelf(number):02}/doc-{number:04}.md" for number in range(DOCUMENTS)]


def _shelf(number: int) -> int:
    return _SHELVES - 1 if number % 5 == 1 else number // (DOCUMENTS // _SHELVES)


def _documents() -> Iterator[tuple[str, str]]:
    """Yield path and text of each document; one in two links to the hub, each depends on another one's chapter."""
    chance = np.random.default_rng(4)
    every = paths()
    for number, path in enumerate(every):
        other = every[int(chance.integers(DOCUMENTS))]
        lines = [f"# Document {number}", vocabulary.text(chance, words=_WORDS)]
        for chapter in range(1, CHAPTERS + 1):
            lines += [f"## Chapter {chapter}", vocabulary.text(chance, words=_WORDS)]
            if chapter == 1:
                lines += [f"- depends_on:: [other](/{other}#chapter-{int(chance.integers(1, CHAPTERS + 1))})"]
            if chapter == 2 and number % 2:  # noqa: PLR2004 - one document in two
                lines += [f"See [the hub](/{HUB})."]
            for part in range(1, PARTS + 1):
                lines += [f"### Part {chapter}.{part}", vocabulary.text(chance, words=_WORDS)]
        yield path, "\n\n".join(lines) + "\n"
