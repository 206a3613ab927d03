"""The wire to the client: the library's own transport, and what it leaves out.

Alone, that says nothing to a line that is no message, hears a request with an id that is none as a notification,
replaces bytes that are no text, keeps lines of any length, reads in a thread that it waits for, drops the requests that
are under way at the end of input, and ends at a reply that cannot be written.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from typing import cast

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

LONGEST_LINE = 16_000_000
"""Bytes of one message: a learning may hold a million, and escapes take six bytes each."""
_PAUSE = 0.01

Incoming = MemoryObjectReceiveStream[SessionMessage | Exception]
Outgoing = MemoryObjectSendStream[SessionMessage]

_log = logging.getLogger(__name__)


async def connect(serve: Callable[[Incoming, Outgoing], Awaitable[None]], hung_up: Callable[[], None]) -> None:
    """Serve the client at stdin and stdout until it has hung up and what it had asked for is answered.

    What else is printed in this process goes to stderr from now on. `hung_up` is called when the client has said all
    it has to say. Raises OSError, in a group, where nobody reads any more.
    """
    to_server, incoming = anyio.create_memory_object_stream[SessionMessage | Exception]()
    outgoing, from_server = anyio.create_memory_object_stream[SessionMessage]()
    asked: set[RequestId | None] = set()
    lines = cast("anyio.AsyncFile[str]", _lines())
    async with stdio_server(stdin=lines) as (heard, told), anyio.create_task_group() as group:

        async def hear() -> None:
            async with to_server:
                async for item in heard:
                    if isinstance(item, SessionMessage):
                        if isinstance(item.message, JSONRPCRequest):
                            asked.add(item.message.id)
                        await to_server.send(item)
                    elif (refusal := _refusal(item)) and refusal.id not in asked:
                        await told.send(SessionMessage(refusal))
                hung_up()
                while asked:  # noqa: ASYNC110 - once, at the end
                    await anyio.sleep(_PAUSE)

        async def tell() -> None:
            async with told:
                async for item in from_server:
                    reply = _writable(item.message)
                    await told.send(SessionMessage(reply, item.metadata))
                    if isinstance(reply, JSONRPCResponse | JSONRPCError):
                        asked.discard(reply.id)

        group.start_soon(hear)
        group.start_soon(tell)
        await serve(incoming, outgoing)


async def _lines() -> AsyncIterator[str]:
    """Yield what the client says; in place of what the library would pass over, something that it calls an error."""
    # Nobody else reads from it. It is never closed: that waits for the thread that reads.
    stdin = os.fdopen(os.dup(0), "rb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    while line := await anyio.to_thread.run_sync(stdin.readline, LONGEST_LINE + 1, abandon_on_cancel=True):
        if (is_too_long := len(line) > LONGEST_LINE) or (b'"id"' in line and _asks_without_id(line)):
            yield "null"
        elif line.strip():
            yield line.decode("utf-8", "surrogateescape")
        while is_too_long and line and not line.endswith(b"\n"):
            line = await anyio.to_thread.run_sync(stdin.readline, LONGEST_LINE, abandon_on_cancel=True)


def _writable(message: JSONRPCMessage) -> JSONRPCMessage:
    try:
        message.model_dump_json()
    except (PydanticSerializationError, UnicodeEncodeError):
        _log.exception("a reply cannot be written")
        return _error(INTERNAL_ERROR, "The reply cannot be written as JSON.", getattr(message, "id", None))
    return message


def _asks_without_id(line: bytes) -> bool:
    with suppress(ValueError, RecursionError):
        found = json.loads(line)
        return isinstance(found, dict) and "method" in found and "id" in found and not _is_id(found["id"])
    return False


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _refusal(error: Exception) -> JSONRPCError | None:
    """Return the answer to a line that is no message; to what looks like an answer there is none."""
    faults = error.errors(include_url=False) if isinstance(error, ValidationError) else []
    if not faults or faults[0]["type"] in {"json_invalid", "string_unicode"}:
        return _error(PARSE_ERROR, "This line is not valid JSON, or is nested too deeply.")
    # No object has the fields of all kinds of messages: one kind at least says what it misses, and in what.
    found = next((one["input"] for one in faults if one["type"] == "missing" and one["loc"][1:-1] == ()), None)
    if not isinstance(found, dict):
        return _error(INVALID_REQUEST, f"A message is one JSON object of at most {LONGEST_LINE:,} bytes, with an id.")
    if "method" not in found and ("result" in found or "error" in found):
        return None
    known = found.get("id")
    return _error(INVALID_REQUEST, "This is not a JSON-RPC 2.0 message.", known if _is_id(known) else None)


def _error(code: int, message: str, request: RequestId | None = None) -> JSONRPCError:
    return JSONRPCError(jsonrpc="2.0", id=request, error=ErrorData(code=code, message=message))
