"""A real HTTP server on 127.0.0.1 that serves what a test tells it to, well or badly."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from tests.local_server import Handler, LocalServer


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """What the server answers: `sent` bytes of the body at once, the rest when `stall` is set."""

    body: bytes = b""
    status: int = 200
    content_type: str = "application/octet-stream"
    sent: int | None = None
    stall: threading.Event | None = None


class LocalHub(LocalServer):
    """Serves pages by path and counts who asked for what."""

    def __init__(self) -> None:
        super().__init__(_Handler)
        self.pages: dict[str, Page] = {}
        self.requests: list[tuple[str, dict[str, str]]] = []
        self.reached_half = threading.Event()

    def paths(self) -> list[str]:
        return [path for path, _ in self.requests]


class _Handler(Handler):
    def do_GET(self) -> None:  # noqa: N802 (the base class's name)
        hub: LocalHub = self.server.owner
        hub.requests.append((self.path, dict(self.headers)))
        page = hub.pages.get(self.path, Page(status=404))
        self.begin(page.status, page.content_type, len(page.body))
        self.wfile.write(page.body[: page.sent])
        self.wfile.flush()
        if page.stall is not None:
            hub.reached_half.set()
            page.stall.wait(timeout=10)
            self.wfile.write(page.body[page.sent :])
