"""Long work: other processes that share it, and without the garbage collector."""

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
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from threading import Timer
from typing import IO, TYPE_CHECKING, Any, Self, TypeVar, cast

if TYPE_CHECKING:
    from concurrent.futures import Future

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
    from concurrent.futures import ThreadPoolExecutor  # brings logging along, and every command imports this module

    at_work: deque[tuple[list[Item], Future[list[Answer]]]] = deque()
    with ThreadPoolExecutor(processes, thread_name_prefix="crew") as threads:
        for batch in batches:
            at_work.append((batch, threads.submit(answer, batch)))
            if len(at_work) > 2 * processes:
                done, result = at_work.popleft()
                yield from zip(done, result.result(), strict=True)
        for done, result in at_work:
            yield from zip(done, result.result(), strict=True)


class CannotStart(Exception):
    """No process can be started."""


class Crew:
    """Processes that run one program; each is lent to one thread at a time.

    The program calls `serve`. It may take `patience` seconds for a batch, and is ended after that.
    """

    def __init__(self, program: str, *, patience: float) -> None:
        self._program = program
        self._patience = patience
        self._idle: SimpleQueue[subprocess.Popen[bytes]] = SimpleQueue()
        self._all: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self._all:
            _stop(process)

    def ask(self, batch: list[Any]) -> list[Any]:
        """Return the answers to a batch."""
        try:
            process = self._idle.get_nowait()
        except Empty:
            known = [path for path in sys.path if path]  # never the working directory: its files are not ours to run
            command = [sys.executable, "-I", "-c", _START + self._program, json.dumps(known)]
            pipe = subprocess.PIPE
            try:
                process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL)
            except OSError as error:
                raise CannotStart from error
            self._all.append(process)
        stdin, stdout = cast("IO[bytes]", process.stdin), cast("IO[bytes]", process.stdout)
        watch = Timer(self._patience, process.kill)
        watch.start()
        try:
            marshal.dump(batch, stdin)
            stdin.flush()
            found: list[Any] = marshal.load(stdout)  # noqa: S302 - our own process at the other end of a pipe
        except (EOFError, OSError):
            _stop(process)
            raise EOFError from None
        finally:
            watch.cancel()
        self._idle.put(process)
        return found


def _stop(process: subprocess.Popen[bytes]) -> None:
    """End a process; a second time does no harm."""
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        with suppress(OSError):
            cast("IO[bytes]", stream).close()


def serve(answer: Callable[[Any], Any]) -> None:
    """Answer every item of every batch until stdin ends. Ctrl-C is for the process that started this one."""
    gc.disable()  # it takes a fifth of the time; readers leave no cycles behind, which a test holds them to
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(EOFError):
        while True:
            batch = marshal.load(sys.stdin.buffer)  # noqa: S302 - from the process that started this one
            marshal.dump([answer(item) for item in batch], sys.stdout.buffer)
            sys.stdout.buffer.flush()


@contextmanager
def uncollected() -> Iterator[None]:
    """Keep the garbage collector from looking through millions of rows that hold no cycles, again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
