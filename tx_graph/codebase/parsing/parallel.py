"""Parsing many files: in this process until there is enough to do for others.

Processes of our own instead of `multiprocessing`: forking a process that has threads or a database open is unsafe, and
spawning imports the caller's main module again, which a script that uses tx may not be ready for.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import chain
from queue import Empty, SimpleQueue
from threading import Timer
from typing import IO, NamedTuple, Self, cast

from tx_graph.codebase.parsing.worker import Parsed, parsed, receive, send

WORTHWHILE = 1_000_000
"""Bytes of source from which on other processes are started: half a second of parsing, a tenth for starting them."""
_BATCH = 200_000
"""Bytes of source that one message holds at least, or one file that is larger."""
_MOST_PROCESSES = 16
_PATIENCE = 60.0
"""Seconds that a batch may take: a hundred times what its slowest file needs."""
_CRASHED = "cannot be parsed: the parser crashed, or would not end"
_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]);"
    "from tx_graph.codebase.parsing.worker import serve; serve()"
)


class Source(NamedTuple):
    """A file to parse."""

    path: str
    content: bytes


def default_processes() -> int:
    """Return how many processes parse unless the user says otherwise: one per core that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _MOST_PROCESSES)


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
    yield from _in_processes(chain(first, waiting), processes)


def _taken(sources: Iterator[Source], size: int) -> Iterator[Source]:
    """Yield sources until there are so many bytes of them."""
    for source in sources:
        yield source
        size -= len(source.content)
        if size <= 0:
            return


def _in_processes(sources: Iterator[Source], processes: int) -> Iterator[tuple[str, Parsed]]:
    at_work: deque[tuple[list[Source], Future[list[Parsed]]]] = deque()
    with _Workers() as workers, ThreadPoolExecutor(processes, thread_name_prefix="parse") as threads:
        while batch := list(_taken(sources, _BATCH)):
            at_work.append((batch, threads.submit(workers.parse, batch)))
            if len(at_work) > 2 * processes:
                yield from _finished(*at_work.popleft())
        while at_work:
            yield from _finished(*at_work.popleft())


def _finished(batch: list[Source], result: Future[list[Parsed]]) -> Iterator[tuple[str, Parsed]]:
    return ((source.path, one) for source, one in zip(batch, result.result(), strict=True))


class _Workers:
    """Processes that parse; each is lent to one thread at a time."""

    def __init__(self, program: str = _PROGRAM, *, patience: float = _PATIENCE) -> None:
        self._program = program
        self._patience = patience
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._all: list[_Worker] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._all:
            worker.stop()

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

        Where no process can be started, as on a machine that has no room for more, this one does the work.
        """
        try:
            worker = self._lent()
        except OSError:
            return [parsed(path, content) for path, content in batch]
        try:
            found = worker.parse(batch)
        except (EOFError, OSError):
            worker.stop()
            return None
        self._idle.put(worker)
        return found

    def _lent(self) -> _Worker:
        try:
            return self._idle.get_nowait()
        except Empty:
            self._all.append(worker := _Worker(self._program, patience=self._patience))
            return worker


class _Worker:
    """One process that parses."""

    def __init__(self, program: str, *, patience: float) -> None:
        self._patience = patience
        known = [path for path in sys.path if path]  # never the working directory: its files are not ours to run
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", program, json.dumps(known)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def parse(self, batch: list[Source]) -> list[Parsed]:
        """Return what each file says.

        Raises:
            EOFError: The process died, or was ended because it took too long.
            OSError: The same, noticed while writing.
        """
        watch = Timer(self._patience, self._process.kill)
        watch.start()
        try:
            send(cast("IO[bytes]", self._process.stdin), [tuple(source) for source in batch])
            return cast("list[Parsed]", receive(cast("IO[bytes]", self._process.stdout)))
        finally:
            watch.cancel()

    def stop(self) -> None:
        """End the process; a second time does no harm."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                cast("IO[bytes]", stream).close()
