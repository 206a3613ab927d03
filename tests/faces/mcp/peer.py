"""The other end of the wire, by hand: a real server as a process, and every byte that goes to it and comes back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from types import TracebackType
from typing import IO, Any, Self, cast

PROGRAM = (sys.executable, "-m", "tx_graph")
PATIENCE = 30.0
"""Seconds after which a server that says nothing is taken for dead; a busy machine needs a few of them."""
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "peer", "version": "1"}}


class Peer:
    """A client that says what it likes. `err` has what the server wrote to stderr once it has ended."""

    def __init__(
        self,
        directory: Path,
        *options: str,
        environment: Mapping[str, str] | None = None,
        capabilities: Mapping[str, Any] | None = None,
    ) -> None:
        self.process = subprocess.Popen(
            [*PROGRAM, "mcp", *options],
            cwd=directory,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self._number = 0
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        self._errors: list[bytes] = []
        self._threads = [Thread(target=self._listen, daemon=True), Thread(target=self._overhear, daemon=True)]
        for thread in self._threads:
            thread.start()
        self.greeting = self.ask("initialize", HELLO | {"capabilities": dict(capabilities or {})})["result"]
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            cast("IO[bytes]", stream).close()

    @property
    def err(self) -> str:
        """What the server said on stderr."""
        self._threads[1].join(PATIENCE)
        return b"".join(self._errors).decode()

    @property
    def last(self) -> int:
        """The id of the last request."""
        return self._number

    def say(self, message: object) -> None:
        """Send a message; bytes go as they are."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        stream = cast("IO[bytes]", self.process.stdin)
        stream.write(line + b"\n")
        stream.flush()

    def hear(self) -> Any:  # noqa: ANN401 - whatever JSON can hold
        """Return the next message; fail where none comes."""
        return json.loads(self.hear_line())

    def hear_line(self) -> bytes:
        """Return the next message as it was sent."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except Empty:
            raise AssertionError("the server says nothing") from None
        assert line, self.err
        return line

    def ask(self, method: str, params: Mapping[str, Any] | None = None) -> Any:  # noqa: ANN401
        """Return the answer to a request."""
        number = self.begin(method, params)
        while True:
            answer = self.hear()
            if answer.get("id") == number and "method" not in answer:
                return answer

    def begin(self, method: str, params: Mapping[str, Any] | None = None) -> int:
        """Send a request and return its id, without waiting for the answer."""
        self._number += 1
        self.say({"jsonrpc": "2.0", "id": self._number, "method": method, "params": dict(params or {})})
        return self._number

    def call(self, tool: str, /, **arguments: object) -> Any:  # noqa: ANN401
        """Return the result of a tool, errors too."""
        return self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]

    def hang_up(self) -> int:
        """Close the wire, and return how the server ended."""
        cast("IO[bytes]", self.process.stdin).close()
        return self.process.wait(PATIENCE)

    def _listen(self) -> None:
        for line in cast("IO[bytes]", self.process.stdout):
            self._lines.put(line)
        self._lines.put(b"")

    def _overhear(self) -> None:
        self._errors.extend(cast("IO[bytes]", self.process.stderr))


def is_alive(pid: int) -> bool:
    """Whether a process is there and no zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def ends_soon(pid: int) -> bool:
    """Whether a process ends before anybody loses patience."""
    end = time.monotonic() + PATIENCE
    while is_alive(pid) and time.monotonic() < end:
        time.sleep(0.05)
    return not is_alive(pid)
