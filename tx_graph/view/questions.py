"""What the page asks while it is served: the use cases of commands, and the documents that these print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from tx_graph.code.file_store import FileStore
from tx_graph.context.everything import search_all
from tx_graph.context.graph import Graph, show
from tx_graph.context.partners import CoChanges
from tx_graph.core.arguments import REQUIRED, Parameter, UseCase, parameters_of
from tx_graph.core.errors import UsageError
from tx_graph.core.kernel import Kernel, iso
from tx_graph.core.shape import Answer, as_json
from tx_graph.graph.references import Node, NodeKind
from tx_graph.graph.resolving import References
from tx_graph.history.commit_store import CommitStore
from tx_graph.view.look import Look, fact_place
from tx_graph.workspace.health import Health

_MOST_SECTIONS = 50


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


def node(kernel: Kernel, given: Mapping[str, str]) -> dict[str, Any]:
    """Answer as `tx graph:show` does, of `ref`, and with all that is said of the node: learnings, facts and sections.

    Of a file also how large it is, what touched it last, and what usually changes with it.
    """
    look, found = kernel.one(Look), show(kernel, **_values(show, given, {}))
    around, path = {step.target: step.target_node for step in found.steps}, found.node.reference.path
    sections = [ref for ref, one in around.items() if one.kind == NodeKind.SECTION]
    return _told(kernel, found, path=path) | {
        "text": found.texts.get(found.node.ref, ""),
        "learnings": [
            {
                "ref": one.stored.ref,
                "text": one.stored.learning.content,
                "verdict": one.standing.word,
                "drift": one.standing.drift,
            }
            for one in look.learnings
            if one.stored.ref in around or path in one.paths
        ],
        "facts": [
            as_json(stored) | {"verdict": state}
            for stored, state in look.facts
            if (found.node.id and found.node.id in (stored.subject, stored.object))
            or (path and path == fact_place(stored.fact))
        ],
        "sections": [{"ref": ref, "title": kernel.one(References).text(ref)} for ref in sections[:_MOST_SECTIONS]],
        "file": _file(kernel, found.node) if found.node.kind is NodeKind.FILE else None,
    }


def _file(kernel: Kernel, node: Node) -> dict[str, Any]:
    database, partners = kernel.database, kernel.one(CoChanges).cochanges(f"{NodeKind.FILE}:{node.key}")
    row = FileStore(database).rows_of([node.key]).get(node.key)
    touched = [moment for *_, moment in CommitStore(database).touching([node.id] if node.id else [], most=1)]
    return {
        "size": row.size if row else None,
        "language": row.language if row else None,
        "touched_at": iso(datetime.fromtimestamp(max(touched), UTC)) if touched else None,
        "commits": partners.commits,
        "partners": as_json(partners.partners),
    }


QUESTIONS = {"search": search, "neighbors": neighbors, "path": path, "node": node}
"""Every question by its name."""


def _told(kernel: Kernel, found: Answer, said: Sequence[str] = (), *, path: str | None = None) -> dict[str, Any]:
    age = kernel.one(Health).age(path=path)
    return found.to_dict() | {"freshness": as_json(age.freshness), "notices": [*said, *age.notices]}


def _values(use_case: UseCase, given: Mapping[str, str], names: Mapping[str, str]) -> dict[str, Any]:
    """Return what an address says as the parameters of a use case; what it does not know is no parameter of it.

    Raises:
        UsageError: Something is missing, unknown, or no value of its kind.
    """
    known = {one.name: one for one in parameters_of(use_case) if one.arg and one.kind is not bool}
    values = {}
    for name, text in given.items():
        parameter = known.get(names.get(name, name))
        if parameter is None:
            raise UsageError(f"'{name}' is nothing that this asks for.")
        values[parameter.name] = _value(parameter, name, text)
    told = {inner: name for name, inner in names.items()}
    missing = [name for name, one in known.items() if one.default is REQUIRED and name not in values]
    if missing:
        raise UsageError(f"'{told.get(missing[0], missing[0])}' is missing.")
    return values


def _value(parameter: Parameter, name: str, text: str) -> Any:  # noqa: ANN401 - a value of any parameter
    if "\0" in text:
        raise UsageError(f"'{name}' cannot have a NUL byte.")
    if parameter.is_many:
        return tuple(filter(None, text.split(",")))
    try:
        return parameter.kind(text)
    except ValueError:
        raise UsageError(f"'{name}' cannot be '{text[:60]}'.") from None
