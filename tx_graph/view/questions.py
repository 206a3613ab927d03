"""What the page asks while it is served: the use cases of commands, and the documents that these print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from tx_graph.context.everything import search_all
from tx_graph.context.graph import Graph
from tx_graph.core.arguments import REQUIRED, Parameter, UseCase, parameters_of
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel
from tx_graph.core.shape import Answer, as_json
from tx_graph.workspace.health import Health


def search(kernel: Kernel, given: Mapping[str, str]) -> dict[str, Any]:
    """Answer as `tx search` does, of `q` and the names of its parameters."""
    found = search_all(kernel, **_values(search_all, given, {"q": "question"}))
    return _told(kernel, found, found.notices)


def neighbors(kernel: Kernel, given: Mapping[str, str]) -> dict[str, Any]:
    """Answer as `tx graph:neighbors` does, of `node`, `types` and the names of its parameters."""
    found = kernel.one(Graph).neighbors(**_values(Graph.neighbors, given, {"types": "edge_types"}))
    return _told(kernel, found, path=found.node.reference.path)


def path(kernel: Kernel, given: Mapping[str, str]) -> dict[str, Any]:
    """Answer as `tx graph:path` does, of `from`, `to`, `types` and the names of its parameters."""
    names = {"from": "source", "to": "target", "types": "edge_types"}
    found = kernel.one(Graph).path(**_values(Graph.path, given, names))
    return _told(kernel, found, found.remarks)


QUESTIONS = {"search": search, "neighbors": neighbors, "path": path}
"""Every question by its name."""


def _told(kernel: Kernel, found: Answer, said: Sequence[str] = (), *, path: str | None = None) -> dict[str, Any]:
    age = kernel.one(Health).age(path=path)
    return found.to_dict() | {"freshness": as_json(age.freshness), "notices": [*said, *age.notices]}


def _values(use_case: UseCase, given: Mapping[str, str], names: Mapping[str, str]) -> dict[str, Any]:
    """Return what an address says as the parameters of a use case; what it does not know is no parameter of it.

    Raises:
        UsageError: Something is missing, unknown, or no value of its kind.
    """
    known = {one.name: one for one in parameters_of(use_case) if one.arg}
    values = {}
    for name, text in given.items():
        parameter = known.get(names.get(name, name))
        if parameter is None or "\0" in text:
            raise UsageError(f"'{name}' is not asked for here, or has a value that nothing can have.")
        values[parameter.name] = _value(parameter, name, text)
    told = {inner: name for name, inner in names.items()}
    missing = [name for name, one in known.items() if one.default is REQUIRED and name not in values]
    if missing:
        raise UsageError(f"'{told.get(missing[0], missing[0])}' is missing.")
    return values


def _value(parameter: Parameter, name: str, text: str) -> Any:  # noqa: ANN401 - a value of any parameter
    if parameter.is_many:
        return tuple(filter(None, text.split(",")))
    try:
        return parameter.kind(text)
    except ValueError:
        raise UsageError(f"'{name}' cannot be '{text[:60]}'.") from None
