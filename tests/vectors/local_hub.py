"""A real HTTP server on 127.0.0.1 that serves what a test tells it to, well or badly."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What the server answers: `sent` bytes of the body at once, the rest when `stall` is set."""

    body: bytes = b""
    status: int = 200
    content_type: str = "application/octet-stream"
    sent: int | None = None
    stall: threading.Event | None = None


class LocalHub:
    """Serves pages by path and counts who asked for what."""

    def __init__(self) -> None:
        self.pages: dict[str, Page] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.reached_half = threading.Event()
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.hub = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_port}"

    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    hub: LocalHub

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: clients that hang up are what some tests are about."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_GET(self) -> None:
        hub = self.server.hub
        hub.requests.append((self.path, dict(self.headers)))
        page = hub.pages.get(self.path, Page(status=404))
        self.send_response(page.status)
        self.send_header("Content-Type", page.content_type)
        self.send_header("Content-Length", str(len(page.body)))
        self.end_headers()
        self.wfile.write(page.body[: page.sent])
        self.wfile.flush()
        if page.stall is not None:
            hub.reached_half.set()
            page.stall.wait(timeout=10)
            self.wfile.write(page.body[page.sent :])

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (the base class's name)
        """Keep the test's output clean."""
