"""The server: it hears requests in one thread and answers them in another, so that no call makes it deaf."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from difflib import get_close_matches
from pathlib import Path
from threading import Event, Thread
from typing import Any, TypeVar

import anyio
import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from tx_graph.errors import NotFound, TxError
from tx_graph.mcp.answering import Answering
from tx_graph.mcp.instructions import instructions
from tx_graph.mcp.replies import Reply, explanation
from tx_graph.mcp.replies.words import brief_line
from tx_graph.mcp.resources import LEARNING, MIME_TYPE, NEIGHBORHOOD
from tx_graph.mcp.tools import Tool, described
from tx_graph.mcp.whereabouts import Whereabouts
from tx_graph.mcp.wire import Incoming, Outgoing, connect
from tx_graph.ports import Progress
from tx_graph.version import __version__

_PATIENCE = 2.0
"""Seconds that a client has to say what its roots are."""
_HEARTBEAT = 1.0
"""Seconds between looks at whether the process that started this one is still there."""
_GRACE = 1.0
"""Seconds that a call under way has to end when the server ends."""
_LONGEST_NAME = 60
_INTERRUPTED = 130

T = TypeVar("T")
Context = ServerRequestContext[Any]


def serve(start: Path, *, is_read_only: bool) -> None:
    """Serve the client at stdin and stdout until it goes, and end the process."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="tx mcp: %(message)s")
    session = Session(Whereabouts(start), is_read_only=is_read_only)
    parent = os.getppid()

    def watch() -> None:
        # A client that is killed hangs up, unless another process holds its end of the pipe open.
        while os.getppid() == parent:
            time.sleep(_HEARTBEAT)
        session.end(0)

    def begin(work: Callable[..., None], *given: int) -> None:
        Thread(target=work, args=given, daemon=True).start()

    # Not in the handler itself: that may hold up the very thread that it waits for.
    signal.signal(signal.SIGINT, lambda *_: begin(session.end, _INTERRUPTED))
    begin(watch)
    try:
        asyncio.run(connect(session.run, hung_up=lambda: begin(session.end_in_time)))
    except* OSError:
        pass  # nobody reads any more
    session.end(0)


class Session:
    """Serves one client."""

    def __init__(self, whereabouts: Whereabouts, *, is_read_only: bool) -> None:
        self._whereabouts = whereabouts
        self._answering = Answering(whereabouts, is_read_only=is_read_only)
        self._instructions = instructions(is_read_only=is_read_only)
        self._worker = ThreadPoolExecutor(max_workers=1)
        self._is_ending = Event()

    async def run(self, incoming: Incoming, outgoing: Outgoing) -> None:
        """Answer what comes in until nothing comes any more."""
        server: Server[Any] = Server(
            "tx",
            version=__version__,
            instructions=self._instructions,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
        )
        server.middleware.clear()  # the only one there is would report every call to whoever collects traces
        await server.run(incoming, outgoing, server.create_initialization_options())

    def end(self, status: int) -> None:
        """Let the call under way end, and then the process: what was not committed by then never happened."""
        self._is_ending.set()
        try:
            self._worker.submit(self._answering.close).result(_GRACE)
        finally:
            os._exit(status)

    def end_in_time(self) -> None:
        """End the process where it has not ended by itself when calls under way had their time."""
        time.sleep(_GRACE)
        self.end(0)

    async def _list_tools(self, _: Context, __: object) -> types.ListToolsResult:
        tools = [types.Tool.model_validate(described(tool)) for tool in self._answering.tools.values()]
        return types.ListToolsResult(tools=tools)

    async def _call_tool(self, context: Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self._tool(params.name)
        await self._ask_for_roots(context)
        reply = await self._answered(
            lambda progress: self._answering.call(tool, params.arguments or {}, progress=progress)
        )
        return _result(reply)

    def _tool(self, name: str) -> Tool:
        if (tool := self._answering.tools.get(name)) is None:
            near = get_close_matches(name[:_LONGEST_NAME], self._answering.tools, cutoff=0.5)
            hint = f"There are {', '.join(self._answering.tools)}."
            raise _refusal(
                NotFound(f"There is no tool '{brief_line(name, _LONGEST_NAME)}'.", hint=hint, candidates=near)
            )
        return tool

    async def _list_resources(self, context: Context, _: object) -> types.ListResourcesResult:
        await self._ask_for_roots(context)
        found = await self._answered(lambda _: self._answering.resources())
        return types.ListResourcesResult(
            resources=[
                types.Resource(uri=one.uri, name=one.name, title=one.title, mime_type=MIME_TYPE) for one in found
            ]
        )

    async def _list_templates(self, _: Context, __: object) -> types.ListResourceTemplatesResult:
        learning = types.ResourceTemplate(
            uri_template=LEARNING, name="learning", description="A learning, and whether it holds.", mime_type=MIME_TYPE
        )
        around = types.ResourceTemplate(
            uri_template=NEIGHBORHOOD, name="neighborhood", description="What lies around a node.", mime_type=MIME_TYPE
        )
        return types.ListResourceTemplatesResult(resource_templates=[learning, around])

    async def _read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        await self._ask_for_roots(context)
        try:
            text = await self._answered(lambda _: self._answering.read(str(params.uri)))
        except TxError as error:
            raise _refusal(error) from None
        contents = types.TextResourceContents(uri=params.uri, mime_type=MIME_TYPE, text=text)
        return types.ReadResourceResult(contents=[contents])

    async def _answered(self, work: Callable[[Progress], T]) -> T:
        """Return what is found in the other thread; who is cancelled has it end at its next step."""
        is_unwanted = Event()

        def progress(_: int, __: int | None) -> None:
            if is_unwanted.is_set() or self._is_ending.is_set():
                raise KeyboardInterrupt

        try:
            return await asyncio.get_running_loop().run_in_executor(self._worker, work, progress)
        finally:
            is_unwanted.set()

    async def _ask_for_roots(self, context: Context) -> None:
        """Where nothing else says what the client works on, ask it; only clients of earlier protocols tell."""
        capabilities = context.session.client_capabilities
        if capabilities is None or capabilities.roots is None or not context.session.can_send_request:
            return
        if self._whereabouts.is_known():
            return
        with suppress(MCPError), anyio.move_on_after(_PATIENCE):
            answer = await context.session.send_request(types.ListRootsRequest(), types.ListRootsResult)
            self._whereabouts.learn(str(root.uri) for root in answer.roots)


def _result(reply: Reply) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(text=reply.text)], structured_content=reply.structure, is_error=reply.is_error
    )


def _refusal(error: TxError) -> MCPError:
    """Return an error as the protocol has it, with the same sentence, hint and candidates."""
    told = explanation(error)
    return MCPError(code=types.INVALID_PARAMS, message=told.pop("message"), data=told)
