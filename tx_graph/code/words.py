"""Keeps the words of files equal to the working tree, reading again only what changed."""

from __future__ import annotations

from collections.abc import Iterator

from tx_graph.code.file_store import FileWordStore, UnreadFile
from tx_graph.core.identifiers import distinct_words
from tx_graph.core.kernel import Kernel
from tx_graph.core.ports import Progress, no_progress

_LARGEST = 200_000  # bytes of a file that is read for its words: larger ones are data, or were written by programs
_MOST_WORDS = 4_000  # distinct words of a file that are kept. A source file of 2,000 lines has about 1,500.
_REPORT_EVERY = 200


def refresh_words(kernel: Kernel, *, progress: Progress = no_progress) -> int:
    """Take the words of the indexed files that changed since the last time; return how many files were read."""
    store = FileWordStore(kernel.database)
    unread = store.unread()
    splits: dict[str, str] = {}

    def read() -> Iterator[tuple[UnreadFile, str]]:
        for done, file in enumerate(unread, start=1):
            content = kernel.checkout.tree.read_listed(file.path) if file.size <= _LARGEST else None
            is_text = content is not None and b"\0" not in content
            text = content.decode("utf-8", "replace") if content and is_text else ""
            yield file, distinct_words(text, most=_MOST_WORDS, splits=splits)
            if done % _REPORT_EVERY == 0 or done == len(unread):
                progress(done, len(unread))

    with kernel.database.transaction():
        store.forget_gone()
        store.replace(read())
    return len(unread)
