"""What an answer says of each section: the lines that matter, and whether its document still is what was read."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence

from tx_graph.analysis.excerpts import best_lines
from tx_graph.codebase.working_tree import WorkingTree
from tx_graph.domain.section import Unit
from tx_graph.services.doc_search.values import Excerpt, State
from tx_graph.storage.documents import DocumentStore

EXCERPT = 600
"""Characters of a section that an answer shows; all of it would flood a page with the first two results."""


def excerpt(unit: Unit, question: str, chunk: str | None) -> Excerpt:
    """Return the lines of a section that answer best, looked for in that of its chunks which does.

    Its own heading is not among them, unless there is nothing else: the answer has it anyway.
    """
    lines = unit.text.split("\n")
    inside = chunk if chunk is not None and chunk in unit.text else unit.text
    offset = unit.text.count("\n", 0, unit.text.find(inside))
    start = max(offset, below_heading(lines, unit.title))
    end = offset + inside.count("\n") + 1
    first, last = best_lines("\n".join(lines[start:end]), question, most=EXCERPT)
    cut = "\n".join(lines[start + first : start + last])[:EXCERPT]
    line = unit.line_start + start + first
    is_whole = len(cut) >= len("\n".join(lines[below_heading(lines, unit.title) :]).strip())
    return Excerpt(text=cut, line_start=line, line_end=line + cut.count("\n"), is_whole=is_whole)


def below_heading(lines: Sequence[str], title: str) -> int:
    """Return the place of the first line that is no heading of this title, its underline or blank; 0 if all are."""
    if not title or title not in lines[0]:
        return 0
    place = 1
    while place < len(lines) and (not lines[place].strip() or (place == 1 and _is_underline(lines[place]))):
        place += 1
    return place if place < len(lines) and lines[0].strip("#* ").endswith(title) else 0


def _is_underline(line: str) -> bool:
    mark = line.strip()
    return len(set(mark)) == 1 and not mark[0].isalnum()


class States:
    """Compares documents with what was read of them."""

    def __init__(self, *, documents: DocumentStore, tree: WorkingTree) -> None:
        self._documents = documents
        self._tree = tree

    def of(self, paths: Collection[str]) -> dict[str, State]:
        """Return whether each of these documents still is what was read."""
        return {path: self._state(path, row.content_hash) for path, row in self._documents.by_paths(paths).items()}

    def _state(self, path: str, known: str) -> State:
        data = self._tree.read(path)
        if data is None:
            return State.GONE
        return State.FRESH if hashlib.sha256(data).hexdigest() == known else State.CHANGED
