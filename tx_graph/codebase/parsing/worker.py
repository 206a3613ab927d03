"""What a parsing process runs: it takes batches of files from stdin and prints what they say.

Messages are a length (4 bytes, little-endian) and as many bytes of `marshal`: a list of (path, content) one way, a list
of (encoded contents or None, problem) back, in the same order.
"""

from __future__ import annotations

import gc
import marshal
import signal
import sys
from typing import IO, Any

from tx_graph.codebase.parsing import read_source
from tx_graph.codebase.parsing.encoding import encode

Parsed = tuple[bytes | None, str]
"""What a file says, encoded, or None and why it could not be parsed."""


def parsed(path: str, content: bytes) -> Parsed:
    """Return what one file says; whatever goes wrong with it is its problem alone."""
    try:
        return encode(read_source(path, content)), ""
    except (KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # noqa: BLE001 - a parser's panic is a BaseException; one file is no reason to stop
        return None, f"cannot be parsed: {type(error).__name__}"


def send(stream: IO[bytes], message: list[Any]) -> None:
    """Write one message.

    Raises:
        OSError: Nobody listens any more.
    """
    data = marshal.dumps(message)
    stream.write(len(data).to_bytes(4, "little") + data)
    stream.flush()


def receive(stream: IO[bytes]) -> Any:  # noqa: ANN401 - whatever was sent
    """Return the next message.

    Raises:
        EOFError: The other side is gone.
    """
    size = int.from_bytes(stream.read(4), "little")
    data = stream.read(size)
    if not size or len(data) < size:
        raise EOFError
    return marshal.loads(data)  # noqa: S302 - our own process at the other end of a pipe


def serve() -> None:
    """Answer batches until stdin ends. Ctrl-C is for the process that started this one."""
    gc.disable()  # it takes a fifth of the time; readers leave no cycles behind, which a test holds them to
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while True:
        try:
            batch = receive(sys.stdin.buffer)
        except EOFError:
            return
        send(sys.stdout.buffer, [parsed(path, content) for path, content in batch])
