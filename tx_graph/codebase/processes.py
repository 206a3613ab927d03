"""Work for other processes: batches go there as messages, and answers come back in order.

Processes of our own instead of `multiprocessing`: forking a process that has threads or a database open is unsafe, and
spawning imports the caller's main module again, which a script that uses tx may not be ready for. Messages are a length
(4 bytes, little-endian) and as many bytes of `marshal`.
"""

from __future__ import annotations

import gc
import json
import marshal
import os
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Timer
from typing import IO, Any, Self, TypeVar, cast

MOST_PROCESSES = 16
_START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def default_processes() -> int:
    """Return how many processes work unless the user says otherwise: one per core that this process may use."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_PROCESSES)


def in_order(
    batches: Iterable[list[Item]], answer: Callable[[list[Item]], list[Answer]], *, processes: int
) -> Iterator[tuple[Item, Answer]]:
    """Yield each item with its answer, in the order of the items; `answer` is called by so many threads at once.

    The items are asked for while others are being answered, and no more of them are held than that takes.
    """
    at_work: deque[tuple[list[Item], Future[list[Answer]]]] = deque()
    with ThreadPoolExecutor(processes, thread_name_prefix="crew") as threads:
        for batch in batches:
            at_work.append((batch, threads.submit(answer, batch)))
            if len(at_work) > 2 * processes:
                yield from _finished(*at_work.popleft())
        while at_work:
            yield from _finished(*at_work.popleft())


def _finished(batch: list[Item], result: Future[list[Answer]]) -> Iterator[tuple[Item, Answer]]:
    return zip(batch, result.result(), strict=True)


class Crew:
    """Processes that run one program; each is lent to one thread at a time.

    The program calls `serve`. It may take `patience` seconds for a batch, and is ended after that.
    """

    def __init__(self, program: str, *, patience: float) -> None:
        self._program = program
        self._patience = patience
        self._idle: SimpleQueue[_Process] = SimpleQueue()
        self._all: list[_Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._all:
            process.stop()

    def ask(self, batch: list[Any]) -> list[Any]:
        """Return the answers to a batch.

        Raises:
            CannotStart: No process can be started, as on a machine that has no room for more.
            EOFError: The process died of it, or was ended because it took too long.
        """
        process = self._lent()
        try:
            found = process.ask(batch)
        except (EOFError, OSError):
            process.stop()
            raise EOFError from None
        self._idle.put(process)
        return found

    def _lent(self) -> _Process:
        with suppress(Empty):
            return self._idle.get_nowait()
        try:
            process = _Process(self._program, patience=self._patience)
        except OSError as error:
            raise CannotStart from error
        self._all.append(process)
        return process


class CannotStart(Exception):
    """No process can be started."""


class _Process:
    """One process of a crew."""

    def __init__(self, program: str, *, patience: float) -> None:
        self._patience = patience
        known = [path for path in sys.path if path]  # never the working directory: its files are not ours to run
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START + program, json.dumps(known)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )

    def ask(self, batch: list[Any]) -> list[Any]:
        """Return the answers to a batch.

        Raises:
            EOFError: The process died, or was ended because it took too long.
            OSError: The same, noticed while writing.
        """
        watch = Timer(self._patience, self._process.kill)
        watch.start()
        try:
            _send(cast("IO[bytes]", self._process.stdin), batch)
            return cast("list[Any]", _receive(cast("IO[bytes]", self._process.stdout)))
        finally:
            watch.cancel()

    def stop(self) -> None:
        """End the process; a second time does no harm."""
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                cast("IO[bytes]", stream).close()


def serve(answer: Callable[[Any], Any]) -> None:
    """Answer every item of every batch until stdin ends. Ctrl-C is for the process that started this one."""
    gc.disable()  # it takes a fifth of the time; readers leave no cycles behind, which a test holds them to
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            batch = _receive(sys.stdin.buffer)
        except EOFError:
            return
        _send(sys.stdout.buffer, [answer(item) for item in batch])


def _send(stream: IO[bytes], message: list[Any]) -> None:
    data = marshal.dumps(message)
    stream.write(len(data).to_bytes(4, "little") + data)
    stream.flush()


def _receive(stream: IO[bytes]) -> Any:  # noqa: ANN401 - whatever was sent
    size = int.from_bytes(stream.read(4), "little")
    data = stream.read(size)
    if not size or len(data) < size:
        raise EOFError
    return marshal.loads(data)  # noqa: S302 - our own process at the other end of a pipe
