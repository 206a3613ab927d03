"""Every JSON document that a test has a command print is held against its schema, to which nothing may be missing."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import fastjsonschema

from tx_graph.faces.operations import COMMANDS, Operation, spelled_out
from tx_graph.faces.schemas import Schemas, published

_SWITCHES = ("--json", "--format=json")


@cache
def _schemas() -> Schemas:
    return Schemas(is_closed=True)


@cache
def _validator(name: str) -> Callable[[Any], Any] | None:
    operation = COMMANDS.get(name)
    if name == "error":
        schema = published()["$defs"]["error"]
    elif isinstance(operation, Operation):
        schema = _schemas().document(operation)
    else:
        return None
    check: Callable[[Any], Any] = fastjsonschema.compile({**schema, "$defs": _schemas().known})
    return check


def validate(words: Sequence[str], status: int, out: str, err: str) -> None:
    """Raise where what a command line printed as JSON is not what its schema says."""
    asked = [str(word) for word in words]
    command, *rest = spelled_out(asked) if asked else [""]
    if not any(word in _SWITCHES for word in rest) or "-h" in rest or "--help" in rest:
        return
    if status in (0, 1) and out and (check := _validator(command)):
        check(json.loads(out))
    elif status > 1 and err.startswith("{"):
        check = _validator("error")
        assert check
        check(json.loads(err))
