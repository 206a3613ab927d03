"""What tx does, for whoever looks from outside: lines of the standard `logging`, and spans of OpenTelemetry.

Spans are made where the program that uses tx has imported OpenTelemetry's API, or an `OTEL_…` variable says that it is
wanted; whose SDK and exporter they reach is that program's to say. Where nobody listens, all of this costs a look into
two dictionaries.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

from tx_graph.core.errors import UsageError

if TYPE_CHECKING:
    from logging import Logger

NAME = "tx_graph"
"""The logger, and the instrumentation scope of spans."""
VARIABLE = "TX_LOG"
LEVELS = ("debug", "info", "warning")


@contextmanager
def span(name: str, /, **facts: object) -> Iterator[dict[str, object]]:
    """Trace what the block does. It may add facts to the dictionary that it is given, such as how much it did.

    Usable as a decorator, too. The line stands at level INFO, with the milliseconds that the block took.
    """
    logger, tracer = _logger("INFO"), _tracer()
    if logger is None and tracer is None:
        yield facts
        return
    start = time.perf_counter()
    problem = ""
    try:
        if tracer is None:
            yield facts
        else:
            with tracer.start_as_current_span(f"tx.{name}") as current:
                yield facts
                current.set_attributes({f"tx.{key}": _plain(value) for key, value in facts.items()})
    except BaseException as error:
        problem = type(error).__name__
        raise
    finally:
        if logger:
            ended = {"ms": round((time.perf_counter() - start) * 1000, 1)} | ({"error": problem} if problem else {})
            logger.info(name, extra={"facts": facts | ended})


def log(name: str, /, **facts: object) -> None:
    """Write a line of level DEBUG."""
    if logger := _logger("DEBUG"):
        logger.debug(name, extra={"facts": facts})


def _logger(level: str) -> Logger | None:
    """Return the logger if somebody listens at this level; nobody does who has not imported `logging`."""
    if (logging := sys.modules.get("logging")) is None:
        return None
    logger: Logger = logging.getLogger(NAME)
    return logger if logger.isEnabledFor(getattr(logging, level)) else None


def _tracer() -> Any:
    if "opentelemetry.trace" not in sys.modules and not _is_wanted():
        return None
    from opentelemetry import trace

    return trace.get_tracer(NAME)


@cache
def _is_wanted() -> bool:
    from importlib.util import find_spec

    return any(name.startswith("OTEL_") for name in os.environ) and find_spec("opentelemetry") is not None


def _plain(value: object) -> str | bool | int | float:
    return value if isinstance(value, str | bool | int | float) else str(value)


def listen(wanted: str) -> None:
    """Write lines to stderr from a level on: `info`, or `debug,json` for one JSON object a line.

    Raises:
        UsageError: That is no level.
    """
    import logging

    words = [word for word in wanted.lower().replace(",", " ").split() if word != "json"] or ["info"]
    if len(words) > 1 or words[0] not in LEVELS:
        levels = ", ".join(LEVELS)
        raise UsageError(f"{VARIABLE} is '{wanted}'.", hint=f"Use one of {levels}, and json for JSON lines: info,json.")
    as_json = "json" in wanted.lower()

    class Lines(logging.Formatter):
        def format(self, record: logging.LogRecord) -> str:
            facts: dict[str, object] = getattr(record, "facts", {})
            if as_json:
                import json

                at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(record.created))
                told: dict[str, object] = {"at": at, "level": record.levelname.lower(), "event": record.getMessage()}
                return json.dumps(told | facts, default=str, ensure_ascii=False)
            return " ".join([f"tx: {record.getMessage()}", *(f"{key}={value}" for key, value in facts.items())])

    handler = logging.StreamHandler()
    handler.setFormatter(Lines())
    logger = logging.getLogger(NAME)
    logger.handlers = [handler]
    logger.setLevel(words[0].upper())
    logger.propagate = False
