"""The server of the page: for one person on this machine, who knows its secret."""

from __future__ import annotations

import asyncio
import logging
import secrets
import socket
import warnings
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http import HTTPStatus

import uvicorn
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import Receive, Scope, Send

from tx_graph.core.errors import NotFound, TxError, UsageError
from tx_graph.view.assets import TYPES, assets
from tx_graph.view.questions import QUESTIONS
from tx_graph.view.snapshots import SNAPSHOTS, Snapshots, as_text
from tx_graph.workspace.lasting import LastingWorkspace
from tx_graph.workspace.updating import Updating

_HOST = "127.0.0.1"
_UNSAID = 80  # the port that no browser names
_SECRET_BYTES = 24  # 192 bits
_GRACE = 1  # second that answers under way have when the server ends
_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}
_log = logging.getLogger(__name__)


class Server:
    """Serves the page of a workspace on this machine, at a port of its own; nothing is answered before `run`.

    Raises:
        UsageError: Somebody else has the port.
    """

    def __init__(self, workspace: LastingWorkspace, *, port: int = 0) -> None:
        self._workspace = workspace
        self._secret, self._invitation = (secrets.token_urlsafe(_SECRET_BYTES) for _ in range(2))
        self._socket = socket.socket()
        try:
            self._socket.bind((_HOST, port))
            self._socket.listen()
        except OSError as error:
            self._socket.close()
            hint = "Without --port a free one is taken."
            raise UsageError(f"Port {port} cannot be had: {error.strerror}.", hint=hint) from error
        self.port: int = self._socket.getsockname()[1]
        self._thread = ThreadPoolExecutor(1, "view")  # a database is used by one thread at a time anyway

    @property
    def url(self) -> str:
        """The address of the page, which whoever has it may read."""
        return f"http://{_HOST}:{self.port}/{self._secret}/"

    @property
    def invitation(self) -> str:
        """An address that leads there once: others on this machine may see what a browser was started with."""
        return f"http://{_HOST}:{self.port}/{self._invitation}"

    def run(self) -> None:
        """Answer until somebody interrupts.

        Raises:
            KeyboardInterrupt: Somebody did.
        """
        config = uvicorn.Config(
            self._serve,
            interface="asgi3",
            http="h11",
            ws="none",
            loop="asyncio",
            lifespan="off",
            log_config=None,
            log_level="critical",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_GRACE,
        )
        with closing(self._workspace), self._thread, warnings.catch_warnings(action="ignore"):  # the page has them
            uvicorn.Server(config).run(sockets=[self._socket])

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._response(Request(scope))
        response.headers.update(_HEADERS)
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        secret, _, path = request.scope["path"].removeprefix("/").partition("/")
        if self._invitation and _is_same(secret, self._invitation) and not path and self._is_welcome(request):
            self._invitation = ""
            return RedirectResponse(f"/{self._secret}/", HTTPStatus.SEE_OTHER)
        if not _is_same(secret, self._secret):
            return Response(status_code=HTTPStatus.NOT_FOUND)
        if not self._is_welcome(request):
            return Response(status_code=HTTPStatus.FORBIDDEN)
        if request.method not in ("GET", "HEAD"):
            return Response(status_code=HTTPStatus.METHOD_NOT_ALLOWED, headers={"Allow": "GET, HEAD"})
        if path.startswith("data/") and path.endswith(".json"):
            name = path.removeprefix("data/").removesuffix(".json")
            loop = asyncio.get_running_loop()
            status, text = await loop.run_in_executor(self._thread, self._data, name, dict(request.query_params))
            return Response(text.encode("utf-8", "backslashreplace"), status, media_type="application/json")
        directory, _, name = path.partition("/")
        asset = assets().get("index.html" if not path else name if directory == "page" else "")
        if asset is None:
            return Response(status_code=HTTPStatus.NOT_FOUND)
        return Response(asset.read_bytes(), media_type=TYPES[asset.name.rpartition(".")[2]])

    def _is_welcome(self, request: Request) -> bool:
        """Whether a request comes from the page or from a person: no other site, and no other name of this machine."""
        port = "" if self.port == _UNSAID else f":{self.port}"
        hosts, headers = {f"{name}{port}" for name in (_HOST, "localhost")}, request.headers
        host, origin = headers.getlist("host"), headers.getlist("origin")
        is_here = len(host) == 1 and host[0] in hosts and origin in ([], [f"http://{host[0]}"])
        return is_here and headers.getlist("sec-fetch-site") in ([], ["same-origin"], ["none"])

    def _data(self, name: str, given: Mapping[str, str]) -> tuple[HTTPStatus, str]:
        """Return a document and its status; whatever goes wrong is a document, too."""
        try:
            with self._workspace.kernel() as kernel:
                kernel.one(Updating).run("files documents history", {})
                if name in SNAPSHOTS:
                    return HTTPStatus.OK, kernel.one(Snapshots).text(name)
                return HTTPStatus.OK, as_text(QUESTIONS.get(name, _unknown)(kernel, given))
        except TxError as error:
            return _status(error), _explained(error)
        except BaseException as error:  # noqa: BLE001 - a parser's panic is a BaseException
            _log.exception("unexpected %s", type(error).__name__)
            unexpected = TxError(
                "Something unexpected went wrong.", hint="This is a bug in tx; its terminal has details."
            )
            return HTTPStatus.INTERNAL_SERVER_ERROR, _explained(unexpected)


def _unknown(*_: object) -> Mapping[str, object]:
    raise NotFound("The page has nothing of this name.")


def _is_same(given: str, secret: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), secret.encode())


def _status(error: TxError) -> HTTPStatus:
    if isinstance(error, NotFound):
        return HTTPStatus.NOT_FOUND
    return HTTPStatus.BAD_REQUEST if isinstance(error, UsageError) else HTTPStatus.INTERNAL_SERVER_ERROR


def _explained(error: TxError) -> str:
    fields = {"code": error.code, "message": error.message, "hint": error.hint, "candidates": error.candidates}
    return as_text({"error": fields})
