"""Language models through the library `llm`, with its plugins and its keys; this door is light."""

from __future__ import annotations

import threading
from collections.abc import Coroutine
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from tx_graph.core.errors import ModelUnusable
from tx_graph.core.ports import Model

if TYPE_CHECKING:
    import asyncio

__all__ = ["open_model", "run"]

Result = TypeVar("Result")
_ONE_AT_A_TIME = threading.Lock()


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """Return what comes of asking, in the one event loop of the process: connections outlive what was asked by them.

    A loop for each run would be closed while the libraries of providers still hold connections that belong to it.
    """
    with _ONE_AT_A_TIME:
        return _runner().run(work)


@cache
def _runner() -> asyncio.Runner:
    import asyncio
    import atexit

    runner = asyncio.Runner()
    atexit.register(runner.close)
    return runner


def open_model(name: str | None = None, *, most_at_once: int = 1) -> Model:
    """Return a model by the name or alias that `llm` knows it by; nothing is sent yet.

    Without a name it is the one in the variable LLM_MODEL, else the one set by `llm models default`. At most
    `most_at_once` questions are under way at a time.
    """
    try:
        from tx_graph.core.llm_models import find
    except ImportError as error:
        raise ModelUnusable(
            f"Language models are asked through the library llm, which cannot be imported here: {error}.",
            hint="pip install 'tx-graph[llm]'",
        ) from error
    return find(name, most_at_once=most_at_once)
