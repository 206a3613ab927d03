"""The wire to the client: one JSON-RPC message a line, on what were stdin and stdout when the server started.

The library's own transport answers nothing to a line that is no message, and waits for its reader when it is to end.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Awaitable, Callable
from functools import partial
from typing import IO

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

from tx_graph.mcp.worker import Worker

LONGEST_LINE = 16_000_000
"""Bytes of one message: a learning may hold a million, and escapes take six bytes each."""
_GRACE = 1.0
"""Seconds that calls under way have to end after the client has said all it has to say."""

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]
Serve = Callable[[Incoming, Outgoing], Awaitable[None]]

_log = logging.getLogger(__name__)


class Wire:
    """The two ends of the wire. What else is printed in this process goes to stderr from now on."""

    def __init__(self) -> None:
        self._stdin, self._stdout = _taken(0, "rb"), _taken(1, "wb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(2, 1)
        self._reader, self._writer = Worker("reads"), Worker("writes")
        self._asked: set[RequestId] = set()
        self._settled = anyio.Event()

    async def connect(self, serve: Serve) -> None:
        """Serve until the client hangs up, at either end of the wire, or the server is done."""
        to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
        outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()
        async with anyio.create_task_group() as group:
            group.start_soon(self._read, to_server, outgoing.clone())
            group.start_soon(self._write, from_server, group.cancel_scope)
            await serve(incoming, outgoing)
            group.cancel_scope.cancel()

    async def _read(self, to_server: MemoryObjectSendStream[SessionMessage | Exception], refusals: Outgoing) -> None:
        async with to_server, refusals:
            while line := await self._reader.do(self._line):
                message = _message(line)
                if isinstance(message, JSONRPCError) and message.id not in self._asked:
                    await refusals.send(SessionMessage(message))
                elif message is not None:
                    if isinstance(message, JSONRPCRequest):
                        self._asked.add(message.id)
                        self._settled = anyio.Event()
                    await to_server.send(SessionMessage(message))
            with anyio.move_on_after(_GRACE):
                await self._settled.wait()

    async def _write(
        self, from_server: MemoryObjectReceiveStream[SessionMessage], everything: anyio.CancelScope
    ) -> None:
        async with from_server:
            async for sent in from_server:
                try:
                    await self._writer.do(partial(self._send, _line_of(sent.message)))
                except OSError:  # nobody reads any more
                    everything.cancel()
                    return
                if isinstance(sent.message, JSONRPCResponse | JSONRPCError):
                    self._answered(sent.message.id)

    def _answered(self, request: RequestId | None) -> None:
        self._asked.discard(request if request is not None else "")
        if not self._asked:
            self._settled.set()

    def _line(self) -> bytes:
        """Return the next line, of one that is too long only so much as shows that; empty at the end."""
        line = self._stdin.readline(LONGEST_LINE + 1)
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = self._stdin.readline(LONGEST_LINE + 1)
        return line

    def _send(self, line: bytes) -> None:
        self._stdout.write(line)
        self._stdout.flush()


def _taken(descriptor: int, mode: str) -> IO[bytes]:
    """Return a stream on a descriptor of our own, which processes that we start do not inherit."""
    return os.fdopen(os.dup(descriptor), mode)


def _line_of(message: JSONRPCMessage) -> bytes:
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except (PydanticSerializationError, UnicodeEncodeError):
        _log.exception("a reply cannot be written")
        error = ErrorData(code=INTERNAL_ERROR, message="The reply cannot be written as JSON.")
        refusal = JSONRPCError(jsonrpc="2.0", id=getattr(message, "id", None), error=error)
        return refusal.model_dump_json(by_alias=True).encode() + b"\n"


def _message(line: bytes) -> JSONRPCMessage | None:
    """Return the message that a line holds, else the error to answer; None where there is nothing to answer."""
    if len(line) > LONGEST_LINE:
        return _refusal(INVALID_REQUEST, f"A message has at most {LONGEST_LINE:,} bytes.")
    if not line.strip():
        return None
    try:
        message = jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _explained(line)
    # The library takes a request whose id is none for a notification, and would never answer it.
    is_doubtful = isinstance(message, JSONRPCNotification) and b'"id"' in line
    return _explained(line) if is_doubtful and "id" in json.loads(line) else message


def _explained(line: bytes) -> JSONRPCError | None:
    """Return the answer to a line that is no message; to what looks like an answer there is none."""
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return _refusal(PARSE_ERROR, "This line is not valid JSON, or is nested too deeply.")
    if not isinstance(found, dict):
        return _refusal(INVALID_REQUEST, "A message is one JSON object.")
    if "method" not in found and ("result" in found or "error" in found):
        return None
    known = found.get("id")
    is_id = isinstance(known, str | int) and not isinstance(known, bool)
    return _refusal(INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.", known if is_id else None)


def _refusal(code: int, message: str, request: RequestId | None = None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=code, message=message))


def prepare_logging() -> None:
    """Let warnings of the server and its library go to stderr, a line each."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="tx mcp: %(message)s")
