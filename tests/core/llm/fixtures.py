"""Fixtures for whatever asks a model; import them where they are needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.core.llm.openai_server import Answering, OpenAIServer


@pytest.fixture
def llm_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The directory in which llm keeps its settings, empty; no model and no key from outside."""
    home = tmp_path / "llm"
    monkeypatch.setenv("LLM_USER_PATH", str(home))
    for name in ("LLM_MODEL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    return home


class Serve:
    """Starts servers that llm knows."""

    def __init__(self, home: Path, closing: ExitStack) -> None:
        self._home = home
        self._closing = closing

    def __call__(self, answering: Answering) -> OpenAIServer:
        server = self._closing.enter_context(OpenAIServer(answering))
        server.register(self._home)
        return server


@pytest.fixture
def serve(llm_home: Path) -> Iterator[Serve]:
    """Starts a server that answers as it is told to; it ends with the test."""
    with ExitStack() as closing:
        yield Serve(llm_home, closing)
