"""Times whole readers on texts of one piece, time and again: `python -m tests.attack.readers`."""

# ruff: noqa: T201
from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from functools import partial

from tx_graph.code.comments import read_comments
from tx_graph.code.languages import LANGUAGES
from tx_graph.code.parsing import read_source
from tx_graph.code.passages import read_passages
from tx_graph.documents.reading import read_document
from tx_graph.documents.statements import statements_of

SECONDS = 3
"""Of the processor, for one text: ten times what the slowest takes."""
_IN_CODE = ("(", '"', "a.", "f(a);\n")
_IN_DOCUMENTS = ("(", "[", "`", "*", "<a ", "- ", "a.", "::\n")


def readings() -> Iterator[tuple[str, str, Callable[[], object]]]:
    """Yield every format with a text and how it is read."""
    paths = [f"a{language.extensions.split()[0]}" for language in LANGUAGES.values()]
    for path in (*paths, "a.css", "a.json", "a.yaml", "a.sql", "a.vue", "Makefile", "a.ini"):
        _read_code(path, "a")  # what reading needs is imported here, and not by each process
        for piece in _IN_CODE:
            yield path, piece, partial(_read_code, path, piece * (8_000 // len(piece)))
    for path in ("a.md", "a.rst", "a.txt"):
        _read_document(path, "a")
        for piece in _IN_DOCUMENTS:
            yield path, piece, partial(_read_document, path, piece * (40_000 // len(piece)))


def _read_code(path: str, text: str) -> object:
    return read_source(path, text.encode()), read_passages(path, text).line_tokens(), read_comments(path, text)


def _read_document(path: str, text: str) -> object:
    return statements_of(path, read_document(path, text))


def main() -> None:
    """Read each in a process of its own, which ends when its time is up, and print what did not end well."""
    count = 0
    for path, piece, read in readings():
        if not (child := os.fork()):
            signal.setitimer(signal.ITIMER_PROF, SECONDS)
            read()
            os._exit(0)
        count += 1
        if status := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
            print(json.dumps([path, piece, status]), flush=True)
    print(json.dumps(count))


if __name__ == "__main__":
    main()
