"""Parsing many files: in this process until there is enough to do for others."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import NamedTuple

from tx_graph.codebase.parsing.worker import Parsed, parsed
from tx_graph.codebase.processes import CannotStart, Crew, in_order

WORTHWHILE = 1_000_000
"""Bytes of source from which on other processes are started: half a second of parsing, a tenth for starting them."""
_BATCH = 200_000
"""Bytes of source that one message holds at least, or one file that is larger."""
_PATIENCE = 60.0
"""Seconds that a batch may take: a hundred times what its slowest file needs."""
_CRASHED = "cannot be parsed: the parser crashed, or would not end"
_PROGRAM = "from tx_graph.codebase.parsing.worker import run; run()"


class Source(NamedTuple):
    """A file to parse."""

    path: str
    content: bytes


def parse_all(sources: Iterable[Source], *, processes: int) -> Iterator[tuple[str, Parsed]]:
    """Yield each path with what its file says, in the order of the sources.

    The sources are asked for while others are being parsed, and no more of them are held than that takes. A file that
    makes the parser crash costs itself alone where processes are used.
    """
    waiting = iter(sources)
    first = list(_taken(waiting, WORTHWHILE)) if processes > 1 else []
    if sum(len(source.content) for source in first) < WORTHWHILE:
        for path, content in chain(first, waiting):
            yield path, parsed(path, content)
        return
    with _Parsers() as parsers:
        for source, found in in_order(_batches(chain(first, waiting)), parsers.parse, processes=processes):
            yield source.path, found


def _taken(sources: Iterator[Source], size: int) -> Iterator[Source]:
    """Yield sources until there are so many bytes of them."""
    for source in sources:
        yield source
        size -= len(source.content)
        if size <= 0:
            return


def _batches(sources: Iterator[Source]) -> Iterator[list[Source]]:
    while batch := list(_taken(sources, _BATCH)):
        yield batch


class _Parsers(Crew):
    """Processes that parse."""

    def __init__(self, program: str = _PROGRAM, *, patience: float = _PATIENCE) -> None:
        super().__init__(program, patience=patience)

    def parse(self, batch: list[Source]) -> list[Parsed]:
        """Return what each file of a batch says.

        When a process dies of it, the files are tried one by one, and one that is alone twice.
        """
        found = self._tried(batch) or (self._tried(batch) if len(batch) == 1 else None)
        if found is not None:
            return found
        if len(batch) == 1:
            return [(None, _CRASHED)]
        return [self.parse([source])[0] for source in batch]

    def _tried(self, batch: list[Source]) -> list[Parsed] | None:
        """Return what each file of a batch says, None when the process died.

        Where no process can be started this one does the work.
        """
        try:
            return self.ask([tuple(source) for source in batch])
        except CannotStart:
            return [parsed(path, content) for path, content in batch]
        except EOFError:
            return None
