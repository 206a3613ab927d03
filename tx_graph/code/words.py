"""Keeps the words of files equal to the working tree, reading again only what changed."""

from __future__ import annotations

from collections.abc import Iterable

from tx_graph.code.file_store import UnreadFile
from tx_graph.core.identifiers import distinct_words
from tx_graph.core.ports import Progress, no_progress
from tx_graph.core.stores import Stores
from tx_graph.core.working_tree import WorkingTree

_LARGEST = 200_000
"""Bytes of a file that is read for its words: larger ones are data, or were written by programs."""
_MOST_WORDS = 4_000
"""Distinct words of a file that are kept. A source file of 2,000 lines has about 1,500."""
_REPORT_EVERY = 200


class WordIndex:
    """Reads files for their words."""

    def __init__(self, *, stores: Stores, tree: WorkingTree) -> None:
        self._stores = stores
        self._tree = tree
        self._splits: dict[str, str] = {}

    def refresh(self, *, progress: Progress = no_progress) -> int:
        """Take the words of the indexed files that changed; return how many files were read."""
        store = self._stores.file_words
        unread = store.unread()
        with self._stores.database.transaction():
            store.forget_gone()
            store.replace(self._read(unread, progress))
        return len(unread)

    def _read(self, files: list[UnreadFile], progress: Progress) -> Iterable[tuple[UnreadFile, str]]:
        for done, file in enumerate(files, start=1):
            yield file, self._words_of(file)
            if done % _REPORT_EVERY == 0 or done == len(files):
                progress(done, len(files))

    def _words_of(self, file: UnreadFile) -> str:
        content = self._tree.read_listed(file.path) if file.size <= _LARGEST else None
        if content is None or b"\0" in content:
            return ""
        return distinct_words(content.decode("utf-8", "replace"), most=_MOST_WORDS, splits=self._splits)
