"""Shows what is longer than the screen in a pager, as git does; what fits, and what no terminal reads, is printed."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO

_STYLE = re.compile(r"\x1b\[[0-9;]*m")
_NOT_STARTED = (126, 127)  # what a shell ends with when it cannot run a command


def command() -> str:
    """Return the pager's command line; empty where none is wanted or there is none."""
    if not sys.stdout.isatty() or os.environ.get("TERM", "dumb") == "dumb":
        return ""
    for name in ("TX_PAGER", "PAGER"):
        if (wanted := os.environ.get(name)) is not None:
            return "" if wanted.strip() == "cat" else wanted.strip()
    return "less" if shutil.which("less") else ""


class Screen:
    """Holds what a command prints until it is more than a screen, and gives all of it to a pager from then on."""

    def __init__(self, pager: str) -> None:
        self._pager = pager
        self._columns, rows = shutil.get_terminal_size()
        self._left = rows - 1  # the prompt needs a line, too
        self._held: list[tuple[IO[str], str]] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._is_read = True

    def write(self, stream: IO[str], text: str) -> None:
        """Take a text for a stream; whoever left the pager does not want the rest."""
        self._held.append((stream, text))
        if self._process:
            self._send(text)
            return
        from tx_graph.faces.cli.render.terminal import columns

        for line in _STYLE.sub("", text).split("\n")[:-1]:
            self._left -= max(1, -(-columns(line) // self._columns))
        if self._left < 0:
            settings = {"LESS": "FRX", "LV": "-c"} | os.environ
            self._process = subprocess.Popen(self._pager, shell=True, stdin=subprocess.PIPE, env=settings)  # noqa: S602 - as git does
            self._send("".join(held for _, held in self._held))

    def _send(self, text: str) -> None:
        assert self._process is not None  # noqa: S101 - it was just started
        assert self._process.stdin is not None  # noqa: S101 - it has a pipe
        if self._is_read:
            try:
                self._process.stdin.write(text.encode(sys.stdout.encoding or "utf-8", sys.stdout.errors or "replace"))
                self._process.stdin.flush()
            except BrokenPipeError:
                self._is_read = False

    def close(self) -> None:
        """Print what fits the screen, or wait until the pager is left; what no pager could show is printed."""
        if self._process and self._process.stdin:
            with suppress(BrokenPipeError):
                self._process.stdin.close()
            while self._process.poll() is None:
                with suppress(KeyboardInterrupt):  # the pager's to answer
                    self._process.wait()
        if not self._process or self._process.returncode in _NOT_STARTED:
            from tx_graph.faces.cli.render.terminal import echo

            for stream, text in self._held:
                echo(text, err=stream is sys.stderr, nl=False)


screen: Screen | None = None
"""Where output goes while a result is printed on a terminal."""


@contextmanager
def paged() -> Iterator[None]:
    """Have what is printed meanwhile shown in a pager, should it be longer than the screen."""
    global screen  # noqa: PLW0603 - one terminal
    pager = command()
    if not pager or screen:
        yield
        return
    screen = Screen(pager)
    try:
        yield
    finally:
        shown, screen = screen, None
        shown.close()
