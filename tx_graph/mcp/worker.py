"""A thread for what would block the event loop. It never keeps the process alive."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from queue import SimpleQueue
from threading import Thread
from typing import Any, TypeVar

T = TypeVar("T")


class Worker:
    """Does one thing after the other.

    The thread is a daemon, unlike those of executors: reading from a client that is silent, or a call that takes long,
    is no reason to stay when the client is gone.
    """

    def __init__(self, name: str) -> None:
        self._waiting: SimpleQueue[tuple[Future[Any], Callable[[], Any]]] = SimpleQueue()
        Thread(target=self._run, name=name, daemon=True).start()

    async def do(self, work: Callable[[], T]) -> T:
        """Return what `work` returns; whoever is cancelled while that waits its turn never has it done."""
        return await asyncio.wrap_future(self.submit(work))

    def submit(self, work: Callable[[], T]) -> Future[T]:
        """Have something done, and return its future."""
        future: Future[T] = Future()
        self._waiting.put((future, work))
        return future

    def _run(self) -> None:
        while True:
            future, work = self._waiting.get()
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(work())
            except BaseException as error:  # noqa: BLE001 - whoever waits for it hears of everything
                future.set_exception(error)
            del future, work  # the result may be large, and the next turn may be far
